"""Level fences, untrusted values, and comparing texts."""

from __future__ import annotations

import pytest

from prompts_app.declarations import Level
from prompts_app.exceptions import UnbalancedFence
from prompts_app.syntax import (
    DETAILED,
    LEAN,
    at_level,
    clean_untrusted,
    fingerprint,
    fold_line_breaks,
    normalise,
    same_text,
)

FENCED = "Fact.\n<!-- detailed -->\n\n1. one\n<!-- /detailed -->\nEnd.\n"


@pytest.mark.covers("A10", "A12", "A15")
def test_lean_is_what_is_left_without_the_fenced_blocks():
    """Markers vanish with their lines at both levels, and the last line feed stays."""
    assert at_level(FENCED, "lean") == "Fact.\nEnd.\n"
    assert at_level(FENCED, "detailed") == "Fact.\n\n1. one\nEnd.\n"


def test_the_levels_of_texts_are_those_of_fragments():
    """The text language and the declarations call the two levels the same."""
    assert {DETAILED, LEAN} == {*Level}


@pytest.mark.covers("A13")
@pytest.mark.parametrize(
    "level", ["detailed", Level.DETAILED, None, "", "loud", "LEAN", "lean ", True, 1]
)
def test_what_is_not_lean_counts_as_detailed(level):
    """A level that is missing or unknown never takes coaching away."""
    assert at_level(FENCED, level) == at_level(FENCED, "detailed")


@pytest.mark.covers("A14", "W41")
@pytest.mark.parametrize(
    "marker",
    [
        *("<!--detailed-->", "<!-- Detailed -->", "<!-- lean -->", "<!-- detailed"),
        *("x <!-- detailed -->", "<!-- detailed --> x", "<!-- / detailed -->"),
    ],
)
@pytest.mark.parametrize("level", Level)
def test_a_mistyped_marker_is_text_at_both_levels(marker, level):
    """Nothing is lost by it, and it shows."""
    assert at_level(f"a\n{marker}\nb", level) == f"a\n{marker}\nb"


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize(
    ("text", "line", "opened"),
    [
        ("a\n<!-- detailed -->\nb", 2, True),
        ("<!-- /detailed -->", 1, False),
        ("<!-- /detailed -->\na\n<!-- detailed -->", 1, False),
        ("<!-- detailed -->\n<!-- detailed -->\n<!-- /detailed -->", 1, True),
        ("<!-- detailed -->\n<!-- /detailed -->\n<!-- /detailed -->", 3, False),
    ],
)
@pytest.mark.covers("A14")
def test_a_marker_without_partner_is_named_by_its_line(text, line, opened, level):
    """At either level, and with the side that is missing."""
    with pytest.raises(UnbalancedFence) as caught:
        at_level(text, level)

    assert caught.value.line == line
    assert caught.value.opened is opened
    assert f"line {line} " in str(caught.value)


@pytest.mark.covers("A12")
@pytest.mark.parametrize("space", ["", " ", "\t", "\r", "\u00a0"], ids=ascii)
def test_a_marker_may_have_white_space_round_it(space):
    """It stands alone on its line otherwise."""
    text = f"a\n{space}<!-- detailed -->{space}\nb\n{space}<!-- /detailed -->{space}"

    assert at_level(text, "lean") == "a"


@pytest.mark.covers("W17")
@pytest.mark.parametrize(
    ("value", "cleaned"),
    [
        ("a\r\nb\rc\n", "a\nb\nc\n"),
        ("a\tb\n", "a\tb\n"),
        ("\x00a\x07\x0b\x0c\x1b[31m\x7f\x80\x9f", "a[31m"),
        ("\u202ea\u2066b\u2069\u200e\u200f\u061c\u202a", "ab"),
        ("\ufeffa\ufeff", "a"),
        ("a\U000e0001\U000e0041\U000e007f", "a"),
        ("👩\u200d💻 ❤\ufe0f \u200c", "👩\u200d💻 ❤\ufe0f \u200c"),
        ("\u00a0\u2028é\u0301", "\u00a0\u2028é\u0301"),
        ("`` ~~ `~`", "`` ~~ `~`"),
        ("```py\nx\n````", "'''py\nx\n''''"),
        ("~~~~ ```~~~", "'''' ''''''"),
        ("~~~\nx", "'''\nx"),
        ("``\x00` `\ufeff``", "''' '''"),
        ("# heading\n- item", "# heading\n- item"),
    ],
    ids=ascii,
)
def test_an_untrusted_value_hides_nothing_and_opens_no_fence(value, cleaned):
    """What is invisible or ends a code fence goes; what people write stays."""
    assert clean_untrusted(value) == cleaned


def test_every_ascii_control_goes_by_itself():
    """Beside nothing else that is unusual, and no other character of ASCII does."""
    controls = {chr(code) for code in (*range(0x20), 0x7F)} - {"\t", "\n", "\r"}

    for char in map(chr, range(0x80)):
        kept = "" if char in controls else "\n" if char == "\r" else char
        assert clean_untrusted(f"a{char}b") == f"a{kept}b"


def test_a_cleaned_value_is_clean():
    """Cleaning twice is cleaning once."""
    value = "``\x00`\r\n~\u202e~~\ufeff"

    assert clean_untrusted(clean_untrusted(value)) == clean_untrusted(value)


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("a\r\nb\r\n", "a\nb"),
        ("\n\n  a  \n\n", "  a  "),
        ("a\rb", "a\rb"),
        ("\r\n\r\n", ""),
        ("   ", "   "),
        ("\r\n\na", "a"),
        ("\nXML or TeX\n", "XML or TeX"),
    ],
)
@pytest.mark.covers("L42")
@pytest.mark.case(47, 50)
def test_a_text_is_stored_with_line_feeds_and_none_at_its_ends(text, stored):
    """Only line breaks are touched; storing it again changes nothing."""
    assert normalise(text) == stored
    assert normalise(stored) == stored


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("a\nb", "a\r\nb", True),
        ("a\nb", "a\rb", True),
        (" \n a\n", "a", True),
        ("", " \r\n", True),
        ("a b", "a  b", False),
        ("a\nb", "a\n\nb", False),
    ],
)
@pytest.mark.covers("L44")
@pytest.mark.case(44)
def test_texts_are_compared_without_line_breaks_kinds_and_outer_space(
    one, other, equal
):
    """What an untouched form sends back equals what it was filled with."""
    assert same_text(one, other) is equal
    assert same_text(other, one) is equal


def test_a_fingerprint_tells_texts_apart_and_folds_line_breaks():
    """A lone surrogate has one too, so that nobody has to guard the call."""
    texts = ["", "a", "a ", "a\n", "\ud800"]

    assert len({fingerprint(text) for text in texts}) == len(texts)
    assert fingerprint("a\r\nb\rc") == fingerprint("a\nb\nc")
    assert fold_line_breaks("a\r\nb\rc\n") == "a\nb\nc\n"
    assert fingerprint("") == "e3b0c44298fc1c14"
