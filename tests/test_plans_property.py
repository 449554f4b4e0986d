"""Plans that are used again, against the assembler that remembers nothing."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from django.test import override_settings
from hypothesis import given, settings, strategies as st

from prompts_app import services
from prompts_app.assembly import DraftSection, Snapshot
from prompts_app.exceptions import PromptTooLong
from prompts_app.registry import registry
from prompts_app.testing import isolated_registry
from tests.reference import Reference
from tests.strategies import VALUES, case, text
from tests.test_reference import as_built, as_expected, calm

some = settings(max_examples=150, suppress_health_check=calm)
OF_A_CALL = ("variables", "level", "tools", "order", "families", "has_tools", "limit")
dices = st.randoms(use_true_random=True)


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
    others = [case(dice) for _ in range(2)]
    changed = [
        replace(chosen, **{name: getattr(other, name) for name in OF_A_CALL})
        for other in others
    ]
    names = [*chosen.variables]
    values = [{name: dice.choice(VALUES) for name in names} for _ in range(4)]
    return [*changed, *(replace(chosen, variables=one) for one in values)]


@some
@given(dices)
def test_a_plan_serves_calls_with_other_values_tools_and_levels(dice):
    """What was remembered of one call is right for the next, in whatever order."""
    chosen = case(dice)
    snapshot = stored(chosen, "stored")
    turns = [chosen, *calls(dice, chosen)] * 3
    dice.shuffle(turns)

    with isolated_registry():
        declared(chosen)
        for turn in turns:
            agree(turn, snapshot)


@some
@given(dices)
def test_texts_that_change_are_served_by_plans_of_their_own(dice):
    """One text more, one less, and the same texts in another snapshot."""
    chosen = case(dice)
    turns = [(chosen, stored(chosen, "first"))]
    for number in range(3):
        texts = {
            **chosen.texts,
            dice.choice([*chosen.texts, ("", "core.a")]): text(dice),
        }
        changed = replace(chosen, texts=texts)
        turns.append((changed, stored(changed, f"version {number}")))
        turns.append((changed, stored(changed, f"again {number}")))
    turns = [turn for turn in turns for _ in range(3)]
    dice.shuffle(turns)

    with isolated_registry():
        declared(chosen)
        for turn, snapshot in turns:
            agree(turn, snapshot)


@some
@given(dices)
def test_a_registry_that_changes_leaves_no_plan_behind(dice):
    """What was declared before, and what is declared after it, never mix."""
    before = replace(case(dice), include=None)
    common = {name: getattr(before, name) for name in ("chain", "texts", *OF_A_CALL)}
    after = replace(case(dice), include=None, **common)

    with isolated_registry():
        for chosen in (before, after, before):
            snapshot = stored(chosen, "the same version")
            made = declared(chosen)
            for _ in range(3):
                agree(chosen, snapshot)
            for one in reversed(made):
                one.remove()


def test_the_dice_make_cases_that_can_be_remembered():
    """Or none of these properties would say anything of what is remembered."""
    cases = [case(Random(number)) for number in range(200)]  # noqa: S311  # the same cases at every run

    assert sum(not one.hooks for one in cases) > 50
