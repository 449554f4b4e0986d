"""The chat catalogue as prompts: at two levels, and in lanes that a cache keeps."""

from __future__ import annotations

import pytest

from prompts_app import Lifetime
from prompts_app.assembly import Context, Snapshot, build
from prompts_app.contrib.chat import prompts
from prompts_app.lint import added_lines
from prompts_app.registry import Registry

SCENARIOS = {scenario.key: scenario for scenario in prompts.SCENARIOS}
CHATS = [key for key, scenario in SCENARIOS.items() if scenario.include is None]


@pytest.fixture(scope="module")
def view():
    """Return what a registry with the chat catalogue alone shows."""
    catalogue = Registry()
    catalogue.register(*prompts.GROUPS, *prompts.VARIABLES, *prompts.FRAGMENTS)
    return catalogue.view()


def play(view, key, *, level=None, **values):
    """Return the assembly of a scenario, some of its values replaced."""
    scenario = SCENARIOS[key]
    context = Context(
        include=scenario.include,
        variables={**scenario.variables, **values},
        level=level,
    )
    return build(view, Snapshot(), context, tools=scenario.tools)


@pytest.mark.covers("A1", "A17", "A18")
@pytest.mark.parametrize("key", SCENARIOS)
def test_lean_is_a_part_of_detailed_in_every_situation(view, key):
    """It adds no line and is no longer, and without a level it is the detailed one."""
    detailed = play(view, key, level="detailed").text
    lean = play(view, key, level="lean").text

    assert added_lines(detailed, lean) == []
    assert len(lean) <= len(detailed)
    assert (lean == detailed) is (key not in CHATS)
    assert play(view, key).text == detailed


@pytest.mark.covers("A10", "A17")
@pytest.mark.parametrize("key", ["tools_chat", "agent_chat"])
def test_lean_saves_in_a_whole_prompt_too(view, key):
    """Of the part that every chat shares at least a quarter goes."""
    lean, detailed = (
        play(view, key, level=level).lanes[Lifetime.FIXED].text
        for level in ("lean", "detailed")
    )

    assert 0 < len(lean) <= 0.75 * len(detailed)


@pytest.mark.covers("A20", "A21", "A22", "O6")
@pytest.mark.parametrize("key", CHATS)
@pytest.mark.parametrize("value", ["", "something else"])
@pytest.mark.parametrize("lifetime", [Lifetime.FIXED, Lifetime.CONVERSATION])
def test_a_lane_depends_on_nothing_less_stable(view, key, value, lifetime):
    """Whatever the clock, the person and the turn bring, the stable bytes stay."""
    less_stable = [v.name for v in prompts.VARIABLES if v.lifetime > lifetime]

    before = play(view, key)
    after = play(view, key, **dict.fromkeys(less_stable, value))

    kept = [lane for lane in Lifetime if lane <= lifetime]
    assert [before.lanes[lane] for lane in kept] == [after.lanes[lane] for lane in kept]
    assert before.text != after.text


@pytest.mark.covers("A20", "W18")
@pytest.mark.parametrize("key", CHATS)
def test_what_a_request_brings_stands_in_no_stable_lane(view, key):
    """No value of a turn or a call is a part of what a cache should keep."""
    built = play(view, key)
    brought = [v.name for v in prompts.VARIABLES if v.lifetime >= Lifetime.TURN]
    stable = (built.lanes[Lifetime.FIXED].text, built.lanes[Lifetime.CONVERSATION].text)

    values = [SCENARIOS[key].variables.get(name) for name in brought]
    assert any(values)
    assert not [v for v in values if v and any(str(v) in text for text in stable)]
