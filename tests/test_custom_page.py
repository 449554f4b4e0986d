"""Rows on the page of fragments: like any other fragment, gates, states and saving."""

from __future__ import annotations

import pytest

from prompts_app import Scenario, services
from tests.assembling import CORE, fragment, variable
from tests.commanding import run
from tests.factories import CustomFragmentFactory
from tests.pages import Visitor

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(with_rows):
    """Declare a group with one fragment, a variable, and a scenario that has it."""
    with_rows.register(
        CORE,
        variable("who"),
        fragment("core.a", "Alpha", order=1),
        Scenario("chat", label="Chat", variables={"who": "Ada"}),
        Scenario("nobody", label="Nobody", variables={}),
    )
    return with_rows


@pytest.fixture
def row(db):
    """Return a row with a gate, after the app's fragment."""
    return CustomFragmentFactory(
        key="custom.x",
        label="My fragment",
        text="Hi {{who}}.",
        hint="What it is for",
        order=2,
        requires=["who"],
        must_mention=["who"],
    )


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def test_a_row_stands_on_the_page_like_any_other(visitor, row):
    """In its group, with label, hint, conditions in words, and state."""
    page = visitor.open(fragment="custom.x")
    said = page.editor("custom.x").text

    assert page.edited() == ["core.a", "custom.x"]
    assert page.row("custom.x").text.startswith("My fragment")
    assert "Core · custom.x" in said
    assert "My fragment Built-in What it is for" in said
    assert "When {{who}} has a value" in said
    assert page.box("custom.x").raw == "Hi {{who}}."
    assert page.passages() == {"core.a": "Alpha", "custom.x": "Hi Ada."}


def test_a_row_is_left_out_with_its_reason(visitor, row):
    """The preview says which condition does not hold."""
    page = visitor.open(fragment="custom.x", scenario="nobody")

    assert page.passages() == {"core.a": "Alpha"}
    assert "Variable is blank" in page.html


def test_a_row_is_worded_switched_off_and_restored_there(visitor, row):
    """Its states are those of a fragment that an app declares."""
    page = visitor.open(fragment="custom.x")

    page = visitor.save(page, {"text:custom.x": "Hello {{who}}."})
    changed = page.row("custom.x").text
    page = visitor.save(visitor.send(page, {}, ("_off", "custom.x")))
    off = page.row("custom.x").text

    assert services.assemble(variables={"who": "Ada"}).text == "Alpha"
    page = visitor.save(visitor.send(page, {}, ("_restore", "custom.x")))
    assert ("Changed" in changed, "Off" in off) == (True, True)
    assert "Built-in" in page.row("custom.x").text
    assert services.stored().texts == {}


def test_a_row_that_is_reworded_beneath_a_saved_text_is_drifted(visitor, row):
    """The page shows it, as when an app's default moves."""
    services.save({"custom.x": "Mine {{who}}."})

    row.text = "Hi there, {{who}}."
    row.save()

    page = visitor.open(fragment="custom.x")
    assert "Drifted" in page.row("custom.x").text
    assert page.box("custom.x").raw == "Mine {{who}}."


def test_a_row_that_is_deleted_leaves_its_text_as_an_orphan(visitor, row):
    """It is listed until the key is there again."""
    services.save({"custom.x": "Mine {{who}}."})

    row.delete()

    assert "Orphaned" in visitor.open().row("custom.x").text


def test_a_locked_row_is_only_shown(visitor, row):
    """Its text is changed where it was written."""
    row.locked = True
    row.save()

    page = visitor.open(fragment="custom.x")

    assert "readonly" in page.box("custom.x").attributes


def test_the_command_knows_rows(row):
    """What the page shows, `manage.py prompts` prints."""
    assert "custom.x" in "".join(run("list"))
    assert "Hi {{who}}." in "".join(run("show", "custom.x"))
