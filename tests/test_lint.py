"""Which lines a lean text adds to the detailed one."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from prompts_app.lint import added_lines

lines = st.lists(st.sampled_from(["a", " a", "b\t", "", "  ", "c"]), max_size=8)
texts = lines.map("\n".join)


@pytest.mark.covers("A17")
@pytest.mark.parametrize(
    ("detailed", "lean", "added"),
    [
        ("a\nb\nc", "a\nc", []),
        ("a", "  a\t", []),
        ("a", "a\n\n \n", []),
        ("a\nb", "b\na", []),
        ("a", "a\na", ["a"]),
        ("a\na", "a\na\na", ["a"]),
        ("", "x\ny\nx", ["x", "y", "x"]),
        ("ab", "a", ["a"]),
        ("a\r\nb", "a\nb", []),
    ],
)
def test_lines_are_counted_trimmed_and_in_leans_order(detailed, lean, added):
    """A line that stands more often than in the detailed text is one too many."""
    assert added_lines(detailed, lean) == added


@pytest.mark.covers("A16", "A17")
def test_a_line_with_an_allowed_text_is_not_reported():
    """It still takes up one of its kind, and others are reported."""
    assert added_lines("a", "work alone, always\nb", ["work alone", "zz"]) == ["b"]


def test_the_allowed_texts_are_a_collection():
    """One text instead would allow every letter of it."""
    with pytest.raises(TypeError, match="allow has to be a collection"):
        added_lines("a", "b", "b")


@given(texts, texts)
@pytest.mark.covers("A17")
def test_nothing_is_reported_if_and_only_if_lean_is_a_part(detailed, lean):
    """What is reported is the difference of the two bags of lines."""
    bags = [
        Counter(line.strip() for line in text.split("\n") if line.strip())
        for text in (lean, detailed)
    ]

    assert Counter(added_lines(detailed, lean)) == bags[0] - bags[1]
