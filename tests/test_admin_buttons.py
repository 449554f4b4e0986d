"""The buttons of the page, which change boxes and views and store nothing."""

from __future__ import annotations

import pytest

from prompts_app import services
from tests.assembling import CORE, TASKS, fragment
from tests.pages import Visitor
from tests.storing import history, rows

pytestmark = pytest.mark.django_db

ALPHA = "Alpha\nsecond line"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two groups of texts."""
    registry.register(
        CORE,
        TASKS,
        fragment("core.a", ALPHA, order=1),
        fragment("core.b", "Beta", order=2),
        fragment("task.c", "Gamma", group="tasks", order=3),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


@pytest.mark.case(40)
def test_restore_default_only_changes_the_box(visitor):
    """The button brings the text back unsaved; saving then empties the table."""
    services.save({"core.a": "Mine", "core.b": "Yours"})
    page = visitor.open(fragment="core.a")

    page = visitor.send(page, press=("_restore", "core.a"))

    assert page.box("core.a").raw == ALPHA
    assert page.box("core.b").raw == "Yours"
    assert "→ Built-in" in page.row("core.a").text
    assert rows() == {("", "core.a"): "Mine", ("", "core.b"): "Yours"}

    page = visitor.save(page, {})

    assert rows() == {("", "core.b"): "Yours"}
    assert history()[-1] == {("", "core.a"): ("Mine", None)}


def test_switch_off_only_changes_the_box(visitor):
    """The button empties the box; nothing is stored before the save."""
    page = visitor.send(visitor.open(fragment="core.a"), press=("_off", "core.b"))

    assert page.box("core.b").raw == ""
    assert "→ Off" in page.row("core.b").text
    assert "Off once you save." in page.editor("core.b").text
    assert page.row("core.b").text.startswith("core.b Unsaved")
    assert rows() == {}

    visitor.save(page, {})

    assert rows() == {("", "core.b"): ""}


@pytest.mark.parametrize("press", ["_restore", "_off"])
@pytest.mark.parametrize("key", ["core.none", ""])
def test_a_button_for_a_fragment_that_is_gone_changes_nothing(visitor, press, key):
    """The page comes as it was, with all that was typed."""
    page = visitor.open(fragment="core.a")

    page = visitor.send(page, {"text:core.a": "Mine"}, (press, key))

    assert page.box("core.a").raw == "Mine"
    assert rows() == {}


def test_restoring_what_is_saved_is_no_change(visitor):
    """A box that holds the saved text again counts as untouched."""
    page = visitor.open(fragment="core.a")

    page = visitor.send(page, {"text:core.a": "Mine"}, ("_restore", "core.a"))

    assert page.box("core.a").raw == ALPHA
    assert not page.has("li", data_unsaved=None)
    assert page.one("span", role="status").text == ""


MOVES = {
    "another fragment": ("fragment", "task.c"),
    "a scenario": ("_scenario", "none"),
    "a filter": ("state", "off"),
    "a search": ("q", "Gamma"),
    "the scenario's values": ("_samples", ""),
    "update": ("_update", ""),
    "restore of another": ("_restore", "core.b"),
    "off of another": ("_off", "task.c"),
}


@pytest.mark.parametrize("move", MOVES)
def test_no_button_loses_what_was_typed(visitor, move):
    """Every answer holds the typed texts, visibly or as hidden fields."""
    texts = {"text:core.a": "  Mine\n", "text:core.b": "\n\nYours"}
    page = visitor.send(visitor.open(fragment="core.a"), texts)

    page = visitor.send(page, press=MOVES[move])

    assert page.box("core.a").raw == "  Mine\n"
    if move != "restore of another":
        assert page.box("core.b").raw == "\n\nYours"
    assert rows() == {}


@pytest.mark.parametrize(
    ("there", "back"),
    [("Review and save", "Back to editing"), ("Discard changes…", "Keep editing")],
)
def test_no_page_on_the_way_loses_what_was_typed(visitor, there, back):
    """Review and discard both lead back to editing with every text."""
    page = visitor.open(fragment="core.a", scenario="", level="lean", q="a")
    texts = {"text:core.a": "  Mine\n", "text:task.c": "\n\nOurs"}

    page = visitor.send(visitor.send(page, texts, there), press=back)

    assert page.box("core.a").raw == "  Mine\n"
    assert page.box("task.c").raw == "\n\nOurs"
    assert {name: page.chosen(name) for name in ("scenario", "level", "q")} == {
        "scenario": "",
        "level": "lean",
        "q": "a",
    }
    assert rows() == {}


def test_texts_typed_in_several_groups_are_saved_together(visitor):
    """Those of other groups travel along as hidden fields, changed ones only."""
    page = visitor.send(
        visitor.open(fragment="core.a"),
        {"text:core.a": "Mine"},
        press=("fragment", "task.c"),
    )
    assert page.edited() == ["task.c"]
    assert [
        one.attributes["data-carried"] for one in page.all("div", data_carried=None)
    ] == ["core.a"]
    assert page.one("span", role="status").text == "1 unsaved change"

    page = visitor.save(page, {"text:task.c": "Ours"})

    assert rows() == {("", "core.a"): "Mine", ("", "task.c"): "Ours"}
    assert len(history()) == 1
    assert page.one("li", class_="success").text == (
        "2 changes saved. They are in use from the next request on. Undo"
    )
