"""What an assembly, a catalogue and ten thousand snapshots hold of memory."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable

from bench import chat, growing, scenario, synthetic
from bench.ratios import Ratio
from bench.results import Chapter, number, table
from prompts_app import registry, services
from prompts_app.assembly import Snapshot
from prompts_app.contrib.chat.offer import ALL_TOOLS
from prompts_app.testing import isolated_registry

FEW, MANY = 1_000, 10_000
FRAGMENTS = 1_500
ABOUT = "Counted by tracemalloc, in kB of 1 024 bytes."


def chapters() -> list[Chapter]:
    """Measure; return what is to be told."""
    tracemalloc.start()
    snapshot = Snapshot(scenario.stored_texts(), version="stored")
    length = len(chat.assembly(snapshot).text)
    new = growing.renewed(scenario.stored_texts())
    few, many = after_many(new)
    rows = [
        (f"the text itself ({number(length)} characters)", kilobytes(length)),
        ("peak of a plan hit", kilobytes(peak(lambda: chat.assembly(snapshot)))),
        ("peak of a plan miss", kilobytes(peak(lambda: chat.assembly(new())))),
        (f"held after {number(FEW)} assemblies, a new snapshot each", kilobytes(few)),
        (f"held after {number(MANY)}", kilobytes(many)),
        (f"{number(FRAGMENTS)} fragments, registered", kilobytes(registered())),
    ]
    grown = many / max(few, 1)
    ratios = {"memory": Ratio(grown, grown, grown)}
    return [Chapter("Memory", f"{ABOUT}\n\n{table(('', 'kB'), rows)}", ratios)]


def kilobytes(size: int) -> str:
    """Return a size as the table writes it."""
    return number(round(size / 1_024))


def peak(call: Callable[[], object]) -> int:
    """Return the bytes that a call holds at its height, beyond those held before."""
    call()
    gc.collect()
    before, _ = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    kept = call()
    _, height = tracemalloc.get_traced_memory()
    del kept
    return height - before


def after_many(new: Callable[[], Snapshot]) -> tuple[int, int]:
    """Return the bytes that are held more after few and many assemblies."""
    values = scenario.values()
    before = held()
    found = []
    for first, last in ((0, FEW), (FEW, MANY)):
        for turn in range(first, last):
            given = {**values, "today": f"day {turn}"}
            services.assemble(overrides=new(), variables=given, tools=ALL_TOOLS)
        found.append(held() - before)
    return found[0], found[1]


def registered() -> int:
    """Return the bytes that a large catalogue holds once it was assembled."""
    with isolated_registry():
        before = held()
        registry.register(synthetic.GROUP, *synthetic.VARIABLES)
        registry.register(*synthetic.fragments(FRAGMENTS))
        services.assemble(overrides=Snapshot(), families=synthetic.FAMILIES, tools=())
        return held() - before


def held() -> int:
    """Return the bytes that are held now."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]
