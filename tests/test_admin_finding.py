"""Tests of finding fragments."""

from __future__ import annotations

from prompts_app import Fragment
from prompts_app.admin.finding import find

FRAGMENT = Fragment("core.style", label="Writing style", group="core", default="")


def test_label_is_found_whatever_the_case():
    """What is looked for may be written in another case than the label."""
    hit = find("WRITING", FRAGMENT, ())

    assert hit is not None
    assert hit.match == "Writing"


def test_key_is_found():
    """A key is found by a part of it."""
    hit = find("e.sty", FRAGMENT, ())

    assert hit is not None
    assert (hit.before, hit.match, hit.after) == ("cor", "e.sty", "le")


def test_text_is_found_with_its_surroundings():
    """A hit in a text brings the words round it, spaces kept."""
    text = "Answer in the language of the person, and answer\nbriefly if you can."

    hit = find("person", FRAGMENT, ("other", text))

    assert hit is not None
    assert f"{hit.before}{hit.match}{hit.after}" == (
        "in the language of the person, and answer briefly if"
    )


def test_nothing_is_found_where_nothing_is():
    """A fragment that says nothing of it is no hit."""
    assert find("refund", FRAGMENT, ("text",)) is None


def test_letters_that_fold_to_two_do_not_break_it():
    """A text whose folding is longer than itself is still searched."""
    assert find("strasse", FRAGMENT, ("Straße",)) is not None
