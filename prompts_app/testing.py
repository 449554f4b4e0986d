"""
What the tests of other apps need: a registry of their own, pinned texts, assertions.

The assertions are plain functions, for any runner; what they say when they fail is
taken from the trace of the assembly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.test.utils import TestContextDecorator

from prompts_app import validation as valid
from prompts_app.assembly import Assembly, Entry, Snapshot
from prompts_app.declarations import Scenario
from prompts_app.overrides import snapshots
from prompts_app.overrides.sources import gather
from prompts_app.preview import Situation, situation_of, situations
from prompts_app.proofs import prove_lean, strict_faults
from prompts_app.registry import Registry, registry


@contextmanager
def isolated_registry(*, empty: bool = True) -> Iterator[Registry]:
    """
    Give the registry, to be changed at will, and put everything back afterwards.

    With *empty* it starts without anything; else with what the apps declared.
    """
    before = registry._registry  # noqa: SLF001  # swapped whole, which no caller may
    if empty:
        registry._registry = {}  # noqa: SLF001  # swapped whole, which no caller may
    try:
        yield registry
    finally:
        registry._registry = before  # noqa: SLF001  # swapped whole, which no caller may


class override_prompts(TestContextDecorator):  # noqa: N801  # reads like override_settings
    """
    Pin the stored texts for a block, a test function (also async) or a test class.

    *texts* maps keys of *scope* to texts, a blank one switching its fragment off;
    a `Snapshot` is pinned as it is. What an outer block pinned stays beneath.
    No stored text is read from the database, and none is written to it.

    Registered sources are asked all the same, once, when the outermost block begins.
    One that queries, such as that of `prompts_app.contrib.custom`, still reads the
    database: leave its app out of ``INSTALLED_APPS`` in the settings of the tests, let
    the test use the database and give it rows, or pin a `Snapshot`, which has its own
    declarations.
    """

    def __init__(
        self, texts: Mapping[str, str | None] | Snapshot | None = None, scope: str = ""
    ) -> None:
        super().__init__()
        self.texts = texts or {}
        self.scope = scope
        self._resets: list[Any] = []

    def enable(self) -> Snapshot:
        """Pin the texts and return the snapshot that is in force."""
        if isinstance(self.texts, Snapshot):
            snapshot = self.texts
        else:
            outer = snapshots.pinned.get() or Snapshot(declarations=gather())
            snapshot = outer.replace(self.texts, self.scope)
        self._resets.append(snapshots.pinned.set(snapshot))
        return snapshot

    def disable(self) -> None:
        """Take the pinned texts away again."""
        snapshots.pinned.reset(self._resets.pop())


def assert_in_prompt(assembly: Assembly, key: str) -> Entry:
    """
    Assert that the text of *key* is sent, and return its entry in the trace.

    A clause counts where a text that is sent names it, the seam where it leads over
    to an authored prompt.

    Raises:
        AssertionError: it is not; the message says why, or which key may be meant.
    """
    __tracebackhide__ = True
    entry = _entry(assembly, key)
    if entry.reason is not None:
        raise AssertionError(f"{key} is not in the prompt: {_why(entry)}.")
    return entry


def assert_left_out(assembly: Assembly, key: str, reason_code: str = "") -> Entry:
    """
    Assert that *key* is left out, and return its entry in the trace.

    With *reason_code*, the code of a `Reason`, such as ``families``, it has to be for
    that reason.

    Raises:
        AssertionError: it is in the prompt, was not asked for, or is left out for
            another reason.
    """
    __tracebackhide__ = True
    entry = _entry(assembly, key)
    if entry.reason is None:
        raise AssertionError(f"{key} is in the prompt ({entry.outcome}).")
    if reason_code and entry.reason.code != reason_code:
        raise AssertionError(
            f"{key} is left out, but not for {reason_code}: {_why(entry)}."
        )
    return entry


def assert_every_scenario_renders(scope: str | Iterable[str] = ()) -> None:
    """
    Assert that every declared scenario can be assembled strictly, at its levels.

    They are played in *scope* or, without it, in their own chain, in the whole
    installation and in every scope that changes anything.

    Raises:
        AssertionError: one cannot; the message has every fault of every scenario.
    """
    __tracebackhide__ = True
    faults = [
        f"{_called(situation)}, {level}: {fault}"
        for situation in situations(scope=scope)
        for level in situation.levels
        for fault in strict_faults(situation, level)
    ]
    _raise_if("Not every scenario renders", faults)


def lean_additions(
    scenario: Scenario | str, *, scope: str | Iterable[str] = ()
) -> list[str]:
    """
    Return the lines of the lean prompt of *scenario* that the detailed one lacks.

    Lines are trimmed, blank ones do not count, and fragments that are declared for
    the lean level only are left out. Without *scope* it is played in its own chain.

    Raises:
        UnknownScenario: nobody declares one of that name.
    """
    return list(prove_lean(situation_of(scenario, scope=scope)).added)


def assert_lean_is_subset(
    *scenarios: Scenario | str, scope: str | Iterable[str] = ()
) -> None:
    """
    Assert that lean prompts hold no line that the detailed ones lack.

    Of the *scenarios* or, without any, of every declared one, each played as
    `assert_every_scenario_renders()` does.

    Raises:
        AssertionError: one does; the message has every such line.
    """
    __tracebackhide__ = True
    played: Iterable[Situation] = situations(scope=scope)
    if scenarios:
        played = (situation_of(one, scope=scope) for one in scenarios)
    added = [
        f"{_called(situation)}: {line}"
        for situation in played
        for line in prove_lean(situation).added
    ]
    _raise_if("The lean prompt adds lines to the detailed one", added)


def _entry(assembly: Assembly, key: str) -> Entry:
    __tracebackhide__ = True
    keys = [entry.key for entry in assembly.trace]
    if key not in keys:
        near = ", ".join(valid.near(key, keys))
        hint = f" Did you mean {near}?" if near else ""
        raise AssertionError(f"{key} was not asked for, so nothing became of it.{hint}")
    return assembly.trace[keys.index(key)]


def _why(entry: Entry) -> str:
    return f"{entry.outcome} ({entry.reason})"


def _called(situation: Situation) -> str:
    name = situation.scenario.key if situation.scenario else "examples"
    where = " > ".join(situation.view.chain)
    return f"{name} in {where}" if where else name


def _raise_if(claim: str, faults: Iterable[str]) -> None:
    __tracebackhide__ = True
    if told := "".join(f"\n  {fault}" for fault in dict.fromkeys(faults)):
        raise AssertionError(f"{claim}:{told}")
