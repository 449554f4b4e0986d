"""Answers to saves, restores and resets, held against the history."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping

from soak.course import Course, acknowledged
from soak.noted import MARKS, History, Operation, Revision

STORED_AS = {"edit": "save"}
"""By kind of request, what its revision is called where that is another name."""


def writes(
    history: History, operations: Iterable[Operation], course: Course
) -> Iterator[str]:
    """Tell of saves that are not in the history as they were asked and answered."""
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
        elif found:
            yield from compared(one, found[0], course)
        elif one.outcome == "refused":
            yield from refused(one, course)
        elif one.outcome == "done" and one.kind not in MARKS:
            yield from unchanged(one, course)
    yield from (f"nobody made the save {tag}" for tag in stored)
    yield from ordered(saves)


def asked(one: Operation, course: Course) -> Mapping[str, str | None]:
    """Return by key what a request wants to be stored; None is no override."""
    if one.values is not None:
        return one.values
    then = {} if one.number is None else course.after(one.number)
    return {key: then.get(key) for key in one.keys}


def compared(one: Operation, revision: Revision, course: Course) -> Iterator[str]:
    """Tell where a revision is not what was asked for, or goes over a text unseen."""
    if one.outcome == "done" and one.revision != revision.number:
        yield f"lost edit: {one.kind} {one.tag}, revision {one.revision}"
    kind = STORED_AS.get(one.kind, one.kind), one.number
    if kind != (revision.kind, revision.restores):
        yield f"{one.kind} {one.tag} is stored as another kind of change"
    before = course.after(revision.number - 1)
    wanted = asked(one, course)
    after = {key: text for key, (_, text) in revision.changes.items()}
    if after != {k: text for k, text in wanted.items() if text != before.get(k)}:
        yield f"lost edit: {one.kind} {one.tag} stored other texts than it was to"
    if is_moved(one, before, course.defaults):
        yield f"lost edit: {one.tag} went over a text not shown to it"


def is_moved(
    one: Operation, texts: Mapping[str, str], defaults: Mapping[str, str]
) -> bool:
    """Return whether an edit was based on other texts than *texts*."""
    shown = one.shown or {}
    return any(text != texts.get(key, defaults.get(key)) for key, text in shown.items())


def refused(one: Operation, course: Course) -> Iterator[str]:
    """Tell of a conflict although nobody had changed what an edit was based on."""
    if not any(is_moved(one, texts, course.defaults) for texts in course.during(one)):
        yield f"{one.kind} {one.tag} was refused, and nobody had changed its text"


def unchanged(one: Operation, course: Course) -> Iterator[str]:
    """Tell of an answer that nothing had to be changed, or of a revision not stored."""
    wanted = asked(one, course).items()
    # No two saves have the same text, so each has something to change.
    is_lost = one.revision is not None or one.values is not None
    if is_lost or not any(
        all(texts.get(key) == text for key, text in wanted)
        for texts in course.during(one)
    ):
        yield f"lost edit: {one.kind} {one.tag}, revision {one.revision}"


def ordered(saves: Iterable[Operation]) -> Iterator[str]:
    """Tell of saves that came before one that was acknowledged earlier."""
    numbered = [one for one in saves if one.revision is not None]
    ends, highest = acknowledged(numbered)
    for one in numbered:
        earlier = bisect_left(ends, one.begin)
        if earlier and highest[earlier - 1] >= (one.revision or 0):
            yield f"{one.kind} {one.tag} came before an earlier one"
