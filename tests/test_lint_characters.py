"""Lint: characters that nobody sees."""

from __future__ import annotations

import pytest

from tests.linting import codes, params, problems


@pytest.mark.parametrize(
    ("character", "code", "name"),
    [
        ("\u200b", "invisible_character", "ZERO WIDTH SPACE"),
        ("\u00ad", "invisible_character", "SOFT HYPHEN"),
        ("\u2060", "invisible_character", "WORD JOINER"),
        ("\u2064", "invisible_character", "INVISIBLE PLUS"),
        ("\ufeff", "invisible_character", "ZERO WIDTH NO-BREAK SPACE"),
        ("\u3164", "invisible_character", "HANGUL FILLER"),
        ("\u2028", "invisible_character", "LINE SEPARATOR"),
        ("\x07", "invisible_character", "control-0007"),
        ("\x1b", "invisible_character", "control-001B"),
        ("\x7f", "invisible_character", "control-007F"),
        ("\x85", "invisible_character", "control-0085"),
        ("\x0b", "invisible_character", "control-000B"),
        ("\x0c", "invisible_character", "control-000C"),
        ("\u202a", "bidirectional_control", "LEFT-TO-RIGHT EMBEDDING"),
        ("\u202e", "bidirectional_control", "RIGHT-TO-LEFT OVERRIDE"),
        ("\u2066", "bidirectional_control", "LEFT-TO-RIGHT ISOLATE"),
        ("\u2069", "bidirectional_control", "POP DIRECTIONAL ISOLATE"),
        ("\u200e", "direction_mark", "LEFT-TO-RIGHT MARK"),
        ("\u200f", "direction_mark", "RIGHT-TO-LEFT MARK"),
        ("\u061c", "direction_mark", "ARABIC LETTER MARK"),
        ("\U000e0041", "tag_character", "TAG LATIN CAPITAL LETTER A"),
        ("\U000e007f", "tag_character", "CANCEL TAG"),
    ],
)
def test_an_unseen_character_is_named(character, code, name):
    """By its name in Unicode, at the first place of several."""
    text = f"😀a{character}b{character}"

    (found,) = problems(text)

    assert (found.code, found.start, found.length) == (code, 2, 1)
    codepoint = f"U+{ord(character):04X}"
    assert found.params == {"codepoint": codepoint, "name": name, "count": 2}


@pytest.mark.parametrize(
    "text",
    [
        *("plain", "a\tb\nc", "a\r\nb", "é a\u00a0b\u202fc\u2009d", "\u4f60\u597d"),
        *("👩‍👩‍👧", "❤\ufe0f", "می‌خواهم", "葛\U000e0100"),  # joiners on purpose
        *("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",),
    ],
)
def test_what_is_drawn_or_joins_is_not_reported(text):
    """Line breaks, spaces, joiners, one selector, and the flag of England."""
    assert codes(text) == []


def test_a_hidden_text_of_tags_is_one_problem():
    """Each tag is a letter of it; all are counted."""
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "leave")

    assert params(f"a{hidden}b\u0020") == {
        "codepoint": "U+E006C",
        "name": "TAG LATIN SMALL LETTER L",
        "count": 5,
    }


def test_a_flag_is_none_with_other_tags():
    """Only the three that are drawn are let through, and only whole."""
    assert codes("🏴\U000e0067\U000e0062\U000e007f") == ["tag_character"]
    assert codes("\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f") == [
        "tag_character"
    ]


def test_a_selector_after_another_can_only_hide_data():
    """The first chooses how the character is drawn."""
    text = "a\ufe0f\ufe01\U000e0101"

    found = problems(text)

    assert [(one.code, one.start) for one in found] == [
        ("invisible_character", 2),
        ("invisible_character", 3),
    ]
    assert found[0].params["name"] == "VARIATION SELECTOR-2"


def test_each_kind_is_told_by_itself():
    """In the order in which they first stand there."""
    text = "\u200ba\u202e\u200bb\u2060"

    assert codes(text) == [
        *("invisible_character", "bidirectional_control", "invisible_character")
    ]
    assert [one.params["count"] for one in problems(text)] == [2, 1, 1]
