"""From the review back to the page: everything that was typed and chosen is there."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from prompts_app.declarations import Scenario, Variable
from tests.assembling import CORE, TASKS, fragment
from tests.pages import Visitor
from tests.storing import rows

pytestmark = pytest.mark.django_db

SAVE = ("_save", "")
BACK = "Back to editing"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two groups of texts, some of which have to mention a variable."""
    registry.register(
        CORE,
        TASKS,
        Variable("name", label="Name"),
        Variable("question", label="Question"),
        fragment("core.a", "Alpha {{name}}", label="First", order=1),
        fragment("core.b", "Beta", label="Second", order=2),
        fragment(
            "task.c", "Ask {{question}}", group="tasks", must_mention=("question",)
        ),
        fragment("task.d", "Title {{name}}", group="tasks", must_mention=("name",)),
        Scenario("plain", label="Plain", variables={"name": "Jo"}),
        Scenario("other", label="Other", variables={"name": "Kim"}),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def review(visitor, texts, **query):
    """Return the review of *texts*, typed on the page that *query* asks for."""
    fields = {f"text:{key}": text for key, text in texts.items()}
    return visitor.review(visitor.open(**{"fragment": "core.a"} | query), fields)


def is_review(page):
    """Return whether a page is the review."""
    return page.form.attributes.get("id") == "prompts-review"


def ticks(page):
    """Return the changes that are ticked."""
    boxes = page.all("input", name="take")
    return [one.attributes["value"] for one in boxes if "checked" in one.attributes]


def test_a_review_of_nothing_says_that_nothing_changed(visitor):
    """The page comes back as it was looked at."""
    page = visitor.open(fragment="core.b", q="beta", state="built-in", scenario="")

    page = visitor.review(page)

    assert page.one("li", class_="info").text == "Nothing changed yet."
    ((target, _),) = visitor.answer.redirect_chain
    assert parse_qs(urlsplit(target).query, keep_blank_values=True) == {
        "fragment": ["core.b"],
        "q": ["beta"],
        "state": ["built-in"],
        "scenario": [""],
        "level": ["detailed"],
    }
    assert page.chosen("scenario") == ""


def test_enter_in_the_field_for_the_reason_saves_nothing(visitor):
    """The form's first button shows the review again, as it was left."""
    page = review(visitor, {"core.a": "Mine", "task.c": "Ask"}, fragment="task.c")
    first = page.all("button", page.form, type="submit")[0]
    assert first.text == "Update"

    page = visitor.send(
        page,
        {"comment": "Why", "take": ["task.c"], "confirm:task.c": "question"},
        "Update",
    )

    assert is_review(page)
    assert rows() == {}
    assert ticks(page) == ["task.c"]
    assert page.chosen("comment") == "Why"
    assert page.fields()["confirm:task.c"] == ["question"]
    assert not page.has("p", role="alert")


def test_back_to_editing_brings_everything_back(visitor):
    """Texts, ticks, reason, sample values, scenario, level, filter and search."""
    query = {"scenario": "other", "level": "lean", "q": "e", "state": "built-in"}
    page = visitor.open(fragment="task.c", **query)
    page = visitor.send(page, {"text:core.b": "Mine", "value:name": "two\r\nlines"})
    typed = {"text:task.c": "  Ask\r\n\r\n", "text:task.d": "\r\nTitle"}
    page = visitor.review(page, typed)

    page = visitor.send(page, {"comment": "Why", "confirm:task.c": "question"}, BACK)

    assert rows() == {}
    assert page.box("task.c").raw == "  Ask\n\n"
    assert page.box("task.d").raw == "\nTitle"
    assert page.fields()["text:core.b"] == ["Mine"]
    assert page.fields()["value:name"] == ["two\r\nlines"]
    assert page.passages()["core.a"] == "Alpha two\nlines"
    assert {name: page.chosen(name) for name in query} == query
    assert page.chosen("fragment") == "task.c"
    assert page.one("span", role="status").text == "3 unsaved changes"

    page = visitor.review(page)

    assert page.chosen("comment") == "Why"
    assert page.fields()["confirm:task.c"] == ["question"]


def test_a_change_can_be_edited_from_the_review(visitor):
    """Its text opens, and all others stay typed."""
    page = review(visitor, {"core.a": "Mine", "core.b": "Yours"})

    page = visitor.send(page, {"comment": "Why"}, "Edit Second")

    assert page.chosen("fragment") == "core.b"
    assert page.box("core.a").raw == "Mine"
    assert page.box("core.b").raw == "Yours"
    assert page.chosen("comment") == "Why"
    assert rows() == {}


def test_a_fault_sends_to_the_page_with_the_text_in_view(visitor):
    """Before any review; the caret's place is the browser's to find."""
    page = visitor.send(
        visitor.open(fragment="core.a"), {"text:core.a": "one\n\0"}, "task.d"
    )

    page = visitor.review(page, {"text:task.d": "Title", "text:task.c": "Ask"})

    assert page.chosen("fragment") == "core.a"
    assert page.box("core.a").raw == "one\n\0"
    assert page.one("p", role="alert").text == (
        "1 text has to be corrected before it can be saved."
    )
    assert page.problems("core.a") != []
    assert page.fields()["text:task.d"] == ["Title"]
    assert [one.text for one in page.all("button", data_filter="problems")] == [
        "Problems1"
    ]


def test_a_fault_that_only_the_save_meets_sends_to_the_page_too(visitor, settings):
    """A limit may have been lowered while the review was read."""
    page = review(visitor, {"core.a": "x" * 300, "core.b": "Yours"})
    settings.PROMPTS_APP_MAX_FRAGMENT_CHARS = 200

    page = visitor.send(page, {"comment": "Why"}, SAVE)

    assert rows() == {}
    assert page.problems("core.a") != []
    assert page.box("core.a").raw == "x" * 300
    assert page.box("core.b").raw == "Yours"

    page = visitor.review(page, {"text:core.a": "short"})

    assert page.chosen("comment") == "Why"


def test_a_fragment_that_goes_during_the_review_keeps_its_text(visitor, declared):
    """It is shown on the page, where it can be copied or given up."""
    extra = declared.register(fragment("core.z", "Zeta"))
    page = review(visitor, {"core.a": "Mine", "core.z": "Yours"})
    extra.remove()

    page = visitor.send(page, press=SAVE)

    assert rows() == {}
    assert page.box("core.z").raw == "Yours"
    said = [one.text for one in page.all("p", class_="prompts-problem")]
    assert said[0].startswith("There is no fragment core.z any more.")
    assert page.box("core.a").raw == "Mine"
