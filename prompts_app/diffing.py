"""The difference of two texts, word by word, as people read it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")
_CLOSE = 2
"""Equal runs of up to this many words between two changes belong to the change."""
_LARGEST = 4_000
"""A changed block of more words than this is shown as a whole."""


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
    for old, new in _changed_blocks(_lines(before), _lines(after)):
        if old == new:
            runs.append(Run("same", old))
        else:
            runs += _word_runs(old, new)
    return _merged(runs)


def counts(runs: Sequence[Run]) -> tuple[int, int]:
    """Return how many words were added and how many removed."""
    added = sum(_word_count(run.text) for run in runs if run.kind == "added")
    removed = sum(_word_count(run.text) for run in runs if run.kind == "removed")
    return added, removed


def _word_count(text: str) -> int:
    return len(text.split())


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _changed_blocks(
    old: Sequence[str], new: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield blocks of lines that are the same or differ, in order."""
    # What both begin and end with needs no search, which is slow over many lines.
    start = _common(zip(old, new, strict=False))
    inner_old, inner_new = old[start:], new[start:]
    end = _common(zip(reversed(inner_old), reversed(inner_new), strict=False))
    inner_old = inner_old[: len(inner_old) - end]
    inner_new = inner_new[: len(inner_new) - end]
    yield "".join(old[:start]), "".join(new[:start])
    matcher = difflib.SequenceMatcher(None, inner_old, inner_new, autojunk=False)
    for _, i, j, k, m in matcher.get_opcodes():
        yield "".join(inner_old[i:j]), "".join(inner_new[k:m])
    yield "".join(old[len(old) - end :]), "".join(new[len(new) - end :])


def _common(pairs: Iterable[tuple[str, str]]) -> int:
    """Return how many of *pairs* are of equals before the first that is not."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _word_runs(old: str, new: str) -> list[Run]:
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    if len(before) + len(after) > _LARGEST:
        return [Run("removed", old), Run("added", new)]
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    steps = [
        (tag == "equal", "".join(before[i:j]), "".join(after[k:m]))
        for tag, i, j, k, m in matcher.get_opcodes()
    ]
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
