"""The assertions that tests of other apps make about prompts."""

from __future__ import annotations

import pytest

from prompts_app import Level, Scenario, services
from prompts_app.assembly import Snapshot
from prompts_app.exceptions import UnknownScenario
from prompts_app.testing import (
    assert_every_scenario_renders,
    assert_in_prompt,
    assert_lean_is_subset,
    assert_left_out,
    lean_additions,
    override_prompts,
)
from tests.assembling import CORE, SEAM, fragment, variable


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a small prompt and pin no texts, so that no test needs a database."""
    registry.register(
        CORE,
        SEAM,
        variable("name"),
        fragment("core.a", "Hello {{name}}{{at}}.", order=1),
        fragment("core.at", " at home", provides="at"),
        fragment("core.tools", "Use them.", order=2, when_tools=True),
        fragment("core.named", "Be kind.", order=3, requires=("name",)),
        fragment("seam.lead", "Then:", group="seam"),
        Scenario("chat", label="Chat", variables={"name": "Jo"}),
        Scenario("lean", label="Lean", variables={}, level=Level.LEAN),
    )
    with override_prompts(Snapshot()):
        yield registry


def fails(claim, *arguments, **options):
    """Return what *claim* says when it fails."""
    with pytest.raises(AssertionError) as failed:
        claim(*arguments, **options)
    return str(failed.value)


@pytest.mark.parametrize("key", ["core.a", "core.at", "seam.lead"])
def test_what_is_sent_is_in_the_prompt(key):
    """As a section, in another text, or before an authored prompt."""
    entry = assert_in_prompt(services.assemble(), key)

    assert entry.key == key
    assert entry.text


def test_what_is_not_in_the_prompt_is_told_with_its_reason():
    """The trace knows why."""
    assembly = services.assemble(limit=8)

    assert fails(assert_in_prompt, assembly, "core.tools") == (
        "core.tools is not in the prompt: gated (Only with tools)."
    )
    assert fails(assert_in_prompt, assembly, "core.named") == (
        "core.named is not in the prompt: gated (Blank: name)."
    )
    assert fails(assert_in_prompt, assembly, "core.a") == (
        "core.a is not in the prompt: dropped (Over the limit of 8)."
    )


@pytest.mark.case(94)
def test_what_was_not_asked_for_is_told_with_what_may_be_meant():
    """Neither in nor out is a mistake of the test."""
    assembly = services.assemble()
    told = "core.toolz was not asked for, so nothing became of it. Did you mean core.tools,"

    assert fails(assert_in_prompt, assembly, "core.toolz").startswith(told)
    assert fails(assert_left_out, assembly, "core.toolz").startswith(told)
    assert fails(assert_left_out, assembly, "q.q").endswith("nothing became of it.")


def test_what_is_left_out_can_be_held_to_its_reason():
    """By the code that the trace has."""
    assembly = services.assemble()

    assert assert_left_out(assembly, "core.tools").outcome == "gated"
    assert assert_left_out(assembly, "core.named", "requires").reason.names == ("name",)


def test_what_is_left_out_for_another_reason_is_told():
    """And so is what is not left out at all."""
    assembly = services.assemble()

    assert fails(assert_left_out, assembly, "core.tools", "requires") == (
        "core.tools is left out, but not for requires: gated (Only with tools)."
    )
    assert fails(assert_left_out, assembly, "core.a") == (
        "core.a is in the prompt (included)."
    )


def test_every_scenario_renders():
    """Strictly, at the levels that it has."""
    assert_every_scenario_renders()
    assert_every_scenario_renders(scope="tenant.acme")


def test_every_fault_of_every_scenario_is_told(declared):
    """By scenario, scope and level, once."""
    declared.register(fragment("core.b", "{{nme}}"), fragment("core.c", "{{ x y }}"))
    declared.register(fragment("core.d", "{{Z}}"), scope="tenant.acme")

    told = fails(assert_every_scenario_renders).splitlines()

    assert told[0] == "Not every scenario renders:"
    assert [line.split(": ")[:2] for line in told[1:]] == [
        ["  chat, lean", "core.b"],
        ["  chat, lean", "core.c"],
        ["  chat, detailed", "core.b"],
        ["  chat, detailed", "core.c"],
        ["  chat in tenant.acme, lean", "core.b"],
        ["  chat in tenant.acme, lean", "core.c"],
        ["  chat in tenant.acme, lean", "core.d"],
        ["  chat in tenant.acme, detailed", "core.b"],
        ["  chat in tenant.acme, detailed", "core.c"],
        ["  chat in tenant.acme, detailed", "core.d"],
        ["  lean, lean", "core.b"],
        ["  lean, lean", "core.c"],
        ["  lean in tenant.acme, lean", "core.b"],
        ["  lean in tenant.acme, lean", "core.c"],
        ["  lean in tenant.acme, lean", "core.d"],
    ]
    assert "{{nme}} at position 0 names no variable" in told[1]


def test_the_scenarios_can_be_played_in_one_scope(declared):
    """What only others have does not count."""
    declared.register(fragment("core.d", "{{Z}}"), scope="tenant.acme")

    assert_every_scenario_renders(scope="tenant.other")


@pytest.mark.covers("A17")
def test_lean_is_a_part_of_detailed(declared):
    """Of every scenario, or of those that are named."""
    declared.register(
        fragment("core.b", "One.\n<!-- detailed -->\nTwo.\n<!-- /detailed -->")
    )

    assert lean_additions("chat") == []
    assert_lean_is_subset()
    assert_lean_is_subset("chat", Scenario("mine", label="Mine"))


@pytest.mark.covers("A17")
def test_lines_that_lean_adds_are_told(declared):
    """Each with the scenarios in which it shows."""
    declared.register(
        fragment("core.how", ", slowly", provides="how", level=Level.DETAILED),
        fragment("core.b", "Go on{{how}}.", order=4),
    )

    told = "The lean prompt adds lines to the detailed one:"
    assert lean_additions("chat", scope="tenant.acme") == ["Go on."]
    assert fails(assert_lean_is_subset) == (f"{told}\n  chat: Go on.\n  lean: Go on.")
    assert fails(assert_lean_is_subset, "lean", scope="tenant.acme") == (
        f"{told}\n  lean in tenant.acme: Go on."
    )


def test_a_scenario_that_nobody_declares_is_an_error():
    """Not a proof of anything."""
    with pytest.raises(UnknownScenario, match="Known: chat, lean"):
        lean_additions("chad")


def test_assertions_look_at_pinned_texts():
    """As every other assembly of the block does."""
    with override_prompts({"core.a": "{{nme}}"}):
        assert "core.a" in fails(assert_every_scenario_renders)
    assert_every_scenario_renders()
