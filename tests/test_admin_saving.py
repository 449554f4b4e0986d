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

    page = visitor.save(page, {"text:core.a": "Mine"})

    assert rows() == {("", "core.a"): "Mine"}
    assert services.render("core.a") == "Mine"
    assert visitor.answer.redirect_chain[0][1] == 302
    assert page.one("li", class_="success").text == (
        "1 change saved. It is in use from the next request on. Undo"
    )
    assert page.box("core.a").raw == "Mine"
    assert "Changed" in page.row("core.a").text
    assert not page.has("li", data_unsaved=None)


def test_a_save_is_put_down_to_its_author_and_reason(visitor, editor):
    """Who and why are kept with it."""
    page = visitor.open(fragment="core.a")

    visitor.save(page, {"text:core.a": "x"}, comment="Why")

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
    assert page.one("li", class_="info").text == "Nothing changed yet."
    assert page.chosen("fragment") == "core.a"


@pytest.mark.case(44)
def test_a_save_of_nothing_is_no_save(visitor):
    """Nor is one that leaves every change for later; no revision is made of it."""
    page = visitor.save(visitor.open(fragment="core.a"), {"text:core.a": "x"}, take=[])

    assert page.box("core.a").raw == "x"
    assert history() == []


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


def test_a_scope_is_saved_over_what_stands_beneath_it(visitor):
    """The box shows the text of the whole installation; equal to it, no row is made."""
    services.save({"core.a": "For all"})
    page = visitor.open(fragment="core.a", scope="tenant.acme")
    assert page.box("core.a").raw == "For all"

    page = visitor.save(page, {"text:core.a": "For Acme"})

    assert rows() == {("", "core.a"): "For all", ("tenant.acme", "core.a"): "For Acme"}
    assert page.chosen("scope") == "tenant.acme"
    assert page.row("core.a").text == "core.a Changed"

    visitor.save(page, {"text:core.a": "For all"})

    assert rows() == {("", "core.a"): "For all"}


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
