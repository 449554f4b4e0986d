"""Which lines go away with their values, and which stay."""

from __future__ import annotations

import pytest

from prompts_app.syntax import substitute


@pytest.mark.covers("L19")
@pytest.mark.parametrize("value", ["", None, " ", "\t", "\n", "\n \n", "\u00a0"])
def test_a_line_that_is_blank_afterwards_goes(value):
    """With its line feed goes a line on which a known reference left nothing."""
    assert substitute("a\n  {{x}} \nb", {"x": value}) == "a\nb"


@pytest.mark.covers("L19")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{x}}", ""),
        ("{{x}}\n", ""),
        ("{{x}}\nb", "b"),
        ("a\n{{x}}", "a"),
        ("a\n{{x}}\n", "a\n"),
        ("{{x}}\n{{x}}\n{{x}}", ""),
        ("{{x}}{{ x }}", ""),
        ("{{x}}\n\n{{x}}", ""),
    ],
)
def test_a_line_goes_wherever_it_stands(text, expected):
    """First, last, alone or one of many: the line feed that goes is its own."""
    assert substitute(text, {"x": ""}) == expected


@pytest.mark.covers("L20")
@pytest.mark.parametrize("text", ["a\n\nb", "a\n \t\nb", "\n\n", "{{nope}}\n\n", "  "])
def test_a_line_without_a_known_reference_stays(text):
    """Blank lines, spaces and unknown names are not touched."""
    assert substitute(text, {"x": ""}) == text


@pytest.mark.covers("L21")
@pytest.mark.parametrize("marker", ["- ", "### ", "(", "{{nope}} ", "> "])
def test_a_line_that_keeps_a_visible_character_stays(marker):
    """A marker that is left over is for `optional_lines` or a gate to avoid."""
    assert substitute(f"{marker}{{{{x}}}}\nb", {"x": ""}) == f"{marker}\nb"


@pytest.mark.covers("L22")
def test_blank_lines_round_a_line_that_goes_meet():
    """Only the line itself goes."""
    assert substitute("a\n\n{{x}}\n\nb", {"x": ""}) == "a\n\n\nb"


@pytest.mark.covers("L23")
@pytest.mark.parametrize("separator", ["\r", "\u2028", "\u0085", "\x0b", "\x0c"])
def test_only_a_line_feed_separates_lines(separator):
    """What other programs take for a line break is white space on one line."""
    text = f"a{separator}{{{{x}}}}{separator}b"

    assert substitute(text, {"x": ""}) == f"a{separator}{separator}b"


@pytest.mark.covers("L23")
def test_crlf_stays_and_its_cr_counts_as_blank():
    """A text with CRLF keeps it, and an emptied line goes with both characters."""
    assert substitute("a\r\n{{x}}\r\nb {{y}}\r\n", {"x": "", "y": "v"}) == (
        "a\r\nb v\r\n"
    )


@pytest.mark.covers("L24", "W25")
def test_a_value_of_several_lines_goes_in_as_it_is():
    """Its blank lines stay, and only its first line has what stands before it."""
    assert substitute("> {{x}}.", {"x": "one\n\ntwo\r\n"}) == "> one\n\ntwo\r\n."


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"now": "", "place": "Ulm"}, "**Place:** Ulm\nStay."),
        ({"now": " \n", "place": None}, "Stay."),
        ({"now": "noon", "place": "Ulm"}, "**Now:** noon\n**Place:** Ulm\nStay."),
        ({"now": 0, "place": False}, "**Now:** 0\nStay."),
        ({}, "**Now:** {{now}}\n**Place:** {{ place }}\nStay."),
    ],
)
@pytest.mark.covers("W10")
def test_an_optional_line_goes_unless_its_variables_have_values(values, expected):
    """A label does not stay behind where its value is blank."""
    text = "**Now:** {{now}}\n**Place:** {{ place }}\nStay."

    assert substitute(text, values, optional_lines=True) == expected


@pytest.mark.parametrize("values", [{"a": "1", "b": ""}, {"a": "", "b": "2"}])
def test_an_optional_line_needs_all_of_its_variables(values):
    """One blank value out of several takes the line away."""
    text = "x\n{{a}} of {{b}}"

    assert substitute(text, values, optional_lines=True) == "x"
