"""The problems of a text as the page tells them: one line each, worst first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from prompts_app import conf
from prompts_app.admin.desk import Desk
from prompts_app.advice import problem_text, severity_text
from prompts_app.exceptions import Fault
from prompts_app.lint import ERROR, SEVERITIES, Problem, examine, in_utf16
from prompts_app.syntax import fold_line_breaks
from prompts_app.wording import fault_text

_WORST_FIRST = tuple(dict.fromkeys(SEVERITIES.values()))


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """One line under a text."""

    code: str
    severity: str
    label: str
    """The severity in words."""
    text: str = field(repr=False)
    """The sentence."""
    line: int = 0
    """Number of the line that it is about, from 1; 0: the whole text."""
    start: int = 0
    """Its place in UTF-16 units of the text with LF line breaks."""
    end: int = 0

    @property
    def mark(self) -> dict[str, Any]:
        """Return what a script needs to mark the place in the text."""
        return {
            "code": self.code,
            "severity": self.severity,
            "from": self.start,
            "to": self.end,
            "text": self.text,
        }


def problems_of(desk: Desk, key: str) -> tuple[ProblemRow, ...]:
    """
    Return what is to be said of the text of *key*, worst first, then by place.

    Errors are why it would be refused, or was; who may not change the text is told
    of nothing else.
    """
    text = fold_line_breaks(desk.edited_text(key))
    found = _found(desk, key, text) if desk.may_change(key) else ()
    refused = {fault.code for fault in desk.faults_of(key)}
    placed = [p for p in found if (p.severity == ERROR) == (p.code in refused)]
    told = {one.code for one in placed}
    faults = [one for one in desk.faults_of(key) if one.code not in told]
    return _worst_first(*map(_of_fault, faults), *_rows(text, placed))


def advice_of(desk: Desk, key: str, lost: Collection[str]) -> tuple[ProblemRow, ...]:
    """Return the same without errors, and without the variables that are *lost*."""
    text = fold_line_breaks(desk.edited_text(key))
    advice = [
        one
        for one in _found(desk, key, text)
        if one.severity != ERROR
        and not (one.code == "must_mention" and one.params["variable"] in lost)
    ]
    return _once(_worst_first(*_rows(text, advice)))


def listed(rows: Iterable[ProblemRow]) -> tuple[ProblemRow, ...]:
    """Return the *rows* that an editor lists; its note speaks of the cached prefix."""
    return _once(row for row in rows if row.code != "leaves_prefix")


def _once(rows: Iterable[ProblemRow]) -> tuple[ProblemRow, ...]:
    """Return *rows* without those that say the same of a later place."""
    first: dict[str, ProblemRow] = {}
    for row in rows:
        first.setdefault(row.text, row)
    return tuple(first.values())


def is_faulty(rows: Iterable[ProblemRow]) -> bool:
    """Return whether one of *rows* blocks a save."""
    return any(row.severity == ERROR for row in rows)


def _worst_first(*rows: ProblemRow) -> tuple[ProblemRow, ...]:
    return tuple(sorted(rows, key=lambda row: _WORST_FIRST.index(row.severity)))


def _found(desk: Desk, key: str, text: str) -> tuple[Problem, ...]:
    return examine(
        text,
        desk.view.by_key[key].fragment,
        desk.view,
        before=desk.saved_text(key),
        snapshot=desk.edited,
        limit=conf.max_fragment_chars(),
    )


def _rows(text: str, problems: Iterable[Problem]) -> Iterator[ProblemRow]:
    problems = tuple(problems)
    ends = (one.start + one.length for one in problems)
    units = in_utf16(text, (*(one.start for one in problems), *ends))
    for one in problems:
        yield ProblemRow(
            one.code,
            one.severity,
            severity_text(one.severity),
            problem_text(one),
            text.count("\n", 0, one.start) + 1 if one.length else 0,
            units[one.start],
            units[one.start + one.length],
        )


def _of_fault(fault: Fault) -> ProblemRow:
    label, line = severity_text(ERROR), fault.params.get("line", 0)
    return ProblemRow(fault.code, ERROR, label, fault_text(fault), line)
