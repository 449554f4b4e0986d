"""The parts of the page that a script asks for while somebody types."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from prompts_app import services
from prompts_app.declarations import Variable
from tests.assembling import CORE, TASKS, fragment
from tests.pages import Visitor
from tests.storing import everything

pytestmark = pytest.mark.django_db

PARTS = ("output", "samples", "legend", "note", "comparison", "problems", "list")


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a prompt of two texts, and a task that has to mention a variable."""
    registry.register(
        CORE,
        TASKS,
        Variable("name", label="Name", example="Ines"),
        fragment("core.a", "Hello {{name}}.", label="First", order=1),
        fragment("core.b", "Beta", label="Second", order=2),
        fragment("task.c", "For {{name}}", group="tasks", must_mention=("name",)),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def told(visitor, parts, **fields):
    """Return the whole answer to a script that asks for *parts*."""
    return visitor.post({**fields, "parts": list(parts)}, "preview").json()


@pytest.mark.parametrize("part", PARTS)
def test_each_part_can_be_had_alone(visitor, part):
    """With places and etags where the prompt is assembled for it anyway."""
    answer = told(visitor, [part], fragment="core.a")

    further = set() if part == "list" else {"places", "etags", "tokens"}
    further |= {"marks"} if part == "problems" else set()
    assert set(answer) == {part, *further}


def test_several_parts_come_at_once(visitor):
    """In one answer, so that they belong to one state of the texts."""
    assert set(told(visitor, PARTS)) == {*PARTS, "places", "etags", "marks"}


@pytest.mark.parametrize("parts", [[], ["page"], ["", "__class__", "_list"]])
def test_what_is_no_part_is_left_aside(visitor, parts):
    """Nothing but the parts can be asked for."""
    assert told(visitor, parts) == {}


def test_etags_tell_whether_somebody_saved_meanwhile(visitor):
    """They are those of now, of the texts that are being changed."""
    fields = {"text:core.a": "Mine", "etag:core.a": services.etag("", "core.a")}
    services.save({"core.a": "Theirs"})

    answer = told(visitor, ["note"], **fields)

    assert answer["etags"] == {"core.a": services.etag("", "core.a")}
    assert answer["etags"]["core.a"] != fields["etag:core.a"]


def test_places_number_the_passages(visitor):
    """What is left out has no place."""
    answer = told(visitor, ["output"], **{"text:core.a": ""})

    assert answer["places"] == {"core.b": 1}


def test_the_comparison_follows_the_typing(visitor):
    """With what stands beneath the text, not with what is saved."""
    services.save({"core.b": "Saved"})
    fields = {"fragment": "core.b", "text:core.b": "Beta and more words"}

    page = visitor.ask("comparison", fields)

    assert page.one("summary").text == (
        "Compare with default words added: 3, removed: 0"
    )
    assert page.one("ins").raw == " and more words"
    assert not page.has("del")


def test_the_comparison_in_a_scope_is_with_the_whole_installation(visitor):
    """The text there stands beneath it."""
    services.save({"core.b": "For all"})
    fields = {"fragment": "core.b", "scope": "tenant.acme", "text:core.b": "For Acme"}

    page = visitor.ask("comparison", fields)

    assert page.one("summary").text == (
        "Compare with what stands beneath words added: 1, removed: 1"
    )
    assert (page.one("del").raw, page.one("ins").raw) == ("all", "Acme")


def test_without_a_difference_the_comparison_says_so(visitor):
    """The text is shown as it is."""
    page = visitor.ask("comparison", {"fragment": "core.b"})

    assert page.one("summary").text == "Compare with default no difference"
    assert page.one("pre").raw == "Beta"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("one\n\0", "This text holds a character that cannot be stored (NUL, line 2)."),
        ("<!-- detailed -->", "The level marker in line 1 has no partner."),
        ("x" * 8_001, "8,001 characters; at most 8,000 are allowed. Shorten it by 1."),
    ],
)
def test_mistakes_are_told_before_a_save_meets_them(visitor, text, said):
    """Beside the text, and in the list."""
    fields = {"fragment": "core.b", "text:core.b": text}

    problems = visitor.ask("problems", fields)
    rows = visitor.ask("list", fields)

    assert said in problems.one("li", class_="is-error").text
    assert "Error" in rows.row("core.b").text
    assert rows.one("span", data_count="problems").text == "1"


@pytest.mark.parametrize(
    "fields",
    [
        {"fragment": "core.b"},
        {"fragment": "core.b", "text:core.b": "Fine"},
        {"fragment": "task.c", "text:task.c": "Without it"},
        {"fragment": "core.b", "text:core.b": "Mine", "etag:core.b": "0" * 16},
        {"fragment": "core.b", "text:core.a": "\0"},
        {},
    ],
)
def test_what_only_needs_a_decision_is_no_mistake(visitor, fields):
    """The review asks for the tick, and lays conflicting texts side by side."""
    assert visitor.ask("problems", fields).all("li", class_="is-error") == []


def test_the_list_shows_unsaved_texts_as_they_are_typed(visitor):
    """With what each becomes, and what is looked for among them."""
    fields = {"text:core.a": "", "text:core.b": "Refund", "q": "refund"}

    page = visitor.ask("list", fields)
    assert [one.attributes["data-row"] for one in page.all("li", data_row=None)] == [
        "core.b"
    ]
    assert "Unsaved" in page.row("core.b").text

    page = visitor.ask("list", {**fields, "q": ""})
    assert page.row("core.a").text == "First Unsaved → Off Built-in"
    page = visitor.ask("list", {**fields, "q": "", "state": "unsaved"})
    assert len(page.all("li", data_row=None)) == 2


def test_without_a_fragment_in_view_every_part_is_there(visitor):
    """The start view shows the prompt alone, and nothing of any text."""
    answer = told(visitor, PARTS)

    assert "This text uses no variables." in answer["legend"]
    assert answer["note"].strip() == ""
    assert answer["problems"].strip() == ""


@pytest.mark.parametrize("parts", [PARTS, ["output"], ["list"]])
def test_the_number_of_statements_does_not_grow(visitor, declared, parts):
    """With the fragments or with the texts that are typed."""
    fields = {"fragment": "core.a", "text:core.a": "Mine"}

    def statements(**more):
        with CaptureQueriesContext(connection) as caught:
            told(visitor, parts, **fields, **more)
        return [query["sql"].split()[0] for query in caught]

    statements()
    few = statements()
    declared.register(*(fragment(f"core.n{n}", f"Text {n}") for n in range(1_500)))
    statements()

    many = statements(**{f"text:core.n{n}": "x" for n in range(200)})

    assert few == many
    assert set(few) == {"SELECT"}


def test_asking_writes_nothing(visitor):
    """Whatever is sent along."""
    services.save({"core.b": "Stored"})
    before = everything()

    told(visitor, PARTS, **{"text:core.a": "x", "text:core.b": "", "_save": ""})

    assert everything() == before


@pytest.mark.parametrize("part", PARTS)
def test_a_reader_may_ask_for_every_part(viewer, part):
    """They show what the page shows."""
    answer = told(Visitor(viewer), [part], fragment="core.a")

    assert part in answer
    assert "data-insert" not in answer[part]
