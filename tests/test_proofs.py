"""What is proved of a scenario: that it renders, and that lean is a part of detailed."""

from __future__ import annotations

import pytest

from prompts_app import Level, Scenario
from prompts_app.assembly import DraftSection, Snapshot
from prompts_app.exceptions import (
    HookError,
    MissingValue,
    UnbalancedFence,
    UnknownVariable,
)
from prompts_app.preview import situation_of
from prompts_app.proofs import LeanProof, prove_lean, strict_faults
from prompts_app.registry import registry as the_registry
from prompts_app.testing import override_prompts
from tests.assembling import CORE, SEAM, fragment, variable

REASON = "It is short."


@pytest.fixture
def declared(registry):
    """Declare two groups and a scenario; no text is stored, no database needed."""
    registry.register(
        CORE, SEAM, variable("name"), Scenario("chat", label="Chat", variables={})
    )
    with override_prompts(Snapshot()):
        yield registry


def proof():
    """Return the proof of the scenario."""
    return prove_lean(situation_of("chat"))


def faults(level=Level.DETAILED):
    """Return the faults of the scenario."""
    return strict_faults(situation_of("chat"), level)


@pytest.mark.covers("A17")
def test_a_lean_prompt_that_only_leaves_out_is_proved(declared):
    """Fences and fragments for the detailed level add nothing to it."""
    fenced = "Fact.\n<!-- detailed -->\nCoaching.\n<!-- /detailed -->"
    declared.register(
        fragment("core.a", fenced), fragment("core.b", "More.", level=Level.DETAILED)
    )

    assert proof() == LeanProof((), ())


@pytest.mark.covers("A17")
def test_lines_that_lean_adds_are_found_in_order(declared):
    """Also where a hook writes them, and in what leads to an authored prompt."""
    declared.register(fragment("seam.s", "Now {{how}}.", group="seam"))
    declared.register(
        fragment("core.how", "slowly", provides="how", level=Level.DETAILED)
    )

    def write(draft, context):
        if context.level == Level.LEAN:
            draft.sections.insert(0, DraftSection("core.made", "Two.\nOne.", 0, "core"))

    declared.register_hook(write)

    assert proof().added == ("Two.", "One.", "Now .")


@pytest.mark.covers("A16")
def test_a_lean_only_fragment_is_left_out_with_its_reason(declared):
    """It is told apart from what nobody meant."""
    declared.register(
        fragment("core.a", "Quick.", level=Level.LEAN, lean_reason=REASON),
        fragment("core.b", "Long.", level=Level.DETAILED),
    )

    assert proof() == LeanProof((), (("core.a", REASON),))


@pytest.mark.covers("A16")
def test_a_lean_only_clause_is_left_out_of_both_prompts(declared):
    """The line it stands in is compared without it, whatever stands there else."""
    lean = {"level": Level.LEAN, "lean_reason": REASON, "provides": "how"}
    declared.register(
        fragment("core.short", ", fast", **lean),
        fragment("core.long", ", calmly", provides="how", level=Level.DETAILED),
        fragment("core.z", "Go on{{how}}."),
    )

    assert proof() == LeanProof((), (("core.short", REASON),))


def test_a_lean_only_fragment_that_is_gated_out_excuses_nothing(declared):
    """What is not in the prompt need not be left out of it."""
    declared.register(
        fragment(
            "core.a", "x", level=Level.LEAN, lean_reason=REASON, requires=("name",)
        )
    )

    assert proof().excused == ()


def test_values_that_were_given_are_part_of_the_proof(declared):
    """They beat the scenario's, at both levels."""
    declared.register(
        fragment(
            "core.a",
            "{{name}} x",
            level=Level.LEAN,
            lean_reason=REASON,
            requires=("name",),
        )
    )

    found = prove_lean(situation_of("chat", values={"name": "Jo"}))

    assert found.excused == (("core.a", REASON),)


@pytest.mark.covers("D61", "W8")
def test_every_text_at_fault_is_found(declared):
    """The first fault of a prompt does not hide the others, nor a clause's."""
    declared.register(
        fragment("core.a", "{{nme}}"),
        fragment("core.b", "Right {{c}}."),
        fragment("core.c", "{{nme}} x", provides="c"),
        fragment("core.d", "<!-- detailed -->"),
        fragment("core.e", "{{wrong}}", requires=("name",)),
        fragment("core.f", "{{name}}"),
    )

    found = faults()

    assert [(type(one), one.fragment) for one in found] == [
        (UnknownVariable, "core.a"),
        (UnknownVariable, "core.c"),
        (UnbalancedFence, "core.d"),
    ]


def test_a_fault_in_what_a_hook_wrote_is_found(declared):
    """It belongs to no declared fragment, so there is no other to look at."""
    declared.register(fragment("core.a", "Right."))
    made = DraftSection("core.made", "{{nme}}", 0, "core")
    declared.register_hook(lambda draft, context: draft.sections.append(made))

    (found,) = faults()

    assert found.fragment == "core.made"


def test_a_fault_in_the_only_text_is_found_if_a_hook_wrote_it(declared):
    """There is no declared fragment that it could be looked at by."""
    made = DraftSection("core.made", "{{nme}}", 0, "core")
    declared.register_hook(lambda draft, context: draft.sections.append(made))

    assert [(type(one), one.fragment) for one in faults()] == [
        (UnknownVariable, "core.made")
    ]


def test_every_text_without_a_value_is_found(declared):
    """Also where nothing is left of it, so that it is not in the prompt."""
    declared.register(
        fragment("core.a", "{{name}}"),
        fragment("core.b", "{{name}}"),
        Scenario("none", label="None", variables={"name": None}),
    )

    found = strict_faults(situation_of("none"), Level.DETAILED)

    assert [(type(one), one.fragment) for one in found] == [
        (MissingValue, "core.a"),
        (MissingValue, "core.b"),
    ]


def test_only_what_is_in_the_prompt_is_tried_by_itself(declared):
    """What is switched off or gated out cannot be at fault, and costs no assembly."""
    declared.register(
        fragment("core.a", "{{nme}}"),
        fragment("core.b", "{{nme}}", requires=("name",)),
        fragment("core.c", "{{nme}}", level=Level.LEAN, lean_reason=REASON),
    )
    asked = []
    declared.register_hook(lambda draft, context: asked.append(context.include))

    found = faults()

    assert [one.fragment for one in found] == ["core.a"]
    assert [one for one in asked if one] == [("core.a",)]


def test_what_lets_nothing_be_assembled_is_the_only_fault(declared):
    """A hook that raises comes before any text."""
    declared.register(fragment("core.a", "{{nme}}"))
    declared.register_hook(lambda draft, context: draft.nothing)

    (found,) = faults()

    assert isinstance(found, HookError)


def test_a_fault_of_one_level_is_a_fault_of_that_level(declared):
    """What the lean prompt leaves out cannot be wrong in it."""
    declared.register(
        fragment("core.a", "<!-- detailed -->\n{{nme}}\n<!-- /detailed -->\nx")
    )

    assert faults(Level.LEAN) == ()
    assert len(faults(Level.DETAILED)) == 1


def test_no_repr_of_a_proof_shows_a_line():
    """What is printed by mistake holds no text of a prompt."""
    assert "secret" not in repr(LeanProof(("secret",), ()))


@pytest.mark.covers("A17", "A18")
@pytest.mark.parametrize("name", the_registry.view().scenarios)
def test_the_chat_catalogue_is_proved(name):
    """In every scenario lean adds nothing, and both levels hold strictly."""
    situation = situation_of(name, overrides=Snapshot())

    assert prove_lean(situation) == LeanProof((), ())
    assert [strict_faults(situation, level) for level in Level] == [(), ()]
