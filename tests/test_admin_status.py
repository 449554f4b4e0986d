"""What the start view tells of the store, and the button that has it read anew."""

from __future__ import annotations

import pytest
from django.db import connections
from django.test import Client

from prompts_app import services
from prompts_app.overrides import snapshots
from tests.assembling import CORE, fragment
from tests.factories import UserFactory
from tests.pages import Visitor, address
from tests.storing import rows, version

pytestmark = pytest.mark.django_db

HEALTHY = "The saved texts are read from the database."
MESSAGE = "Every process reads texts and sources anew when it next asks."


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def status(page):
    """Return what is said of the store, line by line."""
    lines = page.all("li", page.one("ul", class_="prompts-status"))
    return [one.text for one in lines]


def test_the_last_revision_is_named(visitor, editor):
    """Its number, when, and who."""
    services.save({"core.a": "One"})
    services.save({"core.a": "Two"}, author=editor)

    last, state = status(visitor.open())

    assert last.startswith("Last revision: 2, ")
    assert last.endswith(", editor")
    assert state == HEALTHY


def test_code_has_no_name(visitor):
    """A dash stands for whoever ran it."""
    services.save({"core.a": "One"})

    assert status(visitor.open())[0].endswith(", –")


def test_before_the_first_save_there_is_none(visitor):
    """The store is told of all the same."""
    assert status(visitor.open()) == [HEALTHY]


def test_who_may_not_see_history_is_told_no_revision():
    """Who saved what takes a right of its own."""
    services.save({"core.a": "One"})
    reader = UserFactory(permissions=["prompts_app.view_override"])

    assert status(Visitor(reader).open()) == [HEALTHY]


def test_ignored_texts_are_told_of(visitor, settings):
    """Beside the banner above the page."""
    settings.PROMPTS_APP_IGNORE_OVERRIDES = True

    assert status(visitor.open()) == [
        "Saved texts are ignored; the defaults are in force."
    ]


def test_last_known_texts_are_told_of(visitor, monkeypatch):
    """The database did not answer when the texts were asked for."""
    degraded = snapshots.Snapshot(degraded=True)
    monkeypatch.setattr("prompts_app.admin.desk.current", lambda alias: degraded)

    page = visitor.open()

    said = "The database did not answer. These are the last known texts."
    assert status(page) == [said]
    assert page.one("li", class_="warning").text == said


@pytest.mark.case(66)
@pytest.mark.parametrize("site", ["admin", "ops"])
def test_the_button_makes_every_process_read_anew(editor, site):
    """The store gets another version, and no text of it another word."""
    services.save({"core.a": "One"})
    visitor = Visitor(editor, site)
    before, texts = version(), rows()

    page = visitor.send(visitor.open(), press="Read everything anew")

    assert page.one("li", class_="success").text == MESSAGE
    assert version() != before
    assert rows() == texts
    assert page.form.attributes["action"] == address(site=site)


@pytest.mark.case(66)
def test_rows_that_came_past_every_writer_are_read_then(visitor):
    """What other SQL has written is seen after the button."""
    services.save({"core.a": "One"})
    services.assemble()
    with connections["default"].cursor() as cursor:
        cursor.execute("UPDATE prompts_app_override SET text = 'Two'")
    before = services.resolve("core.a")

    visitor.send(visitor.open(), press="Read everything anew")

    assert (before, services.resolve("core.a")) == ("One", "Two")


def test_typed_texts_are_still_there_afterwards(visitor):
    """The button is one of the page's form."""
    page = visitor.open(fragment="core.a")
    start = visitor.send(page, {"text:core.a": "Typed"}, ("fragment", ""))

    page = visitor.send(start, press="Read everything anew")

    assert page.fields()["text:core.a"] == ["Typed"]
    assert page.one("li", class_="success").text == MESSAGE


def test_who_may_only_read_has_no_button(viewer):
    """And a form of one's own is refused."""
    services.save({"core.a": "One"})
    before = version()
    visitor = Visitor(viewer)

    page = visitor.open()

    assert not any(
        "reload" in one.attributes.get("formaction", "") for one in page.all("button")
    )
    assert visitor.post({"scope": ""}, "reload").status_code == 403
    assert version() == before


def test_it_comes_by_post_with_a_token(editor):
    """Neither a link nor a form from elsewhere does it."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(editor)

    statuses = [
        client.get(address("reload")).status_code,
        client.post(address("reload"), {"scope": ""}).status_code,
    ]

    assert statuses == [302, 403]
    assert version() is None
