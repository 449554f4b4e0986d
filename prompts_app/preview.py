"""
What a preview assembles with: samples instead of providers.

Page, command and playground all come here, so that a scenario means the same
everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prompts_app.declarations import RESERVED_VARIABLES, Scenario
from prompts_app.registry import View

_EXAMPLES = Scenario("examples", label="Examples")


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
