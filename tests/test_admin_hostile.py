"""Markup and braces in whatever the pages show: read as text, never run or filled."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.declarations import Group, Scenario, Scope, Variable
from tests.assembling import fragment
from tests.factories import OverrideFactory, UserFactory
from tests.pages import Page, Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.case(83, 84)]

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</textarea><script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "\"><img src=x onerror='alert(1)'>",
    "{0} {x} %s %(name)s {% now %}",
    "<!-- & &lt; -->",
)


@pytest.fixture(params=HOSTILE)
def hostile(request):
    """Return a text that would do harm if it were taken for anything but text."""
    return request.param


@pytest.fixture(autouse=True)
def declared(registry, hostile):
    """Declare fragments, variables and scenarios that are called by that text."""
    registry.register(
        Group("core", label=hostile, order=1, role="preamble"),
        Scope("tenant.acme", label=hostile),
        Variable("name", label=hostile, description=hostile, example=hostile),
        Variable("flag", label="Flag"),
        fragment("core.a", "Hi {{name}}", label=hostile, hint=hostile, order=1),
        fragment("core.b", hostile, label=hostile, hint=hostile, order=2),
        fragment("core.c", "{{name}}", label=hostile, must_mention=("name",)),
        fragment("core.out", hostile, label=hostile, requires=("flag",)),
        Scenario("odd", label=hostile, variables={"name": hostile}, authored=hostile),
        Scenario("same", label=hostile, variables={}, include=("core.b",)),
    )
    return registry


@pytest.fixture
def visitor():
    """Return an editor who goes by that text as well."""
    user = UserFactory(username="editor", is_superuser=True)
    return Visitor(user)


def harmless(page, hostile):
    """Return how often a page shows *hostile*, having looked for what it would do."""
    assert page.all("img") == []
    for script in page.all("script"):
        data = script.attributes.get("type") == "application/json"
        assert data or (script.attributes.get("src") and not script.raw.strip())
    named = [name for one in page.elements for name in one.attributes]
    assert [name for name in named if name.startswith("on")] == []
    shown = " ".join(hostile.split())
    return page.one("body").text.count(shown)


def review(visitor, hostile, **query):
    """Return the review of changes that say the same."""
    page = visitor.open(fragment="core.a", **query)
    texts = {"core.a": f"{hostile} {{{{name}}}}", "core.b": "", "core.c": hostile}
    fields = {f"text:{key}": text for key, text in texts.items()}
    return visitor.review(page, {**fields, "value:name": hostile})


def test_the_review_shows_it(visitor, hostile):
    """In labels, hints, texts, meanings, scenarios and the scope's name."""
    page = review(visitor, hostile, scope="tenant.acme")

    assert harmless(page, hostile) > 12
    assert page.one("h1").text == f"Review 3 changes for {' '.join(hostile.split())}"
    assert page.fields()["text:core.c"] == [hostile]
    assert page.fields()["value:name"] == [hostile]


def test_a_refused_review_and_a_saved_one_show_it(visitor, hostile):
    """So do the reason, the message and the page after it."""
    page = review(visitor, hostile)
    page = visitor.send(page, {"comment": hostile}, ("_save", ""))
    assert harmless(page, hostile) > 12
    assert page.chosen("comment") == hostile

    page = visitor.send(page, {"confirm:core.c": "name"}, ("_save", ""))

    assert page.one("li", class_="success").text.startswith("3 changes saved.")
    assert harmless(page, hostile) > 4
    assert services.resolve("core.c") == hostile
    start = visitor.open()
    latest = start.one("ul", class_="prompts-latest")
    assert " ".join(hostile.split()) in latest.text
    assert harmless(start, hostile) > 4


def test_three_texts_side_by_side_show_it(visitor, hostile):
    """All of them, with the name of who saved and what the cards fill in."""
    page = visitor.open(fragment="core.b")
    other = UserFactory(username=hostile, is_superuser=True)
    services.save({"core.b": f"{hostile} theirs"}, author=other)

    page = visitor.review(page, {"text:core.b": f"{hostile} mine"})

    assert harmless(page, hostile) > 6
    cards = page.all("input", name="choice")
    texts = {one.attributes["value"]: one.attributes["data-text"] for one in cards}
    assert texts["mine"] == f"{hostile} mine"
    assert texts["theirs"] == f"{hostile} theirs"
    assert page.one("textarea", name="result").raw == f"{hostile} mine"
    assert page.all("pre")[0].raw == hostile

    page = visitor.send(page, {"result": f"{hostile}!"}, ("_decided", "core.b"))

    assert page.fields()["text:core.b"] == [f"{hostile}!"]


def test_a_text_of_no_fragment_is_carried_as_text(visitor, hostile):
    """Its key can be anything that a form sends."""
    page = Page(visitor.post({f"text:{hostile}": hostile}, "discard").text)

    assert harmless(page, hostile) == 2

    page = visitor.send(page, press="Keep editing")

    assert harmless(page, hostile) > 2
    assert page.box(hostile).raw == hostile


def test_what_was_found_is_marked_as_text(visitor, hostile):
    """The search, its hits and the sentence about them."""
    OverrideFactory(key="core.gone", text=hostile)
    q = hostile[:20].strip()

    page = visitor.open(q=q)

    assert harmless(page, hostile) > 2
    assert page.one("p", class_="prompts-hits").text.endswith(
        f"contain “{' '.join(q.split())}”"
    )
    assert page.chosen("q") == q

    page = visitor.open(q=f"{hostile}{hostile}")

    assert harmless(page, hostile) > 0
    assert "Nothing contains “" in page.one("p", class_="prompts-hits").text


def test_parts_for_a_script_show_it(visitor, hostile):
    """What is put into a page later is as harmless as the page."""
    fields = {"fragment": "core.a", "text:core.a": f"{hostile}{{{{name}}}}"}
    parts = ["output", "samples", "legend", "note", "comparison", "list"]

    told = visitor.post({**fields, "parts": parts}, "preview").json()

    html = "".join(told[part] for part in parts)
    page = Page(f"<body>{html}</body>")
    assert harmless(page, hostile) > 8


@pytest.mark.parametrize("form", ["markdown", "request"])
def test_the_other_forms_of_the_preview_show_it(visitor, hostile, form):
    """Rendered it may read differently, in a request it is escaped; it does no harm."""
    page = visitor.open(fragment="core.a", scenario="odd", show=form)
    fields = {"text:core.a": f"{hostile} {{{{name}}}}", "value:name": hostile}

    assert harmless(visitor.send(page, fields), hostile) > 12


def test_two_sides_show_it(visitor, hostile):
    """In labels, texts, values, scenarios and the scope's name."""
    page = visitor.open(fragment="core.a", scope="tenant.acme", scenario="odd")
    fields = {"text:core.a": f"{hostile} {{{{name}}}}", "value:name": hostile}

    page = visitor.send(page, fields, "Side by side")

    assert harmless(page, hostile) > 12
    back = visitor.send(page, press="Back to editing")
    assert back.box("core.a").raw == fields["text:core.a"]
