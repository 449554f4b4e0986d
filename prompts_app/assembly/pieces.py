"""The working state of one fragment on its way through an assembly."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import chain

from prompts_app import validation as valid
from prompts_app.assembly.values import Origin, Reason, Snapshot
from prompts_app.declarations import Fragment
from prompts_app.exceptions import UnknownFragment
from prompts_app.registry import Layered, View


@dataclass(slots=True, eq=False)
class Piece:
    """One fragment, or a section that a hook made: what it says and how it fared."""

    key: str
    group: str
    fragment: Fragment | None
    """None: a hook's own section."""
    source: str = field(repr=False)
    """The text in force, unfilled."""
    origin: Origin
    place: str
    """Where its text would go: ``text``, ``seam``, ``clause``, or ``aside`` for a
    clause that nobody asked for."""
    outcome: str = ""
    """That of the trace; empty while it is on its way."""
    reason: Reason | None = None
    filled: str = field(default="", repr=False)
    """The source at its level, then with values."""
    notes: tuple[Reason, ...] = ()

    @property
    def waiting(self) -> bool:
        """Return whether nothing has put it out so far."""
        return not self.outcome

    def put_out(self, outcome: str, reason: Reason) -> None:
        """Settle that it contributes nothing, and why."""
        self.outcome, self.reason, self.filled = outcome, reason, ""


class Wanted:
    """Which fragments an ``include`` asks for, and where they go."""

    def __init__(self, view: View, include: tuple[str, ...] | None) -> None:
        self._view = view
        self._groups: Collection[str] | None = None
        self._keys: Collection[str] = ()
        if include is not None:
            self._keys = frozenset(name for name in include if "." in name)
            self._groups = frozenset(include) - self._keys
        for key in sorted(self._keys):
            if key not in view.by_key:
                raise UnknownFragment(key, valid.near(key, tuple(view.by_key)))

    def place(self, key: str, group: str, fragment: Fragment | None) -> str:
        """Return where a section goes; ``""`` if it is not asked for."""
        role = self._view.role(group)
        if self._groups is None:
            asked = role == "preamble"
        else:
            asked = group in self._groups or key in self._keys
        if fragment is not None and fragment.provides:
            return "clause" if asked or role == "seam" else "aside"
        if asked:
            return "text"
        return "seam" if role == "seam" else ""


def collect(view: View, snapshot: Snapshot, wanted: Wanted) -> list[Piece]:
    """Return a piece for each wanted fragment, in order, with its text in force."""
    pieces = []
    for layered in view.fragments:
        fragment = layered.fragment
        place = wanted.place(fragment.key, fragment.group, fragment)
        if place:
            pieces.append(_piece(view, snapshot, layered, place))
    return pieces


def _piece(view: View, snapshot: Snapshot, layered: Layered, place: str) -> Piece:
    fragment = layered.fragment
    text, origin, stored = text_in_force(view, snapshot, layered)
    piece = Piece(fragment.key, fragment.group, fragment, text, origin, place)
    if stored and stored != fragment.key:
        piece.notes = (Reason("former_key", (stored,)),)
    if origin.kind == "override" and not text.strip():
        piece.put_out("off", Reason("off"))
    return piece


def text_in_force(
    view: View, snapshot: Snapshot, layered: Layered
) -> tuple[str, Origin, str]:
    """
    Return a fragment's text, its origin, and the key of the override it came from.

    Layers are searched from near to far; in each the override of the key, of a
    former key, then the declaration. A blank override is a hit as well. A locked
    fragment reads no override.
    """
    fragment = layered.fragment
    keys = () if fragment.locked else override_keys(view, fragment)
    for scope in layered.scopes:
        for key in keys:
            text = snapshot.texts.get((scope, key))
            if text is not None:
                return text, Origin("override", scope), key
    return fragment.default, Origin("default", layered.scopes[-1]), ""


def override_keys(view: View, fragment: Fragment) -> tuple[str, ...]:
    """Return the keys whose overrides count for a fragment, its own one first."""
    former = (key for key in fragment.former_keys if key not in view.by_key)
    return tuple(chain((fragment.key,), former))
