"""Tests of differences between two texts."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, strategies as st

from prompts_app.diffing import Run, counts, differences

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
    """A block of many thousand changed words is not compared word by word."""
    before, after = "a " * 3_000, "b " * 3_000

    assert differences(before, after) == (Run("removed", before), Run("added", after))


def test_counts_are_words():
    """The number of words added and removed is told apart."""
    assert counts(differences("one two", "one three four")) == (2, 1)


def test_repr_holds_no_text():
    """A run does not show its text by accident."""
    assert "secret" not in repr(Run("same", "secret"))
