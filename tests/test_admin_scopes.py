"""Scopes on the page: which there are, how to get there, and what a text stands over."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType

from prompts_app import services
from prompts_app.declarations import Scope
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory, UserFactory
from tests.pages import Visitor
from tests.storing import everything, rows

pytestmark = pytest.mark.django_db

OF_SCOPE = "auth.edit_tenant"
SHOW = ("_scope", "chosen")
WHOLE = ("_scope", "")


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a few texts, two scopes, and what one of them says otherwise."""
    registry.register(
        CORE,
        Scope("tenant.acme", label="Acme"),
        Scope("agent.clerk", label="the clerk", permission=OF_SCOPE),
        fragment("core.a", "Alpha"),
        fragment("core.b", "Beta"),
    )
    registry.register(fragment("core.b", "Beta of Acme"), scope="tenant.acme")
    registry.register(fragment("core.only", "Only here"), scope="tenant.acme")
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def offered(page):
    """Return keys and labels of the scopes one may go to."""
    select = page.one("select", name="to_scope")
    options = page.all("option", select)
    return [(one.attributes["value"], one.text) for one in options]


def notices(page, key):
    """Return what the editor of *key* says in grey."""
    said = page.all("p", page.editor(key), class_="prompts-notice")
    return [one.text for one in said if "hidden" not in one.attributes]


def test_every_scope_that_is_declared_or_in_use_can_be_chosen(visitor):
    """The whole installation first, then the declared, then those with rows."""
    OverrideFactory(scope="model.small-3", key="core.a")
    OverrideFactory(scope="No Scope", key="core.a")
    OverrideFactory(scope="tenant.acme", key="core.a")

    page = visitor.open(scope="language.pt")

    assert offered(page) == [
        ("", "the whole installation"),
        ("tenant.acme", "Acme"),
        ("agent.clerk", "the clerk"),
        ("language.pt", "language.pt"),
        ("model.small-3", "model.small-3"),
    ]
    assert page.chosen("to_scope") == page.chosen("scope") == "language.pt"


def test_where_there_is_one_scope_there_is_nothing_to_choose(visitor, declared):
    """The title says whom the texts are for."""
    declared._registry = {}
    declared.register(CORE, fragment("core.a", "Alpha"))

    page = visitor.open()

    assert not page.has("select", name="to_scope")
    assert page.one("h1").text == "Prompt fragments for the whole installation"


def test_another_scope_is_shown_in_the_same_view(visitor):
    """Fragment, scenario, level and search go along, and nothing is written."""
    services.save({"core.a": "For Acme"}, scope="tenant.acme")
    before = everything()
    page = visitor.open(fragment="core.a", scenario="", level="lean", q="a")

    page = visitor.send(page, {"to_scope": "tenant.acme"}, SHOW)

    assert page.box("core.a").raw == "For Acme"
    view = {"scope": "tenant.acme", "scenario": "", "level": "lean", "q": "a"}
    assert {name: page.chosen(name) for name in view} == view
    assert everything() == before


def test_with_unsaved_texts_one_is_asked_first(visitor):
    """The texts are named, with whom they are for and where one was going."""
    page = visitor.open(fragment="core.a", scope="tenant.acme")

    page = visitor.send(page, {"text:core.a": "Mine", "to_scope": "agent.clerk"}, SHOW)

    assert page.one("h1").text == "1 unsaved change for Acme"
    assert "before going on to the clerk." in page.html
    assert [one.text for one in page.all("li", page.form)] == ["core.a core.a"]
    assert rows() == {}


def test_unsaved_texts_can_be_kept(visitor):
    """The page of the scope comes back with them."""
    page = visitor.open(fragment="core.a", scope="tenant.acme")
    page = visitor.send(page, {"text:core.a": "Mine", "to_scope": ""}, SHOW)

    page = visitor.send(page, press="Keep editing")

    assert page.box("core.a").raw == "Mine"
    assert page.chosen("scope") == "tenant.acme"


def test_unsaved_texts_can_be_saved_on_the_way(visitor):
    """They go through the review, into the scope that they were written for."""
    page = visitor.open(fragment="core.a", scope="tenant.acme")
    page = visitor.send(page, {"text:core.a": "Mine", "to_scope": ""}, SHOW)

    visitor.save(page)

    assert rows() == {("tenant.acme", "core.a"): "Mine"}


def test_unsaved_texts_can_be_discarded_on_the_way(visitor):
    """A plain link leads to the other scope."""
    page = visitor.open(fragment="core.a", scope="tenant.acme")
    page = visitor.send(page, {"text:core.a": "Mine", "to_scope": "agent.clerk"}, SHOW)
    (link,) = page.all("a", page.form, class_="is-danger")

    assert link.text == "Discard 1 change"
    assert "scope=agent.clerk" in link.attributes["href"]
    assert link.attributes["href"].endswith("#core.a")


def test_the_scope_one_is_in_costs_no_question(visitor):
    """Texts that were typed stay in their boxes."""
    page = visitor.open(fragment="core.a", scope="tenant.acme")

    page = visitor.send(page, {"text:core.a": "Mine"}, SHOW)

    assert page.box("core.a").raw == "Mine"
    assert page.chosen("scope") == "tenant.acme"


@pytest.mark.parametrize("scope", ["acme", "../x", "chosen"])
def test_what_is_no_scope_is_a_bad_request(visitor, scope):
    """Wherever a button says it leads."""
    assert visitor.post({"_scope": "chosen", "to_scope": scope}).status_code == 400
    assert visitor.post({"_scope": scope, "to_scope": "x"}).status_code == 400


def test_a_scoped_text_shows_what_it_stands_over(visitor):
    """In words, with a way there, and in the comparison."""
    services.save({"core.a": "For all"})
    services.save({"core.a": "For Acme"}, scope="tenant.acme")

    page = visitor.open(fragment="core.a", scope="tenant.acme")

    assert notices(page, "core.a") == [
        "Stands over the text for the whole installation. Show it"
    ]
    fold = page.one("details", page.editor("core.a"), data_comparison=None)
    assert page.one("del", fold).text == "all"
    assert visitor.send(page, press=WHOLE).box("core.a").raw == "For all"


@pytest.mark.parametrize("text", ["", "For all"])
def test_without_a_row_it_is_as_for_the_whole_installation(visitor, text):
    """Built-in, also where the text beneath is changed or off."""
    services.save({"core.a": text})

    page = visitor.open(fragment="core.a", scope="tenant.acme")

    assert notices(page, "core.a") == ["As for the whole installation. Show it"]
    assert "Built-in" in page.row("core.a").text


def test_what_the_software_says_for_a_scope_is_told_apart(visitor):
    """It stands in place of the text for the whole installation, if there is one."""
    page = visitor.open(fragment="core.b", scope="tenant.acme")

    (said,) = notices(page, "core.b")
    assert said.startswith("The software has a text of its own here, in place of that")
    assert notices(page, "core.only") == []
    assert notices(visitor.open(fragment="core.b"), "core.b") == []


def test_a_scope_without_its_right_is_read_only(declared):
    """There is no save bar, and the page says so once."""
    user = UserFactory(
        permissions=("prompts_app.view_override", "prompts_app.change_override")
    )
    page = Visitor(user).open(fragment="core.a", scope="agent.clerk")

    assert "You can read these texts but not change them." in page.html
    assert "readonly" in page.box("core.a").attributes
    assert not page.has("button", data_review=None)

    kind = ContentType.objects.get_for_model(User)
    codename = OF_SCOPE.removeprefix("auth.")
    right = Permission.objects.create(codename=codename, content_type=kind, name="x")
    user.user_permissions.add(right)

    assert Visitor(user).open(scope="agent.clerk").has("button", data_review=None)
