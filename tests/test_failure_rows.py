"""Rows that somebody wrote by hand: what is served, shown, said and logged of them."""

from __future__ import annotations

import json
import logging
from contextlib import nullcontext
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import DataError, connection, transaction
from django.urls import reverse

from prompts_app import services
from prompts_app.declarations import Scenario
from prompts_app.exceptions import TextError
from prompts_app.models import Override
from prompts_app.overrides import snapshots
from tests.assembling import CORE, entry, fragment, variable
from tests.commanding import run
from tests.failing import by_hand
from tests.pages import Page, Visitor, address
from tests.storing import history, rows, version

pytestmark = pytest.mark.django_db

KEY = "Core\x1b[2J\nERROR canary"
ROWS = {
    "CRLF": ("", "core.a", "canary\r\ntwo\r\n"),
    "CR": ("", "core.a", "canary\rtwo\r"),
    "no known variable": ("", "core.a", "{{canary}} {{ who }} {{a-b}} {{"),
    "no partner": ("", "core.a", "<!-- detailed -->\ncanary"),
    "unknown scope": ("tenant.nobody", "core.a", "canary"),
    "no scope": ("Tenant!\n", "core.a", "canary"),
    "no key": ("", KEY, "canary"),
    "NUL": ("", "core.a", "can\0ary"),
}
SERVED = {
    "CRLF": "canary\r\ntwo\n\nBeta",
    "CR": "canary\rtwo\n\nBeta",
    "no known variable": "{{canary}}  {{a-b}} {{\n\nBeta",
    "no partner": "<!-- detailed -->\ncanary\n\nBeta",
    "unknown scope": "Alpha\n\nBeta",
    "no scope": "Alpha\n\nBeta",
    "no key": "Alpha\n\nBeta",
    "NUL": "can\0ary\n\nBeta",
}
FOUND = {
    "no known variable": [
        ("warning", "unknown_variable"),
        ("warning", "space_in_reference"),
        ("warning", "malformed_reference"),
    ],
    "no partner": [("error", "unbalanced_fence")],
    "no scope": [("warning", "bad_scope")],
    "no key": [("warning", "orphaned")],
    "NUL": [("error", "nul")],
}
TAKEN = [name for name in ROWS if name != "NUL" or connection.vendor != "postgresql"]
each_row = pytest.mark.parametrize("name", TAKEN)


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments, a variable and a scenario."""
    registry.register(
        CORE,
        fragment("core.a", "Alpha"),
        fragment("core.b", "Beta"),
        variable("who"),
        Scenario("chat", label="Chat"),
    )
    snapshots.forget()
    return registry


@pytest.fixture
def visitor(superuser):
    """Return one who may do everything."""
    return Visitor(superuser)


def written(name):
    """Write the row *name* by hand, and return its scope and key."""
    by_hand(*ROWS[name])
    return ROWS[name][:2]


@each_row
def test_a_row_is_served_as_it_stands_or_not_at_all(name):
    """It never raises, and takes no other text with it."""
    written(name)

    built = services.assemble()

    assert built.text == SERVED[name]
    assert not built.degraded
    assert services.assemble(scope="tenant.nobody", level="lean").text


def test_a_text_for_a_scope_that_nobody_declares_is_sent_there():
    """A scope need not be declared to be used."""
    written("unknown scope")

    assert services.assemble(scope="tenant.nobody").text == "canary\n\nBeta"


def test_a_marker_without_partner_is_told_in_the_trace():
    """The text stays whole at both levels, and only a strict call is refused."""
    written("no partner")

    (note,) = entry(services.assemble(level="lean"), "core.a").notes

    assert (note.code, note.names) == ("unbalanced_fence", ("1",))
    with pytest.raises(TextError, match="line 1"):
        services.assemble(strict=True)


@each_row
def test_the_pages_stand(name, visitor, caplog):
    """All of them are answered, and no text is logged."""
    _, key = written(name)
    fields = {"text:core.b": "New", "fragment": "core.b", "parts": ["output", "list"]}

    pages = [
        visitor.open(),
        visitor.open(fragment="core.a"),
        visitor.open(fragment=key),
        visitor.open(q="canary"),
    ]
    shown = visitor.post(fields, "preview")
    history = visitor.client.get(reverse("admin:prompts_app_revision_changelist"))
    restore = reverse("admin:prompts_app_revision_restore")

    assert all(page.one("h1") for page in pages)
    assert shown.status_code == history.status_code == 200
    assert visitor.client.get(restore, {"moment": 0}).status_code == 200
    assert "canary" not in caplog.text


@each_row
def test_another_text_is_saved_as_ever(name, visitor):
    """The row stays what it is."""
    address_of_row = written(name)
    before = rows()

    page = visitor.save(visitor.open(fragment="core.b"), {"text:core.b": "New"})

    assert "1 change saved." in page.one("li", class_="success").text
    assert rows() == before | {("", "core.b"): "New"}
    assert services.assemble().text == SERVED[name].replace("Beta", "New")
    assert address_of_row in rows()


@pytest.mark.parametrize(
    "name", [one for one in TAKEN if ROWS[one][:2] == ("", "core.a")]
)
def test_a_text_can_be_replaced_on_the_page(name, visitor):
    """What the box shows is based on what is stored, whatever that is."""
    written(name)

    visitor.save(visitor.open(fragment="core.a"), {"text:core.a": "Put right"})

    assert rows() == {("", "core.a"): "Put right"}


@each_row
def test_an_untouched_box_is_not_submitted(name, visitor):
    """A browser folds line breaks and drops what it cannot show; that is no edit."""
    written(name)
    before, was = rows(), version()

    page = visitor.review(visitor.open(fragment="core.a"))

    assert "Nothing changed yet." in page.one("li", class_="info").text
    assert (rows(), version()) == (before, was)


@each_row
def test_check_finds_what_could_not_be_saved(name):
    """Errors are what a save refuses, warnings what nobody reads; the rest is fine."""
    written(name)
    out = StringIO()
    severe = any(severity == "error" for severity, _ in FOUND.get(name, []))

    with pytest.raises(CommandError) if severe else nullcontext():
        call_command("prompts", "check", "--json", stdout=out, stderr=StringIO())

    found = json.loads(out.getvalue())["findings"]
    assert [(one["severity"], one["code"]) for one in found] == FOUND.get(name, [])


@each_row
def test_what_the_commands_print_of_names_stays_in_its_line(name):
    """No key or scope begins a line of its own or steers a terminal."""
    written(name)

    for printed in (*run("list"), *run("show", "core.b"), json.dumps(run("export"))):
        assert "\x1b" not in printed
        assert not any(line.startswith("ERROR") for line in printed.splitlines())


@each_row
def test_a_new_process_tells_of_it_in_one_line_of_the_log(name, told, caplog):
    """It names keys, spelled out where they could write lines of their own."""
    written(name)
    told.release()

    with caplog.at_level(logging.DEBUG, "prompts_app"):
        services.assemble()

    orphaned = {
        "no key": r"(Core\x1b[2J\nERROR canary)",
        "no scope": r"(core.a (Tenant!\n))",
    }
    told_of = [f"Stored texts: 1; drifted: 0; orphaned: 1 {orphaned.get(name)}"]
    assert caplog.messages == (told_of if name in orphaned else [])


def test_the_address_of_a_row_under_no_scope_says_so(visitor):
    """There is no page for it, so the start view tells of it."""
    by_hand("Tenant!\n", "core.a", "canary")
    row = Override.objects.get()

    answer = visitor.client.get(address("change", "admin", row.pk), follow=True)

    assert answer.redirect_chain == [(address(), 302)]
    said = Page(answer.content.decode()).one("li", class_="warning").text
    assert said == r"'Tenant!\n' is no scope; 1 text under it is kept and not sent."


def test_an_export_with_a_foreign_row_is_told_apart_when_it_comes_back():
    """The document keeps it; an import names its place and stores nothing."""
    written("no scope")
    written("no key")
    document = services.export_texts()

    with pytest.raises(ValueError, match="is no scope") as caught:
        services.import_texts(document)

    assert len(document["texts"]) == 2
    assert "texts[0]: 'Core\\x1b[2J\\nERROR canary' is no key" in str(caught.value)
    assert "texts[1]: 'Tenant!\\n' is no scope" in str(caught.value)


def test_what_is_no_key_can_be_removed_on_the_page(visitor):
    """It is no longer there, and history keeps its text."""
    written("no key")

    page = visitor.send(visitor.open(fragment=KEY), press=("_remove", KEY))
    page = visitor.send(page, press=("_removed", KEY))

    assert "was removed." in page.one("li", class_="success").text
    assert rows() == {}
    assert history() == [{("", KEY): ("canary", None)}]
    past = visitor.client.get(reverse("admin:prompts_app_revision_changelist"))
    assert past.status_code == 200


def test_what_is_no_key_can_be_removed_or_adopted_by_a_command():
    """`prune` takes it away, `adopt` gives its text to a fragment."""
    written("no key")
    by_hand("", "Core B", "Mine")

    assert "removed" in run("prune", KEY)[0]
    assert "stored" in run("adopt", "Core B", "core.b")[0]

    assert rows() == {("", "core.b"): "Mine"}


@pytest.mark.skipif(connection.vendor != "postgresql", reason="others take NUL in")
def test_a_database_may_refuse_what_cannot_be_sent():
    """PostgreSQL takes in no NUL, whoever writes it."""
    with pytest.raises((ValueError, DataError)), transaction.atomic():
        by_hand("", "core.a", "can\0ary")


def test_no_driver_sends_a_lone_surrogate():
    """It is no text in UTF-8, so it comes no further than Python."""
    with pytest.raises(UnicodeEncodeError), transaction.atomic():
        by_hand("", "core.a", "\ud800")
