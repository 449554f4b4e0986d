"""What a call was given, and what its chain of scopes sees, looked up the slow way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from prompts_app.declarations import Declaration, Fragment, Group, Variable


@dataclass
class Case:
    """One call, and all that was declared and stored when it was made."""

    registered: list[tuple[str, Declaration]]
    sourced: list[tuple[str, Declaration]]
    protected: list[tuple[str, str]]
    protected_tools: list[tuple[str, str]]
    hooks: list[tuple[str, Callable[[Any, Any], None]]]
    texts: dict[tuple[str, str], str]
    chain: tuple[str, ...]
    include: tuple[str, ...] | None
    variables: dict[str, object]
    level: str | None
    tools: list[Any]
    order: list[str] | None
    families: tuple[str, ...] | None
    has_tools: bool | None
    limit: int


class Seen:
    """The declarations that count for a case."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.layers = [*reversed(case.chain), ""]
        self.declared: dict[tuple[str, type, str], Any] = {}
        for scope, one in case.registered:
            self.declared[scope, type(one), _name(one)] = one
        for scope, one in case.sourced:
            refused = _is_locked(one) and self._is_replaced(_name(one))
            if not scope and not refused:
                self.declared.setdefault(("", type(one), _name(one)), one)
        fixed = self._fixed()
        for scope, one in case.sourced:
            if scope and _name(one) not in fixed:
                self.declared.setdefault((scope, type(one), _name(one)), one)
        fragments = self._nearest(Fragment)
        self.keys = set(fragments)
        self.fragments = sorted(fragments.values(), key=lambda f: (f.order, f.key))
        self.provided = {f.provides for f in self.fragments if f.provides}
        self.variables = self._nearest(Variable)
        self.roles = {key: group.role for key, group in self._nearest(Group).items()}
        self.protected = {f.key for f in self.fragments if f.locked}
        self.protected |= {key for at, key in case.protected if at in self.layers}
        self.tools = {key for at, key in case.protected_tools if at in self.layers}

    def _fixed(self) -> set[str]:
        """Return what no scope may replace, by what is declared globally so far."""
        named = {key for scope, key in self.case.protected if not scope}
        return named | {
            name
            for (scope, _, name), one in self.declared.items()
            if _is_locked(one) and not scope
        }

    def _is_replaced(self, key: str) -> bool:
        """Return whether an app registers the fragment *key* for some scope."""
        return any(
            scope and isinstance(one, Fragment) and one.key == key
            for scope, one in self.case.registered
        )

    def _nearest(self, kind: type) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for layer in self.layers:
            for (scope, what, name), one in self.declared.items():
                if scope == layer and what is kind:
                    found.setdefault(name, one)
        return found

    def place(self, key: str, group: str, fragment: Fragment | None) -> str:
        """Return text, seam, clause, aside (a clause nobody asked for) or nothing."""
        include, role = self.case.include, self.roles.get(group, "task")
        if include is None:
            asked = role == "preamble"
        else:
            asked = group in include or key in include
        if fragment and fragment.provides:
            return "clause" if asked or role == "seam" else "aside"
        if asked:
            return "text"
        return "seam" if role == "seam" else ""

    def in_force(self, fragment: Fragment) -> tuple[str, tuple[str, str], str]:
        """Return a fragment's text, its origin, and the key it is stored under."""
        former = [key for key in fragment.former_keys if key not in self.keys]
        keys = [] if fragment.locked else [fragment.key, *former]
        text, origin, stored = fragment.default, ("default", ""), ""
        for scope in reversed(self.layers):
            own = self.declared.get((scope, Fragment, fragment.key))
            if own:
                text, origin = own.default, ("default", scope)
                stored = ""
            for key in reversed(keys):
                if (scope, key) in self.case.texts:
                    text, origin = self.case.texts[scope, key], ("override", scope)
                    stored = key
        return text, origin, stored


def _is_locked(declaration: Any) -> bool:
    return isinstance(declaration, Fragment) and declaration.locked


def _name(declaration: Any) -> str:
    kept: str = getattr(declaration, "name", "") or declaration.key
    return kept


def put_back(before: list[Any], after: list[Any], names: set[str], by: str) -> list:
    """Return *after* with each of *names* as it was *before*, absent or once."""
    places: dict[str, int] = {}
    for number, item in enumerate(before):
        places.setdefault(getattr(item, by), number)
    free = [item for item in after if getattr(item, by) not in names]
    result: list[Any] = []
    kept = [before[at] for name, at in places.items() if name in names]
    for item in free:
        at = places.get(getattr(item, by), -1)
        for one in list(kept):
            if places[getattr(one, by)] < at:
                result.append(one)
                kept.remove(one)
        result.append(item)
    return result + kept
