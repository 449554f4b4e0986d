"""How long the parts of a prompt keep the same bytes."""

from __future__ import annotations

import pytest

from prompts_app.assembly import DraftSection, lanes
from prompts_app.declarations import Lifetime, Variable
from prompts_app.syntax import variables_in
from tests.assembling import (
    Counted,
    assemble,
    entry,
    fragment,
    hooked,
    registry_of,
    tool,
    variable,
)

FIXED, CONVERSATION, TURN, CALL = Lifetime
VARIABLES = [
    variable("fixed", lifetime=FIXED),
    variable("talk", lifetime=CONVERSATION),
    variable("turn", lifetime=TURN),
    variable("call", lifetime=CALL),
]


def lane_of(one, *others, **options):
    """Return the lane of *one*."""
    registry = registry_of(*VARIABLES, one, *others)
    return entry(assemble(registry, **options), one.key).lane


@pytest.mark.covers("W18")
@pytest.mark.parametrize(
    ("options", "lane"),
    [
        ({}, FIXED),
        ({"default": "{{lb}} {{fixed}}"}, FIXED),
        ({"default": "{{tool_names}}"}, CONVERSATION),
        ({"default": "{{fixed}} {{talk}} {{ fixed }}"}, CONVERSATION),
        ({"default": "{{talk}} {{turn}}"}, TURN),
        ({"default": "{{undeclared}}"}, CALL),
        ({"default": "{{Turn}} {{turn.x}}"}, FIXED),
        ({"requires": ["talk"]}, CONVERSATION),
        ({"unless": ["turn"]}, TURN),
        ({"when_tools": True, "families": ["web"], "level": "detailed"}, FIXED),
        ({"lifetime": TURN}, TURN),
        ({"default": "{{call}}", "lifetime": FIXED}, CALL),
        ({"default": "a\n<!-- detailed -->\n{{turn}}\n<!-- /detailed -->"}, TURN),
        ({"default": "{{talk}}", "must_mention": ["talk"], "variables": ["call"]}, 1),
    ],
)
def test_the_least_stable_variable_decides(options, lane):
    """Of the text in force and the gates, in or out, or the fragment's own promise."""
    assert lane_of(fragment(**options)) is Lifetime(lane)
    assert lane_of(fragment(**options), level="lean") is Lifetime(lane)


def test_the_text_in_force_decides():
    """An override may make a fragment less stable, or more."""
    one = fragment(default="{{talk}}")

    assert lane_of(one, overrides={"core.a": "{{turn}}"}) is TURN
    assert lane_of(one, overrides={"core.a": "plain"}) is FIXED


@pytest.mark.parametrize(
    ("clause", "lane"),
    [
        (fragment("core.c", "{{turn}}", provides="clause"), TURN),
        (fragment("core.c", "C", provides="clause", requires=["talk"]), CONVERSATION),
        (fragment("core.c", "C", provides="clause", lifetime=CALL), CALL),
        (fragment("core.c", "C", provides="clause"), FIXED),
        (fragment("core.c", "C", provides="clause", when_tools=True), FIXED),
        (fragment("task.c", "{{turn}}", provides="clause", group="tasks"), TURN),
    ],
)
def test_a_clauses_variable_has_the_clauses_lane(clause, lane):
    """In the prompt or not: next time its gates may let it in."""
    assert lane_of(fragment(default="{{clause}}"), clause) is lane


def test_a_clause_does_not_know_other_clauses():
    """Their names in it are undeclared, so what it says is of this call."""
    one = fragment("core.c", "{{note}} {{clause}}", provides="clause")

    assert lane_of(one, fragment("core.d", "D", provides="note")) is CALL


@pytest.mark.parametrize("defaults", [("C", "{{turn}}"), ("{{turn}}", "C")])
def test_several_clauses_of_a_name_count_together(defaults):
    """Any of them may be the one with text next time."""
    clauses = [
        fragment(key, default, provides="clause")
        for key, default in zip(("core.c", "core.d"), defaults, strict=True)
    ]

    assert lane_of(fragment(default="{{clause}}"), *clauses) is TURN


def test_a_clause_that_is_used_everywhere_is_looked_at_once(monkeypatch):
    """The work grows with the fragments, not with fragments times clauses."""
    read = []
    monkeypatch.setattr(
        lanes, "variables_in", lambda text: read.append(text) or variables_in(text)
    )
    many = [fragment(f"core.f{n}", "{{clause}}", order=n) for n in range(200)]
    registry = registry_of(*many, fragment("core.z", "C", provides="clause"))

    built = assemble(registry)

    assert built.trace[0].lane is FIXED
    assert read.count("C") == 2
    assert len(read) == 202


def test_a_clause_that_only_a_hook_knows_has_a_lane():
    """A hook may give a section the declaration of a clause that nobody registered."""
    registry = registry_of(fragment(default="{{own}}"))
    stranger = fragment("core.x", "X", provides="own")

    def add(draft):
        draft.sections.append(DraftSection("core.x", "X", fragment=stranger))

    hooked(registry, add)
    built = assemble(registry)

    assert built.text == "X"
    assert entry(built, "core.a").lane is CALL


def test_a_caller_who_gives_a_clauses_variable_is_a_caller():
    """Then its declared lifetime counts, or that it has none."""
    clause = fragment("core.c", "C", provides="clause")
    one = fragment(default="{{clause}}")
    given = {"variables": {"clause": "mine"}}
    declared = Variable("clause", label="Clause", lifetime=CONVERSATION)

    assert lane_of(one, clause, **given) is CALL
    assert lane_of(one, clause, declared, **given) is CONVERSATION


def test_what_a_hook_made_or_changed_is_of_this_call():
    """Nobody knows what it depends on."""
    registry = registry_of(fragment("core.a"), fragment("core.b"))

    def change(draft):
        draft.sections[0].text += "!"
        draft.sections.append(DraftSection("core.x", "X"))

    hooked(registry, change)
    built = assemble(registry)

    assert [one.lane for one in built.trace] == [CALL, FIXED, CALL]


@pytest.mark.covers("W18")
def test_lanes_are_the_sections_sorted_by_stability():
    """All four are there, welded like the prompt, with a fingerprint each."""
    registry = registry_of(
        *VARIABLES,
        fragment("core.a", "{{turn}}", order=1),
        fragment("core.b", "- b", order=2),
        fragment("core.c", "{{call}}", order=3),
        fragment("core.d", "- d {{fixed}}", order=4),
    )
    given = {"turn": "T", "call": "C", "fixed": "F"}
    built = assemble(registry, variables=given)

    assert {lane: one.text for lane, one in built.lanes.items()} == {
        FIXED: "- b\n- d F",
        CONVERSATION: "",
        TURN: "T",
        CALL: "C",
    }
    assert built.lanes[CONVERSATION].fingerprint == "e3b0c44298fc1c14"
    assert len({one.fingerprint for one in built.lanes.values()}) == 4
    with pytest.raises(TypeError):
        built.lanes[FIXED] = None


@pytest.mark.covers("O6", "W18")
def test_a_lane_changes_only_with_what_it_holds():
    """The stable part has the same bytes whatever a turn brings."""
    registry = registry_of(
        *VARIABLES, fragment("core.a", "{{turn}}"), fragment("core.b", "{{talk}}")
    )
    first = assemble(registry, variables={"turn": "1", "talk": "T"})
    second = assemble(registry, variables={"turn": "2", "talk": "T"})

    assert first.lanes[CONVERSATION] == second.lanes[CONVERSATION]
    assert first.lanes[TURN].fingerprint != second.lanes[TURN].fingerprint
    assert first.fingerprint != second.fingerprint


@pytest.mark.covers("O6")
def test_equal_input_gives_an_equal_fingerprint():
    """Text and tools are in it; how the values came about is not."""
    one = fragment(default="{{who}} {{n}}")
    by_provider = registry_of(one, variable("who", Counted("Ada")))
    given = {"who": "Ada", "n": 1}

    first = assemble(registry_of(one), variables=given, tools=[tool("read")])
    second = assemble(by_provider, variables={"n": "1"}, tools=[tool("read")])
    third = assemble(registry_of(one), variables=given, tools=[tool("zoom")])
    fourth = assemble(
        registry_of(one), variables=given, tools=[tool("read", description="Else.")]
    )

    assert first.fingerprint == second.fingerprint
    assert len({first.fingerprint, third.fingerprint, fourth.fingerprint}) == 3


def test_surrogates_have_a_fingerprint_too():
    """A value from a broken source breaks nothing here."""
    built = assemble(registry_of(fragment(default="{{x}}")), variables={"x": "\ud800"})

    assert len(built.fingerprint) == len(built.lanes[CALL].fingerprint) == 16
