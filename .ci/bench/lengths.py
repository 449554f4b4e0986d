"""Texts from 1 kB to 1 MB, and texts and values that are made to be slow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import count

from bench import growing, synthetic
from bench.ratios import Ratio, Samples, ratio
from bench.results import Chapter, table
from bench.sampling import Candidate, measure
from prompts_app import Fragment, registry, services
from prompts_app.assembly import Snapshot
from prompts_app.testing import isolated_registry

LENGTHS = (1_000, 10_000, 100_000, 1_000_000)
TENFOLD = (10_000, 100_000)
LONGEST = "a reference in every line"
HIT, MISS, NEW = "plan hit", "plan miss", "text never seen"
WAYS = (HIT, MISS, NEW)
PLAIN = "prose"
KEY = "many.text"
Texts = Mapping[tuple[str, str], str]
PROSE = """\
One text of prose, with two references in every third line. What an assembly meets with
is known to be: text and snapshot (a plan hit), the text alone (a plan miss), or nothing
at all. Texts over 20 000 characters are not kept parsed, so that a plan miss reads them
anew, and its step from 10 000 to 100 000 is from one to the other."""
MADE = """\
Each at 100 kB, beside prose of the same length in the same rounds, and beside itself at
10 kB. The last three are values of an untrusted variable: a plan hit has the same one as
the call before, which is looked through again only if it is longer than 20 000
characters."""
_numbers = count()


def chapters() -> list[Chapter]:
    """Measure; return what is to be told."""
    fragment = Fragment(KEY, label="Text", group="many", default="none")
    with isolated_registry():
        registry.register(synthetic.GROUP, *synthetic.VARIABLES, fragment)
        return [of_prose(), of_hostile()]


def render(values: Mapping[str, object], snapshot: Snapshot) -> str:
    """Return the text of the one fragment."""
    return services.render(KEY, values, overrides=snapshot, tools=())


def ways(
    kind: str, length: int, text: str, value: str = "", chosen: Sequence[str] = WAYS
) -> list[Candidate]:
    """Return candidates that fill one *text*, whatever of it is known."""
    texts = {("", KEY): text}
    call = partial(render, {**synthetic.VALUES, "foreign": value})
    stored = Snapshot(texts, version=f"{kind} {length}")

    def unseen() -> Snapshot:
        unlike = {("", KEY): f"{text}\n{next(_numbers)}"}
        return Snapshot(unlike, version=f"new {next(_numbers)}")

    made = {
        HIT: (partial(call, stored), None),
        MISS: (call, growing.renewed(texts)),
        NEW: (call, unseen),
    }
    return [
        Candidate(growing.name(f"{kind}, {way}", length), *made[way]) for way in chosen
    ]


def of_prose() -> Chapter:
    """Measure prose that grows."""
    samples = measure(
        candidate
        for length in LENGTHS
        for candidate in ways(PLAIN, length, synthetic.plain(length))
    )
    rows = [
        [way, *row[1:]]
        for way in WAYS
        for row in growing.rows(samples, f"{PLAIN}, {way}", LENGTHS)
    ]
    heads = ("", "characters", "µs", "× the row above", "spread")
    ratios = {
        f"text: {way}": growing.worst(
            growing.steps(samples, f"{PLAIN}, {way}", LENGTHS)
        )
        for way in WAYS
    }
    lines = {way: growing.points(samples, f"{PLAIN}, {way}", LENGTHS) for way in WAYS}
    return Chapter("Longer texts", f"{PROSE}\n\n{table(heads, rows)}", ratios, lines)


def of_hostile() -> Chapter:
    """Measure each kind of hostile text and value beside prose."""
    rows: list[list[str]] = []
    found: dict[str, Ratio] = {}
    for kind in (*synthetic.HOSTILE, *synthetic.HOSTILE_VALUES):
        samples = measure(hostile(kind))
        for way in (HIT, NEW):
            steps = growing.steps(samples, f"{kind}, {way}", TENFOLD)
            found[f"{kind}, {way}"] = growing.worst(steps)
            rows.append(row(samples, kind, way, found[f"{kind}, {way}"]))
    heads = ("", "", "µs for 100 kB", "× prose", "spread", "× 10 kB", "spread")
    ratios = {
        f"hostile: {way}": growing.worst(
            {kind: one for kind, one in found.items() if kind.endswith(way)}
        )
        for way in (HIT, NEW)
    }
    lines = longest()
    text = f"{MADE}\n\n{table(heads, rows, 2)}\n\n{lines.text}"
    return Chapter("Hostile texts", text, ratios | lines.ratios)


def hostile(kind: str) -> list[Candidate]:
    """Return candidates for one *kind*, and for prose beside it."""
    make = {**synthetic.HOSTILE, **synthetic.HOSTILE_VALUES}[kind]
    listed = []
    for length in TENFOLD:
        made = make(length)
        value = made if kind in synthetic.HOSTILE_VALUES else ""
        text = "{{foreign}}" if value else made
        plain = synthetic.plain(length)
        listed += ways(PLAIN, length, plain, chosen=(HIT, NEW))
        listed += ways(kind, length, text, value, chosen=(HIT, NEW))
    return listed


def row(samples: Samples, kind: str, way: str, tenfold: Ratio) -> list[str]:
    """Return the row of one kind of text."""
    largest = growing.name(f"{kind}, {way}", TENFOLD[-1])
    beside = ratio(samples, largest, growing.name(f"{PLAIN}, {way}", TENFOLD[-1]))
    told = [growing.time(samples, largest), str(beside), beside.spread]
    return [kind, way, *told, str(tenfold), tenfold.spread]


def longest() -> Chapter:
    """Measure 10 000 and 100 000 lines that each hold a reference."""
    amounts = (10_000, 100_000)
    samples = measure(
        candidate
        for amount in amounts
        for candidate in ways(LONGEST, amount, "{{value1}}\n" * amount, "", (HIT, NEW))
    )
    rows = [
        [way, *row[1:]]
        for way in (HIT, NEW)
        for row in growing.rows(samples, f"{LONGEST}, {way}", amounts)
    ]
    heads = ("", "lines, a reference in each", "µs", "× the row above", "spread")
    ratios = {
        f"lines: {way}": growing.worst(
            growing.steps(samples, f"{LONGEST}, {way}", amounts)
        )
        for way in (HIT, NEW)
    }
    return Chapter("", table(heads, rows), ratios)
