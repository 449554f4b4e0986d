"""Fragments, and the variables that their texts refer to."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any

from prompts_app import validation as valid
from prompts_app.declarations.kinds import RESERVED_VARIABLES, Level, Lifetime
from prompts_app.exceptions import InvalidDeclaration
from prompts_app.syntax import variables_in

if TYPE_CHECKING:
    from prompts_app.declarations.kinds import Label


@dataclass(frozen=True, slots=True)
class Fragment:
    """One addressable piece of prompt text with the conditions it appears under."""

    key: str
    """Its address, ``prefix.name``."""
    _: KW_ONLY
    label: Label
    """Its name on the page."""
    group: str
    """Key of the group under which the page shows it."""
    default: str = field(repr=False)
    """The text in force until an administrator saves another."""
    hint: Label = field(default="", repr=False)
    """For the administrator; never sent to a model."""
    order: float = 0
    """Place in the prompt, over all groups; ties go by key."""
    variables: tuple[str, ...] | None = None
    """Names it documents; None: those of the default. Never a restriction."""
    families: tuple[str, ...] = ()
    """Gate: at least one of these tool families is offered."""
    requires: tuple[str, ...] = ()
    """Gate: each of these variables has a value that is not blank."""
    unless: tuple[str, ...] = ()
    """Gate: each of these variables is blank."""
    when_tools: bool | None = None
    """Gate: True only with tools, False only without, None either way."""
    level: Level | None = None
    """Gate: only at this level."""
    lean_reason: str = ""
    """Why a lean-only fragment may add text that the detailed prompt lacks."""
    must_mention: tuple[str, ...] = ()
    """Variables that an override may not drop without a confirmation."""
    provides: str = ""
    """Name of the variable that this text becomes, instead of a section."""
    lifetime: Lifetime | None = None
    """How stable the text is promised to be; None: as its variables are."""
    priority: int = 0
    """Over a limit the lowest goes first."""
    optional_lines: bool = False
    """A line that names variables goes unless all of them have values."""
    locked: bool = False
    """Not editable, reads no override, and protected from hooks and scopes."""
    former_keys: tuple[str, ...] = ()
    """Earlier keys whose overrides still count."""

    def __post_init__(self) -> None:
        where = f"Fragment {self.key!r}"
        valid.check_name(where, "key", self.key, valid.KEY, limit=100)
        valid.check_name(where, "group", self.group, valid.WORD)
        valid.check_text(where, "default", self.default)
        valid.check_label(where, self.label)
        valid.check_number(where, "order", self.order)
        valid.check_number(where, "priority", self.priority, whole=True)
        for name in ("families", "requires", "unless", "must_mention"):
            valid.freeze_names(self, where, name, valid.WORD)
        valid.freeze_names(self, where, "former_keys", valid.KEY)
        if self.variables is not None:
            valid.freeze_names(self, where, "variables", valid.WORD)
        if type(self.when_tools) not in (bool, type(None)):
            raise InvalidDeclaration(f"{where}: when_tools is True, False or None")
        valid.convert(self, where, "level", Level)
        valid.convert(self, where, "lifetime", Lifetime)
        self._check_combination(where)

    def _check_combination(self, where: str) -> None:
        if self.provides:
            valid.check_name(where, "provides", self.provides, valid.WORD)
        if self.provides in RESERVED_VARIABLES:
            raise InvalidDeclaration(
                f"{where}: provides={self.provides!r} is the registry's own variable"
            )
        if self.level is Level.LEAN and not self.lean_reason.strip():
            raise InvalidDeclaration(f"{where}: a lean-only fragment gives lean_reason")
        if self.key in self.former_keys:
            raise InvalidDeclaration(f"{where}: former_keys holds the key itself")

    @property
    def documented(self) -> tuple[str, ...]:
        """Return the variables that the legend lists for it."""
        if self.variables is not None:
            return self.variables
        return variables_in(self.default)


@dataclass(frozen=True, slots=True)
class Variable:
    """A name that texts may refer to, and where its value comes from."""

    name: str
    """What stands between the braces."""
    _: KW_ONLY
    label: Label
    """What it means, in a few words."""
    description: Label = field(default="", repr=False)
    """More about it: where it comes from, when it is blank."""
    example: str = field(default="", repr=False)
    """A sample value for a preview without scenario."""
    provider: Any = None
    """``(Context) -> object | None``, sync or coroutine; the caller's value wins."""
    lifetime: Lifetime = Lifetime.TURN
    """How long its value keeps the same bytes."""
    untrusted: bool = False
    """True: written by strangers or by a model, so it is cleaned first."""

    def __post_init__(self) -> None:
        where = f"Variable {self.name!r}"
        valid.check_name(where, "name", self.name, valid.WORD, limit=100)
        valid.check_label(where, self.label)
        valid.check_text(where, "example", self.example)
        valid.convert(self, where, "lifetime", Lifetime, required=True)
        if self.provider is not None and not callable(self.provider):
            raise InvalidDeclaration(f"{where}: provider has to be callable")
