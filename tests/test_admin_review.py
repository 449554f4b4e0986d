"""The review: each change with its words and what has to be known; nothing is saved."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from prompts_app import services
from prompts_app.declarations import Scenario, Scope, Variable
from tests.assembling import CORE, TASKS, fragment
from tests.factories import OverrideFactory
from tests.pages import Visitor
from tests.storing import everything

pytestmark = pytest.mark.django_db

HELLO = "Hello {{name}}, how are you?"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a prompt, a task, a scope and a scenario."""
    registry.register(
        CORE,
        TASKS,
        Scope("tenant.acme", label="Acme"),
        Variable("name", label="Name"),
        Variable("question", label="The first message"),
        fragment("core.a", HELLO, label="Greeting", hint="Opens it.", order=1),
        fragment("core.b", "Beta", label="Second", order=2),
        fragment(
            "task.t",
            "Title for {{question}}",
            label="Title",
            group="tasks",
            must_mention=("question",),
        ),
        Scenario("plain", label="Plain chat", variables={"name": "Jo"}),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def review(visitor, texts, **query):
    """Return the review of *texts*, typed on the page that *query* asks for."""
    fields = {f"text:{key}": text for key, text in texts.items()}
    return visitor.review(visitor.open(**query), fields)


def change(page, key):
    """Return the part of the review that is about one text."""
    article = page.one("h2", id=f"change:{key}").parent
    assert article.tag == "article"
    return article


def words(page, within):
    """Return what is removed and added in a difference."""
    pre = page.one("pre", within)
    kinds = ("del", "ins")
    return tuple([one.raw for one in page.all(kind, pre)] for kind in kinds)


def asides(page):
    """Return the quiet sentences of the review."""
    return [one.text for one in page.all("p", class_="prompts-aside")]


def test_a_change_shows_its_states_its_sizes_and_its_words(visitor):
    """Under the label and the key, with a box that is ticked."""
    page = review(visitor, {"core.a": "Hello {{name}}, how do you do?"})

    article = change(page, "core.a")
    assert page.one("h2", article).text == "Greeting core.a"
    badges = [one.text for one in page.all("span", article, class_="prompts-badge")]
    assert badges == ["Built-in", "Changed"]
    assert "28 → 30 characters" in article.text
    assert words(page, article) == (["are you"], ["do you do"])
    assert page.one("pre", article).raw == "Hello {{name}}, how do you do?"
    tick = page.one("input", article, name="take")
    assert tick.attributes["value"] == "core.a"
    assert "checked" in tick.attributes


@pytest.mark.parametrize(
    ("saved", "typed", "states"),
    [
        (None, "Mine", ["Built-in", "Changed"]),
        (None, "", ["Built-in", "Off"]),
        ("Mine", "Other", ["Changed", "Changed"]),
        ("Mine", "  Beta\n", ["Changed", "Built-in"]),
        ("Mine", " ", ["Changed", "Off"]),
        ("", "Mine", ["Off", "Changed"]),
        ("", "Beta", ["Off", "Built-in"]),
    ],
)
def test_the_states_before_and_after_are_named(visitor, saved, typed, states):
    """A text equal to what stands beneath leads back to Built-in."""
    if saved is not None:
        services.save({"core.b": saved})

    page = review(visitor, {"core.b": typed}, fragment="core.b")

    badges = page.all("span", change(page, "core.b"), class_="prompts-badge")
    assert [one.text for one in badges] == states


@pytest.mark.parametrize(
    ("typed", "after"),
    [("Other", "Drifted"), ("", "Drifted, off"), ("Beta", "Built-in")],
)
def test_a_drift_stays_until_it_is_decided(visitor, typed, after):
    """An ordinary save keeps the default that the text was written over."""
    OverrideFactory(key="core.b", text="Mine", default_text="Old default")

    page = review(visitor, {"core.b": typed}, fragment="core.b")

    badges = page.all("span", change(page, "core.b"), class_="prompts-badge")
    assert [one.text for one in badges] == ["Drifted", after]
    page = visitor.send(page, press=("_save", ""))
    assert page.row("core.b").text == f"Second {after}"


@pytest.mark.case(34)
def test_what_needs_a_tick_comes_first_then_what_is_switched_off(visitor):
    """Whoever reads the beginning alone has read what matters most."""
    texts = {"core.a": "Hi", "core.b": "", "task.t": "A title"}

    page = review(visitor, texts, fragment="core.a")

    assert [one.attributes["id"] for one in page.all("h2")][:3] == [
        "change:task.t",
        "change:core.b",
        "change:core.a",
    ]


@pytest.mark.case(34)
def test_a_variable_that_is_lost_is_named_with_what_it_means(visitor):
    """It takes a tick of its own, which nobody has given yet."""
    page = review(visitor, {"task.t": "A title"}, fragment="task.t")

    article = change(page, "task.t")
    loss = page.one("div", article, class_="prompts-problem")
    assert loss.text == (
        "The text no longer mentions {{question}}. The model would not be told: "
        "The first message. Save it without {{question}}"
    )
    tick = page.one("input", loss, type="checkbox")
    assert tick.attributes["name"] == "confirm:task.t"
    assert tick.attributes["value"] == "question"
    assert "checked" not in tick.attributes
    assert "is-error" not in loss.attributes["class"].split()


def test_a_lost_variable_that_nobody_declares_goes_by_its_name(visitor, declared):
    """There is no label for it."""
    declared.register(fragment("core.c", "{{nobody}}", must_mention=("nobody",)))

    page = review(visitor, {"core.c": "x"}, fragment="core.c")

    loss = page.one("div", change(page, "core.c"), class_="prompts-problem")
    assert "The model would not be told: nobody" in loss.text


@pytest.mark.case(37)
@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("core.a", "What it is for: Opens it."),
        ("core.b", "Nothing is sent for it any more."),
    ],
)
def test_a_text_that_is_switched_off_says_what_it_was_for(visitor, key, said):
    """In red, with the hint if there is one."""
    page = review(visitor, {key: ""}, fragment=key)

    problem = page.one("p", change(page, key), class_="prompts-problem")
    assert problem.text.startswith("Switched off. Nothing is sent for it any more.")
    assert problem.text.endswith(said)
    assert "is-error" in problem.attributes["class"].split()


def test_the_review_is_of_the_pages_scope(visitor):
    """Its heading says for whom, and what it compares with stands beneath."""
    services.save({"core.b": "For all"})

    page = review(
        visitor, {"core.b": "For Acme"}, fragment="core.b", scope="tenant.acme"
    )

    assert page.one("h1").text == "Review 1 change for Acme"
    article = change(page, "core.b")
    assert words(page, article) == (["all"], ["Acme"])
    badges = [one.text for one in page.all("span", article, class_="prompts-badge")]
    assert badges == ["Built-in", "Changed"]
    assert words(page, page.one("details")) == (["all"], ["Acme"])


def test_the_number_of_changes_stands_in_heading_and_button(visitor):
    """Nobody has to count what one press will save."""
    page = review(visitor, {"core.a": "Hi", "core.b": "Bee"}, fragment="core.a")

    assert page.one("h1").text == "Review 2 changes for the whole installation"
    assert page.one("button", name="_save").text == "Save 2 changes"
    assert asides(page)[0] == (
        "Nothing is saved yet. Untick a change to leave it for later. What you save "
        "is in use from the next request on."
    )


def test_the_review_writes_nothing(visitor):
    """However much is changed, it only reads."""
    services.save({"core.b": "Mine"})
    page = visitor.open(fragment="core.a")
    before = everything()

    with CaptureQueriesContext(connection) as caught:
        page = visitor.review(page, {"text:core.a": "", "text:core.b": "Beta"})

    assert len(page.all("article")) == 2
    assert everything() == before
    assert {query["sql"].split()[0] for query in caught} == {"SELECT"}
    assert "no-store" in visitor.answer.headers["Cache-Control"]
