"""The working state of one fragment on its way through an assembly."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain

from prompts_app import validation as valid
from prompts_app.assembly.values import Origin, Reason, Snapshot
from prompts_app.declarations import Fragment
from prompts_app.exceptions import UnknownFragment
from prompts_app.registry import Layered, View


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One fragment, or a section that a hook made, before any value is known."""

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
    """That of the trace if it is out already; empty otherwise."""
    reason: Reason | None = None
    """Why it is out."""
    notes: tuple[Reason, ...] = ()

    def out(self, outcome: str, reason: Reason) -> Piece:
        """Return it as one that contributes nothing, and why."""
        return replace(self, outcome=outcome, reason=reason)


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


def collect(view: View, wanted: Wanted) -> list[tuple[Layered, str]]:
    """Return each wanted fragment with its place, in order."""
    found = []
    for layered in view.fragments:
        fragment = layered.fragment
        place = wanted.place(fragment.key, fragment.group, fragment)
        if place:
            found.append((layered, place))
    return found


def piece_of(view: View, snapshot: Snapshot, layered: Layered, place: str) -> Piece:
    """Return a fragment with its text in force."""
    fragment = layered.fragment
    text, origin, stored = text_in_force(view, snapshot, layered)
    former = stored and stored != fragment.key
    notes = (Reason("former_key", (stored,)),) if former else ()
    off = origin.kind == "override" and not text.strip()
    return Piece(
        fragment.key,
        fragment.group,
        fragment,
        text,
        origin,
        place,
        outcome="off" if off else "",
        reason=Reason("off") if off else None,
        notes=notes,
    )


def text_in_force(
    view: View, snapshot: Snapshot, layered: Layered
) -> tuple[str, Origin, str]:
    """
    Return a fragment's text, its origin, and the key of the override it came from.

    Layers are searched from near to far; in each the override of the key, of a
    former key, then the declaration. A blank override is a hit as well. A locked
    fragment reads no override.
    """
    for scope, key in override_addresses(view, layered):
        text = snapshot.texts.get((scope, key))
        if text is not None:
            return text, Origin("override", scope), key
    return layered.fragment.default, Origin("default", layered.scopes[-1]), ""


def override_addresses(view: View, layered: Layered) -> Iterator[tuple[str, str]]:
    """Yield under what (scope, key) an override counts for a fragment, first to last."""
    if not layered.fragment.locked:
        keys = override_keys(view, layered.fragment)
        yield from ((scope, key) for scope in layered.scopes for key in keys)


def override_keys(view: View, fragment: Fragment) -> tuple[str, ...]:
    """Return the keys whose overrides count for a fragment, its own one first."""
    former = (key for key in fragment.former_keys if key not in view.by_key)
    return tuple(chain((fragment.key,), former))
