"""Catalogues from 35 to 10 000 fragments, and stores from none to 10 000 overrides."""

from __future__ import annotations

from functools import partial

from bench import candidates, growing, synthetic
from bench.ratios import Samples, ratio
from bench.results import Chapter, number, table
from bench.sampling import Candidate, measure
from bench.translating import translate
from prompts_app import registry, services
from prompts_app.assembly import Snapshot
from prompts_app.testing import isolated_registry

SIZES = (35, 100, 1_000, 10_000)
OVERRIDES = (0, 100, 1_000, 10_000)
CHANGED = 50
HIT, MISS, JINJA = "plan hit", "plan miss", "Jinja2"
FRAGMENTS = """\
Fragments of 400 characters, each with a gate for a family or a variable that admits
one in ten. Jinja2 has all of them in one template."""
STORES = """\
100 of those fragments. Up to 50 of the overrides are of the catalogue and as long as
what they replace; the rest are of other fragments in a hundred scopes."""


def chapters() -> list[Chapter]:
    """Measure; return what is to be told."""
    with isolated_registry():
        registry.register(synthetic.GROUP, *synthetic.VARIABLES)
        for size in SIZES:
            registry.register(*synthetic.fragments(size), scope=scope(size))
        return [of_fragments(), of_overrides()]


def scope(size: int) -> str:
    """Return the scope that holds a catalogue of its own of *size* fragments."""
    return f"size.n{size}"


def assemble(size: int, snapshot: Snapshot) -> str:
    """Return the prompt of the catalogue of *size* fragments."""
    return services.assemble(
        overrides=snapshot,
        variables=synthetic.VALUES,
        scope=scope(size),
        families=synthetic.FAMILIES,
        tools=(),
    ).text


def jinja(size: int) -> Candidate:
    """Return Jinja2's way to the same bytes."""
    parts = [(one, one.default) for one in synthetic.fragments(size)]
    render = candidates.jinja(translate(parts))
    given = synthetic.VALUES | {"families": frozenset(synthetic.FAMILIES)}
    if render(given) != assemble(size, Snapshot()):
        raise ValueError(f"Jinja2 gives another text for {size} fragments")
    return Candidate(growing.name(JINJA, size), partial(render, given))


def of_fragments() -> Chapter:
    """Measure catalogues that grow."""
    stored = Snapshot(version="stored")
    listed = []
    for size in SIZES:
        call = partial(assemble, size)
        listed += [
            Candidate(growing.name(HIT, size), partial(call, stored)),
            Candidate(growing.name(MISS, size), call, growing.renewed({})),
            jinja(size),
        ]
    samples = measure(listed)
    rows = []
    for way in (HIT, MISS, JINJA):
        for row, size in zip(growing.rows(samples, way, SIZES), SIZES, strict=True):
            rows.append([*row, beside_jinja(samples, way, size)])
    heads = ("", "fragments", "µs", "× the row above", "spread", "× Jinja2")
    tenfold = SIZES[1:]
    return Chapter(
        "More fragments",
        f"{FRAGMENTS}\n\n{table(heads, rows)}",
        {
            f"fragments: {name}": found
            for way in (HIT, MISS)
            for name, found in growing.steps(samples, way, tenfold).items()
        },
        {way: growing.points(samples, way, SIZES) for way in (HIT, MISS, JINJA)},
    )


def beside_jinja(samples: Samples, way: str, size: int) -> str:
    """Return how one way compares with Jinja2 at one size."""
    names = [growing.name(one, size) for one in (way, JINJA)]
    return str(ratio(samples, *names))


def of_overrides() -> Chapter:
    """Measure stores that grow, beside one catalogue."""
    listed = []
    call = partial(assemble, 100)
    for amount in OVERRIDES:
        texts = overrides(amount)
        stored = Snapshot(texts, version=f"stored {amount}")
        listed += [
            Candidate(growing.name(HIT, amount), partial(call, stored)),
            Candidate(growing.name(MISS, amount), call, growing.renewed(texts)),
        ]
    samples = measure(listed)
    found = {
        (way, amount): ratio(samples, growing.name(way, amount), growing.name(way, 0))
        for way in (HIT, MISS)
        for amount in OVERRIDES
    }
    rows = [
        (
            way,
            number(amount),
            growing.time(samples, growing.name(way, amount)),
            str(one),
            one.spread,
        )
        for (way, amount), one in found.items()
    ]
    heads = ("", "overrides", "µs", "× none", "spread")
    ratios = {f"overrides: {growing.name(*key)}": one for key, one in found.items()}
    return Chapter("More overrides", f"{STORES}\n\n{table(heads, rows)}", ratios)


def overrides(amount: int) -> dict[tuple[str, str], str]:
    """Return stored texts: some of the catalogue's, the rest of other fragments."""
    own = {
        ("", one.key): one.default.replace("vouches", "answers")
        for one in synthetic.fragments(min(amount, CHANGED))
    }
    others = {
        (f"tenant.t{n % 100}", f"other.f{n}"): synthetic.SENTENCE
        for n in range(amount - len(own))
    }
    return own | others
