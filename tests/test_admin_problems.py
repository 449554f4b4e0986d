"""What the page tells of a text: beside the field, in the review, to a script."""

from __future__ import annotations

import pytest

from prompts_app import Lifetime, services
from prompts_app.admin.asking import Asked
from prompts_app.admin.desk import Desk
from prompts_app.admin.problems import problems_of
from prompts_app.declarations import Variable
from prompts_app.exceptions import Fault
from tests.assembling import CORE, TASKS, fragment
from tests.factories import OverrideFactory, UserFactory
from tests.pages import Visitor

pytestmark = pytest.mark.django_db

TYPED = "😀\r\n{{nmae}} and\r\n{name} {{nmae}}\r\n<!-- detailed -->"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two texts that may be changed, one that is locked, and a task."""
    registry.register(
        CORE,
        TASKS,
        Variable("name", label="Name", lifetime=Lifetime.FIXED),
        Variable("day", label="Day"),
        fragment("core.a", "Hello {{name}}.", label="First", order=1),
        fragment("core.b", "Beta {{ name }}", label="Second", order=2),
        fragment("core.c", "Gamma {{ name }}", order=3, locked=True),
        fragment("task.d", "Ask {{name}}", group="tasks", must_mention=("name",)),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def marks(visitor, key, text):
    """Return what a script is told to mark in *text*."""
    fields = {"fragment": key, f"text:{key}": text, "parts": ["problems"]}
    return visitor.post(fields, "preview").json()["marks"]


def lines(page, within=None):
    """Return severity and words of each problem that a page lists."""
    return [
        (
            one.attributes["class"].split()[1].removeprefix("is-"),
            page.one("bdi", one).text,
            page.one("code", one).text,
        )
        for one in page.all("li", within, class_="prompts-problem")
    ]


@pytest.mark.case(3)
def test_what_is_odd_about_a_text_stands_under_it_while_it_is_typed(visitor):
    """Worst first, each sentence once, with its code and where it is explained."""
    page = visitor.ask("problems", {"fragment": "core.a", "text:core.a": TYPED})

    assert lines(page) == [
        ("error", "The level marker in line 4 has no partner.", "unbalanced_fence"),
        (
            "warning",
            "{{nmae}} names no variable, and is sent as typed. Did you mean {{name}}?",
            "unknown_variable",
        ),
        (
            "warning",
            "{name} is sent as typed. The value is {{name}}.",
            "near_reference",
        ),
    ]
    assert [one.text for one in page.all("button")] == [
        *("Go to line 4", "Go to line 2", "Go to line 3")
    ]
    titles = {one.attributes["title"] for one in page.all("code")}
    assert titles == {"Explained in docs/lint.md"}
    hidden = page.all("span", class_="visually-hidden")
    assert [one.text for one in hidden] == ["Error", "Warning", "Warning"]


def test_a_script_is_told_every_place_in_units_of_the_browser(visitor):
    """With LF line breaks, and two units for an emoji."""
    shown = TYPED.replace("\r\n", "\n").encode("utf-16-le")

    found = marks(visitor, "core.a", TYPED)

    assert all(set(one) == {"code", "severity", "from", "to", "text"} for one in found)
    assert [
        (one["code"], shown[2 * one["from"] : 2 * one["to"]].decode("utf-16-le"))
        for one in found
    ] == [
        ("unbalanced_fence", "<!-- detailed -->"),
        ("unknown_variable", "{{nmae}}"),
        ("near_reference", "{name}"),
        ("unknown_variable", "{{nmae}}"),
        ("leaves_prefix", "{{nmae}}"),
    ]


def test_what_is_about_the_whole_text_has_no_place(visitor):
    """A script marks nothing for it, and there is no line to go to."""
    page = visitor.ask("problems", {"fragment": "task.d", "text:task.d": "Ask"})
    (mark,) = marks(visitor, "task.d", "Ask")

    assert lines(page) == [
        ("warning", "The text no longer mentions {{name}}.", "must_mention")
    ]
    assert page.all("button") == []
    assert (mark["from"], mark["to"]) == (0, 0)


def test_errors_are_only_what_a_save_refuses(visitor):
    """A text that stands there already may be longer than is allowed today."""
    OverrideFactory(key="core.a", text="a" * 8_001, default_text="Hello {{name}}.")

    page = visitor.open(fragment="core.a")

    assert [one for one in lines(page) if one[0] == "error"] == []
    assert page.box("core.a").attributes.get("aria-invalid") is None
    typed = {"fragment": "core.a", "text:core.a": "b" * 8_002}
    assert lines(visitor.ask("problems", typed))[0][2] == "too_long"


def test_a_warning_makes_no_text_faulty(visitor):
    """Its box and its badge stay as they are; it can be saved."""
    page = visitor.open(fragment="core.b")

    assert lines(page, page.editor("core.b")) == [
        (
            "warning",
            "{{ name }} is filled here, but strict calls refuse it. Write {{name}}.",
            "space_in_reference",
        )
    ]
    box = page.box("core.b")
    assert "is-faulty" not in box.attributes["class"].split()
    badge = page.one("span", page.editor("core.b"), data_badge_error=None)
    assert "hidden" in badge.attributes
    review = visitor.review(page, {"text:core.b": "Mine {{ name }}"})
    visitor.send(review, {}, ("_save", ""))
    assert services.resolve("core.b") == "Mine {{ name }}"


def test_who_cannot_change_a_text_is_told_of_no_warning(visitor):
    """A locked one is read only, and so are all to who may only look."""
    page = visitor.open(fragment="core.c")
    assert lines(page, page.editor("core.c")) == []

    reader = Visitor(UserFactory(permissions=["prompts_app.view_override"]))
    assert lines(reader.open(fragment="core.b")) == []


def test_what_is_odd_stands_in_the_review_too(visitor):
    """Under the differences, without a line to go to; a tick speaks for itself."""
    page = visitor.open(fragment="task.d")

    review = visitor.review(page, {"text:task.d": "{name} on {{day}}"})

    assert lines(review, review.one("article")) == [
        (
            "warning",
            "{name} is sent as typed. The value is {{name}}.",
            "near_reference",
        ),
        (
            "note",
            (
                "With {{day}} this text is new every turn."
                " It was the same in every chat, and could be cached."
            ),
            "leaves_prefix",
        ),
    ]
    assert review.all("button", data_line=None) == []
    assert "Save it without" in review.html


def test_a_loss_that_nobody_is_asked_about_is_told(visitor):
    """What the saved text had lost already needs no tick again."""
    services.save({"task.d": "Ask"}, confirm=[("task.d", "name")])
    page = visitor.open(fragment="task.d")

    review = visitor.review(page, {"text:task.d": "Ask more"})

    assert lines(review, review.one("article")) == [
        ("warning", "The text no longer mentions {{name}}.", "must_mention")
    ]
    assert "Save it without" not in review.html


@pytest.mark.parametrize("code", ["locked", "conflict"])
def test_a_refusal_that_is_of_no_place_is_told_too(editor, code):
    """It is an error about the whole text, before all advice."""
    fault = Fault(code, "", "core.b", "")

    first, second = problems_of(Desk(Asked(), editor, (fault,)), "core.b")

    assert (first.code, first.severity, first.line) == (code, "error", 0)
    assert (first.mark["from"], first.mark["to"]) == (0, 0)
    assert second.code == "space_in_reference"


def test_no_sentence_is_in_a_repr(visitor, editor):
    """It may quote the text."""
    page = visitor.open(fragment="core.b")
    (row, *_) = problems_of(Desk(Asked(), editor, ()), "core.b")

    assert row.text
    assert row.text not in repr(row)
    assert page.box("core.b")
