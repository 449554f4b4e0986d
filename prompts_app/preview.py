"""
What a preview assembles with: samples instead of providers.

Page, command and playground all come here, so that a scenario means the same
everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from prompts_app.assembly import Assembly
from prompts_app.declarations import RESERVED_VARIABLES, Lifetime, Scenario
from prompts_app.registry import View

_EXAMPLES = Scenario("examples", label="Examples")


@dataclass(frozen=True, slots=True)
class LaneShare:
    """How much of a prompt keeps the same bytes for one lifetime."""

    lifetime: Lifetime
    length: int
    """Characters of the lane's text."""
    start: int
    """Characters of the lanes that keep longer."""
    percent: int
    """Of all lanes' characters, rounded."""


def scenario_arguments(
    view: View,
    scenario: Scenario | None = None,
    values: Mapping[str, object] | None = None,
) -> dict[str, Any]:
    """
    Return the keyword arguments with which `services.assemble()` plays *scenario*.

    No variable or tool provider is asked: every variable of *view* has a value. A
    variable that the scenario does not name is blank; without a scenario, or with
    one that gives no variables, it is its own example. *values*, edited samples by
    name, beat both. The scenario's authored prompt is left to `Assembly.join()`.
    """
    scenario = scenario or _EXAMPLES
    samples = _samples(view, scenario)
    return {
        "include": scenario.include,
        "variables": {**samples, **(scenario.variables or {}), **(values or {})},
        "scope": scenario.scope,
        "tools": scenario.tools,
        "families": scenario.families,
        "level": scenario.level,
    }


def _samples(view: View, scenario: Scenario) -> dict[str, str]:
    """Return a text for each variable, but for those that are worked out."""
    # A value given for a clause's name would stand in for the clause.
    worked_out = {*RESERVED_VARIABLES, *view.clauses}
    blank = scenario.variables is not None
    return {
        name: "" if blank else variable.example
        for name, variable in view.variables.items()
        if name not in worked_out
    }


def lane_shares(assembly: Assembly) -> tuple[LaneShare, ...]:
    """Return the lanes of *assembly* that hold any text, most stable first."""
    lengths = [(lane, len(assembly.lanes[lane].text)) for lane in Lifetime]
    total = sum(length for _, length in lengths)
    shares: list[LaneShare] = []
    start = 0
    for lifetime, length in lengths:
        if length:
            share = LaneShare(lifetime, length, start, round(100 * length / total))
            shares.append(share)
            start += length
    return tuple(shares)
