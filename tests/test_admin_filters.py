"""Narrowing the list: filters and their counts, and links to a view."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.declarations import Scenario
from tests.assembling import CORE, TASKS, fragment
from tests.factories import OverrideFactory
from tests.pages import Visitor
from tests.storing import rows

pytestmark = pytest.mark.django_db

STATES = ("built-in", "changed", "off", "drifted", "orphaned")


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare fragments, and store for them whatever a text can have come to."""
    registry.register(
        CORE,
        TASKS,
        fragment("core.plain", "Refund nothing", label="Plain", order=1),
        fragment("core.mine", "Mine was", label="Edited", order=2),
        fragment("core.off", "Refund later", label="Silent", order=3),
        fragment("core.moved", "New", label="Moved", order=4),
        fragment("core.moved_off", "New too", label="Moved and silent", order=5),
        fragment("core.renamed", "Name", former_keys=("core.old",), order=6),
        fragment("core.fixed", "Fixed", label="Refund rules", locked=True, order=7),
        fragment("task.refunds", "About", label="Task", group="tasks"),
        Scenario("one", label="One", variables={}),
        Scenario("two", label="Two", variables={}),
    )
    for key, text, default in (
        ("core.mine", "A kind word", "Mine was"),
        ("core.off", "", "Refund later"),
        ("core.moved", "Kept", "Old"),
        ("core.moved_off", " ", "Old"),
        ("core.old", "Other", "Name"),
        ("core.fixed", "From before", "Fixed"),
        ("tool.gone", "Pay it back as a refund", ""),
    ):
        OverrideFactory(key=key, text=text, default_text=default)
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def listed(page):
    """Return the keys of the list, in order."""
    rows_of_list = page.all("li", class_="prompts-row")
    return [one.attributes["data-row"] for one in rows_of_list]


def counts(page):
    """Return the count that stands at each filter, by its code."""
    spans = page.all("span", data_count=None)
    return {one.attributes["data-count"]: int(one.text) for one in spans}


UNSAVED = {
    "text:core.plain": "Alpha",
    "text:core.off": "",
    "text:core.mine": "\0",
    "text:task.refunds": "Mine",
}


@pytest.mark.case(93)
@pytest.mark.parametrize("q", ["", "refund", "e", "nothing of the kind"])
@pytest.mark.parametrize("typed", [{}, UNSAVED])
def test_the_five_states_part_the_list(visitor, q, typed):
    """Every row is under exactly one of them, however much is typed or looked for."""
    page = visitor.review(visitor.open(fragment="core.mine", q=q), typed)
    everything = listed(visitor.send(page, press=("state", "")))
    found = []
    for state in STATES:
        narrowed = visitor.send(page, press=("state", state))
        assert len(listed(narrowed)) == counts(narrowed)[state]
        assert counts(narrowed) == counts(page)
        found += listed(narrowed)

    assert sorted(found) == sorted(everything)
    assert counts(page)[""] == len(everything) == sum(counts(page)[s] for s in STATES)


@pytest.mark.case(93)
def test_each_state_lists_its_own(visitor):
    """A row stored under a former key counts as its fragment's, one under a lock not."""
    assert {state: listed(visitor.open(state=state)) for state in STATES} == {
        "built-in": ["core.plain", "core.fixed", "task.refunds"],
        "changed": ["core.mine", "core.renamed"],
        "off": ["core.off"],
        "drifted": ["core.moved", "core.moved_off"],
        "orphaned": ["core.fixed", "tool.gone"],
    }


def test_a_drifted_text_that_is_off_says_both(visitor):
    """It stands under Drifted, since that is what has to be decided."""
    page = visitor.open(state="drifted")

    assert page.row("core.moved_off").text == "Moved and silent Drifted, off"


def test_unsaved_and_faulty_texts_have_filters_of_their_own(visitor):
    """They cut across the states."""
    page = visitor.review(visitor.open(fragment="core.mine"), UNSAVED)
    assert counts(page) == {
        "": 10,
        "built-in": 3,
        "changed": 2,
        "off": 1,
        "drifted": 2,
        "orphaned": 2,
        "unsaved": 3,
        "problems": 1,
    }

    unsaved = visitor.send(page, press=("state", "unsaved"))

    assert listed(unsaved) == ["core.plain", "core.mine", "task.refunds"]
    assert listed(visitor.open(state="problems")) == []


def test_the_texts_with_problems_can_be_listed(visitor):
    """They stay listed until they are mended, whichever button is pressed."""
    page = visitor.review(visitor.open(fragment="core.mine"), UNSAVED)

    page = visitor.send(page, press=("state", "problems"))

    assert listed(page) == ["core.mine"]
    assert "Error" in page.row("core.mine").text
    page = visitor.send(page, {"text:core.mine": "Mended"})
    assert listed(page) == []


def test_the_filter_that_is_set_is_pressed(visitor):
    """One of them always is, and the groups are open then."""
    page = visitor.open(state="off")

    pressed = page.all("button", data_filter=None, aria_pressed="true")
    assert [one.attributes["value"] for one in pressed] == ["off"]
    assert page.chosen("state") == "off"
    page = visitor.open()
    pressed = page.all("button", data_filter=None, aria_pressed="true")
    assert [one.text for one in pressed] == ["All10"]


@pytest.mark.parametrize("state", ["problems", "unsaved", "nonsense", "\0"])
def test_a_filter_that_nothing_is_in_says_so(visitor, state):
    """An empty list would look like a fault; the other filters stand there still."""
    page = visitor.open(state=state)

    assert listed(page) == []
    assert (
        "No fragment is in this state." in page.one("section", id="prompts-list").text
    )
    assert counts(page)[""] == 10


def test_an_orphan_can_be_opened_from_the_list(visitor):
    """It is current then, and its text can be read."""
    page = visitor.send(visitor.open(state="orphaned"), press=("fragment", "tool.gone"))

    assert page.chosen("fragment") == "tool.gone"
    current = page.one("button", aria_current="true")
    assert current.text == "tool.gone"
    orphan = page.one("article", id="prompts-orphan")
    assert page.one("textarea", orphan).raw == "Pay it back as a refund"
    assert page.chosen("state") == "orphaned"


LINK = {
    "q": "refund",
    "state": "off",
    "fragment": "core.off",
    "scenario": "two",
    "level": "lean",
}


def test_a_link_gives_the_whole_view(visitor):
    """What is looked for, the filter, the fragment, scenario and level."""
    page = visitor.open(**LINK)

    assert {name: page.chosen(name) for name in LINK} == LINK
    assert listed(page) == ["core.off"]
    assert page.edited()[0] == "core.plain"


def test_a_save_comes_back_to_the_same_view(visitor):
    """Nothing that was chosen has to be chosen again."""
    page = visitor.save(visitor.open(**LINK), {"text:core.off": "Refund"})

    assert rows()["", "core.off"] == "Refund"
    assert {name: page.chosen(name) for name in LINK} == LINK
    assert listed(page) == []


def test_the_states_that_are_listed_are_those_of_the_scope(visitor):
    """A search there looks at the texts beneath it too."""
    services.save({"core.plain": "For Acme alone"}, scope="tenant.acme")

    page = visitor.open(scope="tenant.acme", q="kind word")
    assert listed(page) == ["core.mine"]
    assert counts(page)["built-in"] == 1
    page = visitor.open(scope="tenant.acme", state="changed")
    assert listed(page) == ["core.plain"]
