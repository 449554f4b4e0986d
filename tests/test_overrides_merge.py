"""Joining two edits of one text."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, strategies as st

from prompts_app.overrides.merge import merge

WORDS = ["one", "two", " ", "  ", "\n", "\r\n", ".", "é", "{{x}}", "\u2028", ""]
texts = st.lists(st.sampled_from(WORDS), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("ancestor", "mine", "theirs", "merged"),
    [
        ("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"),
        ("a\n\nb\n", "a\n\nb\nc\n", "a!\n\nb\n", "a!\n\nb\nc\n"),
        ("be brief, kind", "be short, kind", "be brief, calm", "be short, calm"),
        ("one two three", "one 2 three", "one two three four", "one 2 three four"),
        ("a b a b a b", "a b a b a b!", "?a b a b a b", "?a b a b a b!"),
        ("x\n- a\n- b", "x\n- b", "y\n- a\n- b", "y\n- b"),
        ("a b\nc d\n", "A b\nC d\n", "a B\nc D\n", "A B\nC D\n"),
        ("", "", "theirs", "theirs"),
        ("text", "", "text", ""),
        ("", "", "", ""),
    ],
)
def test_edits_of_different_places_are_joined(ancestor, mine, theirs, merged):
    """Lines first, and words where two edits share a line."""
    assert merge(ancestor, mine, theirs) == merged
    assert merge(ancestor, theirs, mine) == merged


@pytest.mark.parametrize(
    ("ancestor", "mine", "theirs"),
    [
        ("be brief", "be short", "be long"),
        ("", "mine", "theirs"),
        ("text", "", "text!"),
        ("a\nb\n", "a\nx\n", "a\ny\n"),
        ("a b c", "a x c", "a c"),
    ],
)
def test_edits_of_one_place_clash(ancestor, mine, theirs):
    """No text is made up where the two want different things."""
    assert merge(ancestor, mine, theirs) is None
    assert merge(ancestor, theirs, mine) is None


@given(texts, texts)
def test_who_changed_nothing_gives_way(ancestor, edited):
    """One edit alone is taken as it is."""
    assert merge(ancestor, ancestor, edited) == edited
    assert merge(ancestor, edited, ancestor) == edited


@given(texts, texts)
def test_the_same_edit_by_two_is_one_edit(ancestor, edited):
    """It is not made twice."""
    assert merge(ancestor, edited, edited) == edited


@given(texts, texts, texts)
def test_it_does_not_matter_whose_edit_is_whose(ancestor, mine, theirs):
    """Both get the same text, or the same clash."""
    assert merge(ancestor, mine, theirs) == merge(ancestor, theirs, mine)


def edited(words, *places):
    """Return *words* with those at *places* replaced."""
    changed = list(words)
    for place in places:
        changed[place] = f"new{place}"
    return changed


@pytest.mark.parametrize("separator", [" ", "\n", "\n\n"])
@pytest.mark.parametrize("vocabulary", [400, 10**6])
def test_edits_of_a_long_text_are_joined(separator, vocabulary):
    """200 000 characters hold many spaces and words that stand there more than once."""
    chooser = random.Random(7)  # noqa: S311  # a text, not a secret
    numbers = chooser.choices(range(vocabulary), k=32_000)
    words = [f"word{number}" for number in numbers]
    size = len(words)
    mine = edited(words, 0, 1_000, size - 1)
    theirs = edited(words, 500, 1_500)

    merged = merge(*map(separator.join, (words, mine, theirs)))

    both = edited(words, 0, 500, 1_000, 1_500, size - 1)
    assert len(separator.join(words)) > 200_000
    assert merged == separator.join(both)


def test_a_long_text_of_one_word_is_merged_or_clashes():
    """Where nothing tells one place from another, a plain edit is still found."""
    words = ["again"] * 30_000

    joined = merge(*map(" ".join, (words, edited(words, 9), edited(words, 20_000))))
    clashing = merge(*map(" ".join, (words, edited(words, 9, 29_000), words[::2])))

    assert joined == " ".join(edited(words, 9, 20_000))
    assert clashing is None
