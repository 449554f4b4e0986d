"""No candidate is measured before it has given our text in every situation here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bench import scenario
from bench.candidates import Other
from prompts_app import Tool, services
from prompts_app.assembly import Assembly, Snapshot
from prompts_app.contrib.chat.offer import ALL_TOOLS

Situation = tuple[Mapping[str, str], Sequence[Tool], str]


class Different(AssertionError):
    """A candidate gave another text."""


def check(others: Iterable[Other], snapshot: Snapshot) -> int:
    """
    Return in how many situations all candidates gave our text.

    Raises:
        Different: one of them did not.
    """
    listed = list(others)
    number = 0
    for number, (values, tools, level) in enumerate(situations(), start=1):
        ours = services.assemble(
            overrides=snapshot, variables=values, tools=tools, level=level
        )
        given = scenario.given(values, tools, level)
        for one in listed:
            if one.render(given) != ours.text:
                raise Different(f"{one.name} gives another text in situation {number}")
        if "".join(ready(ours)) != ours.text:
            raise Different(f"the ready parts are not the text in situation {number}")
    return number


def situations() -> Iterator[Situation]:
    """Return the full chat, changed values, each value blank, each family missing."""
    values = scenario.values()
    yield values, ALL_TOOLS, "detailed"
    yield values, ALL_TOOLS, "lean"
    changed = {name: f"{value} (changed)" for name, value in values.items()}
    yield changed, ALL_TOOLS, "detailed"
    yield {**values, "round_budget": "yes", "max_rounds": "12"}, ALL_TOOLS, "detailed"
    yield values, (), "detailed"
    yield dict.fromkeys(values, ""), ALL_TOOLS, "detailed"
    for name in values:
        yield {**values, name: ""}, ALL_TOOLS, "detailed"
    for family in sorted({tool.family for tool in ALL_TOOLS}):
        kept = [tool for tool in ALL_TOOLS if tool.family != family]
        yield values, kept, "detailed"


def ready(assembly: Assembly) -> list[str]:
    """Return the parts of an assembly's text, with what stands between them."""
    found: list[str] = []
    at = 0
    for section in assembly.sections:
        place = assembly.text.index(section.text, at)
        found += (assembly.text[at:place], section.text)
        at = place + len(section.text)
    return found
