"""The full chat on a machine, against every other way to make its prompt."""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import Any

from bench import candidates, equality, growing, scenario
from bench.ratios import Samples, ratio
from bench.results import Chapter, number, table
from bench.sampling import Candidate, measure
from prompts_app import services
from prompts_app.assembly import Assembly, Snapshot
from prompts_app.contrib.chat.offer import ALL_TOOLS
from prompts_app.contrib.chat.scenarios import SCENARIOS
from prompts_app.syntax import clean_untrusted

JINJA = "Jinja2, one template"
COMPILED = "Jinja2, compiled anew"
REGULAR = "regular expression, per line"
JOIN = "join of ready parts"
HIT = "plan hit"
LOOKING = "— looking through values"
TURN = ("today", "document_names")
"""What differs from one message of a person to the next."""
OURS = {
    HIT: "nothing: the same snapshot, the same values",
    "plan hit, equal values in new objects": "nothing but which object a value is",
    "plan hit, a turn's values new": "the date and the names of the attached files",
    "plan hit, every value new": "each of the values",
    LOOKING: "the values of untrusted variables",
    "plan miss": "the snapshot, not its texts",
    "plan miss, a text new": "one of the 30 texts, as after a save of it",
    "plan miss, every text new": "each of the 30 texts",
}
COMPARED = """\
An agent's chat with everything in it: 29 of the 30 fragments of the preamble, {length}
characters, 22 tools. Four of the texts are overrides. All candidates are made from the
same texts, and parsed or compiled before the clock starts; their values are cleaned
and trimmed already. Ours are looked through where they are new; of a value that is the
same object as in the call before, as all are in this table, it is known already. Each
gave our bytes in {checked} situations first: other values, each of them blank, the other
level, no tools, each family of tools missing.

*Gates* says where it is decided what is in. Where a library has no conditions, or none
that can ask for a family, a function generated from the same catalogue asks before it,
and joins the pieces. The regular expression is the plain reference: it prepares
nothing and reads every text at every call. *Join* is the floor: the 29 filled texts and
what stands between them, put together. banks keeps whole prompts by their values, in a
cache without bound; the line *from its cache* finds the prompt there, as it does when no
value changes.

{table}

The plan hit is {faster} as fast as the regular expression ({spread})."""
WAYS = """\
The same chat, in the same rounds. A plan hit is what a running installation sees, mostly
with a turn's new values. A plan miss follows a save: once, of texts that are not in this
prompt, or of texts that are. Of a template engine a new text makes a new template: the
last line is what Jinja2 takes to compile it and to fill it once.

{table}

*Looking through values* is part of the row above it, and of no other candidate's work:
cleaning the {count} values of untrusted variables, {characters} characters that no call had
before."""
_numbers = count()


def chapters() -> list[Chapter]:
    """Measure; return what is to be told."""
    others = candidates.others(scenario.parts(), names())
    snapshot = Snapshot(scenario.stored_texts(), version="stored")
    checked = equality.check(others, snapshot)
    length = len(assembly(snapshot).text)
    samples = measure([*ours(snapshot), *theirs(others, snapshot)])
    return [*told(samples, others, checked, length), one_fragment(snapshot)]


def names() -> list[str]:
    """Return the names of all variables, as candidates are given them."""
    given = scenario.given(scenario.values())
    return [name for name in given if name not in candidates.FACTS]


def theirs(others: list[candidates.Other], snapshot: Snapshot) -> list[Candidate]:
    """Return the candidates that are not ours, with the values of the full chat."""
    given = scenario.given(scenario.values())
    listed = [Candidate(one.name, partial(one.render, given)) for one in others]
    parts = equality.ready(assembly(snapshot))
    anew = partial(candidates.compiled_anew(scenario.parts()), given)
    return [
        *listed,
        Candidate(JOIN, partial("".join, parts)),
        Candidate(COMPILED, anew),
    ]


def assembly(snapshot: Snapshot) -> Assembly:
    """Return our assembly of the full chat."""
    return services.assemble(
        overrides=snapshot, variables=scenario.values(), tools=ALL_TOOLS
    )


def foreign(values: dict[str, str]) -> dict[str, str]:
    """Return the values of untrusted variables among *values*."""
    variables = services.view_of(overrides=Snapshot()).variables
    return {n: text for n, text in values.items() if variables[n].untrusted}


def ours(snapshot: Snapshot) -> list[Candidate]:
    """Return the ways in which an assembly of ours can go."""
    values = scenario.values()

    def hit() -> str:
        return services.assemble(
            overrides=snapshot, variables=values, tools=ALL_TOOLS
        ).text

    def given(new: dict[str, str]) -> str:
        return services.assemble(
            overrides=snapshot, variables=new, tools=ALL_TOOLS
        ).text

    def stored(new: Snapshot) -> str:
        return services.assemble(overrides=new, variables=values, tools=ALL_TOOLS).text

    texts = scenario.stored_texts()
    every = {("", one.key): text for one, text in scenario.parts()}
    one = {("", scenario.CHANGED[0]): every["", scenario.CHANGED[0]]}
    ways = (
        (hit, None),
        (given, lambda: {name: f"{text} "[:-1] for name, text in values.items()}),
        (given, lambda: values | numbered({name: values[name] for name in TURN})),
        (given, lambda: numbered(values)),
        (looked_through, lambda: numbered(foreign(values))),
        (stored, growing.renewed(texts)),
        (stored, lambda: Snapshot(texts | numbered(one), version=f"{next(_numbers)}")),
        (stored, lambda: Snapshot(numbered(every), version=f"{next(_numbers)}")),
    )
    return [Candidate(name, *way) for name, way in zip(OURS, ways, strict=True)]


def looked_through(values: dict[str, str]) -> list[str]:
    """Return *values* as an assembly cleans them."""
    return [clean_untrusted(value) for value in values.values()]


def numbered(texts: dict[Any, str]) -> dict[Any, str]:
    """Return *texts*, each with a number at its end that no other has had."""
    return {name: f"{text} {next(_numbers)}" for name, text in texts.items()}


def told(
    samples: Samples, others: list[candidates.Other], checked: int, length: int
) -> list[Chapter]:
    """Return the chapters that tell the samples."""
    gates = {one.name: one.gates for one in others} | {HIT: "ours", JOIN: "none left"}
    ratios = {name: ratio(samples, name, JINJA) for name in samples}
    compared = sorted(gates, key=lambda name: ratios[name].median)
    shown = [(name, gates[name], *figures(samples, name)) for name in compared]
    ways = [
        (name, told, *figures(samples, name))
        for name, told in {**OURS, COMPILED: "any text"}.items()
    ]
    faster = ratio(samples, REGULAR, HIT)
    heads = ("× Jinja2", "spread", "µs")
    text = COMPARED.format(
        length=number(length),
        checked=checked,
        table=table(("candidate", "gates", *heads), shown, 2),
        faster=faster,
        spread=faster.spread,
    )
    theirs = foreign(scenario.values())
    second = WAYS.format(
        table=table(("ours", "what differs", *heads), ways, 2),
        count=len(theirs),
        characters=number(sum(map(len, theirs.values()))),
    )
    return [
        Chapter("The full chat", text, {**ratios, "regular / hit": faster}),
        Chapter("What an assembly can meet with", second),
    ]


def figures(
    samples: Samples, name: str, reference: str = JINJA
) -> tuple[str, str, str]:
    """Return the columns that each row ends with."""
    found = ratio(samples, name, reference)
    return str(found), found.spread, growing.time(samples, name)


def one_fragment(snapshot: Snapshot) -> Chapter:
    """Measure one task's text against `str.format` and a Jinja2 template."""
    title = next(one for one in SCENARIOS if one.key == "title_request")
    values = scenario.cleaned(title.variables or {})
    text = services.resolve("task.title", overrides=snapshot)
    pattern = text.replace("{{", "{").replace("}}", "}")
    template = candidates.environment().from_string(text)
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
        table(("the request for a title", "× str.format", "spread", "µs"), rows),
        {"render / format": ratio(samples, "render", "str.format")},
    )
