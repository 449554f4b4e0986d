"""
What clients saw, held against the history of the database.

History says which prompt was in force after each revision. Whoever began to read after
a save was acknowledged has to see the state after that save or a later one, as a whole,
and none that was saved after the answer. Times are those of one machine's clock.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from soak.course import Course
from soak.cuts import faults
from soak.noted import MARKS, History, Kill, Operation
from soak.writes import writes


def violations(
    history: History,
    operations: Sequence[Operation],
    kills: Sequence[Kill],
) -> list[str]:
    """Return every broken promise in words."""
    course = Course(history, operations)
    found = [*chain(history, course)]
    found += faults(operations, kills)
    found += writes(history, operations, course)
    found += reads(operations, course)
    return found


def chain(history: History, course: Course) -> Iterator[str]:
    """Tell where a revision does not go on from the one before it."""
    for number, revision in enumerate(history.revisions, start=1):
        if revision.number != number:
            yield f"lost edit: revision {number} is missing"
            return
        for key, (before, _) in revision.changes.items():
            if before != course.states[number - 1].get(key):
                yield f"lost edit: revision {number} saved {key} over another text"
    if course.states[-1] != history.rows:
        yield "lost edit: the stored texts are not those of the history"


def reads(operations: Iterable[Operation], course: Course) -> Iterator[str]:
    """Tell of prompts that were not in force at a moment when they might be read."""
    moments: dict[str, list[int]] = {}
    for number, texts in enumerate(course.states):
        prompt = "\n\n".join(({**course.defaults, **texts}).values())
        moments.setdefault(prompt, []).append(number)
    for one in operations:
        if one.text is None:
            continue
        first, last = course.window(one)
        known = moments.get(one.text, [])
        place = bisect_left(known, first)
        if place == len(known) or known[place] > last:
            yield f"{name(one.text, known, first)}: {one.kind}, revisions {first}-{last}"


def name(text: str, known: Sequence[int], first: int) -> str:
    """Return what kind of wrong prompt *text* is, given when it was in force."""
    for mark, what in MARKS.items():
        if mark in text:
            return f"text of {what}"
    if known:
        return "stale text" if known[0] < first else "text before its save"
    return "torn set, or a text that was never in force"
