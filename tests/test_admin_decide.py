"""Two people changed one text: three texts side by side, and the choice between them."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from prompts_app import services
from tests.assembling import CORE, TASKS, fragment
from tests.factories import UserFactory
from tests.pages import Visitor
from tests.storing import everything, rows

pytestmark = pytest.mark.django_db

BEFORE = "Answer in one line.\nBe kind.\nEnd."
MINE = "Answer in two lines.\nBe kind.\nEnd."
THEIRS = "Answer in one line.\nBe kind and brief.\nEnd."
MERGED = "Answer in two lines.\nBe kind and brief.\nEnd."


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two texts of the prompt, and a task."""
    registry.register(
        CORE,
        TASKS,
        fragment("core.a", BEFORE, label="First", order=1),
        fragment("core.b", "Beta", label="Second", order=2),
        fragment("task.c", "Gamma", label="Task", group="tasks"),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


@pytest.fixture
def jonas(db):
    """Return somebody else who may change every text."""
    return UserFactory(username="jonas", is_superuser=True)


def conflict(visitor, mine=MINE, theirs=THEIRS, author=None, **others):
    """Return what comes of reviewing *mine* after somebody has saved *theirs*."""
    page = visitor.open(fragment="core.a")
    services.save({"core.a": theirs}, author=author)
    fields = {f"text:{key.replace('_', '.')}": text for key, text in others.items()}
    return visitor.review(page, {"text:core.a": mine, **fields})


def decide(visitor, page, key="core.a", **fields):
    """Return what comes of going on towards the review."""
    assert page.form.attributes["id"] == "prompts-decide"
    return visitor.send(page, fields, ("_decided", key))


def reviewed(page):
    """Return the texts that the review would save, by key."""
    assert page.form.attributes["id"] == "prompts-review"
    return {
        one.attributes["data-draft"]: one.raw
        for one in page.all("textarea", data_draft=None)
    }


def cards(page):
    """Return what each card says, by its choice, and which one is chosen."""
    inputs = page.all("input", name="choice")
    said = {one.attributes["value"]: one.parent.text for one in inputs}
    (chosen,) = (one for one in inputs if "checked" in one.attributes)
    return said, chosen.attributes["value"]


@pytest.mark.case(72)
def test_three_texts_stand_side_by_side(visitor, jonas):
    """The common one, and what each of the two changed in it."""
    page = conflict(visitor, author=jonas)

    assert page.one("h1").text == "First core.a"
    assert [one.text for one in page.all("h2")] == [
        "Before both changes",
        "Your text",
        "The text of jonas",
    ]
    before, mine, theirs = page.all("pre")
    assert before.raw == BEFORE
    assert [one.raw for one in page.all("ins", mine)] == ["two lines"]
    assert [one.raw for one in page.all("del", mine)] == ["one line"]
    assert [one.raw for one in page.all("ins", theirs)] == [" and brief"]


@pytest.mark.case(72)
def test_deciding_writes_nothing(visitor):
    """Neither showing the texts nor choosing one of them."""
    page = visitor.open(fragment="core.a")
    services.save({"core.a": THEIRS})
    before = everything()

    with CaptureQueriesContext(connection) as caught:
        page = visitor.review(page, {"text:core.a": MINE})
        decide(visitor, page, choice="mine")

    assert everything() == before
    assert {query["sql"].split()[0] for query in caught} == {"SELECT"}
    assert "no-store" in visitor.answer.headers["Cache-Control"]


@pytest.mark.case(72)
def test_two_changes_of_different_words_are_merged(visitor, jonas):
    """The merge is proposed, filled in, and taken by going on."""
    page = conflict(visitor, author=jonas)

    assert cards(page) == (
        {
            "merged": "Both changes, merged You changed different words, so both fit "
            "into one text.",
            "mine": "My text",
            "theirs": "The text of jonas",
        },
        "merged",
    )
    assert page.one("textarea", name="result").raw == MERGED
    assert reviewed(decide(visitor, page)) == {"core.a": MERGED}


@pytest.mark.case(72)
def test_two_changes_of_the_same_words_are_not_merged(visitor):
    """My text is chosen, and the card says what is left to do by hand."""
    page = conflict(visitor, theirs=BEFORE.replace("one line", "a table"))

    assert cards(page) == (
        {
            "mine": "My text Both changed the same words; join them by hand.",
            "theirs": "The text that is saved now",
        },
        "mine",
    )
    assert page.one("textarea", name="result").raw == MINE
    assert reviewed(decide(visitor, page)) == {"core.a": MINE}


@pytest.mark.parametrize(
    ("choice", "text"), [("merged", MERGED), ("mine", MINE), ("", MINE), ("x", MINE)]
)
def test_each_card_stands_for_its_text(visitor, choice, text):
    """What is no card stands for the text that was typed here."""
    page = conflict(visitor)

    review = decide(visitor, page, choice=choice)
    visitor.send(review, press=("_save", ""))

    assert rows() == {("", "core.a"): text}


def test_a_merge_that_is_not_clean_cannot_be_chosen(visitor):
    """Whoever asks for it all the same gets the text that was typed."""
    page = conflict(visitor, theirs=BEFORE.replace("one line", "a table"))

    assert reviewed(decide(visitor, page, choice="merged")) == {"core.a": MINE}


def test_the_text_of_the_other_leaves_nothing_to_save(visitor):
    """It is in force already; what else was typed is reviewed."""
    page = conflict(visitor, core_b="Bee")

    review = decide(visitor, page, choice="theirs")

    assert reviewed(review) == {"core.b": "Bee"}

    page = decide(visitor, conflict(visitor, theirs="Again"), choice="theirs")

    assert page.one("li", class_="info").text == "Nothing changed yet."
    assert page.box("core.a").raw == "Again"
    assert rows() == {("", "core.a"): "Again"}


@pytest.mark.parametrize("choice", ["merged", "mine", "theirs"])
@pytest.mark.parametrize("text", ["By hand,\r\n\r\nand so on.", "\r\n  By hand", ""])
def test_what_is_written_by_hand_beats_every_card(visitor, choice, text):
    """The result can be edited, and is what counts then."""
    page = conflict(visitor)

    review = decide(visitor, page, choice=choice, result=text)

    assert reviewed(review) == {"core.a": text.replace("\r\n", "\n")}


def test_a_result_that_was_not_touched_does_not_beat_a_card(visitor):
    """Browsers send its line breaks in their own way, which is no edit."""
    page = conflict(visitor)
    assert "\r\n" in page.fields()["result"][0]

    assert reviewed(decide(visitor, page, choice="mine")) == {"core.a": MINE}


@pytest.mark.case(72)
def test_a_decision_over_a_text_that_changed_again_is_asked_for_again(visitor):
    """The choice was not made over what is stored now; my text is still there."""
    page = conflict(visitor)
    services.save({"core.a": "Third"})

    page = decide(visitor, page, choice="mine")

    assert page.one("p", role="alert").text == (
        "It was saved once more while you decided. Nothing of yours is lost; "
        "choose again."
    )
    assert page.all("pre")[0].raw == BEFORE
    assert page.one("input", value="mine").attributes["data-text"] == MINE
    assert page.one("input", value="theirs").attributes["data-text"] == "Third"
    assert rows() == {("", "core.a"): "Third"}

    assert reviewed(decide(visitor, page, choice="mine")) == {"core.a": MINE}


@pytest.mark.case(72)
def test_what_was_written_by_hand_survives_being_asked_again(visitor):
    """It becomes my text, and the text it was written beside the common one."""
    page = conflict(visitor)
    services.save({"core.a": THEIRS.replace("End", "The end")})

    page = decide(visitor, page, result=MERGED.replace("\n", "\r\n") + " By hand.")

    assert page.has("p", role="alert")
    assert page.all("pre")[0].raw == THEIRS
    assert page.one("input", value="mine").attributes["data-text"] == (
        f"{MERGED} By hand."
    )
    assert page.one("textarea", name="result").raw == (
        MERGED.replace("End", "The end") + " By hand."
    )


def test_several_conflicts_come_one_after_the_other(visitor):
    """Each is decided by itself; the second is no repetition of the first."""
    page = visitor.open(fragment="core.a")
    services.save({"core.a": THEIRS, "core.b": "Their beta", "task.c": "Their gamma"})
    texts = {"text:core.a": MINE, "text:core.b": "My beta", "text:task.c": "My gamma"}
    page = visitor.review(page, {**texts, "etag:task.c": "0" * 16})
    assert page.one("h1").text == "First core.a"
    assert page.one("p", class_="prompts-notice").text.endswith(
        "Your other 2 changes wait until this is decided."
    )

    page = decide(visitor, page)

    assert page.one("h1").text == "Second core.b"
    assert not page.has("p", role="alert")

    page = decide(visitor, page, "core.b", choice="mine")

    assert page.one("h1").text == "Task task.c"

    page = decide(visitor, page, "task.c", result="Both")

    assert reviewed(page) == {"core.a": MERGED, "core.b": "My beta", "task.c": "Both"}
    visitor.send(page, press=("_save", ""))
    assert rows() == {
        ("", "core.a"): MERGED,
        ("", "core.b"): "My beta",
        ("", "task.c"): "Both",
    }
