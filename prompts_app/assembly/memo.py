"""A memory of bounded size for what can always be made again."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Hashable
from typing import Any, Generic, TypeVar
from weakref import WeakSet

T = TypeVar("T")

_memos: WeakSet[Memo[Any]] = WeakSet()


class Memo(Generic[T]):
    """
    Values by key, up to a number of entries and to a total weight.

    What was put in first goes first, unless it was renewed. Reading takes no lock, so
    that threads that assemble do not wait for each other.
    """

    def __init__(self, entries: int, weight: int) -> None:
        self._entries = entries
        self._weight = weight
        self._held: dict[Hashable, tuple[T, int, float]] = {}
        """Value and weight, and how much had been put in before it."""
        self._step, self._unit = 1 / entries, 1 / weight
        self._age = 0.0
        """How many times all that was put in would have filled it."""
        self._lock = threading.Lock()
        _memos.add(self)
        self.weight = 0
        """Of all that is held."""

    def __len__(self) -> int:
        return len(self._held)

    def get(self, key: Hashable) -> T | None:
        """Return what *key* stands for; None if it is not held, or no longer."""
        held = self._held.get(key)
        return None if held is None else held[0]

    def renewed(self, key: Hashable) -> T | None:
        """Return as `get()` does, and let what is halfway out stay as if it were new."""
        held = self._held.get(key)
        if held is None:
            return None
        value, weight, age = held
        if self._age > age + 0.5:
            self.put(key, value, weight)
        return value

    def put(self, key: Hashable, value: T, weight: int = 1) -> None:
        """Hold *value* unless it is too heavy by itself, and let go of the oldest."""
        if weight > self._weight:
            return
        with self._lock:
            if key in self._held:
                self._drop(key)
            self._held[key] = (value, weight, self._age)
            self.weight += weight
            self._age += self._step + weight * self._unit
            while len(self._held) > self._entries or self.weight > self._weight:
                self._drop(next(iter(self._held)))

    def clear(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._held.clear()
            self.weight = 0

    def _drop(self, key: Hashable) -> None:
        self.weight -= self._held.pop(key)[1]

    def unlock(self) -> None:
        """Forget who is putting something in: in a forked process nobody is."""
        self._lock = threading.Lock()


def after_fork() -> None:
    """Unlock every memory, as another thread may have held one when this was forked."""
    for memo in _memos:
        memo.unlock()


if sys.platform != "win32":  # pragma: no branch  # there are no forks there
    os.register_at_fork(after_in_child=after_fork)
