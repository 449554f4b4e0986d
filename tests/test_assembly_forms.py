"""Texts laid out for filling, in every combination of a few texts and values."""

from __future__ import annotations

import itertools

import pytest

from prompts_app.assembly.forms import Form, joined
from prompts_app.assembly.patterns import EMPTY, FULL, SPACE, UNKNOWN, pattern
from prompts_app.assembly.welding import weld
from prompts_app.syntax import substitute

TEXTS = (
    "a",
    "- a",
    "a\n- b",
    "- a\nb",
    "c\n- a\nb",
    "{{x}}",
    "-{{x}}",
    "- {{x}}",
    "a\n  - {{x}}",
    "{{x}} - b",
    "A{{x}}",
    "- {{x}}\n- {{y}} c",
    "{{x}}\n{{y}}",
    "{{x}} {{x}}",
    "{{y}}{{x}} {{y}}",
    "b\n-{{x}}{{y}}",
    "- {{x}}\nb\n{{y}}{{x}}",
)
FEW = ("- a", "a\n{{x}}", "{{y}}", "- {{x}}\n{{y}} b", "{{x}}{{y}}")
VALUES = ("a", "- a", "-", " a\n", "\n- a\n- b", "- a\nb\nc")
LEVEL = "detailed"


def form_of(text: str) -> Form:
    """Return the form of a text whose names all have values."""
    found = pattern(text, LEVEL)
    form = found.form(dict.fromkeys(found.names, FULL), optional=False)
    assert form is not None
    return form


def filled(form: Form, values: dict[str, str]) -> str:
    """Return the text of a form."""
    return form.fill(values[name] for name in form.names)


@pytest.mark.parametrize(
    "texts",
    [
        *itertools.product(TEXTS, TEXTS),
        *itertools.product(FEW, FEW, FEW),
        ("- {{x}}", "- {{y}}", "- {{x}}", "{{y}}", "- b"),
    ],
    ids=repr,
)
def test_what_is_joined_and_filled_is_what_is_filled_and_welded(texts):
    """The plain way is the measure: put in the values, trim, weld."""
    form = joined(map(form_of, texts))

    for x, y in itertools.product(VALUES, VALUES):
        plain = [text.replace("{{x}}", x).replace("{{y}}", y) for text in texts]
        assert filled(form, {"x": x, "y": y}) == weld([one.strip() for one in plain])


def test_nothing_joined_is_an_empty_text():
    """A prompt may have no passage."""
    assert joined(()).fill(()) == ""


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("optional", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        "{{x}}",
        "{{x}}{{y}}{{z}}",
        " {{x}} {{y}} {{z}} ",
        "a\n{{z}}\n b ",
        "\n{{x}}, {{y}}\n- {{z}}\n",
        "a {{x}}\n\n{{y}} b\n{{x}}{{z}}",
        "{{z}}\n\n{{x}}\n",
        " \n",
    ],
)
def test_a_form_is_what_lenient_substitution_gives(text, optional, whole):
    """For each combination of what its names can be worth; None is a blank text."""
    worth = {EMPTY: "", SPACE: " ", FULL: "v w"}
    found = pattern(text, LEVEL)

    for states in itertools.product((UNKNOWN, *worth), repeat=len(found.names)):
        known = dict(zip(found.names, states, strict=True))
        values = {n: worth[state] for n, state in known.items() if state != UNKNOWN}
        plain = substitute(text, values, optional_lines=optional)
        form = found.form(known, optional=optional, whole=whole)
        if not plain.strip():
            assert form is None
        else:
            assert filled(form, values) == (plain if whole else plain.strip())
