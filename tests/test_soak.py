"""The judge of the soak finds every kind of broken promise, and no other."""

from __future__ import annotations

import importlib

import pytest

from tests.checkout import ROOT

DEFAULTS = {"a": "a none", "b": "b none"}
FIRST = {"a": (None, "a one"), "b": (None, "b one")}
SECOND = {"a": ("a one", "a two"), "b": ("b one", "b two")}


@pytest.fixture
def judge(monkeypatch):
    """Return the module that judges, which is no part of a package of ours."""
    monkeypatch.syspath_prepend(str(ROOT / ".ci"))
    return importlib.import_module("soak.judging")


@pytest.fixture
def tried(judge):
    """
    Return a function that judges two saves, and what is said beside or of them.

    *revisions* stand in for those of the history, *rows* for the texts at its end.
    """

    def judged(*operations, revisions=(), rows=None, kills=()):
        first = judge.Revision(1, "save", "one", None, FIRST)
        second = judge.Revision(2, "save", "two", None, SECOND)
        history = judge.History(
            DEFAULTS,
            [judge.Revision(*one) for one in revisions] or [first, second],
            {"a": "a two", "b": "b two"} if rows is None else rows,
        )
        saves = [
            judge.Operation("save", 1, 2, "done", "one", 1),
            judge.Operation("save", 3, 4, "done", "two", 2),
        ]
        said = [judge.Operation(**one) for one in operations]
        tags = {one.tag for one in said}
        said += [save for save in saves if save.tag not in tags]
        return judge.violations(history, said, [judge.Kill(*one) for one in kills])

    return judged


def read(begin, end, text):
    """Return what a reader says who was shown *text*."""
    return {"kind": "read", "begin": begin, "end": end, "outcome": "done", "text": text}


@pytest.mark.parametrize(
    ("begin", "end", "text"),
    [
        (0.5, 0.9, "a none\n\nb none"),
        (1.5, 3.5, "a none\n\nb none"),
        (1.5, 1.6, "a one\n\nb one"),
        (2.5, 2.6, "a one\n\nb one"),
        (3.5, 3.6, "a one\n\nb one"),
        (3.5, 3.6, "a two\n\nb two"),
        (4.5, 4.6, "a two\n\nb two"),
    ],
)
def test_what_could_be_in_force_is_no_violation(tried, begin, end, text):
    """Between the beginning of a save and its answer either state may be shown."""
    assert tried(read(begin, end, text)) == []


@pytest.mark.parametrize(
    ("begin", "text", "name"),
    [
        (2.5, "a none\n\nb none", "stale text"),
        (4.5, "a one\n\nb one", "stale text"),
        (2.5, "a two\n\nb two", "text before its save"),
        (4.5, "a two\n\nb one", "torn set"),
        (4.5, "a undone-3\n\nb two", "text of a rolled-back save"),
        (4.5, "a killed-3\n\nb two", "text of a save that was killed"),
    ],
)
def test_what_could_not_be_in_force_is_named(tried, begin, text, name):
    """By what is wrong with it."""
    (found,) = tried(read(begin, begin + 0.1, text))

    assert found.startswith(name)


SAID = {"kind": "edit", "begin": 5, "end": 6, "outcome": "done"}


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ({"tag": "three", "revision": 3}, "lost edit"),
        (
            {
                "tag": "two",
                "revision": 2,
                "values": {"a": "a two"},
                "shown": {"a": "x"},
            },
            "lost edit",
        ),
        ({"tag": "two", "revision": 2, "values": {"a": "a 2"}}, "lost edit"),
        ({"tag": "two", "outcome": "refused"}, "edit two is stored all the same"),
        ({"tag": "two", "kind": "undone"}, "undone two is stored all the same"),
        ({"outcome": "page 500"}, "error: edit : page 500"),
        ({"outcome": "old texts stood in"}, "error"),
        ({"outcome": "cut"}, "error: edit : no answer"),
        ({"outcome": "cut", "process": 6}, "error: edit : no answer"),
    ],
)
def test_a_request_that_came_to_a_wrong_end_is_named(tried, said, name):
    """Whether it was lost, stored in spite of its answer, or answered by an error."""
    (found,) = tried({**SAID, **said})

    assert found.startswith(name)


def test_a_line_may_be_cut_by_a_kill(tried):
    """A request that a death cut off may have been carried out, or not."""
    cut = {**SAID, "outcome": "cut", "process": 7, "tag": "three"}
    third = (3, "edit", "three", None, {"a": ("a two", "a three")})
    two = [(1, "save", "one", None, FIRST), (2, "save", "two", None, SECOND)]

    assert tried(cut, kills=[(5, 5.1, 7)]) == []
    assert (
        tried(
            *[cut],
            revisions=[*two, third],
            rows={"a": "a three", "b": "b two"},
            kills=[(5, 5.1, 7)],
        )
        == []
    )


@pytest.mark.parametrize(
    ("third", "name"),
    [
        ((4, "save", "x", None, {}), "lost edit: revision 3 is missing"),
        (
            (3, "save", "x", None, {"a": ("a one", "a x")}),
            "lost edit: revision 3 saved",
        ),
        ((3, "restore", "x", 1, {"a": ("a two", "a x")}), "revision 3 restored a"),
        ((3, "save", "x", None, {"a": ("a two", "a x")}), "nobody made the save x"),
        ((3, "save", "two", None, {"a": ("a two", "a x")}), "save two is stored twice"),
    ],
)
def test_a_history_that_does_not_go_on_from_itself_is_named(tried, third, name):
    """Or that holds what nobody saved."""
    two = [(1, "save", "one", None, FIRST), (2, "save", "two", None, SECOND)]
    found = tried(revisions=[*two, third], rows={"a": "a x", "b": "b two"})

    assert any(what.startswith(name) for what in found)


def test_stored_texts_that_are_not_those_of_the_history_are_named(tried):
    """Whoever reads them is not served what was saved."""
    (found,) = tried(rows={"a": "a two"})

    assert found == "lost edit: the stored texts are not those of the history"


def test_a_save_that_came_before_an_earlier_one_is_named(judge):
    """Revisions are numbered in the order in which saves were acknowledged."""
    saves = [
        judge.Operation("save", 3, 4, "done", "one", 1),
        judge.Operation("save", 1, 2, "done", "two", 2),
    ]

    assert list(judge.ordered(saves)) == ["save one came before an earlier one"]
