"""What ``prompts check`` found, and how it is told."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from prompts_app.lint import ERROR, WARNING
from prompts_app.management.columns import columns
from prompts_app.wording import place

SEVERITIES = {ERROR: gettext_lazy("error"), WARNING: gettext_lazy("warning")}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that somebody should look at."""

    severity: str
    """``error`` or ``warning``."""
    code: str
    """What is wrong, in a word that stays the same in every language."""
    message: str
    """A sentence that names what is wrong, in the active language."""
    scope: tuple[str, ...] = ()
    """The chain it was found in; ``()`` is the whole installation."""
    key: str = ""
    """The fragment; ``""``: none in particular."""
    scenario: str = ""
    """The scenario in which it shows; ``""``: it is wrong in itself."""
    lines: tuple[str, ...] = field(default=(), repr=False)
    """The lines of a prompt that it is about."""

    @property
    def subject(self) -> str:
        """Return what it is about: scenario, fragment or both."""
        return ": ".join(part for part in (self.scenario, self.key) if part) or "-"

    @property
    def place(self) -> str:
        """Return whom the text is for."""
        return " > ".join(map(place, self.scope)) or place("")


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that was looked at, and what was found."""

    findings: tuple[Finding, ...]
    texts: int
    """How many stored texts there are."""
    situations: int
    """How many scenarios were played, one in two scopes counted twice."""
    lean_only: tuple[tuple[str, str], ...]
    """Key and reason of each fragment that only lean prompts have."""

    def count(self, severity: str) -> int:
        """Return how many findings of one severity there are."""
        return sum(1 for one in self.findings if one.severity == severity)


def report_lines(report: Report) -> Iterator[tuple[str, str]]:
    """Yield pairs of severity and line: each finding, then what is on purpose."""
    rows: list[Sequence[object]] = [
        (SEVERITIES[one.severity], one.code, one.subject, one.place, one.message)
        for one in report.findings
    ]
    table = list(columns(rows)) if rows else []
    for finding, row in zip(report.findings, table, strict=True):
        yield finding.severity, row
        for line in finding.lines:
            yield "", f"    {line}"
    for key, reason in report.lean_only:
        yield "", lean_only_text(key, reason)


def lean_adds_text(count: int) -> str:
    """Return that a lean prompt has *count* lines of its own."""
    words = ngettext(
        "%(count)s line of the lean prompt is not in the detailed one",
        "%(count)s lines of the lean prompt are not in the detailed one",
        count,
    )
    return words % {"count": count}


def lean_only_text(key: str, reason: str) -> str:
    """Return that a fragment is in lean prompts only, and why."""
    said = {"key": key, "reason": reason}
    return _("On purpose in the lean prompt only: %(key)s (%(reason)s)") % said


def as_json(report: Report) -> str:
    """Return *report* for another program to read."""
    document = {
        "errors": report.count(ERROR),
        "warnings": report.count(WARNING),
        "texts": report.texts,
        "situations": report.situations,
        "findings": [asdict(one) for one in report.findings],
        "lean_only": [{"key": k, "reason": reason} for k, reason in report.lean_only],
    }
    return json.dumps(document, indent=2)
