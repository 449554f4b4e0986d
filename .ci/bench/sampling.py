"""Samples of at least 4 ms, all candidates in each round, in an order that is drawn."""

from __future__ import annotations

import asyncio
import gc
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter_ns

ROUNDS = 31
LEAST = 4_000_000
"""Nanoseconds that a sample lasts at least."""
SEED = 20261130
MARGIN = 1.15


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to do the work that is measured."""

    name: str
    call: Callable[..., object]
    supply: Callable[[], object] | None = None
    """Makes an argument for each single call, before the clock is started."""

    def last(self, times: int) -> int:
        """Return the nanoseconds that *times* calls take."""
        if self.supply is not None:
            return self._last_supplied([self.supply() for _ in range(times)])
        call, numbers = self.call, range(times)
        start = perf_counter_ns()
        for _ in numbers:
            call()
        return perf_counter_ns() - start

    def warm(self) -> None:
        """Make one call that is not measured, if calls are to find what others left."""
        if self.supply is None:
            self.last(1)

    def _last_supplied(self, arguments: list[object]) -> int:
        call = self.call
        start = perf_counter_ns()
        for argument in arguments:
            call(argument)
        return perf_counter_ns() - start


@dataclass(frozen=True, slots=True)
class Awaited(Candidate):
    """A coroutine function, awaited one call after another in one running loop."""

    loop: asyncio.AbstractEventLoop = field(kw_only=True)

    def last(self, times: int) -> int:
        """Return the nanoseconds that *times* calls take, one after another."""
        return self.loop.run_until_complete(self._run(times))

    async def _run(self, times: int) -> int:
        start = perf_counter_ns()
        for _ in range(times):
            await self.call()
        return perf_counter_ns() - start


def measure(candidates: Iterable[Candidate]) -> dict[str, list[float]]:
    """Return the nanoseconds of a call, by candidate and round."""
    listed = list(candidates)
    gc.collect()
    # What stands now is not looked through again between the rounds.
    gc.freeze()
    try:
        times = {one.name: enough(one) for one in listed}
        return in_rounds({one.name: partial(sample, one, times) for one in listed})
    finally:
        gc.unfreeze()


def in_rounds(ways: Mapping[str, Callable[[], float]]) -> dict[str, list[float]]:
    """Return what each way tells in each round; the order is drawn anew every time."""
    found: dict[str, list[float]] = {name: [] for name in ways}
    draw = random.Random(SEED)  # noqa: S311  # draws the order of candidates, the same at every run
    for _ in range(ROUNDS):
        gc.collect()
        gc.disable()
        try:
            for name in draw.sample(list(ways), len(ways)):
                found[name].append(ways[name]())
        finally:
            gc.enable()
    return found


def enough(candidate: Candidate) -> int:
    """Return how many calls make a sample that is long enough."""
    candidate.last(3)
    times = 1
    while (lasted := candidate.last(times)) < LEAST / 4:
        times *= 2
    return max(1, int(times * LEAST * MARGIN / lasted) + 1)


def sample(candidate: Candidate, times: dict[str, int]) -> float:
    """Return the nanoseconds of a call; *times* grows where a sample was too short."""
    # What the other candidates drove out of memories comes back before the clock starts.
    candidate.warm()
    while (lasted := candidate.last(times[candidate.name])) < LEAST:
        times[candidate.name] = int(times[candidate.name] * MARGIN) + 1
    return lasted / times[candidate.name]
