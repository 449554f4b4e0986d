"""Differences as a terminal shows them: changed lines, and a few round them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import ngettext

from prompts_app.diffing import differences, line_differences

Paint = Callable[[str, str], str]
"""``(style, text) -> text``, as `Terminal.painted()` does."""

_SIGNS = {"removed": "-", "added": "+", "same": ""}
_STYLES = {"removed": "ERROR", "added": "SUCCESS"}
_MARKS = {"removed": "[-{}-]", "added": "{{+{}+}}"}


class Line(NamedTuple):
    """One line of a difference."""

    text: str
    """As it is shown."""
    changed: bool


def plain_lines(before: str, after: str, paint: Paint) -> Iterator[Line]:
    """Yield the lines of both texts, each with a sign before it."""
    for run in line_differences(before, after):
        for text in run.text.removesuffix("\n").split("\n"):
            shown = _set_in(text, _SIGNS[run.kind])
            if run.kind == "same":
                yield Line(shown, changed=False)
            else:
                yield Line(paint(_STYLES[run.kind], shown), changed=True)


def marked_lines(before: str, after: str, paint: Paint) -> Iterator[Line]:
    """Yield lines with what was removed and added marked in them."""
    shown, changed = "", False
    for run in differences(before, after):
        first, *others = run.text.split("\n")
        shown += _marked(run.kind, first, paint)
        changed = changed or run.kind != "same"
        for text in others:
            yield Line(_set_in(shown), changed)
            shown = _marked(run.kind, text, paint)
            changed = run.kind != "same" and bool(text)
    yield Line(_set_in(shown), changed)


def _set_in(text: str, sign: str = "") -> str:
    """Return a line behind its sign; white space at its end is what may differ."""
    return f"{sign or ' '} {text}" if text else sign


def _marked(kind: str, text: str, paint: Paint) -> str:
    if kind == "same" or not text:
        return text
    return paint(_STYLES[kind], _MARKS[kind].format(text))


def hunks(found: Iterable[Line], context: int) -> Iterator[str]:
    """
    Yield the changed lines, and *context* equal ones before and after each change.

    A line says how many equal ones are left out between them; a negative *context*
    leaves out none.
    """
    runs = [(changed, list(lines)) for changed, lines in groupby(found, _changed)]
    for place, (changed, lines) in enumerate(runs):
        head = context if place else 0
        tail = context if place < len(runs) - 1 else 0
        hidden = len(lines) - head - tail
        if changed or context < 0 or hidden <= 1:
            yield from (line.text for line in lines)
            continue
        yield from (line.text for line in lines[:head])
        yield "  … " + _equal(hidden)
        yield from (line.text for line in lines[len(lines) - tail :])


def _changed(line: Line) -> bool:
    return line.changed


def _equal(count: int) -> str:
    words = ngettext("%(count)s equal line", "%(count)s equal lines", count)
    return words % {"count": count}
