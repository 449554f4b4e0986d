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
def conflicting(visitor):
    """Return the page after two people changed the same text, the other one first."""
    page = visitor.open(fragment="core.a")
    services.save(
        {"core.a": "Theirs"}, author=UserFactory(username="jonas", is_superuser=True)
    )
    return visitor.save(page, {"text:core.a": "Mine", "text:task.d": "Delta two"})


@pytest.mark.case(72)
def test_a_conflict_shows_both_texts_and_stores_none(visitor, conflicting):
    """Nobody's text is lost, and what else was changed waits."""
    page = conflicting

    (said,) = page.problems("core.a")
    assert said.startswith("Somebody else has saved this text since you opened it.")
    assert said.endswith("I have read their text; save mine instead")
    assert page.box("core.a").raw == "Mine"
    assert page.one("h3").text == "What jonas saved meanwhile"
    theirs = page.one("div", class_="prompts-theirs")
    assert [one.raw for one in page.all("pre", theirs)] == ["Theirs"]
    assert page.fields()["text:task.d"] == ["Delta two"]
    assert rows() == {("", "core.a"): "Theirs"}


@pytest.mark.case(72)
def test_a_conflict_stays_one_until_it_is_settled(visitor, conflicting):
    """Pressing Save again does not overwrite what somebody else wrote."""
    page = visitor.save(conflicting, {})

    assert page.problems("core.a") != []
    assert rows() == {("", "core.a"): "Theirs"}


@pytest.mark.case(72)
def test_a_tick_saves_mine_over_theirs(visitor, conflicting):
    """The other's text is kept in the history."""
    tick = conflicting.one("input", name="settle:core.a").attributes["value"]

    visitor.save(conflicting, {"settle:core.a": tick})

    assert rows() == {("", "core.a"): "Mine", ("", "task.d"): "Delta two"}


def test_a_settled_conflict_stays_settled_when_something_else_is_wrong(
    visitor, conflicting
):
    """A tick that was given is not asked for again."""
    tick = conflicting.one("input", name="settle:core.a").attributes["value"]
    page = visitor.save(conflicting, {"settle:core.a": tick, "text:core.b": "\0"})
    assert page.problems("core.a") == []

    visitor.save(page, {"text:core.b": "Beta too"})

    assert rows()["", "core.a"] == "Mine"


@pytest.mark.case(72)
def test_a_tick_covers_only_the_text_that_was_read(visitor, conflicting):
    """If the other saves once more, that text has to be read too."""
    tick = conflicting.one("input", name="settle:core.a").attributes["value"]
    services.save({"core.a": "Theirs again"})

    page = visitor.save(conflicting, {"settle:core.a": tick})

    assert page.problems("core.a") != []
    assert page.one("h3").text == "What is saved now"
    assert rows() == {("", "core.a"): "Theirs again"}


def test_a_text_taken_back_meanwhile_is_a_conflict_too(visitor):
    """What is saved now is then the text beneath, and nobody's name stands by it."""
    services.save({"core.a": "Theirs"})
    page = visitor.open(fragment="core.a")
    services.reset(["core.a"])

    page = visitor.save(page, {"text:core.a": "Mine"})

    assert page.one("h3").text == "What is saved now"
    assert "Alpha" in page.one("div", class_="prompts-theirs").text
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

    assert rows() == {
        ("", "core.a"): "Mine",
        ("", "core.b"): "Theirs",
    }


def test_a_conflict_is_noticed_for_a_text_of_another_group(visitor):
    """The etag travels with the hidden text; a later one would hide the conflict."""
    page = visitor.send(
        visitor.open(fragment="core.a"),
        {"text:core.a": "Mine"},
        press=("fragment", "task.c"),
    )
    services.save({"core.a": "Theirs"})
    page = visitor.send(page, press=("fragment", "task.d"))

    page = visitor.save(page, {})

    assert page.problems("core.a") != []
    assert rows() == {("", "core.a"): "Theirs"}
