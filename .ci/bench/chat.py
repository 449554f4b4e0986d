"""The full chat on a machine, against every other way to make its prompt."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count

from bench import candidates, equality, scenario
from bench.ratios import Samples, microseconds, ratio
from bench.results import Chapter, table
from bench.sampling import Candidate, measure
from prompts_app import services
from prompts_app.assembly import Snapshot
from prompts_app.contrib.chat.offer import ALL_TOOLS
from prompts_app.contrib.chat.scenarios import SCENARIOS

JINJA = "Jinja2, one template"
REGULAR = "regular expression, per line"
JOIN = "join of ready parts"
HIT = "plan hit"
OURS = {
    HIT: "the same snapshot and the same values at every call",
    "plan hit, a turn's values new": "the date and the names of the attached files "
    "differ at every call",
    "plan hit, every value new": "each of the values differs at every call",
    "plan miss": "the snapshot differs at every call; its texts do not",
    "plan miss, every text new": "each of the 30 texts differs at every call",
}
_numbers = count()


def chapters() -> list[Chapter]:
    """Measure; return what is to be told."""
    others = candidates.others(scenario.parts(), names())
    snapshot = Snapshot(scenario.stored_texts(), version="stored")
    checked = equality.check(others, snapshot)
    samples = measure([*ours(snapshot), *theirs(others, snapshot)])
    return [*told(samples, others, checked), one_fragment(snapshot)]


def names() -> list[str]:
    """Return the names of all variables, as candidates are given them."""
    given = scenario.given(scenario.values())
    return [name for name in given if name not in candidates.FACTS]


def theirs(others: list[candidates.Other], snapshot: Snapshot) -> list[Candidate]:
    """Return the candidates that are not ours, with the values of the full chat."""
    given = scenario.given(scenario.values())
    listed = [Candidate(one.name, partial(one.render, given)) for one in others]
    parts = equality.ready(assembly(snapshot))
    return [*listed, Candidate(JOIN, partial("".join, parts))]


def assembly(snapshot: Snapshot) -> services.Assembly:
    """Return our assembly of the full chat."""
    return services.assemble(
        overrides=snapshot, variables=scenario.values(), tools=ALL_TOOLS
    )


def ours(snapshot: Snapshot) -> list[Candidate]:
    """Return the ways in which an assembly of ours can go."""
    values = scenario.values()
    texts = scenario.stored_texts()
    every = {("", one.key): text for one, text in scenario.parts()}
    assemble = services.assemble

    def hit() -> str:
        return assemble(overrides=snapshot, variables=values, tools=ALL_TOOLS).text

    def given(new: dict[str, str]) -> str:
        return assemble(overrides=snapshot, variables=new, tools=ALL_TOOLS).text

    def stored(new: Snapshot) -> str:
        return assemble(overrides=new, variables=values, tools=ALL_TOOLS).text

    def turn() -> dict[str, str]:
        new = {name: f"{values[name]} {next(_numbers)}" for name in TURN}
        return {**values, **new}

    def all_values() -> dict[str, str]:
        return {name: f"{value} {next(_numbers)}" for name, value in values.items()}

    def snapshots(chosen: dict[tuple[str, str], str]) -> Callable[[], Snapshot]:
        return lambda: Snapshot(chosen, version=f"version {next(_numbers)}")

    def all_texts() -> Snapshot:
        new = {key: f"{text} {next(_numbers)}" for key, text in every.items()}
        return Snapshot(new, version=f"version {next(_numbers)}")

    ways = (
        (hit, None),
        (given, turn),
        (given, all_values),
        (stored, snapshots(texts)),
        (stored, all_texts),
    )
    return [
        Candidate(name, call, supply)
        for name, (call, supply) in zip(OURS, ways, strict=True)
    ]


TURN = ("today", "document_names")


def told(
    samples: Samples, others: list[candidates.Other], checked: int
) -> list[Chapter]:
    """Return the chapters that tell the samples."""
    gates = {one.name: one.gates for one in others} | {HIT: "ours", JOIN: "none left"}
    ratios = {name: ratio(samples, name, JINJA) for name in samples}
    compared = sorted(gates, key=lambda name: ratios[name].median)
    shown = [(name, gates[name], *figures(samples, name)) for name in compared]
    ways = [(name, told, *figures(samples, name)) for name, told in OURS.items()]
    faster = ratio(samples, REGULAR, HIT)
    heads = ("× Jinja2", "spread", "µs")
    first = table(("candidate", "gates", *heads), shown)
    second = table(("ours", "", *heads), ways)
    beyond = (
        f"The plan hit is {faster} as fast as the regular expression ({faster.spread})."
    )
    return [
        Chapter(
            "The full chat",
            f"{checked} situations gave the same bytes.\n\n{first}\n\n{beyond}",
            {**ratios, "regular / hit": faster},
        ),
        Chapter("What an assembly can meet with", second),
    ]


def figures(
    samples: Samples, name: str, reference: str = JINJA
) -> tuple[str, str, str]:
    """Return the columns that each row ends with."""
    found = ratio(samples, name, reference)
    return str(found), found.spread, f"{microseconds(samples, name):.1f}"


def one_fragment(snapshot: Snapshot) -> Chapter:
    """Measure one task's text against `str.format` and a Jinja2 template."""
    from jinja2 import Environment

    title = next(one for one in SCENARIOS if one.key == "title_request")
    values = scenario.cleaned(title.variables or {})
    text = services.resolve("task.title", overrides=snapshot)
    pattern = text.replace("{{", "{").replace("}}", "}")
    template = Environment(autoescape=False).from_string(text)  # noqa: S701  # no HTML
    ways = {
        "str.format": lambda: pattern.format(**values),
        "Jinja2": lambda: template.render(values),
        "render": lambda: services.render("task.title", values, overrides=snapshot),
    }
    if len({way() for way in ways.values()}) != 1:
        raise equality.Different("the ways to one fragment give different texts")
    samples = measure(Candidate(name, way) for name, way in ways.items())
    rows = [(name, *figures(samples, name, "str.format")) for name in ways]
    return Chapter(
        "One fragment",
        table(("the title task", "× str.format", "spread", "µs"), rows),
        {"render / format": ratio(samples, "render", "str.format")},
    )
