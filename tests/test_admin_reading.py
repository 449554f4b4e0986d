"""The preview as text, as rendered Markdown, and as request bodies."""

from __future__ import annotations

import json
import sys

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from prompts_app import messages, services
from prompts_app.declarations import Lifetime, Scenario, Tool, Variable, object_schema
from tests.assembling import CORE, SEAM, fragment, hooked
from tests.pages import Visitor
from tests.storing import everything

pytestmark = pytest.mark.django_db

SEARCH = Tool("search", description="Sucht – überall.", parameters=object_schema({}))
APIS = ["Anthropic Messages", "OpenAI Responses", "OpenAI Chat Completions"]


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a prompt with Markdown in it, a tool, and an authored prompt."""
    registry.register(
        CORE,
        SEAM,
        Variable("name", label="Name", example="Ines", lifetime=Lifetime.TURN),
        fragment("core.a", "## Größe\n\n- *one*\n- two", label="Size", order=1),
        fragment("core.b", "Hello {{name}}.", order=2),
        fragment("seam.lead", "Then:", group="seam", order=5),
        Scenario("plain", label="Plain chat", variables={"name": "Jo"}),
        Scenario(
            "full",
            label="Full chat",
            variables={"name": "Kim"},
            tools=(SEARCH,),
            authored="Authored",
        ),
        Scenario("blank", label="Blank", include=("core.none",), variables={}),
        Scenario("nothing", label="Nothing", include=("no_group",), variables={}),
    )
    return registry


@pytest.fixture
def visitor(viewer):
    """Return somebody who may look at the page."""
    return Visitor(viewer)


def markdown(page, key):
    """Return a passage as it is rendered."""
    return page.one(
        "div", page.one("div", data_passage_of=key), class_="prompts-markdown"
    )


def bodies(page):
    """Return the request body of each API, by its heading."""
    return {
        page.one("h3", body).text: json.loads(page.one("pre", body).raw)
        for body in page.all("div", class_="prompts-body")
    }


@pytest.mark.parametrize("show", ["", "text", "html", "Markdown", "\0"])
def test_it_is_text_unless_another_form_is_asked_for(visitor, show):
    """What is no form of the preview asks for none."""
    page = visitor.open(show=show)

    assert page.chosen("show") == "text"
    assert page.passages()["core.a"] == "## Größe\n\n- *one*\n- two"
    assert not page.has("div", class_="prompts-markdown")
    assert bodies(page) == {}


def test_the_three_forms_are_offered(visitor):
    """By a choice among those of the preview."""
    select = (page := visitor.open()).one("select", name="show")

    assert [one.text for one in page.all("option", select)] == [
        "Text",
        "Markdown",
        "Request",
    ]


def test_markdown_is_rendered_passage_by_passage(visitor):
    """Each beside the name that leads to its fragment."""
    page = visitor.open(show="markdown", scenario="full")

    assert page.chosen("show") == "markdown"
    size = markdown(page, "core.a")
    assert page.one("p", size, class_="is-h2").text == "Größe"
    assert [one.text for one in page.all("li", size)] == ["one", "two"]
    assert markdown(page, "core.b").text == "Hello Kim."
    assert markdown(page, "").text == "Authored"
    names = [one.text for one in page.all("button", data_key="core.a", name="fragment")]
    assert names[-1] == "Size"


def test_markdown_shows_the_unsaved_text(visitor):
    """As it would be sent, without what was removed."""
    page = visitor.preview({"text:core.a": "**Mine**", "show": "markdown"})

    assert page.one("strong", markdown(page, "core.a")).text == "Mine"
    assert "one" not in markdown(page, "core.a").text


def test_a_passage_that_cannot_be_rendered_is_shown_as_text(visitor):
    """Beside the others; nothing of it is left out."""
    deep = ">" * 30 + "x"

    page = visitor.preview({"text:core.a": deep, "show": "markdown"})

    passage = page.one("div", data_passage_of="core.a")
    assert page.one("ins", passage).raw.endswith(deep)
    assert markdown(page, "core.b").text == "Hello Jo."


def test_without_its_libraries_markdown_is_not_offered(visitor, monkeypatch):
    """A link that asks for it shows text."""
    monkeypatch.setitem(sys.modules, "nh3", None)

    page = visitor.open(show="markdown")

    assert page.chosen("show") == "text"
    select = page.one("select", name="show")
    assert [one.text for one in page.all("option", select)] == ["Text", "Request"]
    assert page.passages()["core.b"] == "Hello Jo."


def test_the_bodies_are_those_of_this_assembly(visitor):
    """To the last character what the calls make of it, in the order they give."""
    text = "Größe\t\"x\" \\ <b>{{name}}</b>\n  'cache_control': {"
    page = visitor.preview({"text:core.a": text, "show": "request", "scenario": "full"})
    assembly = services.assemble(
        overrides={"core.a": text}, variables={"name": "Kim"}, tools=(SEARCH,)
    )

    model = {"model": "chosen by the caller"}
    expected = [
        messages.anthropic(assembly, authored="Authored"),
        messages.openai(assembly, authored="Authored", ttl="30m"),
        messages.openai(assembly, authored="Authored", api="chat", ttl="30m"),
    ]
    told = {api: model | body for api, body in zip(APIS, expected, strict=True)}
    assert bodies(page) == told
    for body in page.all("div", class_="prompts-body"):
        read = page.one("pre", body).raw
        whole = told[page.one("h3", body).text]
        assert read == json.dumps(whole, ensure_ascii=False, indent=2)


def test_what_an_api_keeps_in_its_cache_is_marked(visitor):
    """A text or a value that only looks like a breakpoint is not."""
    fields = {
        "text:core.a": 'x\n"cache_control": {\n}',
        "show": "request",
        "scenario": "full",
    }

    page = visitor.preview(fields)
    marked = [
        [one.text for one in page.all("mark", body)]
        for body in page.all("div", class_="prompts-body")
    ]

    explicit = '"prompt_cache_breakpoint": { "mode": "explicit", "ttl": "30m" }'
    assert [len(one) for one in marked] == [2, 3, 3]
    assert set(marked[0]) == {'"cache_control": { "type": "ephemeral" }'}
    for of_openai in marked[1:]:
        assert of_openai[:2] == [explicit, explicit]
        assert of_openai[2].startswith('"prompt_cache_key": ')


def test_what_the_caller_adds_is_said(visitor):
    """No model is invented."""
    page = visitor.open(show="request")

    assert {body["model"] for body in bodies(page).values()} == {"chosen by the caller"}
    assert "The caller chooses the model and adds the conversation" in page.html


def test_a_request_that_cannot_be_made_is_told(visitor, declared):
    """Two tools of one name are refused by the APIs, and the page stands."""
    hooked(declared, lambda draft: draft.tools.append(draft.tools[0]))

    page = visitor.open(show="request", scenario="full")

    said = [one.text for one in page.all("p", class_="errornote")]
    assert len(said) == 3
    assert all(one.startswith("This request could not be made.") for one in said)
    assert all("search" in one for one in said)
    assert "The caller chooses" in page.html


@pytest.mark.parametrize("show", ["text", "markdown", "request"])
def test_a_prompt_that_cannot_be_assembled_is_told_in_every_form(visitor, show):
    """There is nothing to show in its place."""
    page = visitor.open(show=show, scenario="blank")

    assert "core.none" in page.one("p", class_="errornote").text
    assert page.chosen("show") == show


@pytest.mark.parametrize("show", ["text", "markdown", "request"])
def test_an_empty_prompt_is_said_in_every_form(visitor, show):
    """No request is shown that nobody would make."""
    page = visitor.open(show=show, scenario="nothing")

    assert "Nothing would be sent in this scenario." in page.html
    assert bodies(page) == {}


def test_the_form_stays_through_review_and_save(editor):
    """It comes back with the texts, and with the page after a save."""
    visitor = Visitor(editor)
    page = visitor.open(show="markdown", fragment="core.a")

    review = visitor.review(page, {"text:core.a": "Mine"})
    back = visitor.send(review, press="Back to editing")
    saved = visitor.save(back)

    assert back.chosen("show") == saved.chosen("show") == "markdown"


@pytest.mark.parametrize("show", ["markdown", "request"])
def test_no_form_asks_more_of_the_database_than_another(visitor, show):
    """And none writes."""
    visitor.open()
    before = everything()

    def asked(form):
        with CaptureQueriesContext(connection) as caught:
            visitor.preview({"show": form, "text:core.a": "x"})
        return len(caught)

    assert asked(show) == asked("text")
    assert everything() == before


def test_of_a_huge_prompt_the_beginning_is_rendered(visitor, declared, settings):
    """What is over the room of one answer is shown as text, and nothing is left out."""
    settings.PROMPTS_APP_MAX_FRAGMENT_CHARS = 20_000
    declared.register(
        *(
            fragment(f"core.n{n}", "*a* " * 4_000, label=f"N {n}", order=3)
            for n in range(6)
        )
    )

    page = visitor.open(show="markdown")

    shown = [
        bool(page.all("div", one, class_="prompts-markdown"))
        for one in page.all("div", data_passage_of=None)
    ]
    assert shown == [True] * 5 + [False] * 3
