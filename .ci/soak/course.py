"""Which texts were stored when, as the history and the times of requests say."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from soak.noted import History, Operation


class Course:
    """The states that the store went through, and when each may have been in force."""

    def __init__(self, history: History, operations: Sequence[Operation]) -> None:
        self.states = states(history)
        """The stored texts after each revision, from 0 on."""
        self.defaults = history.defaults
        self._ends, self._highest = acknowledged(
            one for one in operations if one.revision
        )
        self._begins, self._lowest = begun(history, operations)

    def window(self, one: Operation) -> tuple[int, int]:
        """Return the first and the last revision that a request may have met."""
        earlier = bisect_left(self._ends, one.begin)
        first = self._highest[earlier - 1] if earlier else 0
        later = bisect_right(self._begins, one.end)
        is_last = later == len(self._lowest)
        return first, len(self.states) - 1 if is_last else self._lowest[later] - 1

    def after(self, number: int) -> Mapping[str, str]:
        """Return the stored texts after a revision; none if there is no such one."""
        return self.states[number] if number < len(self.states) else {}

    def during(self, one: Operation) -> Sequence[Mapping[str, str]]:
        """Return the states that a request may have met."""
        first, last = self.window(one)
        return self.states[first : last + 1]


def states(history: History) -> list[dict[str, str]]:
    """Return the stored texts after each revision, from 0 on."""
    found: list[dict[str, str]] = [{}]
    for revision in history.revisions:
        texts = dict(found[-1])
        for key, (_, after) in revision.changes.items():
            if after is None:
                texts.pop(key, None)
            else:
                texts[key] = after
        found.append(texts)
    return found


def acknowledged(saves: Iterable[Operation]) -> tuple[list[float], list[int]]:
    """Return the times of acknowledgement, and the highest revision up to each."""
    pairs = sorted((one.end, one.revision or 0) for one in saves)
    return [end for end, _ in pairs], [*accumulate((n for _, n in pairs), max)]


def begun(
    history: History, operations: Iterable[Operation]
) -> tuple[list[float], list[int]]:
    """Return when saves were begun, and the lowest revision from each on."""
    numbers = {revision.tag: revision.number for revision in history.revisions}
    pairs = sorted(
        (one.begin, numbers[one.tag]) for one in operations if one.tag in numbers
    )
    lowest = [*accumulate((n for _, n in reversed(pairs)), min)]
    return [begin for begin, _ in pairs], lowest[::-1]
