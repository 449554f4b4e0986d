"""What the twin for coroutines costs."""

from __future__ import annotations

import asyncio

from asgiref.sync import sync_to_async

from bench import growing, scenario
from bench.ratios import ratio
from bench.results import Chapter, table
from bench.sampling import Awaited, Candidate, measure
from prompts_app import services
from prompts_app.assembly import Snapshot
from prompts_app.contrib.chat.offer import ALL_TOOLS

PLAIN, TWIN, HOP = "`assemble`", "`aassemble`", "`sync_to_async` of an empty function"
ABOUT = "The full chat, a plan hit, in one running loop."


def chapters() -> list[Chapter]:
    """Measure; return what is to be told."""
    loop = asyncio.new_event_loop()
    try:
        samples = measure(candidates(loop))
    finally:
        loop.close()
    rows = [
        [
            name,
            growing.time(samples, name),
            str(ratio(samples, name, PLAIN)),
            ratio(samples, name, PLAIN).spread,
        ]
        for name in samples
    ]
    heads = ("", "µs", "× `assemble`", "spread")
    found = {"aassemble": ratio(samples, TWIN, PLAIN)}
    return [
        Chapter("The twin for coroutines", f"{ABOUT}\n\n{table(heads, rows)}", found)
    ]


def candidates(loop: asyncio.AbstractEventLoop) -> list[Candidate]:
    """Return the function, its twin, and what any such twin costs."""
    snapshot = Snapshot(scenario.stored_texts(), version="stored")
    values = scenario.values()

    def plain() -> str:
        return services.assemble(
            overrides=snapshot, variables=values, tools=ALL_TOOLS
        ).text

    async def twin() -> str:
        made = await services.aassemble(
            overrides=snapshot, variables=values, tools=ALL_TOOLS
        )
        return made.text

    return [
        Candidate(PLAIN, plain),
        Awaited(TWIN, twin, loop=loop),
        Awaited(HOP, sync_to_async(lambda: None), loop=loop),
    ]
