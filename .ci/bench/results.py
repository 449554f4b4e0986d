"""What a measurement hands over: a chapter of the page, and figures for the targets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bench.ratios import Ratio


@dataclass(frozen=True, slots=True)
class Chapter:
    """One heading of the page, with what stands under it."""

    heading: str
    text: str
    """Prose and tables."""
    ratios: dict[str, Ratio] = field(default_factory=dict)
    """By the name that targets and plots ask for."""
    reason: str = ""
    """Why it could not be measured; empty if it was."""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table whose first column holds words and whose others hold figures."""
    lines = [f"| {' | '.join(heads)} |", f"|---|{'---:|' * (len(heads) - 1)}"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines)
