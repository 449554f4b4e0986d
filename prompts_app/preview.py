"""
What a preview assembles with: samples instead of providers.

Page, command and playground all come here, so that a scenario means the same
everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from prompts_app import services, validation as valid
from prompts_app.assembly import Assembly, Snapshot
from prompts_app.declarations import (
    RESERVED_VARIABLES,
    Level,
    Lifetime,
    Scenario,
)
from prompts_app.exceptions import PromptsError, UnknownScenario
from prompts_app.registry import View, registry

CANNOT_BE_ASSEMBLED = (PromptsError, TypeError, ValueError)
"""What hooks, settings and a scenario's values may make of an assembly."""

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


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """A scenario in one chain of scopes, with the texts that are in force there."""

    scenario: Scenario | None
    """None: each variable is its own example."""
    view: View = field(repr=False)
    """What is declared for the chain."""
    snapshot: Snapshot = field(repr=False)
    values: Mapping[str, object] = field(default_factory=dict, repr=False)
    """Values that beat the scenario's."""

    @property
    def levels(self) -> tuple[Level, ...]:
        """Return the levels it can be played at: its own or, without one, both."""
        own = self.scenario.level if self.scenario else None
        return tuple(Level) if own is None else (own,)

    @property
    def authored(self) -> str:
        """Return the authored prompt that follows; ``""``: none."""
        return self.scenario.authored if self.scenario else ""

    def assemble(
        self, values: Mapping[str, object] | None = None, **changes: Any
    ) -> Assembly:
        """
        Return its prompt; *values* and *changes* stand in place of what it says.

        *values* are laid over its own; *changes* are arguments of
        `services.assemble()`.

        Raises:
            PromptsError, TypeError, ValueError: as `services.assemble()`.
        """
        given = {**self.values, **(values or {})}
        arguments = scenario_arguments(self.view, self.scenario, given)
        arguments |= {"scope": self.view.chain, **changes}
        return services.assemble(overrides=self.snapshot, **arguments)


def situation_of(
    scenario: Scenario | str | None,
    *,
    scope: str | Iterable[str] = (),
    overrides: Snapshot | None = None,
    values: Mapping[str, object] | None = None,
) -> Situation:
    """
    Return a scenario, by itself or by name, in a chain of scopes.

    Without *scope* it is played in its own chain. *overrides* None are the stored
    texts.

    Raises:
        UnknownScenario: nobody declares one of that name.
        ValueError: *scope* is no chain.
    """
    snapshot = services.stored() if overrides is None else overrides
    view = services.view_of(scope, snapshot)
    if isinstance(scenario, str):
        if scenario not in view.scenarios:
            raise UnknownScenario(scenario, view.scenarios)
        scenario = view.scenarios[scenario]
    if scenario is not None and not view.chain:
        view = services.view_of(scenario.scope, snapshot)
    return Situation(scenario, view, snapshot, values or {})


def situations(
    *, scope: str | Iterable[str] = (), overrides: Snapshot | None = None
) -> Iterator[Situation]:
    """
    Yield every declared scenario where it can be played.

    That is in *scope* or, without it, in its own chain. One that names no chain is
    played in the whole installation, and in each scope that changes anything there.
    """
    snapshot = services.stored() if overrides is None else overrides
    asked = services.view_of(scope, snapshot)
    changed = () if asked.chain else scopes_of(snapshot)
    for scenario in asked.scenarios.values():
        yield situation_of(scenario, scope=asked.chain, overrides=snapshot)
        if not scenario.scope:
            for one in changed:
                yield situation_of(scenario, scope=one, overrides=snapshot)


def scopes_of(snapshot: Snapshot) -> tuple[str, ...]:
    """
    Return the scopes that declarations or stored texts are for, by code point.

    What was stored by hand under no scope's name is left out: nothing reads it.
    """
    kinds = ("fragment", "variable", "group", "hook", "protection")
    registered = {r.scope for kind in kinds for r in registry.records(kind)}
    sourced = {scope for scope, _ in snapshot.declarations}
    saved = {scope for scope, _ in snapshot.texts if valid.is_scope(scope)}
    return tuple(sorted((registered | sourced | saved) - {""}))


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
