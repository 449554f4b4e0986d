"""The judge of the soak finds every kind of broken promise, and no other."""

from __future__ import annotations

import pytest

DEFAULTS = {"a": "a none", "b": "b none"}
ONE = {"a": "a one", "b": "b one"}
TWO = {"a": "a two", "b": "b two"}
REVISIONS = [
    (1, "save", "one", None, {"a": (None, "a one"), "b": (None, "b one")}),
    (2, "save", "two", None, {"a": ("a one", "a two"), "b": ("b one", "b two")}),
]


@pytest.fixture
def tried(soak):
    """
    Return a function that judges two saves, and what is said beside or of them.

    *third* is a revision after theirs, *rows* are the texts at the end.
    """
    noted, judging = soak("noted"), soak("judging")

    def judged(*operations, third=None, rows=TWO, kills=()):
        revisions = [*REVISIONS, third] if third else REVISIONS
        history = noted.History(
            DEFAULTS, [noted.Revision(*one) for one in revisions], rows
        )
        saves = [
            noted.Operation("save", 1, 2, "done", "one", 1, values=ONE),
            noted.Operation("save", 3, 4, "done", "two", 2, values=TWO),
        ]
        said = [noted.Operation(**one) for one in operations]
        tags = {one.tag for one in said}
        said += [save for save in saves if save.tag not in tags]
        return judging.violations(history, said, [noted.Kill(*one) for one in kills])

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


SAID = {"kind": "edit", "begin": 5, "end": 5.2, "outcome": "done"}
SECOND = {**SAID, "tag": "two", "revision": 2}
THIRD = {**SAID, "tag": "three"}
RESTORE = {**THIRD, "kind": "restore", "keys": ["a", "b"], "number": 1}
RESET = {**THIRD, "kind": "reset", "keys": ["a", "b"]}


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ({**THIRD, "revision": 3}, "lost edit: edit three, revision 3"),
        ({**THIRD, "values": {"a": "a x"}}, "lost edit: edit three, revision None"),
        ({**THIRD, "values": {"a": "a two"}}, "lost edit: edit three, revision None"),
        (
            {**SECOND, "values": TWO, "revision": None},
            "lost edit: edit two, revision N",
        ),
        ({**SECOND, "values": TWO, "shown": {"a": "x"}}, "lost edit: two went over"),
        ({**SECOND, "values": {**TWO, "a": "x"}}, "lost edit: edit two stored other"),
        ({**SECOND, "values": {"a": "a two"}}, "lost edit: edit two stored other"),
        ({**SECOND, "kind": "reset", "values": TWO}, "reset two is stored as another"),
        ({**SECOND, "outcome": "refused"}, "edit two is stored all the same"),
        ({**SECOND, "kind": "undone"}, "undone two is stored all the same"),
        ({**SECOND, "kind": "killed"}, "killed two is stored all the same"),
        ({**THIRD, "outcome": "refused"}, "edit three was refused"),
        (
            {**THIRD, "outcome": "refused", "shown": {"a": "a two"}},
            "edit three was refused",
        ),
        (RESTORE, "lost edit: restore three, revision None"),
        (RESET, "lost edit: reset three, revision None"),
        ({**SAID, "kind": "read", "outcome": "page 500"}, "error: read : page 500"),
        ({**SAID, "outcome": "old texts stood in"}, "error"),
    ],
)
def test_a_request_that_came_to_a_wrong_end_is_named(tried, said, name):
    """Whether it was lost, stored in spite of its answer, or answered by an error."""
    (found,) = tried(said)

    assert found.startswith(name)


@pytest.mark.parametrize(
    "said",
    [
        {**THIRD, "outcome": "refused", "shown": {"a": "a one"}},
        {**THIRD, "outcome": "refused", "shown": {"a": "a two"}, "begin": 3.5},
        {**RESTORE, "number": 2},
        {**RESTORE, "begin": 3.5},
        {**RESET, "begin": 0.5, "end": 0.9},
        {**THIRD, "kind": "undone"},
    ],
)
def test_an_answer_that_was_right_at_some_moment_is_no_violation(tried, said):
    """Also one that changed nothing, as nothing had to be or might be changed."""
    assert tried(said) == []


SAVED = {"a": ("a two", "a x"), "b": ("b two", "b x")}
RESTORED = {"a": ("a two", "a one"), "b": ("b two", "b one")}
TAKEN = {"a": ("a two", None), "b": ("b two", None)}


@pytest.mark.parametrize(
    ("said", "kind", "restores", "changes", "names"),
    [
        ({**THIRD, "values": {"a": "a x", "b": "b x"}}, "save", None, SAVED, []),
        (RESTORE, "restore", 1, RESTORED, []),
        (RESTORE, "restore", 0, RESTORED, ["restore three is stored as another"]),
        (RESTORE, "save", None, RESTORED, ["restore three is stored as another"]),
        (RESTORE, "restore", 1, SAVED, ["lost edit: restore three stored other"]),
        (RESTORE, "restore", 1, TAKEN, ["lost edit: restore three stored other"]),
        (
            {**RESTORE, "keys": ["a"]},
            "restore",
            1,
            RESTORED,
            ["lost edit: restore three stored other"],
        ),
        (
            RESTORE,
            "restore",
            1,
            {"a": ("a two", "a one")},
            ["lost edit: restore three stored other"],
        ),
        (RESET, "reset", None, TAKEN, []),
        ({**RESET, "keys": ["a", "b", "c"]}, "reset", None, TAKEN, []),
        (RESET, "reset", None, SAVED, ["lost edit: reset three stored other"]),
        (
            {**RESET, "keys": ["a"]},
            "reset",
            None,
            TAKEN,
            ["lost edit: reset three stored other"],
        ),
        (
            RESET,
            "reset",
            None,
            {"a": ("a two", None)},
            ["lost edit: reset three stored other"],
        ),
    ],
)
def test_what_is_stored_is_what_was_asked_for(
    tried, said, kind, restores, changes, names
):
    """Of a restore the texts it names as they were then, of a reset no text at all."""
    texts = {**TWO, **{key: after for key, (_, after) in changes.items()}}
    rows = {key: text for key, text in texts.items() if text is not None}
    third = (3, kind, "three", restores, changes)
    for outcome, revision in [("done", 3), ("cut", None)]:
        own = {**said, "outcome": outcome, "revision": revision, "process": 7}
        found = tried(own, third=third, rows=rows, kills=[(5, 5.1, 7)])

        assert [what[: len(name)] for what, name in zip(found, names, strict=True)] == (
            names
        )


KNOWN = {**THIRD, "outcome": "cut", "process": 7, "port": 1}
NEW = {**KNOWN, "process": 0}


@pytest.mark.parametrize(
    ("cut", "kill"),
    [
        (KNOWN, (5.1, 5.15, 7, 1)),
        (KNOWN, (2, 2.1, 7, 1)),
        (NEW, (5.1, 5.15, 9, 1)),
        (NEW, (4.5, 5.2, 9, 1)),
    ],
)
def test_a_line_may_be_cut_by_a_kill(tried, cut, kill):
    """A request that a death cut off may have been carried out, or not."""
    assert tried(cut, kills=[kill]) == []


@pytest.mark.parametrize(
    ("cut", "kills"),
    [
        (KNOWN, []),
        (KNOWN, [(5.1, 5.15, 9, 1)]),
        (KNOWN, [(5.3, 5.4, 7, 1)]),
        (KNOWN, [(500, 500.1, 7, 1)]),
        ({**KNOWN, "end": 7}, [(5.1, 5.15, 7, 1)]),
        (NEW, []),
        (NEW, [(5.1, 5.15, 9, 2)]),
        (NEW, [(5.3, 5.4, 9, 1)]),
        (NEW, [(4.9, 5.05, 9, 1)]),
    ],
)
def test_a_line_that_no_kill_can_have_cut_is_named(tried, cut, kills):
    """The kill has to be of its worker, or of one of its server, and shortly before."""
    assert tried(cut, kills=kills) == [
        "error: edit three: no answer, and nobody was killed"
    ]


def test_whoever_answers_is_not_dead(tried):
    """What it answered before its death says nothing."""
    before = {**read(4.6, 4.7, "a two\n\nb two"), "process": 7}
    after = {**before, "begin": 4.9, "end": 5}
    kills = [(4.5, 4.8, 7, 1)]

    assert tried(KNOWN, before, kills=kills) == []
    assert len(tried(KNOWN, before, after, kills=kills)) == 1


@pytest.mark.parametrize(
    ("third", "name"),
    [
        ((4, "save", "x", None, {}), "lost edit: revision 3 is missing"),
        (
            (3, "save", "x", None, {"a": ("a one", "a x")}),
            "lost edit: revision 3 saved",
        ),
        ((3, "save", "x", None, {"a": ("a two", "a x")}), "nobody made the save x"),
        ((3, "save", "two", None, {"a": ("a two", "a x")}), "save two is stored twice"),
    ],
)
def test_a_history_that_does_not_go_on_from_itself_is_named(tried, third, name):
    """Or that holds what nobody saved."""
    found = tried(third=third, rows={"a": "a x", "b": "b two"})

    assert any(what.startswith(name) for what in found)


def test_stored_texts_that_are_not_those_of_the_history_are_named(tried):
    """Whoever reads them is not served what was saved."""
    (found,) = tried(rows={"a": "a two"})

    assert found == "lost edit: the stored texts are not those of the history"


def test_a_save_that_came_before_an_earlier_one_is_named(soak):
    """Revisions are numbered in the order in which saves were acknowledged."""
    operation = soak("noted").Operation
    saves = [
        operation("save", 3, 4, "done", "one", 1),
        operation("save", 1, 2, "done", "two", 2),
    ]

    assert list(soak("writes").ordered(saves)) == [
        "save one came before an earlier one"
    ]
