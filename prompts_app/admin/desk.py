"""Everything one answer of the page is made from, gathered once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from prompts_app import conf, services, validation as valid
from prompts_app.admin.asking import Asked
from prompts_app.admin.sizing import Meter
from prompts_app.assembly import Assembly, Snapshot, text_in_force
from prompts_app.declarations import Fragment, Group, Level, Scenario
from prompts_app.exceptions import Fault
from prompts_app.overrides import rights
from prompts_app.overrides.identity import (
    beneath,
    declared_default,
    etag_of,
    stored_under,
)
from prompts_app.overrides.planning import DEFAULT
from prompts_app.overrides.rows import Row, rows_of, writing_alias
from prompts_app.overrides.snapshots import current, stored_in
from prompts_app.preview import CANNOT_BE_ASSEMBLED, scenario_arguments
from prompts_app.registry import View
from prompts_app.states import State, orphans, state_of
from prompts_app.syntax import fingerprint


@dataclass(eq=False)
class Desk:
    """The declarations, stored texts and typed texts that a page shows."""

    asked: Asked
    user: Any = field(repr=False)
    faults: tuple[Fault, ...] = ()
    """Why the last save was refused."""

    @cached_property
    def meter(self) -> Meter:
        """Return what counts the tokens of this answer."""
        return Meter()

    @cached_property
    def snapshot(self) -> Snapshot:
        """Return the texts in force, from the database that saves go to."""
        return current(writing_alias())

    @cached_property
    def stored(self) -> Snapshot:
        """Return what editors show and saves are compared with, ignored or not."""
        if not conf.ignore_overrides():
            return self.snapshot
        return stored_in(writing_alias())

    @cached_property
    def chain(self) -> tuple[str, ...]:
        """Return the page's scope as a chain."""
        return valid.chain(self.asked.scope)

    @cached_property
    def view(self) -> View:
        """Return what is declared for the page's scope."""
        return services.view_of(self.chain, self.snapshot)

    @cached_property
    def rows(self) -> dict[str, Row]:
        """Return the rows of the page's scope by stored key."""
        return rows_of(self.asked.scope)

    @cached_property
    def orphans(self) -> tuple[Row, ...]:
        """Return the rows that no fragment reads."""
        return orphans(self.view, self.rows)

    @cached_property
    def groups(self) -> dict[str, tuple[Group | None, tuple[Fragment, ...]]]:
        """Return groups in page order, undeclared ones last, with their fragments."""
        fragments: dict[str, list[Fragment]] = {key: [] for key in self.view.groups}
        for layered in self.view.fragments:
            fragments.setdefault(layered.fragment.group, []).append(layered.fragment)
        return {
            key: (self.view.groups.get(key), tuple(found))
            for key, found in fragments.items()
            if found
        }

    @cached_property
    def current(self) -> Fragment | None:
        """Return the fragment in view; None: the start view."""
        layered = self.view.by_key.get(self.asked.fragment)
        return layered.fragment if layered else None

    @cached_property
    def unsaved(self) -> dict[str, str]:
        """Return the typed texts that have a fragment, by key."""
        known = self.view.by_key
        return {key: text for key, text in self.asked.texts.items() if key in known}

    @cached_property
    def edited(self) -> Snapshot:
        """Return the texts in force with the unsaved ones laid over them."""
        return self.snapshot.replace(self.unsaved, self.asked.scope)

    def state(self, key: str) -> State:
        """Return the state of a fragment in the page's scope."""
        return state_of(self.view, self.rows, key)

    def saved_text(self, key: str) -> str:
        """Return the text of *key* as it is stored now, in the page's scope."""
        return text_in_force(self.view, self.stored, self.view.by_key[key])[0]

    def edited_text(self, key: str) -> str:
        """Return the text as it is typed, or else as it is stored."""
        return self.unsaved.get(key, self.saved_text(key))

    def beneath(self, key: str) -> str:
        """Return what would be in force without the override in the page's scope."""
        return beneath(self.view, self.stored.texts, self.asked.scope, key)

    def etag(self, key: str) -> str:
        """Return the state of one fragment as it is now."""
        found = stored_under(self.view, self.stored.texts, self.asked.scope, key)
        stored = found[1] if found else None
        return etag_of(stored, declared_default(self.view, key))

    def may_change(self, key: str) -> bool:
        """Return whether the user may change the text of *key* here."""
        fragment = self.view.by_key[key].fragment
        if fragment.locked:
            return False
        return rights.may_change(self.user, self.view, self.asked.scope, key)

    @property
    def may_change_some(self) -> bool:
        """Return whether the user may change texts in the page's scope at all."""
        return rights.may_change(self.user, self.view, self.asked.scope, "")

    def ticked(self, key: str) -> tuple[str, ...]:
        """Return what a save of *key* may pass over: variables, a default looked at."""
        if key not in self.unsaved:
            return ()
        mentions = (*self.view.by_key[key].fragment.must_mention, DEFAULT)
        return tuple(name for name in mentions if (key, name) in self.asked.confirmed)

    def is_settled(self, key: str) -> bool:
        """Return whether the moved default of *key* was looked at, and waits to be saved."""
        return key in self.unsaved and (key, DEFAULT) in self.asked.confirmed

    def shown_of(self, key: str) -> str:
        """
        Return the fingerprint of the text that a box of *key* was filled from.

        A decision about a default is submitted even where it keeps the text as it is.
        """
        return "" if self.is_settled(key) else fingerprint(self.saved_text(key))

    def faults_of(self, key: str) -> tuple[Fault, ...]:
        """Return why the text of *key* was refused; ``""``: the whole save."""
        return tuple(fault for fault in self.faults if fault.key == key)

    @cached_property
    def scenario(self) -> Scenario | None:
        """Return the scenario of the preview; None: every variable's example."""
        scenarios = self.view.scenarios
        if self.asked.scenario is not None:
            return scenarios.get(self.asked.scenario)
        return next(iter(scenarios.values()), None)

    @cached_property
    def level(self) -> Level:
        """Return the level of the preview."""
        return self.asked.level or self.own_level(self.scenario)

    def own_level(self, scenario: Scenario | None) -> Level:
        """Return the level that *scenario* is played at if nobody asks for another."""
        return (scenario and scenario.level) or services.resolve_level()

    @cached_property
    def edited_values(self) -> dict[str, str]:
        """Return the sample values that were edited, by name of a variable."""
        known = self.view.variables
        return {n: v for n, v in self.asked.values.items() if n in known and n != "lb"}

    @property
    def authored(self) -> str:
        """Return the scenario's authored prompt; ``""``: none."""
        return self.scenario.authored if self.scenario else ""

    def assemble(
        self,
        scenario: Scenario | None,
        snapshot: Snapshot,
        values: Mapping[str, str] | None = None,
        level: Level | None = None,
    ) -> Assembly:
        """
        Return the prompt of one scenario in the page's scope, no provider asked.

        It is at the preview's level unless *level* is given.

        Raises:
            PromptsError, TypeError, ValueError: as `services.assemble()`.
        """
        arguments = scenario_arguments(self.view, scenario, values)
        scope, level = self.chain or arguments["scope"], level or self.level
        arguments |= {"scope": scope, "level": level}
        return services.assemble(overrides=snapshot, **arguments)

    @cached_property
    def appearances(self) -> dict[str, Scenario]:
        """Return for each fragment the first scenario in which it appears."""
        found: dict[str, Scenario] = {}
        for scenario in self.view.scenarios.values():
            for key in _present(self, scenario):
                found.setdefault(key, scenario)
        return found


def _present(desk: Desk, scenario: Scenario) -> Iterable[str]:
    try:
        trace = desk.assemble(scenario, desk.edited).trace
    except CANNOT_BE_ASSEMBLED:
        return ()
    shown = ("included", "provided", *(("seam",) if scenario.authored else ()))
    return [entry.key for entry in trace if entry.outcome in shown]
