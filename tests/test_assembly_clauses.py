"""Fragments whose text becomes a variable."""

from __future__ import annotations

import pytest

from prompts_app.assembly import Reason
from prompts_app.declarations import Lifetime
from tests.assembling import (
    Counted,
    assemble,
    entry,
    fragment,
    hooked,
    outcomes,
    registry_of,
    text_of,
    variable,
)

SENTENCE = fragment("core.z", "Do it{{clause}}.")


def clause(default, key="core.clause", **options):
    """Return a fragment that provides the variable ``clause``."""
    return fragment(key, default, **{"provides": "clause"} | options)


@pytest.mark.covers("O2", "O3", "O5", "W50")
def test_a_clause_stands_in_the_middle_of_a_sentence_or_not_at_all():
    """Instructions at the end and the clause that points at them come and go at once."""
    registry = registry_of(
        fragment("core.rules", "Answer in short{{clause}}."),
        clause(", unless the instructions say otherwise", requires=["instructions"]),
        fragment(
            "core.zz",
            "# Instructions\n\n{{instructions}}",
            requires=["instructions"],
            order=99,
        ),
    )

    with_them = assemble(registry, variables={"instructions": "Rhyme.\n\n  Always."})
    without = assemble(registry, variables={"instructions": " \n"})

    assert with_them.text == (
        "Answer in short, unless the instructions say otherwise.\n\n"
        "# Instructions\n\nRhyme.\n\n  Always."
    )
    assert without.text == "Answer in short."


@pytest.mark.covers("O4")
def test_a_reference_in_instructions_stays_as_typed():
    """Instructions are a value, so nothing in them is filled."""
    registry = registry_of(fragment(default="{{name}}: {{instructions}}"))
    given = {"name": "Ada", "instructions": "{{name}} {name}"}

    assert assemble(registry, variables=given).text == "Ada: {{name}} {name}"


@pytest.mark.covers("O1")
def test_a_name_goes_in_wherever_it_is_referred_to():
    """Every reference in every fragment, and a single brace is none."""
    one = fragment(default="{{name}}, {{name}} and {name}")

    assert text_of(one, variables={"name": "Ada"}) == "Ada, Ada and {name}"


def test_a_clause_is_no_section():
    """It is in the trace and in the prompt only where a text refers to it."""
    built = assemble(registry_of(clause(" now"), SENTENCE))

    assert [section.key for section in built.sections] == ["core.z"]
    assert outcomes(built) == {"core.clause": "provided", "core.z": "included"}
    assert entry(built, "core.clause").text == " now"


def test_a_clause_loses_only_line_feeds_at_its_ends():
    """Spaces are part of the sentence."""
    assert text_of(clause("\n\n  now \n\n"), SENTENCE) == "Do it  now ."


@pytest.mark.parametrize(
    ("declared", "given", "outcome"),
    [
        (clause(" now", when_tools=True), {}, "gated"),
        (clause(" now"), {"overrides": {"core.clause": ""}}, "off"),
        (clause("{{x}}"), {"variables": {"x": ""}}, "empty"),
        (clause(" \n "), {}, "empty"),
    ],
)
def test_a_clause_that_is_out_leaves_nothing(declared, given, outcome):
    """Its variable is empty, so strict has nothing to say either."""
    built = assemble(registry_of(declared, SENTENCE), **given, strict=True)

    assert built.text == "Do it."
    assert outcomes(built) == {"core.clause": outcome, "core.z": "included"}


def test_a_clause_is_filled_from_plain_variables_only():
    """A clause's name in a clause stays as typed and is traced; strict refuses it."""
    registry = registry_of(
        clause(" {{who}} {{other}} {{clause}}"),
        clause("x", "core.other", provides="other"),
        SENTENCE,
    )
    built = assemble(registry, variables={"who": "Ada"})

    assert built.text == "Do it Ada {{other}} {{clause}}."
    (note,) = entry(built, "core.clause").notes
    assert (note.code, note.names) == ("clause_in_clause", ("other", "clause"))
    assert str(note) == "A clause cannot hold a clause: other, clause"
    with pytest.raises(ValueError, match=r"^core\.clause: {{other}} at position 9"):
        assemble(registry, variables={"who": "Ada"}, strict=True)


def test_a_caller_may_give_a_clauses_variable():
    """Who calls knows most about the call."""
    registry = registry_of(clause(" now"), SENTENCE)

    assert assemble(registry, variables={"clause": ", please"}).text == "Do it, please."
    assert assemble(registry, variables={"clause": None}).text == "Do it."


def test_of_several_clauses_the_first_with_text_counts():
    """In order of the prompt, whether or not their groups were asked for."""
    registry = registry_of(
        clause("1", "core.c1", requires=["x"]),
        clause("2", "task.c2", group="tasks", order=1),
        clause("3", "core.c3", order=2),
        fragment("core.z", "{{clause}}", order=3),
    )

    assert assemble(registry, variables={"x": "1"}).text == "1"
    assert assemble(registry).text == "2"
    built = assemble(registry, overrides={"task.c2": " "})
    assert built.text == "3"
    assert outcomes(built) == {
        "core.c1": "gated",
        "task.c2": "off",
        "core.c3": "provided",
        "core.z": "included",
    }


def test_a_clause_of_a_group_that_is_not_asked_for_is_filled_if_used():
    """Nobody has to know where a clause lives to assemble one fragment."""
    registry = registry_of(
        clause(" {{who}}", group="tasks"), SENTENCE, variable("who", Counted("Ada"))
    )

    built = assemble(registry, include=("core.z",))

    assert built.text == "Do it Ada."
    assert outcomes(built) == {"core.clause": "provided", "core.z": "included"}


@pytest.mark.parametrize("overrides", [{}, {"core.clause": ""}])
def test_a_clause_that_nobody_uses_is_not_in_the_trace(overrides):
    """On or off, it has nothing to do with this prompt."""
    registry = registry_of(clause(" now", group="tasks"), fragment("core.z", "Z"))

    built = assemble(registry, overrides=overrides)
    assert outcomes(built) == {"core.z": "included"}
    assert repr(built).startswith("<Assembly: 1 of 1 fragments")
    hooked(
        registry,
        lambda draft: draft.sections.__setitem__(
            slice(None), [one for one in draft.sections if one.key == "core.z"]
        ),
    )
    assert outcomes(assemble(registry, overrides=overrides)) == {"core.z": "included"}


def test_a_clause_used_only_in_coaching_is_not_filled_at_lean():
    """What is not in the text needs nothing."""
    provider = Counted("Ada")
    registry = registry_of(
        clause("{{who}}", group="tasks"),
        fragment("core.z", "Z\n<!-- detailed -->\n{{clause}}\n<!-- /detailed -->"),
        variable("who", provider, lifetime=Lifetime.TURN),
    )

    built = assemble(registry, level="lean")

    assert (built.text, provider.calls) == ("Z", 0)
    assert entry(built, "core.z").lane is Lifetime.TURN


def test_a_clause_may_have_optional_lines():
    """A line goes unless all its names have a value that is not blank."""
    one = clause(" {{who}}\nand {{other}}", optional_lines=True)
    plain = clause(" {{who}}\nand {{other}}")
    values = {"who": "Ada", "other": ""}

    assert text_of(SENTENCE, one, variables=values) == "Do it Ada."
    assert text_of(SENTENCE, plain, variables=values) == "Do it Ada\nand ."


def test_a_clause_that_is_called_and_gated_is_blank_under_strict_too():
    """It is no fault that a text uses it, and there is nothing of it to read."""
    registry = registry_of(
        SENTENCE, clause("{{bad name}} C", requires=["who"], group="tasks")
    )

    built = assemble(registry, strict=True)

    assert built.text == "Do it."
    assert built.variables["clause"] == ""
    assert entry(built, "core.clause").outcome == "gated"


def test_a_clause_that_is_called_in_is_told_like_one_that_was_asked_for():
    """With its own text, what it cannot hold, and its faults."""
    registry = registry_of(
        SENTENCE,
        clause("\n, {{other}}\n", group="tasks"),
        clause(" o", "core.other", provides="other", group="tasks"),
    )

    found = entry(assemble(registry, include=("core.z",)), "core.clause")

    assert (found.outcome, found.text) == ("provided", ", {{other}}")
    assert found.notes == (Reason("clause_in_clause", ("other",)),)


def test_a_clause_of_the_seam_is_asked_for_with_the_seam():
    """It shows in the trace like the seam's sections, used or not."""
    registry = registry_of(
        clause("S", "seam.c", group="seam"),
        fragment("seam.d", "T", provides="other", group="seam"),
        fragment("seam.s", "{{clause}}!", group="seam"),
    )
    built = assemble(registry)

    assert built.seam == "S!"
    assert outcomes(built) == {
        "seam.c": "provided",
        "seam.d": "provided",
        "seam.s": "seam",
    }


@pytest.mark.case(27)
def test_clauses_that_name_each_other_end():
    """Nothing is looked at twice."""
    registry = registry_of(
        clause("1{{other}}"),
        clause("2{{clause}}", "core.other", provides="other"),
        fragment("core.z", "{{clause}} {{other}}"),
    )

    assert assemble(registry).text == "1{{other}} 2{{clause}}"


def test_a_gate_sees_no_clause():
    """A provided name is blank for gates; a check reports such a gate."""
    registry = registry_of(clause("C"), fragment("core.z", requires=["clause"]))

    assert outcomes(assemble(registry))["core.z"] == "gated"
