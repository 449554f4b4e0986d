"""The inputs that were found by looking for hostile ones, tried again."""

from __future__ import annotations

import ast
import re
from functools import partial

import pytest

from prompts_app import services
from prompts_app.lint import SEVERITIES
from prompts_app.overrides.exchange import parse
from prompts_app.syntax import CLOSING_MARKER, OPENING_MARKER
from tests import fuzzing
from tests.assembling import CORE, fragment
from tests.checkout import ROOT
from tests.fuzzing import TARGETS
from tests.storing import everything

CORPUS = ROOT / "tests" / "corpus"
MOST_BYTES = 200_000


def inputs(target):
    """Return the inputs of a target by the name of their file."""
    return {
        path.name: path.read_bytes() for path in sorted((CORPUS / target).iterdir())
    }


def failing(target, attempt):
    """Return what *attempt* raises for each input of *target*, by its name."""
    found = {}
    for name, data in inputs(target).items():
        try:
            attempt(data)
        except Exception as error:  # noqa: BLE001  # whatever it is, it is a fault
            found[name] = repr(error)
    return found


@pytest.mark.parametrize("target", TARGETS)
def test_no_input_breaks_a_promise(target):
    """What once failed, and what reaches far into the code, holds what it has to."""
    assert failing(target, TARGETS[target]) == {}


def test_a_broken_promise_is_told_with_the_name_of_its_input():
    """Whoever breaks one is led to the bytes that show it."""
    assert "UnicodeDecodeError" in failing("imports", bytes.decode)["utf-16"]


def test_work_that_grows_as_the_square_is_noticed(monkeypatch):
    """An expression that looks through all of the rest at each place is not let in."""
    quadratic = re.compile(r"\{\{.*?\}\}|[^\S\n]+$")
    monkeypatch.setattr(fuzzing, "clean_untrusted", partial(quadratic.sub, ""))
    # At the length that is tried otherwise it takes six times as long.
    monkeypatch.setattr(fuzzing, "LONG", 8_000)

    for name in ("blanks", "braces", "spaces"):
        with pytest.raises(AssertionError):
            fuzzing.length(inputs("length")[name])


def test_all_that_can_be_told_of_a_text_is_told_of_one():
    """Errors, warnings and notes: none is looked for in vain."""
    told = {
        problem.code
        for data in inputs("advice").values()
        for found in fuzzing.advised(data)
        for problem in found
    }

    assert told == SEVERITIES.keys()


def test_the_words_to_look_with_are_those_of_the_language():
    """A marker of a level is hardly ever found letter by letter."""
    lines = (ROOT / ".ci" / "fuzz.dict").read_text().splitlines()
    words = {ast.literal_eval(f"b{line}") for line in lines if line[0] != "#"}
    language = ("{{", "}}", OPENING_MARKER, CLOSING_MARKER, fuzzing.BETWEEN)

    assert words >= {*map(str.encode, language)}


def test_every_target_has_inputs_and_all_are_small():
    """Nobody waits for the corpus, to fetch it or to try it."""
    sizes = {target: sum(map(len, inputs(target).values())) for target in TARGETS}

    assert sorted(path.name for path in CORPUS.iterdir()) == sorted(TARGETS)
    assert all(sizes.values())
    assert sum(sizes.values()) <= MOST_BYTES


@pytest.mark.django_db
def test_no_file_is_imported_by_trying(registry):
    """Each is refused or would be stored; trying it stores nothing."""
    registry.register(
        CORE, fragment("core.a", "Alpha"), fragment("core.fixed", "Fixed", locked=True)
    )
    before = everything()
    outcomes = set()

    for data in inputs("imports").values():
        try:
            outcomes.add(services.import_texts(parse(data), dry_run=True).stored)
        except ValueError as error:
            outcomes.add(type(error).__name__)

    assert outcomes == {("core.a",), ("core.a", "core.a"), "SaveRefused", "ValueError"}
    assert everything() == before
