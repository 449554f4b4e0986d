"""Where fragments are shown, and over what they are laid: groups and scopes."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING

from prompts_app import validation as valid
from prompts_app.exceptions import InvalidDeclaration

if TYPE_CHECKING:
    from prompts_app.declarations.kinds import Label


@dataclass(frozen=True, slots=True)
class Group:
    """A heading of the page, and a set of fragments that is asked for together."""

    key: str
    """What fragments name as their group."""
    _: KW_ONLY
    label: Label
    """Its heading on the page."""
    order: float
    """Place on the page."""
    role: str = "task"
    """``preamble`` (part of every prompt), ``seam`` (between the preamble and an
    authored prompt) or ``task`` (a request of its own)."""
    description: Label = field(default="", repr=False)
    """For the administrator."""
    permission: str = ""
    """``app_label.codename`` needed, beside the change right, for its texts."""

    def __post_init__(self) -> None:
        where = f"Group {self.key!r}"
        valid.check_name(where, "key", self.key, valid.WORD, limit=100)
        valid.check_label(where, self.label)
        valid.check_number(where, "order", self.order)
        valid.check_permission(where, self.permission)
        if self.role not in ("preamble", "seam", "task"):
            raise InvalidDeclaration(f"{where}: role is preamble, seam or task")


@dataclass(frozen=True, slots=True)
class Scope:
    """A named layer over the whole installation, declared so that it has a label."""

    key: str
    """Its address, ``kind.name``, lower case."""
    _: KW_ONLY
    label: Label
    """Its name on the page."""
    permission: str = ""
    """``app_label.codename`` needed, beside the change right, for its texts."""

    def __post_init__(self) -> None:
        where = f"Scope {self.key!r}"
        valid.check_name(where, "key", self.key, valid.SCOPE, limit=100)
        valid.check_label(where, self.label)
        valid.check_permission(where, self.permission)
