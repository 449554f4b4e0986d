"""Measures the assembly, and writes the page about it."""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from time import monotonic

from bench import databases, part, plots, results, starting, targets
from bench.ground import ROOT
from bench.ratios import Ratio
from bench.results import Chapter
from bench.sampling import LEAST, ROUNDS, SEED

PAGE = ROOT / "docs" / "benchmarks" / "assembly.md"
PLOT = PAGE.with_suffix(".svg")
KEPT = Path(sys.prefix) / "assembly.json"
"""The figures measured last, so that a new explanation needs no new measurement."""
PARTS = ("chat", "growth", "lengths", "awaited", "memory")
AFTER = "lengths"
"""The part after which the databases come."""
HIT = "plan hit"
LIBRARIES = (
    "Django",
    "Jinja2",
    "Mako",
    "chevron",
    "langchain-core",
    "langfuse",
    "banks",
)
INTRODUCTION = """# The speed of an assembly

What it takes to make a prompt, beside other ways to the same bytes, and how it grows. All
figures are of one run. In each of its {rounds} rounds every candidate of a table has a
sample, in an order that is drawn anew (seed {seed}); a sample is as many calls as last
{least} ms or more, without garbage collection in between. What counts are ratios: a
candidate's sample to the reference's of the same round. A table gives their median and,
as *spread*, the range in which eight rounds of ten lie. A wide one tells of a busy
machine or, in rows of plan misses, of rounds in which the memory was full and plans had
to be made anew. The times in µs are those of one machine, for information.

## Targets

{targets}

![Bars: time for the full chat beside Jinja2. Lines: time over the number of fragments
and over the length of one text.](assembly.svg)

{chapters}

## What was measured with

Python {python}, {libraries}. `make bench` measures anew and writes this page;
`make bench ONLY=assembly` leaves the page of the admin out.
"""


def main() -> int:
    """Measure and write; return the exit status: 1 if Jinja2 beats a plan hit."""
    started = monotonic()
    KEPT.write_text(results.written(measured()), encoding="utf-8")
    sys.stderr.write(f"measured in {monotonic() - started:.0f} s\n")
    return report()


def report() -> int:
    """Write the page from the figures measured last; return the exit status."""
    found = results.read(KEPT.read_text("utf-8"))
    ratios = {name: one for chapter in found for name, one in chapter.ratios.items()}
    write(found, ratios)
    sys.stdout.write(f"{targets.told(ratios)}\n")
    for one in targets.missed(ratios):
        sys.stderr.write(f"missed: {one.name}: {ratios[one.ratio]}, {one.aim}\n")
    if ratios[HIT].median > 1:
        sys.stderr.write("A plan hit is slower than Jinja2.\n")
        return 1
    return 0


def measured() -> list[Chapter]:
    """Return the chapters of all parts, each measured in a process of its own."""
    found = []
    for name in PARTS:
        found += part.run(name)
        if name == AFTER:
            found.append(databases.chapter())
    return [*found, starting.chapter()]


def write(chapters: Sequence[Chapter], ratios: dict[str, Ratio]) -> None:
    """Write page and plot."""
    told = [f"## {one.heading}\n\n{one.text}" for one in chapters]
    libraries = [f"{name} {version(name)}" for name in LIBRARIES]
    page = INTRODUCTION.format(
        rounds=ROUNDS,
        seed=SEED,
        least=LEAST // 1_000_000,
        targets=targets.told(ratios),
        chapters="\n\n".join(told),
        python=platform.python_version(),
        libraries=", ".join(libraries),
    )
    PAGE.write_text(page, encoding="utf-8")
    bars = {name: one for name, one in chapters[0].ratios.items() if " / " not in name}
    lines = [(axis(one), one.lines) for one in chapters if one.lines]
    plots.draw(PLOT, bars, lines)


def axis(chapter: Chapter) -> str:
    """Return what the sizes of a chapter's lines are."""
    return {
        "More fragments": "fragments declared, a tenth of them admitted",
        "Longer texts": "characters of one text",
    }[chapter.heading]
