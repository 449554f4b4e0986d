"""Saving from the page: what is stored, and what stays as it was."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.declarations import Scope, Variable
from prompts_app.models import Revision
from tests.assembling import CORE, TASKS, fragment
from tests.factories import OverrideFactory
from tests.pages import Visitor
from tests.storing import everything, history, rows

pytestmark = pytest.mark.django_db

ALPHA = "Alpha\nsecond line"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two groups of texts, a variable and a scope."""
    registry.register(
        CORE,
        TASKS,
        Scope("tenant.acme", label="Acme"),
        Variable("name", label="Name"),
        fragment("core.a", ALPHA, order=1),
        fragment("core.b", "Beta {{name}}", order=2),
        fragment("task.c", "Gamma", group="tasks", order=3),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


@pytest.mark.case(36)
def test_a_saved_text_is_stored_shown_and_assembled(visitor):
    """After the save the page comes anew, with the text, its state and its news."""
    page = visitor.open(fragment="core.a")

    page = visitor.save(page, {"text:core.a": "Mine", "comment": "For a test."})

    assert rows() == {("", "core.a"): "Mine"}
    assert services.render("core.a") == "Mine"
    assert visitor.answer.redirect_chain[0][1] == 302
    assert page.one("li", class_="success").text == (
        "1 change saved. It is in use from the next request on."
    )
    assert page.box("core.a").raw == "Mine"
    assert "Changed" in page.row("core.a").text
    assert not page.has("li", data_unsaved=None)


def test_a_save_is_put_down_to_its_author_and_reason(visitor, editor):
    """Who and why are kept with it."""
    visitor.save(
        visitor.open(fragment="core.a"), {"text:core.a": "x", "comment": "Why"}
    )

    (revision,) = Revision.objects.all()
    assert (revision.author, revision.author_name, revision.comment, revision.kind) == (
        editor,
        "editor",
        "Why",
        "save",
    )


@pytest.mark.case(44)
def test_open_and_save_without_a_change_stores_nothing(visitor):
    """A browser's CRLF is no change, so no row appears, nor a revision."""
    before = everything()

    page = visitor.save(visitor.open(fragment="core.a"), {})

    assert everything() == before
    assert page.one("li", class_="success").text == "Nothing had to be saved."


@pytest.mark.case(44)
def test_a_stored_text_that_was_not_touched_stays_to_the_byte(visitor):
    """Even where saving it again would spell it otherwise."""
    OverrideFactory(key="core.b", text="\nOld\r\n  text\n\n")
    before = everything()

    visitor.save(visitor.open(fragment="core.b"), {})

    assert everything() == before


@pytest.mark.case(32)
@pytest.mark.covers("L40")
def test_what_is_not_on_the_page_stays_as_it_was(visitor, declared):
    """Texts of other groups, of other scopes and of fragments that are gone stay."""
    OverrideFactory(key="task.c", text="Theirs")
    OverrideFactory(key="gone.x", text="Orphan")
    OverrideFactory(key="core.a", text="Acme", scope="tenant.acme")
    page = visitor.open(fragment="core.a")
    declared.register(fragment("core.new", "New"))

    visitor.save(page, {"text:core.a": "Mine"})

    assert rows() == {
        ("", "core.a"): "Mine",
        ("", "task.c"): "Theirs",
        ("", "gone.x"): "Orphan",
        ("tenant.acme", "core.a"): "Acme",
    }


@pytest.mark.case(32)
@pytest.mark.covers("L40")
def test_a_form_with_one_box_changes_one_text(visitor):
    """Whatever a form does not send is not changed, so a partial one does no harm."""
    OverrideFactory(key="core.b", text="Theirs")

    visitor.post({"text:core.a": "Mine", "_save": ""})

    assert rows() == {("", "core.a"): "Mine", ("", "core.b"): "Theirs"}


@pytest.mark.case(37, 39)
def test_a_cleared_box_switches_the_fragment_off(visitor):
    """A blank row is stored, the page says Off, and the prompt leaves no gap."""
    page = visitor.save(visitor.open(fragment="core.b"), {"text:core.b": ""})

    assert rows() == {("", "core.b"): ""}
    assert "Off" in page.row("core.b").text
    assert "Off. Nothing is sent for this fragment." in page.editor("core.b").text
    assert services.assemble().text == ALPHA


@pytest.mark.case(40)
def test_the_default_typed_again_takes_the_row_away(visitor):
    """Outer white space aside, it is the built-in text, and later ones will come."""
    OverrideFactory(key="core.a", text="Mine", default_text=ALPHA)

    page = visitor.save(
        visitor.open(fragment="core.a"), {"text:core.a": f"  {ALPHA}\n\n"}
    )

    assert rows() == {}
    assert "Built-in" in page.row("core.a").text


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
    "update": ("_update", ""),
    "restore of another": ("_restore", "core.b"),
    "off of another": ("_off", "task.c"),
    "refused save": ("_save", ""),
}


@pytest.mark.parametrize("move", MOVES)
def test_no_button_loses_what_was_typed(visitor, move):
    """Every answer holds the typed texts, visibly or as hidden fields."""
    texts = {"text:core.a": "  Mine\n", "text:core.b": "\n\nYours {{name}}"}
    page = visitor.send(visitor.open(fragment="core.a"), texts)
    refused = {"text:core.a": "\0"} if move == "refused save" else {}

    page = visitor.send(page, {**refused, "comment": "Kept"}, MOVES[move])

    if not refused:
        assert page.box("core.a").raw == "  Mine\n"
    if move != "restore of another":
        assert page.box("core.b").raw == "\n\nYours {{name}}"
    assert page.one("input", name="comment").attributes["value"] == "Kept"
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
        "2 changes saved. They are in use from the next request on."
    )


def test_discard_goes_back_to_what_is_saved(visitor):
    """The view stays where it was; the typed texts are gone, as asked."""
    page = visitor.open(fragment="core.b", scenario="", level="lean")
    page = visitor.send(page, {"text:core.a": "Mine"}, ("_discard", ""))

    assert visitor.answer.redirect_chain == [
        ("/admin/prompts_app/override/?fragment=core.b&level=lean", 302)
    ]
    assert page.box("core.a").raw == ALPHA
    assert rows() == {}


def test_discard_from_the_start_view_comes_back_to_it(visitor):
    """A view without any choice has the plain address."""
    visitor.post({"_discard": ""})

    assert visitor.answer.redirect_chain == [("/admin/prompts_app/override/", 302)]


def test_a_scope_is_saved_over_what_stands_beneath_it(visitor):
    """The box shows the text of the whole installation; equal to it, no row is made."""
    services.save({"core.a": "For all"})
    page = visitor.open(fragment="core.a", scope="tenant.acme")
    assert page.box("core.a").raw == "For all"
    assert "for Acme" in page.one("h1").text

    page = visitor.save(page, {"text:core.a": "For Acme"})

    assert rows() == {("", "core.a"): "For all", ("tenant.acme", "core.a"): "For Acme"}
    assert page.chosen("scope") == "tenant.acme"
    assert page.row("core.a").text == "core.a Changed"

    visitor.save(page, {"text:core.a": "For all"})

    assert rows() == {("", "core.a"): "For all"}


def test_a_scope_that_nobody_declared_is_called_by_its_key(visitor):
    """A scope need not be declared to be used."""
    page = visitor.open(scope="agent.support")

    assert page.one("h1").text == "Prompt fragments for agent.support"


@pytest.mark.case(50)
def test_line_feeds_at_both_ends_are_trimmed_and_nothing_else(visitor):
    """The page stores as every other way in does."""
    visitor.save(
        visitor.open(fragment="core.a"), {"text:core.a": "\r\n\r\n  a \r\n\tb  \r\n"}
    )

    assert rows() == {("", "core.a"): "  a \n\tb  "}


@pytest.mark.case(47)
def test_a_text_is_stored_just_as_it_was_typed(visitor):
    """Fences, tabs, spaces, joiners and emoji all come back."""
    text = (
        "```sh\n\tls  \n```\n\u00a0nbsp\u200d zwj 👩\u200d💻 \u202e\n\n\n- end {{name}}"
    )

    page = visitor.save(visitor.open(fragment="core.a"), {"text:core.a": text})

    assert rows() == {("", "core.a"): text}
    assert page.box("core.a").raw == text
