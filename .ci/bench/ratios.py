"""From samples to ratios: what is compared is always of one round."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import NamedTuple

Samples = Mapping[str, Sequence[float]]
"""Nanoseconds of one call, by candidate and round."""


class Ratio(NamedTuple):
    """The median of the rounds' ratios, with the tenths that lie below and above."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{figure(self.median)} ×"

    @property
    def spread(self) -> str:
        """Return the range in which eight rounds of ten lie."""
        return f"{figure(self.low)} to {figure(self.high)}"


def figure(value: float) -> str:
    """Return *value* with three digits that count, and none of them lost."""
    if value >= 100:
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def ratio(samples: Samples, candidate: str, reference: str) -> Ratio:
    """Return how *candidate* compares with *reference*, round by round."""
    pairs = zip(samples[candidate], samples[reference], strict=True)
    return spread([one / other for one, other in pairs])


def spread(values: Sequence[float]) -> Ratio:
    """Return median, tenth and ninetieth percentile of *values*."""
    return Ratio(
        statistics.median(values), percentile(values, 10), percentile(values, 90)
    )


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which *share* per cent of *values* lie, interpolated."""
    ordered = sorted(values)
    place = (len(ordered) - 1) * share / 100
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def microseconds(samples: Samples, candidate: str) -> float:
    """Return the median time of one call in microseconds."""
    return statistics.median(samples[candidate]) / 1_000
