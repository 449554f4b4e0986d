"""What errors are, and what they say."""

from __future__ import annotations

import inspect
import re

import pytest

from prompts_app import exceptions as errors

BUILT_IN = {
    "InvalidDeclaration": ValueError,
    "UnknownFragment": LookupError,
    "UnknownScenario": LookupError,
    "TextError": ValueError,
    "PromptTooLong": ValueError,
    "DuplicateTool": ValueError,
    "SaveRefused": ValueError,
}


def test_every_error_has_one_root():
    """Catching it catches whatever this package raises on purpose."""
    made = [
        one
        for _, one in inspect.getmembers(errors, inspect.isclass)
        if issubclass(one, Exception)
    ]

    assert len(made) >= 17
    assert all(issubclass(one, errors.PromptsError) for one in made)


@pytest.mark.parametrize(("name", "kind"), BUILT_IN.items())
def test_an_error_is_also_what_a_stranger_would_expect(name, kind):
    """Who knows nothing of this package catches the built-in one."""
    assert issubclass(getattr(errors, name), kind)


def test_a_refused_save_tells_every_fault():
    """Each with its own sentence, and a conflict is a refusal too."""
    faults = [
        errors.Fault("locked", "", "core.a", "core.a is locked.", {"n": 1}),
        errors.Fault("nul", "tenant.acme", "core.b", "core.b holds NUL."),
    ]

    refused = errors.EditConflict(fault for fault in faults)

    assert isinstance(refused, errors.SaveRefused)
    assert refused.faults == tuple(faults)
    assert str(refused) == "core.a is locked. core.b holds NUL."
    assert faults[1].params == {}
    assert hash(faults[0]) != hash(faults[1])


def test_two_tools_of_one_name_are_named():
    """No model's API takes them."""
    assert str(errors.DuplicateTool("read")) == "Two tools are named 'read'"
    assert errors.DuplicateTool("read").name == "read"


def test_a_place_is_a_file_and_a_line():
    """Of what was raised; an error that nobody raised has none."""
    with pytest.raises(LookupError) as caught:
        {}["none"]

    assert re.fullmatch(rf"{re.escape(__file__)}:\d+", errors.place_of(caught.value))
    assert errors.place_of(LookupError()) == "no known place"
