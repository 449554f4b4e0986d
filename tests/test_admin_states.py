"""The five states of a fragment: exactly one at a time, and what the page says of it."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.states import after_saving
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory
from tests.pages import Visitor
from tests.storing import everything

pytestmark = pytest.mark.django_db

OFF_NOTICE = (
    "Off. Nothing is sent for this fragment. Type a text, or restore the default."
)
DRIFTED_NOTICE = (
    "The default has changed since this text was saved. Your text is still in force."
    " Decide… core.a"
)
DRIFTED_OFF_NOTICE = (
    "The default has changed since this was switched off. It stays off. Decide… core.a"
)


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare three texts, one of them locked and one renamed."""
    registry.register(
        CORE,
        fragment("core.a", "Alpha", order=1),
        fragment("core.fixed", "Fixed", order=2, locked=True),
        fragment("core.new", "New", order=3, former_keys=("core.old",)),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def glyph(page, element):
    """Return which sign stands first in *element*."""
    return page.all("use", element)[0].attributes["href"]


def notices(page, key):
    """Return the notices above the text of *key* that can be seen."""
    shown = page.all("p", page.editor(key), class_="prompts-notice")
    return [one.text for one in shown if "hidden" not in one.attributes]


@pytest.mark.parametrize(
    ("row", "word", "sign", "said"),
    [
        (None, "Built-in", "built-in", []),
        ({"text": "Mine", "default_text": "Alpha"}, "Changed", "changed", []),
        ({"text": "Mine", "default_text": " Alpha\r\n"}, "Changed", "changed", []),
        ({"text": "", "default_text": "Alpha"}, "Off", "off", [OFF_NOTICE]),
        ({"text": " \n\t", "default_text": "Alpha"}, "Off", "off", [OFF_NOTICE]),
        (
            {"text": "Mine", "default_text": "Was"},
            "Drifted",
            "drifted",
            [DRIFTED_NOTICE],
        ),
        (
            {"text": "", "default_text": "Was"},
            "Drifted, off",
            "drifted",
            [DRIFTED_OFF_NOTICE, OFF_NOTICE],
        ),
    ],
)
def test_a_fragment_is_in_the_first_state_that_fits(visitor, row, word, sign, said):
    """Drifted comes before off, off before changed; sign, word and sentence agree."""
    if row:
        OverrideFactory(key="core.a", **row)

    page = visitor.open(fragment="core.a")

    assert page.row("core.a").text == f"core.a {word}"
    assert glyph(page, page.row("core.a")) == f"#glyph-{sign}"
    assert f"is-{sign}" in page.row("core.a").attributes["class"]
    assert page.one("h2", id="label:core.a").text == f"core.a {word}"
    assert notices(page, "core.a") == said


def test_a_row_under_a_former_key_counts(visitor):
    """A renamed fragment keeps its text and its state."""
    OverrideFactory(key="core.old", text="Mine", default_text="New")

    page = visitor.open(fragment="core.new")

    assert page.row("core.new").text == "core.new Changed"
    assert page.box("core.new").raw == "Mine"
    assert not page.has("li", data_row="core.old")


def test_a_row_under_the_key_itself_beats_one_under_a_former_key(visitor):
    """The newer row is the one that is in force, so its state is shown."""
    OverrideFactory(key="core.old", text="Old", default_text="Was")
    OverrideFactory(key="core.new", text="", default_text="New")

    page = visitor.open(fragment="core.new")

    assert page.row("core.new").text == "core.new Off"


@pytest.mark.case(41)
@pytest.mark.covers("L49")
def test_a_row_without_a_fragment_is_listed_with_its_text(visitor):
    """It is kept, readable, and nowhere to be changed."""
    OverrideFactory(key="tool.gone", text="  Kept\ntext")
    before = everything()

    page = visitor.open(fragment="tool.gone")

    assert page.row("tool.gone").text == "tool.gone Orphaned"
    assert "No longer declared" in [
        one.text for one in page.all("span", class_="prompts-group")
    ]
    orphan = page.one("article", id="prompts-orphan")
    box = page.one("textarea", orphan)
    assert box.raw == "  Kept\ntext"
    assert "readonly" in box.attributes
    assert "name" not in box.attributes
    assert "The software no longer has a fragment of this key." in orphan.text
    assert everything() == before


def test_without_such_rows_nothing_is_said_of_them(visitor):
    """Exceptions speak, the rule is silent."""
    assert "No longer declared" not in visitor.open().html


def test_a_row_of_a_locked_fragment_is_listed_as_one_without(visitor):
    """The fragment is built-in, since no row of it is read; the row is kept."""
    OverrideFactory(key="core.fixed", text="From before")

    page = visitor.open(fragment="core.fixed")

    declared, orphaned = page.all("li", data_row="core.fixed")
    assert declared.text == "core.fixed Locked Built-in"
    assert orphaned.text == "core.fixed Orphaned"
    assert page.box("core.fixed").raw == "Fixed"
    assert "From before" in page.one("article", id="prompts-orphan").text


def test_states_are_those_of_the_pages_scope(visitor):
    """Without a row there a fragment is built-in, whatever is saved beneath."""
    services.save({"core.a": "", "core.new": "For all"})
    services.save({"core.new": ""}, scope="tenant.acme")

    page = visitor.open(scope="tenant.acme", fragment="core.new")

    assert page.row("core.a").text == "core.a Built-in"
    assert page.row("core.new").text == "core.new Off"
    assert page.one("div", id="prompts-output").text.count("Switched off") == 1


@pytest.mark.case(93)
def test_the_counts_part_the_list(visitor):
    """Every row is counted once, under one of five words."""
    OverrideFactory(key="core.a", text="Mine", default_text="Was")
    OverrideFactory(key="core.new", text="", default_text="New")
    OverrideFactory(key="tool.gone")

    page = visitor.open()

    filters = page.one("ul", class_="prompts-filters")
    assert [one.text for one in page.all("li", filters)] == [
        "All4",
        "Built-in1",
        "Changed0",
        "Off1",
        "Drifted1",
        "Orphaned1",
        "Unsaved0",
        "Problems0",
    ]
    start = page.one("ul", class_="prompts-inforce")
    assert [one.text for one in page.all("li", start)] == [
        "1 Built-in",
        "1 Off",
        "1 Drifted",
        "1 Orphaned",
    ]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("Alpha", "built-in"),
        (" Alpha\r\n", "built-in"),
        ("alpha", "changed"),
        ("", "off"),
        (" \n", "off"),
    ],
)
def test_a_typed_text_tells_the_state_that_saving_leads_to(text, state):
    """A text equal to what stands beneath takes the row away."""
    assert after_saving(text, "Alpha") == state


def test_a_blank_text_over_a_blank_one_is_no_switch():
    """Where nothing stands beneath there is nothing to switch off."""
    assert after_saving("", " ") == "built-in"
