"""Differences as a terminal shows them."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, strategies as st

from prompts_app.management.hunks import Line, hunks, marked_lines, plain_lines

TEXT = st.text(alphabet="ab \n", max_size=40)
MARK = re.compile(r"\[-([^\n]*?)-\]|\{\+([^\n]*?)\+\}")


def plainly(style, text):
    """Paint nothing."""
    return text


def lines(*wanted):
    """Return lines of a difference; one in capitals is a changed one."""
    return [Line(text, changed=text.isupper()) for text in wanted]


@given(TEXT, TEXT)
def test_signs_tell_both_texts(before, after):
    """What bears no plus is the one text, what bears no minus the other."""
    assume(before)
    assume(after)
    shown = list(hunks(plain_lines(before, after, plainly), -1))

    for text, sign in ((before, "+"), (after, "-")):
        kept = [line[2:] for line in shown if not line.startswith(sign)]
        assert kept == text.removesuffix("\n").split("\n")


@given(TEXT, TEXT)
def test_marks_tell_both_texts_but_for_where_lines_end(before, after):
    """Every character that is no line feed stands there, as kept, gone or come."""
    shown = "".join(line.text[2:] for line in marked_lines(before, after, plainly))

    assert MARK.sub(r"\1", shown) == before.replace("\n", "")
    assert MARK.sub(r"\2", shown) == after.replace("\n", "")


def test_what_is_marked_is_painted():
    """Sign and line, or the word with its marks, in the colour of its kind."""

    def paint(style, text):
        return f"<{style} {text}>"

    plain = [line.text for line in plain_lines("a\nb", "a\nc ", paint)]
    marked = [line.text for line in marked_lines("a b", "a c", paint)]

    assert plain == ["  a", "<ERROR - b>", "<SUCCESS + c >"]
    assert marked == ["  a <ERROR [-b-]><SUCCESS {+c+}>"]


@pytest.mark.parametrize(
    ("context", "shown"),
    [
        (-1, ["a", "b", "c", "D", "e", "f", "g", "h", "i", "J", "k"]),
        (0, ["  … 3 equal lines", "D", "  … 5 equal lines", "J", "k"]),
        (1, ["  … 2 equal lines", "c", "D", "e", "  … 3 equal lines", "i", "J", "k"]),
        (2, ["a", "b", "c", "D", "e", "f", "g", "h", "i", "J", "k"]),
        (9, ["a", "b", "c", "D", "e", "f", "g", "h", "i", "J", "k"]),
    ],
)
def test_equal_lines_far_from_a_change_are_counted(context, shown):
    """One line alone is shown, since a count would be no shorter."""
    found = lines("a", "b", "c", "D", "e", "f", "g", "h", "i", "J", "k")

    assert list(hunks(found, context)) == shown


def test_lines_without_any_change_are_counted_whole():
    """There is nothing that they would stand round."""
    assert list(hunks(lines("a", "b", "c"), 1)) == ["  … 3 equal lines"]
