"""Strict substitution, and what its errors say."""

from __future__ import annotations

import pytest

from prompts_app.exceptions import (
    MalformedReference,
    MissingValue,
    PromptsError,
    TextError,
    UnbalancedFence,
    UnknownVariable,
)
from prompts_app.syntax import substitute_strict

VALUES = {"model": "m1", "cwd": "", "when": None, "off": False}


@pytest.mark.covers("D60", "D64")
def test_values_are_put_in_and_nothing_else_changes():
    """An empty text is a value, no line goes, no edge is trimmed."""
    text = " \n{{cwd}}\n{{model}}{{model}}\n\n"

    assert substitute_strict(text, VALUES) == " \n\nm1m1\n\n"


@pytest.mark.covers("D64")
def test_a_value_is_not_looked_at_again():
    """A value may hold what would be a fault in the text."""
    filled = substitute_strict("{{a}}{{b}}", {"a": "{{nope}} {{", "b": "{{ }}"})

    assert filled == "{{nope}} {{{{ }}"


@pytest.mark.covers("D61", "L18")
@pytest.mark.parametrize(
    ("text", "kind", "reference", "position"),
    [
        ("a {{modell}}", UnknownVariable, "modell", 2),
        ("a {{when}}", MissingValue, "when", 2),
        ("a {{off}}", MissingValue, "off", 2),
        ("{{ model }}", MalformedReference, " model ", 0),
        ("{{model\n}}", MalformedReference, "model\n", 0),
        ("{{}}", MalformedReference, "", 0),
        ("{{Model}}", MalformedReference, "Model", 0),
        ("{{model-x}}", MalformedReference, "model-x", 0),
        ("{{1st}}", MalformedReference, "1st", 0),
        ("{{größe}}", MalformedReference, "größe", 0),
        ("{{{Model}}}", MalformedReference, "Model", 1),
        ("a {{ b and {{model}}", MalformedReference, " b and {{model", 2),
        ("{{{{model}}}}", MalformedReference, "{{model", 0),
        ("x {{a{b}}", MalformedReference, "a{b", 2),
        ("{{x} y }}", MalformedReference, "x} y ", 0),
        ("}} {{x} y }}", MalformedReference, "x} y ", 3),
        ("{{model}} {{nope}} {{Bad}}", UnknownVariable, "nope", 10),
    ],
)
def test_each_fault_names_reference_place_and_what_exists(
    text, kind, reference, position
):
    """The first fault is raised with all that somebody needs to mend it."""
    with pytest.raises(kind) as caught:
        substitute_strict(text, VALUES, name="core.a")

    fault = caught.value
    assert fault.fragment == "core.a"
    assert fault.reference == reference
    assert fault.position == position
    assert fault.names == ("cwd", "model", "off", "when")
    assert str(fault).startswith("core.a: ")
    assert "cwd, model, off, when" in str(fault)


@pytest.mark.covers("D62", "L18")
@pytest.mark.parametrize(
    "text",
    ["{{", "type {{ to begin", "}} then {{", "}}", "{{{", "{{ x }", "{ {x}}", "a}}b"],
)
def test_braces_that_never_close_or_never_open_are_text(text):
    """Without a closing pair after it an opening pair is no fault."""
    assert substitute_strict(text, VALUES) == text


@pytest.mark.covers("D62", "L18")
def test_an_opening_pair_after_the_last_closing_one_is_text():
    """What precedes it is filled all the same."""
    assert substitute_strict("{{model}} and {{ so on", VALUES) == "m1 and {{ so on"


@pytest.mark.covers("L18", "D66")
@pytest.mark.case(18)
def test_three_braces_are_a_brace_round_the_value():
    """Lenient and strict agree on them."""
    assert substitute_strict("a {{{model}}} b", VALUES) == "a {m1} b"


def test_a_collection_is_refused_here_too():
    """A value with no one spelling is a TypeError that names the variable."""
    with pytest.raises(TypeError, match="'plan' is a list"):
        substitute_strict("{{plan}}", {"plan": []})


@pytest.mark.covers("D63")
@pytest.mark.parametrize("name", ["constructor", "keys", "get", "class", "def"])
def test_a_name_is_looked_up_among_the_values_only(name):
    """Words that mean something in a language are names like any other."""
    with pytest.raises(UnknownVariable):
        substitute_strict(f"{{{{{name}}}}}", VALUES)

    assert substitute_strict(f"{{{{{name}}}}}", {name: "own"}) == "own"


@pytest.mark.covers("D61")
def test_without_any_variable_the_message_says_none():
    """Nobody has to guess whether the list was forgotten."""
    with pytest.raises(UnknownVariable, match=r"names that exist: none$") as caught:
        substitute_strict("{{x}}", {})

    assert caught.value.fragment == ""


def test_a_long_reference_is_shortened_in_the_message_only():
    """A message stays readable, and the error holds the whole reference."""
    with pytest.raises(MalformedReference) as caught:
        substitute_strict("{{" + "A" * 5000 + "}}", {})

    assert len(str(caught.value)) < 150
    assert len(caught.value.reference) == 5000


@pytest.mark.parametrize(
    "error", [UnknownVariable, MissingValue, MalformedReference, UnbalancedFence]
)
def test_every_fault_of_a_text_is_a_text_error(error):
    """A caller may catch them by this package's root or by what they are."""
    assert issubclass(error, TextError)
    assert issubclass(TextError, PromptsError)
    assert issubclass(TextError, ValueError)
