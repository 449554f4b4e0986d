"""Discarding what was typed: asked first, and thought over without a loss."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from prompts_app import services
from prompts_app.declarations import Scenario, Scope, Variable
from tests.assembling import CORE, TASKS, fragment
from tests.pages import Page, Visitor
from tests.storing import everything

pytestmark = pytest.mark.django_db

DISCARD = "Discard changes…"
KEEP = "Keep editing"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare texts in two groups, a variable and two scenarios."""
    registry.register(
        CORE,
        TASKS,
        Scope("tenant.acme", label="Acme"),
        Variable("name", label="Name"),
        fragment("core.a", "Alpha", label="First", order=1),
        fragment("core.b", "Beta", label="Second", order=2),
        fragment("task.c", "For {{name}}", group="tasks", must_mention=("name",)),
        Scenario("plain", label="Plain", variables={"name": "Jo"}),
        Scenario("other", label="Other", variables={"name": "Kim"}),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def discard(visitor, texts, **query):
    """Return what comes of discarding *texts*, typed where *query* leads to."""
    page = visitor.open(**{"fragment": "core.a"} | query)
    return visitor.send(page, {f"text:{key}": t for key, t in texts.items()}, DISCARD)


def way_on(page):
    """Return text and address of the link that gives the texts up."""
    link = page.one("a", class_="prompts-button")
    return link.text, link.attributes["href"]


@pytest.mark.parametrize(
    ("texts", "number", "names"),
    [
        ({"core.a": "Mine"}, "1 change", ["First core.a"]),
        (
            {"core.a": "Mine", "core.b": ""},
            "2 changes",
            ["First core.a", "Second core.b"],
        ),
    ],
)
def test_what_would_go_is_named_and_counted(visitor, texts, number, names):
    """Nobody gives up a text without having read which."""
    page = discard(visitor, texts)

    assert page.one("h1").text == f"Discard {number}?"
    assert "The texts go back to what is saved." in page.form.text
    listed = page.all("li", page.form)
    assert [one.text for one in listed] == names
    assert way_on(page)[0] == f"Discard {number}"


def test_asking_writes_nothing(visitor):
    """Nothing was saved, so nothing has to be taken back."""
    services.save({"core.b": "Saved"})
    page = visitor.open(fragment="core.a")
    before = everything()

    with CaptureQueriesContext(connection) as caught:
        visitor.send(page, {"text:core.a": "Mine", "text:core.b": "x"}, DISCARD)

    assert everything() == before
    assert {query["sql"].split()[0] for query in caught} == {"SELECT"}
    assert "no-store" in visitor.answer.headers["Cache-Control"]


def test_the_way_on_leads_to_what_is_saved(visitor):
    """A plain link to the same view, with nothing typed in it."""
    services.save({"core.b": "Saved"}, scope="tenant.acme")
    query = {"scope": "tenant.acme", "scenario": "other", "level": "lean", "q": "e"}
    page = discard(visitor, {"core.b": "Mine"}, fragment="core.b", **query)

    answer = visitor.client.get(way_on(page)[1])

    assert answer.status_code == 200
    page = Page(answer.content.decode())
    assert page.box("core.b").raw == "Saved"
    assert page.one("span", role="status").text == ""
    assert {name: page.chosen(name) for name in query} == query
    assert page.chosen("fragment") == "core.b"


def test_from_the_start_view_it_leads_back_there(visitor):
    """Texts typed before are carried along as hidden fields."""
    page = visitor.send(
        visitor.open(fragment="core.a"), {"text:core.a": "Mine"}, ("fragment", "")
    )

    page = visitor.send(page, press=DISCARD)

    assert page.one("h1").text == "Discard 1 change?"
    assert "fragment=" not in way_on(page)[1]


def test_keeping_them_brings_everything_back(visitor):
    """Texts, ticks, reason, view and sample values."""
    query = {"scenario": "other", "level": "lean", "q": "e", "state": "built-in"}
    page = visitor.open(fragment="task.c", **query)
    page = visitor.review(page, {"text:task.c": "For all\r\n", "value:name": "Lou"})
    ticks = {"confirm:task.c": "name", "comment": "Why"}
    page = visitor.send(page, ticks, "Back to editing")
    page = visitor.send(page, press=DISCARD)

    page = visitor.send(page, press=KEEP)

    assert page.box("task.c").raw == "For all\n"
    assert page.fields()["confirm:task.c"] == ["name"]
    assert page.fields()["value:name"] == ["Lou"]
    assert page.chosen("comment") == "Why"
    assert {name: page.chosen(name) for name in query} == query


@pytest.mark.case(32)
def test_a_text_whose_fragment_is_gone_is_named_and_kept_too(visitor, declared):
    """It goes by its key, and comes back when the rest does."""
    extra = declared.register(fragment("core.z", "Zeta"))
    page = visitor.open(fragment="core.z")
    extra.remove()
    page = visitor.send(page, {"text:core.a": "Mine", "text:core.z": "\r\nYours"})
    page = visitor.send(page, press=DISCARD)
    assert [one.text for one in page.all("li", page.form)] == [
        "First core.a",
        "core.z core.z",
    ]

    page = visitor.send(page, press=KEEP)

    assert page.box("core.z").raw == "\nYours"
    assert page.fields()["text:core.a"] == ["Mine"]


def test_where_nothing_was_typed_nothing_is_asked(visitor):
    """The page comes back as it was looked at."""
    page = visitor.send(visitor.open(fragment="core.b", q="e"), press=DISCARD)

    assert visitor.answer.redirect_chain[0][1] == 302
    assert page.chosen("fragment") == "core.b"
    assert page.chosen("q") == "e"
