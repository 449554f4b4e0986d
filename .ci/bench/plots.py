"""Draws the figures that a page shows at a glance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.ratios import Ratio, figure
from bench.results import Points

OURS, THEIRS, INK = "#c2410c", "#64748b", "#1f2937"
COLOURS = {"plan hit": OURS, "plan miss": "#0f766e", "text never seen": "#7c3aed"}
SETTINGS = {
    # The same figures give the same bytes.
    "svg.hashsalt": "prompts",
    "svg.fonttype": "none",
    "font.size": 10,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def draw(
    path: Path,
    bars: Mapping[str, Ratio],
    lines: Sequence[tuple[str, Mapping[str, Points]]],
) -> None:
    """Write *bars*, × Jinja2, and below them each set of *lines*, over size."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    with mpl.rc_context(SETTINGS):
        shown = plt.figure(figsize=(9, 8.6), layout="constrained")
        grid = shown.add_gridspec(2, len(lines), height_ratios=(1.35, 1))
        draw_bars(shown.add_subplot(grid[0, :]), bars)
        for place, (label, series) in enumerate(lines):
            draw_lines(shown.add_subplot(grid[1, place]), label, series)
        shown.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
        plt.close(shown)
    # The writer ends lines with white space.
    kept = [line.rstrip() for line in path.read_text("utf-8").splitlines()]
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")


def draw_bars(axes: Any, bars: Mapping[str, Ratio]) -> None:
    """Draw a bar for each candidate, the fastest on top."""
    names = sorted(bars, key=lambda name: bars[name].median, reverse=True)
    medians = [bars[name].median for name in names]
    colours = [OURS if name.startswith("plan") else THEIRS for name in names]
    around = [
        [bars[n].median - bars[n].low for n in names],
        [bars[n].high - bars[n].median for n in names],
    ]
    axes.barh(names, medians, xerr=around, color=colours, ecolor=INK, capsize=2)
    axes.set_xscale("log")
    axes.axvline(1, color=INK, linewidth=0.8, linestyle=":")
    for place, name in enumerate(names):
        axes.annotate(
            f"{figure(bars[name].median)} ×",
            (bars[name].high, place),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
        )
    axes.margins(x=0.12, y=0.02)
    axes.set_xlabel("time for the full chat, × Jinja2 (logarithmic; less is better)")


def draw_lines(axes: Any, label: str, series: Mapping[str, Points]) -> None:
    """Draw microseconds over size, both logarithmic."""
    for name, points in series.items():
        sizes, times = zip(*points, strict=True)
        colour = COLOURS.get(name, THEIRS)
        axes.plot(sizes, times, marker="o", markersize=4, color=colour, label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(visible=True, linewidth=0.3)
    axes.set_xlabel(label)
    axes.set_ylabel("µs")
    axes.legend(frameon=False)
