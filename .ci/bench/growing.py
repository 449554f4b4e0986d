"""What samples of one thing in many sizes tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, pairwise

from bench.ratios import Ratio, Samples, microseconds, ratio
from bench.results import number
from prompts_app.assembly import Snapshot

_numbers = count()


def renewed(texts: Mapping[tuple[str, str], str]) -> Callable[[], Snapshot]:
    """Return what makes snapshots of *texts* that nobody has seen."""
    return lambda: Snapshot(texts, version=f"version {next(_numbers)}")


def name(way: str, size: int) -> str:
    """Return what a candidate is called."""
    return f"{way}, {number(size)}"


def rows(samples: Samples, way: str, sizes: Sequence[int]) -> Iterator[list[str]]:
    """Return a row for each size: microseconds, and times the size before."""
    yield [way, number(sizes[0]), time(samples, name(way, sizes[0])), "", ""]
    for smaller, larger in pairwise(sizes):
        found = ratio(samples, name(way, larger), name(way, smaller))
        spent = time(samples, name(way, larger))
        yield [way, number(larger), spent, str(found), found.spread]


def steps(samples: Samples, way: str, sizes: Sequence[int]) -> dict[str, Ratio]:
    """Return how the time grows from each size to the next, by the larger one."""
    return {
        name(way, larger): ratio(samples, name(way, larger), name(way, smaller))
        for smaller, larger in pairwise(sizes)
    }


def time(samples: Samples, candidate: str) -> str:
    """Return the microseconds of a call as tables write them."""
    spent = microseconds(samples, candidate)
    return f"{spent:.1f}" if spent < 1_000 else number(round(spent))


def points(
    samples: Samples, way: str, sizes: Sequence[int]
) -> list[tuple[float, float]]:
    """Return size and microseconds, as a plot draws them."""
    return [(size, microseconds(samples, name(way, size))) for size in sizes]


def worst(ratios: Mapping[str, Ratio]) -> Ratio:
    """Return the largest of *ratios*."""
    return max(ratios.values(), key=lambda one: one.median)
