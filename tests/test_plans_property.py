"""Plans that are used again, against the assembler that remembers nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from django.test import override_settings
from hypothesis import given, settings, strategies as st

from prompts_app import services
from prompts_app.assembly import DraftSection, Snapshot, shapes
from prompts_app.exceptions import PromptTooLong
from prompts_app.registry import registry
from prompts_app.services import assembling
from prompts_app.testing import isolated_registry
from tests.reference import Reference
from tests.strategies import NAMES, case, chance, text, values
from tests.test_reference import as_built, as_expected, calm

some = settings(max_examples=150, suppress_health_check=calm)
OF_A_CALL = ("variables", "level", "tools", "order", "families", "has_tools", "limit")
TURNS = 4
"""How often each call is made: the third like it is the first that can be recalled."""
dices = st.randoms(use_true_random=True)


def likely(dice):
    """Return a case; half the time one in which no hook or provider has a say."""
    chosen = case(dice)
    if chance(dice, 0.5):
        return chosen
    given = dict(zip(NAMES, values(dice, len(NAMES)), strict=True))
    return replace(chosen, hooks=[], limit=0, variables=given)


def declared(chosen):
    """Register what *chosen* declares, and return what all of it is removed by."""
    made = [registry.register(one, scope=scope) for scope, one in chosen.registered]
    for scope, key in chosen.protected:
        made.append(registry.protect([key], scope=scope))
    for scope, name in chosen.protected_tools:
        made.append(registry.protect(tools=[name], scope=scope))
    for scope, hook in chosen.hooks:
        made.append(registry.register_hook(bound(hook), scope))
    return made


def bound(hook):
    """Return *hook* as the registry calls it."""
    return lambda draft, context: hook(draft, DraftSection)


def stored(chosen, version):
    """Return the snapshot of a case."""
    return Snapshot(chosen.texts, tuple(chosen.sourced), version)


def agree(chosen, snapshot):
    """Hold a call of the service against the reference, all that is told included."""
    expected = Reference(chosen)
    arguments = {
        "include": chosen.include,
        "variables": chosen.variables,
        "scope": chosen.chain,
        "tools": chosen.tools,
        "families": chosen.families,
        "has_tools": chosen.has_tools,
        "level": chosen.level,
        "limit": chosen.limit,
        "overrides": snapshot,
    }
    with override_settings(PROMPTS_APP_TOOL_ORDER=chosen.order):
        if expected.too_long:
            with pytest.raises(PromptTooLong):
                services.assemble(**arguments)
            return
        built = services.assemble(**arguments)
    assert built.text == expected.text
    assert built.seam == expected.seam
    assert as_built(built) == as_expected(expected)
    assert {lane: one.text for lane, one in built.lanes.items()} == expected.lanes
    assert list(built.tools) == expected.tools


def calls(dice, chosen):
    """Return the same case with the calls of others, and with values of its own anew."""
    others = [likely(dice) for _ in range(2)]
    changed = [
        replace(chosen, **{name: getattr(other, name) for name in OF_A_CALL})
        for other in others
    ]
    names = [*chosen.variables]
    given = [dict(zip(names, values(dice, len(names)), strict=True)) for _ in range(4)]
    return [*changed, *(replace(chosen, variables=one) for one in given)]


@some
@given(dices)
def test_a_plan_serves_calls_with_other_values_tools_and_levels(dice):
    """What was remembered of one call is right for the next, in whatever order."""
    chosen = likely(dice)
    snapshot = stored(chosen, "stored")
    turns = [chosen, *calls(dice, chosen)] * TURNS
    dice.shuffle(turns)

    with isolated_registry():
        declared(chosen)
        for turn in turns:
            agree(turn, snapshot)


@some
@given(dices)
def test_texts_that_change_are_served_by_plans_of_their_own(dice):
    """One text more, one less, and the same texts in another snapshot."""
    chosen = likely(dice)
    turns = [(chosen, stored(chosen, "first"))]
    for number in range(3):
        texts = {
            **chosen.texts,
            dice.choice([*chosen.texts, ("", "core.a")]): text(dice),
        }
        changed = replace(chosen, texts=texts)
        turns.append((changed, stored(changed, f"version {number}")))
        turns.append((changed, stored(changed, f"again {number}")))
    turns = [turn for turn in turns for _ in range(TURNS)]
    dice.shuffle(turns)

    with isolated_registry():
        declared(chosen)
        for turn, snapshot in turns:
            agree(turn, snapshot)


@some
@given(dices)
def test_a_registry_that_changes_leaves_no_plan_behind(dice):
    """What was declared before, and what is declared after it, never mix."""
    before = replace(likely(dice), include=None)
    common = {name: getattr(before, name) for name in ("chain", "texts", *OF_A_CALL)}
    after = replace(likely(dice), include=None, **common)

    with isolated_registry():
        for chosen in (before, after, before):
            snapshot = stored(chosen, "the same version")
            made = declared(chosen)
            for _ in range(TURNS):
                agree(chosen, snapshot)
            for one in reversed(made):
                one.remove()


@pytest.mark.parametrize(
    "property_of_plans",
    [
        test_a_plan_serves_calls_with_other_values_tools_and_levels,
        test_texts_that_change_are_served_by_plans_of_their_own,
        test_a_registry_that_changes_leaves_no_plan_behind,
    ],
)
def test_a_good_share_of_these_calls_is_recalled(property_of_plans, monkeypatch):
    """Or none of these properties would say anything of what is remembered."""
    counts = Counter()
    assemble = services.assemble

    def recall(*call):
        assembly = shapes.recall(*call)
        counts["recalled"] += assembly is not None
        return assembly

    def counted(**arguments):
        counts["made"] += 1
        return assemble(**arguments)

    monkeypatch.setattr(assembling, "recall", recall)
    monkeypatch.setattr(services, "assemble", counted)
    for number in range(40):
        property_of_plans.hypothesis.inner_test(Random(number))  # noqa: S311  # the same cases at every run

    assert counts["recalled"] > counts["made"] / 12
