"""Joining two edits of one text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

from merge3 import Merge3

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")
_WIDTHS = (1, 8)
"""How many words or lines in a row are looked for; the next if one finds nothing."""
_COMPARED = 200 * 200
"""The size of spans, length times length, that are compared without anchors."""


def merge(ancestor: str, mine: str, theirs: str) -> str | None:
    """
    Return both edits of *ancestor* in one text, or None where they clash.

    Lines are merged first and only what clashes there is merged word by word, so
    that long texts stay quick.
    """
    merged: list[str] = []
    for group in _groups(_lines(ancestor), _lines(mine), _lines(theirs)):
        if group[0] != "conflict":
            merged += group[1]
            continue
        words = _merge_words(*("".join(part) for part in group[1:]))
        if words is None:
            return None
        merged.append(words)
    return "".join(merged)


def _merge_words(ancestor: str, mine: str, theirs: str) -> str | None:
    merged: list[str] = []
    for group in _groups(_words(ancestor), _words(mine), _words(theirs)):
        if group[0] == "conflict":
            return None
        merged += group[1]
    return "".join(merged)


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _words(text: str) -> list[str]:
    return _WORDS.findall(text)


def _groups(
    ancestor: Sequence[str], mine: Sequence[str], theirs: Sequence[str]
) -> Iterator[tuple[Any, ...]]:
    return Merge3(ancestor, mine, theirs, sequence_matcher=_Matcher).merge_groups()


_Span = tuple[int, int, int, int]
"""From and to in the one sequence, from and to in the other."""


class _Matcher:
    """
    Finds what two sequences share: equal ends, then what each of them holds once.

    The standard library's matcher takes whatever is frequent for junk, which every
    space of a long text is, and takes its time with it otherwise. It compares only
    short spans that hold nothing once.
    """

    def __init__(
        self, _is_junk: object, one: Sequence[str], other: Sequence[str]
    ) -> None:
        self._one, self._other = one, other

    def get_matching_blocks(self) -> list[tuple[int, int, int]]:
        """Return where equal runs begin in each and how long they are, in order."""
        blocks: list[tuple[int, int, int]] = []
        waiting: list[_Span] = [(0, len(self._one), 0, len(self._other))]
        while waiting:
            span = self._take_ends(waiting.pop(), blocks)
            start, end, other_start, other_end = span
            if start == end or other_start == other_end:
                continue
            anchors = self._anchors(span)
            if anchors:
                corners = [(start, other_start), *anchors, (end, other_end)]
                waiting += (
                    (i, next_i, j, next_j)
                    for (i, j), (next_i, next_j) in pairwise(corners)
                )
            else:
                self._compare(span, blocks)
        return [*sorted(blocks), (len(self._one), len(self._other), 0)]

    def _take_ends(self, span: _Span, blocks: list[tuple[int, int, int]]) -> _Span:
        """Add the equal ends of *span* to *blocks* and return what is between."""
        start, end, other_start, other_end = span
        shorter = min(end - start, other_end - other_start)
        head = tail = 0
        while head < shorter and (
            self._one[start + head] == self._other[other_start + head]
        ):
            head += 1
        while tail < shorter - head and (
            self._one[end - tail - 1] == self._other[other_end - tail - 1]
        ):
            tail += 1
        for i, j, length in (
            (start, other_start, head),
            (end - tail, other_end - tail, tail),
        ):
            if length:
                blocks.append((i, j, length))
        return start + head, end - tail, other_start + head, other_end - tail

    def _anchors(self, span: _Span) -> list[tuple[int, int]]:
        """Return pairs of places, rising in both, of what each side holds once."""
        start, end, other_start, other_end = span
        for width in _WIDTHS:
            once = _once(self._one, start, end, width)
            other = _once(self._other, other_start, other_end, width)
            pairs = [(at, other[run]) for run, at in once.items() if run in other]
            if pairs:
                return self._turns(_rising(pairs))
        return []

    def _turns(self, anchors: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Leave out anchors that nothing but equal items separates from the last."""
        return [
            anchors[0],
            *(
                (i, j)
                for (last_i, last_j), (i, j) in pairwise(anchors)
                if self._one[last_i:i] != self._other[last_j:j]
            ),
        ]

    def _compare(self, span: _Span, blocks: list[tuple[int, int, int]]) -> None:
        start, end, other_start, other_end = span
        if (end - start) * (other_end - other_start) > _COMPARED:
            return
        one, other = self._one[start:end], self._other[other_start:other_end]
        matcher = SequenceMatcher(None, one, other, autojunk=False)
        for i, j, length in matcher.get_matching_blocks():
            if length:
                blocks.append((start + i, other_start + j, length))


def _once(
    items: Sequence[str], start: int, end: int, width: int
) -> dict[tuple[str, ...], int]:
    """Return the place of each run of *width* items that a span holds once."""
    places = range(start, end - width + 1)
    runs = [tuple(items[at : at + width]) for at in places]
    counts = Counter(runs)
    return {run: at for run, at in zip(runs, places, strict=True) if counts[run] == 1}


def _rising(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return as many of *pairs*, ordered by the first, as rise by the second too."""
    lasts: list[int] = []
    chains: list[_Chain] = []
    for pair in pairs:
        length = bisect_left(lasts, pair[1])
        chain = (pair, chains[length - 1] if length else None)
        lasts[length : length + 1] = [pair[1]]
        chains[length : length + 1] = [chain]
    found = []
    left = chains[-1] if chains else None
    while left is not None:
        pair, left = left
        found.append(pair)
    return found[::-1]


_Chain = tuple[tuple[int, int], "_Chain | None"]
