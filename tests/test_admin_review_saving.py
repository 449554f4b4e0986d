"""Saving from the review: what is ticked, what is left for later, what is refused."""

from __future__ import annotations

import pytest
from django.test import override_settings

from prompts_app import services
from prompts_app.declarations import Scenario, Variable
from prompts_app.models import Revision
from tests.assembling import CORE, TASKS, fragment
from tests.pages import Visitor
from tests.storing import everything, rows

pytestmark = pytest.mark.django_db

SAVE = ("_save", "")


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


def losses(page):
    """Return the lost variables by key, each with what is said of it."""
    boxes = page.all("div", class_="prompts-problem")
    return {
        page.one("input", box, type="checkbox").attributes["name"]: box.text
        for box in boxes
    }


def success(page):
    """Return the message that says what was saved."""
    return page.one("li", class_="success")


def test_what_is_ticked_is_saved_with_author_and_reason(visitor, editor):
    """The page comes anew, with the number of changes in its message."""
    page = review(visitor, {"core.a": "Mine", "core.b": "Yours"})

    page = visitor.send(page, {"comment": " Because.\r\n"}, SAVE)

    assert visitor.answer.redirect_chain[0][1] == 302
    assert success(page).text == (
        "2 changes saved. They are in use from the next request on. Undo"
    )
    assert rows() == {("", "core.a"): "Mine", ("", "core.b"): "Yours"}
    (revision,) = Revision.objects.all()
    assert (revision.author, revision.comment) == (editor, "Because.")
    assert page.one("span", role="status").text == ""


def test_the_message_names_the_saved_keys_for_the_pages_script(visitor):
    """It forgets the drafts of just these texts."""
    page = review(visitor, {"core.a": "Mine", "core.b": "Yours"})

    page = visitor.send(page, {"take": "core.b"}, SAVE)

    classes = success(page).attributes["class"].split()
    assert classes == ["prompts-saved", "core.b", "success"]


def test_an_unticked_change_stays_unsaved_and_comes_back(visitor):
    """With its text as it was typed, in view or as a hidden field."""
    page = review(
        visitor, {"core.a": "  Mine\r\n", "core.b": "Yours"}, fragment="core.a"
    )

    page = visitor.send(page, {"take": ["core.b"], "comment": "Why"}, SAVE)

    assert rows() == {("", "core.b"): "Yours"}
    assert success(page).text.startswith("1 change saved. It is in use")
    assert page.box("core.a").raw == "  Mine\n"
    assert page.box("core.b").raw == "Yours"
    assert page.one("span", role="status").text == "1 unsaved change"
    assert page.row("core.b").text == "Second Changed"
    assert page.row("core.a").text == "First Unsaved Built-in"
    assert page.chosen("comment") == ""

    visitor.save(page)

    assert rows() == {("", "core.a"): "  Mine", ("", "core.b"): "Yours"}


def test_an_unticked_change_of_another_group_comes_back_too(visitor):
    """What is left for later is not only what is looked at."""
    page = visitor.send(
        visitor.open(fragment="task.d"), {"text:task.d": "T {{name}}"}, "First"
    )
    page = visitor.review(page, {"text:core.a": "Mine"})

    page = visitor.send(page, {"take": ["core.a"]}, SAVE)

    assert rows() == {("", "core.a"): "Mine"}
    assert page.fields()["text:task.d"] == ["T {{name}}"]


def test_without_any_tick_nothing_is_saved(visitor):
    """Every text comes back, and the message says so instead of counting none."""
    page = review(visitor, {"core.a": "Mine"})
    before = everything()

    page = visitor.send(page, {"take": []}, SAVE)

    assert everything() == before
    assert success(page).text == "No change was chosen, so nothing was saved."
    assert page.box("core.a").raw == "Mine"


@pytest.mark.case(34)
def test_a_missing_tick_is_refused_with_its_sentence(visitor):
    """Nothing is stored, not even what needs no tick; text and reason stay."""
    page = review(visitor, {"core.a": "Mine", "task.c": "Ask"}, fragment="task.c")
    before = everything()

    page = visitor.send(page, {"comment": "Why"}, SAVE)

    assert everything() == before
    assert is_review(page)
    assert page.one("p", role="alert").text == (
        "Nothing was saved: something below needs a tick."
    )
    (said,) = losses(page).values()
    assert said.endswith("Tick the box, or put {{question}} back.")
    box = page.one("input", name="confirm:task.c")
    assert box.attributes["aria-invalid"] == "true"
    assert page.chosen("comment") == "Why"
    assert page.fields()["text:task.c"] == ["Ask"]


@pytest.mark.case(34)
def test_a_tick_lets_the_variable_go(visitor):
    """Each variable has its own; the others are asked for again."""
    page = review(visitor, {"task.c": "Ask", "task.d": "Title"}, fragment="task.c")

    page = visitor.send(page, {"confirm:task.c": "question"}, SAVE)

    assert rows() == {}
    assert page.fields()["confirm:task.c"] == ["question"]
    assert {name: said.endswith("back.") for name, said in losses(page).items()} == {
        "confirm:task.c": False,
        "confirm:task.d": True,
    }

    visitor.send(page, {"confirm:task.d": "name"}, SAVE)

    assert rows() == {("", "task.c"): "Ask", ("", "task.d"): "Title"}


@pytest.mark.case(34)
def test_a_change_that_is_left_for_later_needs_no_tick(visitor):
    """It is not what keeps the others from being saved."""
    texts = {"core.a": "Mine", "task.c": "Ask", "task.d": "Title"}
    page = review(visitor, texts, fragment="task.c")

    page = visitor.send(page, {"take": ["core.a", "task.c"]}, SAVE)

    assert ticks(page) == ["task.c", "core.a"]
    assert {name: said.endswith("back.") for name, said in losses(page).items()} == {
        "confirm:task.c": True,
        "confirm:task.d": False,
    }

    page = visitor.send(page, {"take": ["core.a"]}, SAVE)

    assert rows() == {("", "core.a"): "Mine"}


@pytest.mark.case(89)
@override_settings(
    PROMPTS_APP_MAX_FRAGMENT_CHARS=200_000, PROMPTS_APP_MAX_STORED_CHARS=200_000
)
def test_a_very_long_text_is_reviewed_and_saved_whole(visitor):
    """With the limit raised a hundred thousand characters are stored and served."""
    text = "".join(f"Line {number} of it.\n" for number in range(6_000)).strip()
    assert len(text) > 100_000

    page = review(visitor, {"core.b": text})
    page = visitor.send(page, press=SAVE)

    assert rows() == {("", "core.b"): text}
    assert page.box("core.b").raw == text
    assert services.render("core.b") == text


@pytest.mark.case(90)
def test_saving_changes_nothing_but_the_text(visitor, declared):
    """Whatever else is sent along, gates, order, group and variables are the code's."""
    page = visitor.open(fragment="task.c")
    before = declared["task.c"]
    forged = {
        f"{name}:task.c": "core"
        for name in ("group", "order", "requires", "label", "locked", "default")
    }

    visitor.save(page, {**forged, "text:task.c": "Question: {{question}}"})

    assert declared["task.c"] is before
    assert rows() == {("", "task.c"): "Question: {{question}}"}
    assert services.render("task.c", {"question": "Why?"}) == "Question: Why?"
