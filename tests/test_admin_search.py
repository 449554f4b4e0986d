"""Finding fragments by what they are called and what they say, typed texts too."""

from __future__ import annotations

import pytest
from django.test import override_settings

from tests.assembling import CORE, TASKS, fragment
from tests.factories import OverrideFactory
from tests.pages import Visitor
from tests.storing import rows

pytestmark = pytest.mark.django_db


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


def hits(page):
    """Return the sentence about what was found."""
    return page.one("p", class_="prompts-hits").text


@pytest.mark.parametrize(
    ("q", "keys", "match"),
    [
        ("SILENT", ["core.off", "core.moved_off"], None),
        ("e.moved_o", ["core.moved_off"], "e.moved_o"),
        ("kind word", ["core.mine"], "kind word"),
        ("mine was", ["core.mine"], "Mine was"),
        ("later", ["core.off"], "later"),
        ("pay it", ["tool.gone"], None),
        ("from before", ["core.fixed"], None),
        ("tool.g", ["tool.gone"], None),
    ],
)
def test_labels_keys_texts_and_defaults_are_searched(visitor, q, keys, match):
    """Stored texts, the defaults beneath them, and texts that nothing reads any more."""
    page = visitor.open(q=q)

    assert listed(page) == keys
    assert [one.text for one in page.all("mark")] == [match] * (match is not None)
    assert hits(page) == f"{len(keys)} of 10 contain “{q}”"


def test_unsaved_texts_are_searched(visitor):
    """What was typed counts before what is stored."""
    page = visitor.open(fragment="core.mine", q="unheard of")
    assert listed(page) == []

    page = visitor.send(page, {"text:core.mine": "Something unheard of"})

    assert listed(page) == ["core.mine"]
    assert page.one("span", class_="prompts-hit").text == "…Something unheard of…"
    page = visitor.send(page, {"q": "kind word"})
    assert listed(page) == []


def test_a_hit_in_a_text_brings_the_words_round_it(visitor):
    """The label is there anyway, so nothing is added where that is the hit."""
    page = visitor.open(q="refund")

    assert listed(page) == [
        "core.plain",
        "core.off",
        "core.fixed",
        "task.refunds",
        "tool.gone",
    ]
    extracts = page.all("span", class_="prompts-hit")
    assert [one.text for one in extracts] == [
        "…Refund nothing…",
        "…Refund later…",
        "…task.refunds…",
    ]


def test_counts_follow_the_search(visitor):
    """Each filter tells how many hits it would leave; the total stands in the words."""
    page = visitor.open(q="refund")

    assert hits(page) == "5 of 10 contain “refund”"
    assert counts(page) == {
        "": 5,
        "built-in": 3,
        "changed": 0,
        "off": 1,
        "drifted": 0,
        "orphaned": 1,
        "unsaved": 0,
        "problems": 0,
    }
    assert listed(visitor.send(page, press=("state", "off"))) == ["core.off"]


def test_nothing_found_says_so_and_offers_to_clear(visitor):
    """The button keeps what was typed."""
    page = visitor.open(fragment="core.mine", q="xyz")
    assert hits(page) == "Nothing contains “xyz”. Clear the search"
    assert "No fragment is in this state." not in page.html

    page = visitor.send(page, {"text:core.mine": "Typed"}, "Clear the search")

    assert len(listed(page)) == 10
    assert page.chosen("q") == ""
    assert page.box("core.mine").raw == "Typed"
    assert rows()["", "core.mine"] == "A kind word"


def test_white_space_round_what_is_looked_for_does_not_count(visitor):
    """Nor does a search for nothing narrow anything."""
    assert listed(visitor.open(q="  kind ")) == ["core.mine"]
    page = visitor.open(q="   ")
    assert len(listed(page)) == 10
    assert hits(page) == ""


def test_groups_without_a_hit_are_left_out(visitor):
    """The others are open, and count what they show."""
    page = visitor.open(q="about")

    (group,) = page.all("details", page.one("section", id="prompts-list"))
    assert "open" in group.attributes
    assert page.one("summary", group).text == "Tasks 1"


LINK = {
    "q": "refund",
    "state": "off",
    "fragment": "core.off",
    "scenario": "two",
    "level": "lean",
}


@override_settings(PROMPTS_APP_IGNORE_OVERRIDES=True)
def test_stored_texts_are_found_while_they_are_ignored(visitor):
    """They are what the editors show, and what a save is compared with."""
    page = visitor.open(q="kind word")

    assert listed(page) == ["core.mine"]
    assert page.row("core.mine").text.startswith("Edited Changed")
