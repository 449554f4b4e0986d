"""Tests of differences between two texts."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from prompts_app.diffing import (
    Run,
    counts,
    differences,
    line_differences,
    matching_blocks,
)

TEXT = st.text(alphabet="ab .\n{}é😀", max_size=60)


@given(TEXT, TEXT)
def test_runs_give_both_texts_back(before, after):
    """What is not added is the old text, and what is not removed the new one."""
    runs = differences(before, after)

    assert "".join(run.text for run in runs if run.kind != "added") == before
    assert "".join(run.text for run in runs if run.kind != "removed") == after


@given(TEXT, TEXT)
def test_neighbouring_runs_differ_in_kind(before, after):
    """No run is blank, and none could be joined with the one before it."""
    runs = differences(before, after)

    assert all(run.text for run in runs)
    kinds = [run.kind for run in runs]
    assert all(one != other for one, other in pairwise(kinds))


def test_equal_texts_are_one_run():
    """Two equal texts have no difference."""
    assert differences("a b\nc", "a b\nc") == (Run("same", "a b\nc"),)


def test_two_blank_texts_have_no_run():
    """Nothing against nothing is nothing."""
    assert differences("", "") == ()


def test_a_changed_word_is_marked_alone():
    """Of a changed line only the words that changed are marked."""
    runs = differences("at most six words\nsame", "at most four words\nsame")

    assert runs == (
        Run("same", "at most "),
        Run("removed", "six"),
        Run("added", "four"),
        Run("same", " words\nsame"),
    )


def test_short_equal_runs_between_changes_are_joined():
    """Up to two equal words between two changes belong to the change."""
    runs = differences("one in the two", "uno in the due")

    assert runs == (Run("removed", "one in the two"), Run("added", "uno in the due"))


def test_three_equal_words_between_changes_stay():
    """Three equal words between two changes are shown as equal."""
    runs = differences("one in all the two", "uno in all the due")

    assert Run("same", " in all the ") in runs


def test_very_long_changes_are_shown_whole():
    """Where nothing tells one place from another, no words are set against others."""
    before, after = " ".join("a" * 3_000), " ".join("b" * 3_000)

    assert differences(before, after) == (Run("removed", before), Run("added", after))


def test_counts_are_words():
    """The number of words added and removed is told apart."""
    assert counts(differences("one two", "one three four")) == (2, 1)


def test_equal_words_beside_each_other_are_one_run():
    """However they were found, they are counted as one when changes are joined."""
    runs = differences("x one two three y", "z one two three w")

    assert Run("same", " one two three ") in runs


@pytest.mark.case(88)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a " * 1_000, "b a " * 500),
        ("a b " * 1_000, "b b a a " * 500),
        ("x\n" * 100_000, "y\n" + "x\n" * 99_999),
        ("x\ny\n" * 50_000, "y\ny\nx\nx\n" * 25_000),
        ("\n" * 8_000, "y" + "\n" * 7_999),
        (" ".join(map(str, range(9_000))), " ".join(map(str, range(9_000, 0, -1)))),
    ],
)
def test_no_text_takes_long_to_compare(before, after):
    """Texts that say the same over and over once took minutes, and others waited."""
    start = time.process_time()

    runs = differences(before, after)

    assert time.process_time() - start < 5
    assert "".join(run.text for run in runs if run.kind != "added") == before


ITEMS = st.lists(st.sampled_from("abcd"), max_size=30)


@given(ITEMS, ITEMS)
def test_blocks_are_equal_rising_and_apart(one, other):
    """Each is as long as can be, and the last one stands at both ends."""
    blocks = matching_blocks(one, other)

    assert blocks[-1] == (len(one), len(other), 0)
    for (i, j, length), (next_i, next_j, _) in pairwise(blocks):
        assert length > 0
        assert one[i : i + length] == other[j : j + length]
        assert i + length <= next_i
        assert j + length <= next_j
        at_end = (next_i, next_j) == (len(one), len(other))
        assert at_end or (i + length, j + length) != (next_i, next_j)


@given(ITEMS)
def test_equal_sequences_are_one_block(items):
    """Nothing is compared that is equal anyway."""
    ends = [(0, 0, len(items))] if items else []
    assert matching_blocks(items, items) == [*ends, (len(items), len(items), 0)]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", []),
        ("a\nb", "a\nb\n", [("same", "a\nb\n")]),
        (
            "a\nb\nc",
            "a\nx y\nc",
            [
                ("same", "a\n"),
                ("removed", "b\n"),
                ("added", "x y\n"),
                ("same", "c\n"),
            ],
        ),
        ("", "a", [("added", "a\n")]),
        ("a\u2028b", "a\u2028c", [("removed", "a\u2028b\n"), ("added", "a\u2028c\n")]),
        ("a b c d", "a b x d", [("removed", "a b c d\n"), ("added", "a b x d\n")]),
    ],
)
def test_lines_are_compared_whole(before, after, expected):
    """A line with one changed word went, and another came."""
    runs = line_differences(before, after)

    assert [(run.kind, run.text) for run in runs] == expected


@given(TEXT, TEXT)
def test_runs_of_lines_give_both_texts(before, after):
    """Every line of both has its end."""
    runs = line_differences(before, after)

    for text, other in ((before, "added"), (after, "removed")):
        joined = "".join(run.text for run in runs if run.kind != other)
        assert joined == (f"{text}\n" if text and text[-1:] != "\n" else text)
    assert all(run.text.endswith("\n") for run in runs)


def test_repr_holds_no_text():
    """A run does not show its text by accident."""
    assert "secret" not in repr(Run("same", "secret"))
