"""Two people who change the same text: both see both, and nothing is lost."""

from __future__ import annotations

import pytest

from prompts_app import services
from tests.assembling import CORE, TASKS, fragment
from tests.factories import UserFactory
from tests.pages import Visitor
from tests.storing import rows

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two texts in each of two groups."""
    registry.register(
        CORE,
        TASKS,
        fragment("core.a", "Alpha", order=1),
        fragment("core.b", "Beta", order=2),
        fragment("task.c", "Gamma", group="tasks"),
        fragment("task.d", "Delta", group="tasks"),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


@pytest.fixture
def deciding(visitor):
    """Return the page that comes up when the other one was first to save."""
    page = visitor.open(fragment="core.a")
    jonas = UserFactory(username="jonas", is_superuser=True)
    services.save({"core.a": "Theirs"}, author=jonas)
    return visitor.save(page, {"text:core.a": "Mine", "text:task.d": "Delta two"})


def is_deciding(page):
    """Return whether a page lays three texts side by side."""
    return page.form.attributes.get("id") == "prompts-decide"


@pytest.mark.case(72)
def test_a_conflict_shows_both_texts_and_stores_none(deciding):
    """Nobody's text is lost, and what else was changed waits."""
    assert is_deciding(deciding)
    assert [one.text for one in deciding.all("pre")] == ["Alpha", "Mine", "Theirs"]
    notice = deciding.one("p", class_="prompts-notice").text
    assert notice.startswith("jonas saved this text at ")
    assert notice.endswith("Your other change waits until this is decided.")
    assert deciding.fields()["text:task.d"] == ["Delta two"]
    assert rows() == {("", "core.a"): "Theirs"}


@pytest.mark.case(72)
def test_a_conflict_stays_one_until_it_is_decided(visitor, deciding):
    """Going back and saving again does not overwrite what somebody else wrote."""
    page = visitor.send(deciding, press=("_update", "core.a"))
    assert page.box("core.a").raw == "Mine"
    assert "Somebody else has saved this text since you opened it." in (
        page.editor("core.a").text
    )

    page = visitor.save(page)

    assert is_deciding(page)
    assert rows() == {("", "core.a"): "Theirs"}


def decide(visitor, page, choice="mine"):
    """Return what comes of choosing one of the texts."""
    return visitor.send(page, {"choice": choice}, ("_decided", "core.a"))


@pytest.mark.case(72)
@pytest.mark.parametrize(("choice", "text"), [("mine", "Mine"), ("theirs", "Theirs")])
def test_what_was_decided_is_saved(visitor, deciding, choice, text):
    """Mine over theirs, or theirs after all; the other changes go with it."""
    review = decide(visitor, deciding, choice)

    visitor.send(review, press=("_save", ""))

    assert rows() == {("", "core.a"): text, ("", "task.d"): "Delta two"}


def test_a_decision_stands_when_something_else_is_wrong(visitor, deciding):
    """What was decided once is not asked for again."""
    page = visitor.send(decide(visitor, deciding), press="Back to editing")
    page = visitor.save(page, {"text:core.b": "\0"})
    assert page.problems("core.b") != []

    visitor.save(page, {"text:core.b": "Beta too"})

    assert rows()["", "core.a"] == "Mine"
    assert rows()["", "core.b"] == "Beta too"


@pytest.mark.case(72)
def test_a_decision_covers_only_the_text_that_was_read(visitor, deciding):
    """If the other saves once more, that text has to be read too."""
    services.save({"core.a": "Theirs again"})

    page = decide(visitor, deciding)

    assert is_deciding(page)
    assert "It was saved once more while you decided." in page.html
    assert rows() == {("", "core.a"): "Theirs again"}


def test_a_text_taken_back_meanwhile_is_a_conflict_too(visitor):
    """What is saved now is then the text beneath, and nobody's name stands by it."""
    services.save({"core.a": "Theirs"})
    page = visitor.open(fragment="core.a")
    services.reset(["core.a"])

    page = visitor.save(page, {"text:core.a": "Mine"})

    assert is_deciding(page)
    assert [one.text for one in page.all("h2")][-1] == "The text that is saved now"
    assert rows() == {}


def test_the_same_change_by_two_people_is_no_conflict(visitor):
    """There is nothing to settle between equal texts."""
    page = visitor.open(fragment="core.a")
    services.save({"core.a": "The same"})

    visitor.save(page, {"text:core.a": "The same"})

    assert rows() == {("", "core.a"): "The same"}


def test_another_text_changed_meanwhile_is_no_conflict(visitor):
    """Two people may work on the page at once."""
    page = visitor.open(fragment="core.a")
    services.save({"core.b": "Theirs"})

    visitor.save(page, {"text:core.a": "Mine"})

    assert rows() == {("", "core.a"): "Mine", ("", "core.b"): "Theirs"}


def test_a_conflict_is_noticed_for_a_text_of_another_group(visitor):
    """The etag travels with the hidden text; a later one would hide the conflict."""
    page = visitor.send(
        visitor.open(fragment="core.a"),
        {"text:core.a": "Mine"},
        press=("fragment", "task.c"),
    )
    services.save({"core.a": "Theirs"})
    page = visitor.send(page, press=("fragment", "task.d"))

    page = visitor.save(page)

    assert is_deciding(page)
    assert rows() == {("", "core.a"): "Theirs"}


def test_a_conflict_between_review_and_save_is_noticed_too(visitor):
    """The review may stand open for as long as it takes to read it."""
    review = visitor.review(visitor.open(fragment="core.a"), {"text:core.a": "Mine"})
    services.save({"core.a": "Theirs"})

    page = visitor.send(review, press=("_save", ""))

    assert is_deciding(page)
    assert rows() == {("", "core.a"): "Theirs"}
