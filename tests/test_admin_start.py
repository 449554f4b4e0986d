"""The start view: what needs a decision, what is in force, who saved last."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.declarations import Scope
from prompts_app.overrides.history import latest
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory, UserFactory
from tests.pages import Visitor

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a few fragments and a scope."""
    registry.register(
        CORE,
        Scope("tenant.acme", label="Acme"),
        *(fragment(f"core.f{n}", f"Text {n}", label=f"Text {n}") for n in range(8)),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def in_force(page):
    """Return how many texts are in each state."""
    return [
        one.text for one in page.all("li", page.one("ul", class_="prompts-inforce"))
    ]


def saves(page):
    """Return what is said of each of the latest saves, author first."""
    found = []
    for line in page.all("li", page.one("ul", class_="prompts-latest")):
        when, what = (one for one in page.all("span", line) if one.parent is line)
        (author,) = page.all("span", when)
        found.append((author.text, what.text))
    return found


def test_a_fresh_installation_needs_nothing(visitor):
    """Where to begin is said in a sentence, and the defaults are in force."""
    page = visitor.open()

    assert "Where would you like to begin?" in page.html
    assert page.one("p", data_no_decision=None).text == "Nothing needs a decision."
    assert in_force(page) == ["8 Built-in"]
    assert "Nobody has changed a text yet. The defaults are in force." in page.html
    assert page.edited() == []


def test_drifted_and_orphaned_texts_need_a_decision(visitor):
    """Each with a button that opens it and keeps what was typed."""
    OverrideFactory(key="core.f1", text="Mine", default_text="Was")
    OverrideFactory(key="core.f2", text="", default_text="Was")
    OverrideFactory(key="core.gone", text="Kept")

    page = visitor.open()

    asked = page.all("p", class_="prompts-decision")
    assert [page.all("span", one)[0].text for one in asked] == [
        "Text 1: the default has changed under your text.",
        "Text 2: the default has changed since this was switched off.",
        "core.gone is no longer declared. Its text is kept and not sent.",
    ]
    assert not page.has("p", data_no_decision=None)
    assert [[it.text for it in page.all("button", one)] for one in asked] == [
        ["Decide… Text 1", "Open Text 1"],
        ["Decide… Text 2", "Open Text 2"],
        ["Open core.gone"],
    ]
    opened = visitor.send(page, press="Open Text 2")
    assert opened.chosen("fragment") == "core.f2"
    opened = visitor.send(page, press="Open core.gone")
    assert opened.one("textarea", aria_label="core.gone").raw == "Kept"


def test_texts_are_counted_by_state(visitor):
    """Only states that something is in, whatever the list is narrowed to."""
    services.save({"core.f1": "Mine", "core.f2": "", "core.f3": "Mine too"})
    OverrideFactory(key="core.gone")
    counted = ["5 Built-in", "2 Changed", "1 Off", "1 Orphaned"]

    assert in_force(visitor.open()) == counted
    assert in_force(visitor.open(q="Mine", state="off")) == counted


def test_states_are_those_of_the_pages_scope(visitor):
    """Without a row there a text is as for the whole installation."""
    services.save({"core.f1": "Mine"})
    OverrideFactory(key="core.gone", scope="tenant.acme")

    page = visitor.open(scope="tenant.acme")

    assert in_force(page) == ["8 Built-in", "1 Orphaned"]
    assert page.chosen("to_scope") == "tenant.acme"


def test_the_latest_saves_stand_newest_first(visitor, editor):
    """With who, why, and which texts, those of other scopes too."""
    services.save({"core.f1": "One"}, author=editor, comment="For a test.")
    services.save({"core.f2": "Two", "core.f0": ""}, author=editor)
    services.save({"core.f1": "Near"}, scope="tenant.acme")

    assert saves(visitor.open()) == [
        ("–", "No comment core.f1 (tenant.acme)"),
        ("editor", "No comment core.f0, core.f2"),
        ("editor", "For a test. core.f1"),
    ]


def test_five_saves_and_five_texts_of_each_are_enough(visitor):
    """The rest is what the history is for."""
    for number in range(6):
        services.save({f"core.f{n}": f"Text {n} {number}" for n in range(6)})

    found = saves(visitor.open())

    assert [what for _, what in found] == (
        ["No comment core.f0, core.f1, core.f2, core.f3, core.f4 …"] * 5
    )
    assert latest(1)[0].number == 6


def test_who_may_not_see_history_is_shown_no_saves():
    """Reading the texts takes another right than reading who changed them."""
    services.save({"core.f1": "One"}, comment="Between us")
    reader = UserFactory(permissions=["prompts_app.view_override"])

    page = Visitor(reader).open()

    assert "Latest saves" not in page.html
    assert "Between us" not in page.html
    assert in_force(page) == ["7 Built-in", "1 Changed"]


def test_a_viewer_is_told_that_texts_can_only_be_read(viewer):
    """Above everything else; there is no save bar."""
    page = Visitor(viewer).open()

    assert page.one("p", class_="prompts-readonly").text == (
        "You can read these texts but not change them."
    )
    assert not page.has("button", data_review=None)


def test_texts_typed_before_are_carried_by_the_start_view(visitor):
    """It is left and come back to without a loss."""
    page = visitor.send(
        visitor.open(fragment="core.f1"), {"text:core.f1": "Mine"}, ("fragment", "")
    )

    assert "Where would you like to begin?" in page.html
    assert page.fields()["text:core.f1"] == ["Mine"]
    assert page.one("span", role="status").text == "1 unsaved change"
