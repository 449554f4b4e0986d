"""What a store has to hold, by the rules alone: dictionaries, and no Django."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

Address = tuple[str, str]
"""Scope and key."""
LIMIT, TOTAL = 12, 30
"""The longest text, and the longest texts of one scope together."""


@dataclass(frozen=True)
class Held:
    """A stored text, and the default that it was written over."""

    text: str
    default: str


Texts = dict[Address, Held]


class Refused(Exception):  # an answer of the model
    """A write that the rules do not allow."""


@dataclass
class Model:
    """The declarations of today, what is stored, and every moment before."""

    defaults: dict[str, str]
    former: dict[str, tuple[str, ...]] = field(default_factory=dict)
    stored: Texts = field(default_factory=dict)
    moments: list[Texts] = field(default_factory=lambda: [{}])

    def names(self, key: str) -> tuple[str, ...]:
        """Return the keys that a text of *key* is looked for under."""
        older = (name for name in self.former.get(key, ()) if name not in self.defaults)
        return key, *older

    def found(self, stored: Texts, scope: str, key: str) -> tuple[str, Held] | None:
        """Return what *key* has in *scope*, and under which name."""
        for name in self.names(key):
            if (scope, name) in stored:
                return name, stored[scope, name]
        return None

    def beneath(self, stored: Texts, scope: str, key: str) -> str:
        """Return what is in force for *key* without its own text in *scope*."""
        above = self.found(stored, "", key) if scope else None
        return above[1].text if above else self.defaults[key]

    def in_force(self, scope: str, key: str) -> str:
        """Return what is sent for *key*; ``""``: nothing."""
        own = self.found(self.stored, scope, key)
        text = own[1].text if own else self.beneath(self.stored, scope, key)
        return text if text.strip() else ""

    def orphans(self) -> list[Address]:
        """Return what no fragment reads."""
        read = {name for key in self.defaults for name in self.names(key)}
        return sorted(address for address in self.stored if address[1] not in read)

    def becomes(self, stored: Texts) -> int | None:
        """Take a write; return the number of its revision, None: nothing was new."""
        if stored == self.stored:
            return None
        self.stored = stored
        self.moments.append(stored)
        return len(self.moments) - 1

    def saved(
        self,
        scope: str,
        texts: Mapping[str, str],
        seen: Mapping[str, tuple[str | None, str]],
        settled: Iterable[str] = (),
    ) -> Texts:
        """Return what is stored after a save; *seen*: text and default when opened."""
        after = dict(self.stored)
        for key, text in texts.items():
            self._put(after, scope, key, text, self._over(scope, key, key in settled))
            self._check_seen(after, scope, key, seen)
        return self._within(after, scope)

    def reset(self, scope: str, key: str) -> Texts:
        """Return what is stored without the text of *key* in *scope*."""
        after = dict(self.stored)
        self._clear(after, scope, key)
        return after

    def acknowledged(self, scope: str, key: str) -> Texts:
        """Return what is stored after a drift of *key* was looked at."""
        after = dict(self.stored)
        own = self.found(after, scope, key)
        if own:
            self._put(after, scope, key, own[1].text, self.defaults[key])
        return after

    def adopted(self, scope: str, old: str, new: str) -> Texts:
        """Return what is stored once *new* has the text of *old*."""
        after = dict(self.stored)
        held = after.pop((scope, old))
        self._bring(after, scope, new, held)
        return self._within(after, scope)

    def pruned(self, scope: str, key: str) -> Texts:
        """Return what is stored without an orphan."""
        return {a: held for a, held in self.stored.items() if a != (scope, key)}

    def restored(self, number: int) -> Texts:
        """Return what is stored once all is as it was after revision *number*."""
        later = self.moments[number:]
        changed = {
            address
            for one, other in pairwise(later)
            for address in one.keys() | other.keys()
            if one.get(address) != other.get(address)
        }
        return self.brought({a: self.moments[number].get(a) for a in changed})

    def brought(self, goals: Mapping[Address, Held | None]) -> Texts:
        """Return what is stored once it holds *goals*, from history or from a file."""
        after = dict(self.stored)
        today = {name: key for key in self.defaults for name in self.names(key)}
        for scope in sorted({scope for scope, _ in goals}):
            wanted = {name: held for (of, name), held in goals.items() if of == scope}
            for key in {today.get(name, name) for name in wanted}:
                names = self.names(key)
                goal = next((wanted[n] for n in names if wanted.get(n)), None)
                own = self.found(after, scope, key)
                if (own and own[1]) == goal:
                    continue
                if key not in self.defaults:
                    raise Refused(key)
                self._bring(after, scope, key, goal)
            after = self._within(after, scope)
        return after

    def _bring(self, after: Texts, scope: str, key: str, goal: Held | None) -> None:
        """Put a text from elsewhere; over another override it stays even if equal."""
        if goal is None:
            self._clear(after, scope, key)
        elif scope and self.found(after, "", key):
            self._store(after, scope, key, goal)
        else:
            self._put(after, scope, key, goal.text, goal.default)

    def _over(self, scope: str, key: str, is_settled: bool) -> str:
        own = self.found(self.stored, scope, key)
        return own[1].default if own and not is_settled else self.defaults[key]

    def _put(self, after: Texts, scope: str, key: str, text: str, default: str) -> None:
        text = text.strip("\n")
        if text.strip() == self.beneath(after, scope, key).strip():
            self._clear(after, scope, key)
        else:
            self._store(after, scope, key, Held(text, default))

    def _store(self, after: Texts, scope: str, key: str, held: Held) -> None:
        if len(held.text) > LIMIT:
            raise Refused(key)
        own = self.found(after, scope, key)
        if own is None or own[1] != held:
            self._clear(after, scope, key)
            after[scope, key] = held

    def _clear(self, after: Texts, scope: str, key: str) -> None:
        for name in self.names(key):
            after.pop((scope, name), None)

    def _check_seen(
        self,
        after: Texts,
        scope: str,
        key: str,
        seen: Mapping[str, tuple[str | None, str]],
    ) -> None:
        own = self.found(self.stored, scope, key)
        now = own[1].text if own else None
        goal = self.found(after, scope, key)
        is_stale = key in seen and seen[key] != (now, self.defaults[key])
        # Two who want the same have nothing to settle.
        if is_stale and now != (goal[1].text if goal else None):
            raise Refused(key)

    def _within(self, after: Texts, scope: str) -> Texts:
        """Return *after* unless it makes the texts of *scope* rise over the total."""
        size, before = (
            sum(len(held.text) for (of, _), held in texts.items() if of == scope)
            for texts in (after, self.stored)
        )
        if size > TOTAL and size > before:
            raise Refused(scope)
        return after
