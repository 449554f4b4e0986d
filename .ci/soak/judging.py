"""
What clients saw, held against the history of the database.

History says which prompt was in force after each revision. Whoever began to read after
a save was acknowledged has to see the state after that save or a later one, as a whole,
and none that was saved after the answer. Times are those of one machine's clock.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

MARKS = {"undone": "a rolled-back save", "killed": "a save that was killed"}
"""What a text begins its tag with that no reader may ever see."""
SLACK = 1.0
"""Seconds within which a kill may have cut a line that was new."""


class Operation(NamedTuple):
    """One request, and what came of it."""

    kind: str
    begin: float
    end: float
    outcome: str
    """``done``, ``refused`` (a conflict), ``cut`` (no answer) or a fault in words."""
    tag: str = ""
    """The comment of a save; unique."""
    revision: int | None = None
    text: str | None = None
    """The prompt that was shown, if it has to be that of one moment."""
    values: Mapping[str, str] | None = None
    shown: Mapping[str, str] | None = None
    """The texts that an edit was based on."""
    process: int = 0
    """The worker at the other end of the line; 0: nobody had answered there yet."""


class Kill(NamedTuple):
    """One worker that was killed."""

    begin: float
    end: float
    process: int


class Revision(NamedTuple):
    """One save as the database has it."""

    number: int
    kind: str
    tag: str
    restores: int | None
    changes: Mapping[str, tuple[str | None, str | None]]
    """By key, the text before and after; None is no override."""


@dataclass(frozen=True, slots=True)
class History:
    """All saves of one database, and what is stored at the end."""

    defaults: Mapping[str, str]
    """By key, in the order of the prompt."""
    revisions: Sequence[Revision]
    rows: Mapping[str, str]


def violations(
    history: History,
    operations: Sequence[Operation],
    kills: Sequence[Kill],
) -> list[str]:
    """Return every broken promise in words."""
    found = [*chain(history)]
    found += faults(operations, kills)
    found += writes(history, operations)
    found += reads(history, operations)
    return found


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


def chain(history: History) -> Iterator[str]:
    """Tell where a revision does not go on from the one before it."""
    after = states(history)
    for number, revision in enumerate(history.revisions, start=1):
        if revision.number != number:
            yield f"lost edit: revision {number} is missing"
            return
        for key, (before, now) in revision.changes.items():
            if before != after[number - 1].get(key):
                yield f"lost edit: revision {number} saved {key} over another text"
            restored = revision.restores
            if restored is not None and now != after[restored].get(key):
                yield f"revision {number} restored {key} to another text"
    if after[-1] != history.rows:
        yield "lost edit: the stored texts are not those of the history"


def faults(operations: Iterable[Operation], kills: Sequence[Kill]) -> Iterator[str]:
    """Tell of error pages, and of lines that were cut without a kill."""
    dead = {kill.process for kill in kills}
    for one in operations:
        if one.outcome not in {"done", "refused", "cut"}:
            yield f"error: {one.kind} {one.tag}: {one.outcome}"
        elif one.outcome == "cut" and not (
            one.process in dead if one.process else any(near(one, kills))
        ):
            yield f"error: {one.kind} {one.tag}: no answer, and nobody was killed"


def near(one: Operation, kills: Iterable[Kill]) -> Iterator[bool]:
    """Tell of each of *kills* whether it was at the time of a request."""
    for kill in kills:
        yield kill.begin <= one.end + SLACK and kill.end >= one.begin - SLACK


def writes(history: History, operations: Iterable[Operation]) -> Iterator[str]:
    """Tell of saves that are not in the history as they were answered."""
    stored: dict[str, list[Revision]] = {}
    for revision in history.revisions:
        stored.setdefault(revision.tag, []).append(revision)
    saves = [one for one in operations if one.tag]
    for one in saves:
        found = stored.pop(one.tag, [])
        if len(found) > 1:
            yield f"{one.kind} {one.tag} is stored twice"
        elif found and (one.outcome == "refused" or one.kind in MARKS):
            yield f"{one.kind} {one.tag} is stored all the same"
        elif one.outcome == "done" and one.revision not in numbers(found):
            yield f"lost edit: {one.kind} {one.tag}, revision {one.revision}"
        elif found:
            yield from compared(one, found[0], history.defaults)
    yield from (f"nobody made the save {tag}" for tag in stored)
    yield from ordered(saves)


def numbers(found: Sequence[Revision]) -> Sequence[int | None]:
    """Return the numbers of *found*; None stands for no revision."""
    return [revision.number for revision in found] or [None]


def compared(
    one: Operation, revision: Revision, defaults: Mapping[str, str]
) -> Iterator[str]:
    """Tell where a save stored another text, or went over one that was not shown."""
    for key, value in (one.values or {}).items():
        before, after = revision.changes.get(key, (None, None))
        if after != value:
            yield f"lost edit: {one.kind} {one.tag} stored another text of {key}"
        shown = (one.shown or {}).get(key)
        if shown is not None and shown != (before or defaults[key]):
            yield f"lost edit: {one.tag} went over a text of {key} not shown to it"


def ordered(saves: Iterable[Operation]) -> Iterator[str]:
    """Tell of saves that came before one that was acknowledged earlier."""
    numbered = [one for one in saves if one.revision is not None]
    ends, highest = acknowledged(numbered)
    for one in numbered:
        earlier = bisect_left(ends, one.begin)
        if earlier and highest[earlier - 1] >= (one.revision or 0):
            yield f"{one.kind} {one.tag} came before an earlier one"


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


def reads(history: History, operations: Sequence[Operation]) -> Iterator[str]:
    """Tell of prompts that were not in force at a moment when they might be read."""
    moments: dict[str, list[int]] = {}
    for number, texts in enumerate(states(history)):
        prompt = "\n\n".join(({**history.defaults, **texts}).values())
        moments.setdefault(prompt, []).append(number)
    ends, highest = acknowledged(one for one in operations if one.revision)
    begins, lowest = begun(history, operations)
    for one in operations:
        if one.text is None:
            continue
        earlier = bisect_left(ends, one.begin)
        first = highest[earlier - 1] if earlier else 0
        later = bisect_right(begins, one.end)
        last = lowest[later] - 1 if later < len(lowest) else len(history.revisions)
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
