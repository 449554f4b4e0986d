"""The list of fragments: groups in order, one line each, at any size."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from prompts_app import services
from prompts_app.declarations import Group, Scenario, Variable
from tests.assembling import CORE, TASKS, fragment
from tests.factories import OverrideFactory
from tests.pages import Visitor
from tests.storing import rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def many(count, group="core"):
    """Return *count* fragments of one group."""
    return [
        fragment(f"core.n{number:04}", f"Text {number} {{{{name}}}}", group=group)
        for number in range(count)
    ]


def groups(page):
    """Return the groups of the list, which can be folded."""
    return page.all("details", page.one("section", id="prompts-list"))


def listed(page):
    """Return the headings of the list, each with the keys below it."""
    return {
        page.one("span", group, class_="prompts-group").text: [
            row.attributes["data-row"]
            for row in page.all("li", group, class_="prompts-row")
        ]
        for group in groups(page)
    }


@pytest.mark.covers("L2", "L5", "L33")
def test_the_chat_catalogue_is_listed_in_five_groups(visitor):
    """Groups stand in page order under their names, whatever a key begins with."""
    found = listed(visitor.open())

    assert list(found) == ["Core", "Tools", "Context", "Handover", "Tasks"]
    assert found["Handover"] == ["seam.authored_lead"]
    assert found["Core"][:3] == ["core.heading", "core.today", "core.identity"]
    assert "tool.project_files" in found["Context"]
    assert sum(map(len, found.values())) == 35


@pytest.mark.covers("L6", "L33")
def test_fragments_stand_by_order_then_key_and_empty_groups_not_at_all(
    visitor, registry
):
    """A group that nobody declared comes last, called by its own key."""
    registry.register(
        Group("late", label="Late", order=9),
        Group("empty", label="Empty", order=5),
        CORE,
        fragment("late.x", group="late"),
        fragment("core.b", order=2),
        fragment("core.c", order=1),
        fragment("core.a", order=2),
        fragment("stray.x", group="nowhere"),
    )

    assert listed(visitor.open()) == {
        "Core": ["core.c", "core.a", "core.b"],
        "Late": ["late.x"],
        "nowhere": ["stray.x"],
    }
    assert (
        "nowhere · stray.x" in visitor.open(fragment="stray.x").editor("stray.x").text
    )


def test_the_line_of_the_fragment_in_view_says_so(visitor, registry):
    """Only one line is current, for everybody."""
    registry.register(CORE, fragment("core.a"), fragment("core.b"))

    page = visitor.open(fragment="core.b")

    assert [one.text for one in page.all("a", aria_current="true")] == ["core.b"]


def test_lines_lead_to_their_editor(visitor, registry):
    """One on this page is a link to its place; others are buttons, to keep the texts."""
    registry.register(
        CORE, TASKS, fragment("core.a"), fragment("task.x", group="tasks")
    )

    page = visitor.open(fragment="core.a")

    link = page.one("a", page.row("core.a"), data_key="core.a")
    assert link.attributes["href"] == "#core.a"
    assert page.has("article", id="core.a")
    button = page.one("button", page.row("task.x"), value="task.x")
    assert button.attributes["name"] == "fragment"
    assert button.attributes["formaction"].endswith("/override/#task.x")


@pytest.mark.case(58)
def test_keys_and_labels_stand_as_they_were_declared(visitor, registry):
    """Nothing is capitalised or translated on the way."""
    registry.register(CORE, fragment("core.some_key-2", label="writing STYLE of it"))

    page = visitor.open(fragment="core.some_key-2")

    assert page.row("core.some_key-2").text == "writing STYLE of it Built-in"
    assert "core.some_key-2" in [one.text for one in page.all("code")]


@pytest.mark.parametrize(("count", "is_open"), [(60, True), (61, False)])
def test_over_sixty_fragments_the_groups_start_closed(
    visitor, registry, count, is_open
):
    """A closed one says how many of its texts are changed; the current one is open."""
    registry.register(CORE, TASKS, *many(count - 1), fragment("task.x", group="tasks"))
    OverrideFactory(key="core.n0001", text="Mine")

    page = visitor.open(fragment="task.x")

    group, current = groups(page)
    assert ("open" in group.attributes) is is_open
    assert ("1 changed" in group.text) is not is_open
    assert "open" in current.attributes


@pytest.mark.covers("L40")
def test_a_large_group_is_cut_into_pages_of_a_hundred_editors(visitor, registry):
    """Buttons lead to the other pages and keep what was typed on this one."""
    registry.register(CORE, *many(250))
    page = visitor.open(fragment="core.n0007")
    numbers = page.one("nav", class_="prompts-pages")
    assert [
        (one.text, one.attributes["value"], one.attributes.get("aria-current"))
        for one in page.all("button", numbers)
    ] == [
        ("1", "core.n0000", "page"),
        ("2", "core.n0100", None),
        ("3", "core.n0200", None),
    ]
    assert page.edited() == [f"core.n{number:04}" for number in range(100)]
    assert len(page.all("li", class_="prompts-row")) == 250

    page = visitor.send(page, {"text:core.n0007": "Mine"}, ("fragment", "core.n0200"))

    assert page.edited() == [f"core.n{number:04}" for number in range(200, 250)]
    assert page.fields()["text:core.n0007"] == ["Mine"]
    assert "201 of 250" in page.editor("core.n0200").text

    visitor.save(page, {"text:core.n0249": "Last"})

    assert rows() == {("", "core.n0007"): "Mine", ("", "core.n0249"): "Last"}


def test_a_group_that_fits_has_no_page_buttons(visitor, registry):
    """A hundred editors are one page."""
    registry.register(CORE, *many(100))

    assert not visitor.open(fragment="core.n0000").has("nav", class_="prompts-pages")


def test_every_page_of_editors_stays_under_djangos_limit_of_fields(visitor, registry):
    """Django refuses a form of more than a thousand fields before any view runs."""
    registry.register(
        CORE, *many(100), *(Variable(f"v{n}", label="V") for n in range(60))
    )

    fields = visitor.open(fragment="core.n0000").fields()

    assert sum(map(len, fields.values())) < 500


def queries(visitor, **query):
    """Return how many statements one view of the page takes."""
    with CaptureQueriesContext(connection) as caught:
        visitor.open(**query)
    return len(caught)


def test_the_number_of_statements_does_not_grow(visitor, registry):
    """Thirty-five fragments or fifteen hundred, overrides or none: as many queries."""
    registry.register(CORE, Scenario("one", label="One"), *many(35))
    services.save({"core.n0000": "Mine"})
    # Reads the session, which is in the cache from then on.
    visitor.open()
    few = queries(visitor), queries(visitor, fragment="core.n0000")

    registry.register(*many(1_500)[35:])
    services.save({f"core.n{number:04}": "Mine" for number in range(1_100, 1_500)})
    # The first view after a save reads the rows once more.
    services.stored()

    # Rights take two, user, version, rows and the scopes in use one each; the start
    # view adds two for the latest saves, the editors two for those of their texts.
    assert (queries(visitor), queries(visitor, fragment="core.n1234")) == few == (8, 8)
