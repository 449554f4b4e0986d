"""The difference of two texts, word by word, as people read it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")
_CLOSE = 2
"""Equal runs of up to this many words between two changes belong to the change."""
_WIDTHS = (1, 8)
"""How many words or lines in a row are looked for; the next if one finds nothing."""
_COMPARED = 200 * 200
"""The size of spans, length times length, that are compared without anchors."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run of text that is the same, added or removed."""

    kind: str
    """``same``, ``added`` or ``removed``."""
    text: str = field(repr=False)


def differences(before: str, after: str) -> tuple[Run, ...]:
    """
    Return the runs that lead from *before* to *after*, in reading order.

    Joining what is not added gives *before*, joining what is not removed gives
    *after*. Lines are compared first, then the words of those that changed.
    """
    runs: list[Run] = []
    for same, old, new in _changed_blocks(lines(before), lines(after)):
        if same:
            runs.append(Run("same", old))
        else:
            runs += _word_runs(old, new)
    return _merged(runs)


def line_differences(before: str, after: str) -> tuple[Run, ...]:
    """
    Return the runs of whole lines that lead from *before* to *after*.

    Those that are not added give *before*, those that are not removed give *after*,
    each with an end to its last line.
    """
    runs: list[Run] = []
    for same, old, new in _changed_blocks(*map(_ended, (before, after))):
        runs += [Run("same", old)] if same else [Run("removed", old), Run("added", new)]
    return _merged(runs)


def _ended(text: str) -> list[str]:
    """Return the lines of *text* as prompts have them, each with a line feed."""
    return [f"{line}\n" for line in text.removesuffix("\n").split("\n") if text]


def counts(runs: Sequence[Run]) -> tuple[int, int]:
    """Return how many words were added and how many removed."""
    added = sum(_word_count(run.text) for run in runs if run.kind == "added")
    removed = sum(_word_count(run.text) for run in runs if run.kind == "removed")
    return added, removed


def _word_count(text: str) -> int:
    return len(text.split())


def lines(text: str) -> list[str]:
    """Return the lines of *text* with their ends, which joined give it again."""
    return text.splitlines(keepends=True)


def words(text: str) -> list[str]:
    """Return words, white space and other characters of *text*, in order."""
    return _WORDS.findall(text)


def _changed_blocks(
    old: Sequence[str], new: Sequence[str]
) -> Iterator[tuple[bool, str, str]]:
    """Yield runs of items, in order: whether they are the same, and both texts."""
    i = j = 0
    for at, other_at, length in matching_blocks(old, new):
        if at > i or other_at > j:
            yield False, "".join(old[i:at]), "".join(new[j:other_at])
        i, j = at + length, other_at + length
        if length:
            text = "".join(old[at:i])
            yield True, text, text


def _word_runs(old: str, new: str) -> list[Run]:
    steps = list(_changed_blocks(words(old), words(new)))
    runs: list[Run] = []
    for number, (same, gone, come) in enumerate(steps):
        is_inner = 0 < number < len(steps) - 1
        if same and not (is_inner and _word_count(gone) <= _CLOSE):
            runs.append(Run("same", gone))
        else:
            runs += (Run("removed", gone), Run("added", come))
    return runs


def _merged(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Join neighbours of one kind, what was removed before what was added."""
    merged: list[Run] = []
    removed = added = ""
    for run in (*runs, Run("same", "")):
        if run.kind == "removed":
            removed += run.text
        elif run.kind == "added":
            added += run.text
        else:
            merged += (Run("removed", removed), Run("added", added), run)
            removed = added = ""
    joined: list[Run] = []
    for run in merged:
        if run.text and joined and joined[-1].kind == run.kind:
            joined[-1] = Run(run.kind, joined[-1].text + run.text)
        elif run.text:
            joined.append(run)
    return tuple(joined)


_Block = tuple[int, int, int]
"""Where an equal run begins in the one, where in the other, and how long it is."""
_Span = tuple[int, int, int, int]
"""From and to in the one sequence, from and to in the other."""


def matching_blocks(one: Sequence[str], other: Sequence[str]) -> list[_Block]:
    """
    Return where equal runs begin in each and how long they are, in order.

    No two of them touch, and the last is empty and stands at both ends. Equal ends
    are taken first, then what each of the two holds once. The standard library's
    matcher takes whatever is frequent for junk, which every space of a long text
    is, or takes its time; so it compares only short spans that hold nothing once.
    """
    blocks: list[_Block] = []
    waiting: list[_Span] = [(0, len(one), 0, len(other))]
    while waiting:
        span = _take_ends(one, other, waiting.pop(), blocks)
        start, end, other_start, other_end = span
        if start == end or other_start == other_end:
            continue
        anchors = _anchors(one, other, span)
        if anchors:
            corners = [(start, other_start), *anchors, (end, other_end)]
            waiting += (
                (i, next_i, j, next_j) for (i, j), (next_i, next_j) in pairwise(corners)
            )
        else:
            _compare(one, other, span, blocks)
    return [*_joined(sorted(blocks)), (len(one), len(other), 0)]


def _joined(blocks: Sequence[_Block]) -> list[_Block]:
    joined: list[_Block] = []
    for i, j, length in blocks:
        if joined:
            last_i, last_j, last = joined[-1]
            if (last_i + last, last_j + last) == (i, j):
                joined[-1] = last_i, last_j, last + length
                continue
        joined.append((i, j, length))
    return joined


def _take_ends(
    one: Sequence[str], other: Sequence[str], span: _Span, blocks: list[_Block]
) -> _Span:
    """Add the equal ends of *span* to *blocks* and return what is between."""
    start, end, other_start, other_end = span
    shorter = min(end - start, other_end - other_start)
    head = tail = 0
    while head < shorter and one[start + head] == other[other_start + head]:
        head += 1
    while tail < shorter - head and (
        one[end - tail - 1] == other[other_end - tail - 1]
    ):
        tail += 1
    for i, j, length in (
        (start, other_start, head),
        (end - tail, other_end - tail, tail),
    ):
        if length:
            blocks.append((i, j, length))
    return start + head, end - tail, other_start + head, other_end - tail


def _anchors(
    one: Sequence[str], other: Sequence[str], span: _Span
) -> list[tuple[int, int]]:
    """Return pairs of places, rising in both, of what each side holds once."""
    start, end, other_start, other_end = span
    for width in _WIDTHS:
        once = _once(one, start, end, width)
        there = _once(other, other_start, other_end, width)
        pairs = [(at, there[run]) for run, at in once.items() if run in there]
        if pairs:
            return _turns(one, other, _rising(pairs))
    return []


def _turns(
    one: Sequence[str], other: Sequence[str], anchors: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Leave out anchors that nothing but equal items separates from the last."""
    return [
        anchors[0],
        *(
            (i, j)
            for (last_i, last_j), (i, j) in pairwise(anchors)
            if one[last_i:i] != other[last_j:j]
        ),
    ]


def _compare(
    one: Sequence[str], other: Sequence[str], span: _Span, blocks: list[_Block]
) -> None:
    start, end, other_start, other_end = span
    if (end - start) * (other_end - other_start) > _COMPARED:
        return
    matcher = SequenceMatcher(
        None, one[start:end], other[other_start:other_end], autojunk=False
    )
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
