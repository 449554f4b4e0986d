"""Saves that are refused: the reason beside its field, and every text kept."""

from __future__ import annotations

import pytest
from django.test import override_settings

from prompts_app.declarations import Variable
from tests.assembling import CORE, TASKS, fragment
from tests.factories import OverrideFactory
from tests.pages import Visitor
from tests.storing import everything, rows

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare texts in two groups, two of which have to mention a variable."""
    registry.register(
        CORE,
        TASKS,
        Variable("name", label="Name"),
        Variable("question", label="Question"),
        fragment("core.a", "Alpha", order=1),
        fragment(
            "core.b",
            "Beta {{name}} {{question}}",
            must_mention=("name", "question"),
            order=2,
        ),
        fragment(
            "task.c", "Ask {{question}}", group="tasks", must_mention=("question",)
        ),
        fragment("task.d", "Delta", group="tasks"),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


LENGTHS = override_settings(
    PROMPTS_APP_MAX_FRAGMENT_CHARS=2_000, PROMPTS_APP_MAX_STORED_CHARS=3_000
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "x" * 2_345,
            "2,345 characters; at most 2,000 are allowed. Shorten it by 345.",
        ),
        (
            "one\n\0",
            "This text holds a character that cannot be stored (NUL, line 2).",
        ),
        (
            "<!-- detailed -->",
            "The level marker in line 1 has no partner.",
        ),
    ],
)
@LENGTHS
def test_a_fault_stands_beside_its_text_and_the_text_stays(visitor, text, said):
    """The box is marked for everybody, and nothing of the save is stored."""
    page = visitor.open(fragment="core.a")

    page = visitor.save(page, {"text:core.a": text})

    box = page.box("core.a")
    (problem,) = page.problems("core.a")
    assert problem.startswith(said)
    assert box.raw == text
    assert box.attributes["aria-invalid"] == "true"
    assert "problems:core.a" in box.attributes["aria-describedby"].split()
    assert "Error" in page.row("core.a").text
    assert "Error" in page.editor("core.a").text
    assert page.one("p", role="alert").text == (
        "1 text has to be corrected before it can be saved."
    )
    assert rows() == {}


@pytest.mark.case(49)
@LENGTHS
def test_a_line_break_counts_as_one_character(visitor):
    """A text exactly at the limit is accepted although browsers send CRLF."""
    text = "x\n" * 999 + "xy"

    visitor.save(visitor.open(fragment="core.a"), {"text:core.a": text})

    assert rows() == {("", "core.a"): text}


@LENGTHS
def test_a_fault_of_the_whole_save_stands_above_all_texts(visitor):
    """Each text may be short enough, and all of them too long together."""
    texts = {"text:core.a": "x" * 1_600, "text:task.d": "y" * 1_500}
    page = visitor.send(visitor.open(fragment="core.a"), texts)

    page = visitor.save(page, texts)

    assert (
        "All texts together would be 3,100 characters; at most 3,000 are allowed. "
        "Nothing was saved."
    ) in [one.text for one in page.all("p", class_="errornote")]
    assert page.box("core.a").raw == "x" * 1_600
    assert rows() == {}


def test_several_faulty_texts_are_counted(visitor):
    """Each has its own sentences; one is enough to keep the whole save back."""
    texts = {
        "text:core.a": "\0",
        "text:core.b": "\0 <!-- no fence -->",
        "text:task.d": "x",
    }

    page = visitor.save(visitor.open(fragment="core.a"), texts)

    assert page.one("p", role="alert").text == (
        "2 texts have to be corrected before they can be saved."
    )
    assert len(page.problems("core.a")) == len(page.problems("core.b")) == 1
    assert rows() == {}


def losses(page):
    """Return the sentences of a review that ask for a tick."""
    return [one.text for one in page.all("b") if "no longer mentions" in one.text]


@pytest.mark.case(34)
def test_a_variable_that_has_to_be_mentioned_goes_only_with_a_tick(visitor):
    """Each variable is confirmed by itself; with all ticks the text is stored."""
    page = visitor.save(visitor.open(fragment="core.b"), {"text:core.b": "Mine"})
    assert losses(page) == [
        "The text no longer mentions {{name}}.",
        "The text no longer mentions {{question}}.",
    ]
    ticks = page.all("input", name="confirm:core.b")
    assert [one.attributes["value"] for one in ticks] == ["name", "question"]
    assert rows() == {}

    page = visitor.send(page, {"confirm:core.b": "name"}, ("_save", ""))

    assert "Tick the box, or put {{question}} back." in page.html
    assert "Tick the box, or put {{name}} back." not in page.html
    assert rows() == {}

    visitor.send(page, {"confirm:core.b": ["name", "question"]}, ("_save", ""))

    assert rows() == {("", "core.b"): "Mine"}


@pytest.mark.case(34)
def test_a_tick_stays_until_the_save(visitor):
    """A tick survives the way back to editing, as the text that it is for does."""
    page = visitor.review(visitor.open(fragment="core.b"), {"text:core.b": "Mine"})

    page = visitor.send(
        page, {"confirm:core.b": ["name", "question"]}, press="Back to editing"
    )

    assert page.problems("core.b") == []
    assert page.fields()["confirm:core.b"] == ["name", "question"]

    visitor.save(page)

    assert rows() == {("", "core.b"): "Mine"}


@pytest.mark.case(34)
def test_texts_of_two_groups_are_confirmed_together(visitor):
    """The review lists every loss, wherever its text was typed."""
    page = visitor.send(
        visitor.open(fragment="core.b"),
        {"text:core.b": "Mine {{name}}"},
        press=("fragment", "task.c"),
    )
    page = visitor.review(page, {"text:task.c": "Ours"})
    ticks = {"confirm:core.b": "question", "confirm:task.c": "question"}

    visitor.send(page, ticks, ("_save", ""))

    assert rows() == {("", "core.b"): "Mine {{name}}", ("", "task.c"): "Ours"}


def test_a_loss_is_no_fault_to_be_corrected(visitor):
    """Beside a fault of another text it waits for the review, where it can be ticked."""
    texts = {"text:core.a": "\0", "text:core.b": "Mine"}

    page = visitor.review(visitor.open(fragment="core.a"), texts)

    assert page.problems("core.b") == []
    assert page.one("p", role="alert").text.startswith("1 text has to be corrected")


def test_the_first_faulty_text_is_opened(visitor):
    """Its group may be another one; what is said of it would be seen nowhere else."""
    page = visitor.send(
        visitor.open(fragment="core.a"),
        {"text:core.a": "\0"},
        press=("fragment", "task.d"),
    )

    page = visitor.save(page, {"text:task.d": "Mine"})

    assert page.problems("core.a") != []
    assert page.chosen("fragment") == "core.a"
    assert page.fields()["text:task.d"] == ["Mine"]


def test_a_faulty_text_in_view_stays_in_view(visitor):
    """Another faulty text is not preferred to the one that is looked at."""
    page = visitor.send(
        visitor.open(fragment="core.a"),
        {"text:core.a": "\0"},
        press=("fragment", "task.d"),
    )

    page = visitor.save(page, {"text:task.d": "\0"})

    assert page.problems("task.d") != []
    assert page.chosen("fragment") == "task.d"
    assert "Error" in page.row("core.a").text


def test_a_tick_for_what_need_not_be_mentioned_is_not_kept(visitor):
    """Only the fragment's own variables are offered to be given up."""
    page = visitor.send(
        visitor.open(fragment="core.b"),
        {"text:core.b": "Mine", "confirm:core.b": "<script>", "confirm:core.a": "name"},
    )

    assert not [name for name in page.fields() if name.startswith("confirm:")]


@pytest.mark.case(32)
@pytest.mark.covers("L41")
def test_a_text_whose_fragment_is_gone_is_named_and_kept(visitor, declared):
    """The rest of the save waits, and nothing that was typed is thrown away."""
    page = visitor.open(fragment="core.a")
    fields = {
        "text:core.a": "Mine",
        "text:gone.x": "Lost\ntext",
        "etag:gone.x": "0" * 16,
    }

    page = visitor.save(page, fields)

    assert (
        "There is no fragment gone.x any more. Your text is below. Clear the box to "
        "give it up."
    ) in [one.text for one in page.all("p", class_="prompts-problem")]
    assert page.box("gone.x").raw == "Lost\ntext"
    assert page.box("core.a").raw == "Mine"
    assert page.one("span", role="status").text == "2 unsaved changes"
    assert rows() == {}

    visitor.save(page, {"text:gone.x": ""})

    assert rows() == {("", "core.a"): "Mine"}


def test_a_fragment_that_is_gone_opens_no_editor(visitor):
    """Where nothing else is wrong the view stays what it was."""
    page = visitor.save(visitor.open(fragment="core.a"), {"text:gone.x": "Lost"})

    assert page.chosen("fragment") == "core.a"
    assert page.edited() == ["core.a", "core.b"]


def test_a_refused_save_writes_nothing_at_all(visitor):
    """Neither version nor history nor any row moves."""
    OverrideFactory(key="core.a", text="Before")
    before = everything()

    visitor.save(
        visitor.open(fragment="core.a"), {"text:core.a": "After", "text:core.b": "\0"}
    )

    assert everything() == before
