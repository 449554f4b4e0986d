"""What a measurement hands over: a chapter of the page, and figures for the targets."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field

from bench.ratios import Ratio

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Chapter:
    """One heading of the page, with what stands under it."""

    heading: str
    text: str
    """Prose and tables."""
    ratios: dict[str, Ratio] = field(default_factory=dict)
    """By the name that targets and plots ask for."""
    lines: dict[str, Points] = field(default_factory=dict)
    """Size and microseconds, by the name of the line in a plot."""


def written(chapters: Iterable[Chapter]) -> str:
    """Return *chapters* as one line, for another process."""
    return json.dumps([asdict(one) for one in chapters])


def read(line: str) -> list[Chapter]:
    """Return the chapters that *line* holds."""
    return [
        Chapter(
            told["heading"],
            told["text"],
            {name: Ratio(*figures) for name, figures in told["ratios"].items()},
            told["lines"],
        )
        for told in json.loads(line)
    ]


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> str:
    """Return a table; the first *words* columns hold words, the others figures."""
    rule = ["---"] * words + ["---:"] * (len(heads) - words)
    lines = [heads, *rows]
    shown = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([shown[0], f"|{'|'.join(rule)}|", *shown[1:]])


def number(value: int) -> str:
    """Return *value* with its thousands set apart."""
    return f"{value:,}".replace(",", " ")
