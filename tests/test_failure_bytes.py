"""Rows of ten million characters, and of bytes that are no text."""

from __future__ import annotations

import json
import time

import pytest
from django.core.management import CommandError
from django.db import connection
from django.urls import reverse

from prompts_app import services
from prompts_app.models import Override
from prompts_app.overrides import snapshots
from tests.assembling import CORE, fragment
from tests.commanding import run
from tests.failing import by_hand
from tests.pages import Page, Visitor, address
from tests.storing import history, rows

pytestmark = pytest.mark.django_db

MOST = 10_000_000
BYTES = {
    "lone surrogate": ("CAST(X'61EDA08062' AS TEXT)", "a\ufffd\ufffd\ufffdb"),
    "no UTF-8": ("CAST(X'61FF62' AS TEXT)", "a\ufffdb"),
    "a file read in": ("X'6162'", "ab"),
    "a file in no UTF-8": ("X'61FF62'", "a\ufffdb"),
}
"""What SQLite holds once such SQL has made it, and how it is read."""
on_sqlite = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="other databases take in no such bytes"
)
each_kind = pytest.mark.parametrize("kind", BYTES)


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare three fragments in two groups, and store a text of one."""
    registry.register(
        CORE,
        fragment("core.a", "Alpha"),
        fragment("core.b", "Beta", priority=1),
        fragment("other.c", "Gamma", group="other"),
    )
    services.save({"core.b": "Mine"})
    snapshots.forget()


@on_sqlite
@pytest.mark.parametrize("column", ["scope", "key"])
def test_a_name_that_is_bytes_takes_nothing_down(column, visitor, caplog):
    """Neither the first assembly of a process nor page, export or save."""
    by_hand("", "core.x", "Mine")
    table = Override._meta.db_table
    blob = "X'636f72652eff'"
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} SET {column} = {blob} WHERE key = 'core.x'"  # noqa: S608  # the names are the model's, and the blob is a literal
        )
    services.touch()
    name = "core.\ufffd"

    assert services.assemble().text == "Alpha\n\nMine"
    assert name in {name for address in services.stored().texts for name in address}
    assert visitor.open(fragment="core.a").box("core.a").raw == "Alpha"
    assert name in json.dumps(services.export_texts(), ensure_ascii=False)
    assert services.save({"core.a": "Ours"}).stored == ("core.a",)


@pytest.fixture
def visitor(superuser):
    """Return one who may do everything."""
    return Visitor(superuser)


def test_ten_million_characters_are_served():
    """Whole, as they are stored, and soon; the limit of a call leaves them out."""
    by_hand("", "core.a", "x" * MOST)

    begun = time.process_time()
    built, short = services.assemble(), services.assemble(limit=1_000)

    assert len(built.text) == MOST + len("\n\nMine")
    assert short.text == "Mine"
    assert time.process_time() - begun < 2


def test_ten_million_characters_are_found_and_listed():
    """`check` gives the figures; `list` and `export` go on."""
    by_hand("", "core.a", "x" * MOST)

    with pytest.raises(CommandError, match="1 error, 1 warning"):
        run("check")

    assert "core.a" in run("list")[0]
    assert len(json.loads(run("export")[0])["texts"][0]["text"]) == MOST


def test_a_text_beside_ten_million_characters_may_not_grow(visitor):
    """The limit of all texts is passed already: the page gives the figures."""
    by_hand("", "core.a", "x" * MOST)

    answer = visitor.post({"text:other.c": "Longer than it was"}, "review")
    page = Page(answer.content.decode())

    said = "All texts together would be 10,000,022 characters; at most 60,000 are"
    assert said in page.html
    assert page.fields()["text:other.c"] == ["Longer than it was"]
    assert services.save({"core.b": "New"}).stored == ("core.b",)
    assert services.resolve("core.b") == "New"


def test_a_form_with_ten_million_characters_is_told_the_limit(visitor):
    """Without a script all boxes of a group are sent; nothing is cut in silence."""
    by_hand("", "core.a", "x" * MOST)
    fields = {"text:core.a": "x" * MOST, "text:core.b": "New"}

    answer = visitor.post(fields, "review")

    assert answer.status_code == 413
    assert "DATA_UPLOAD_MAX_MEMORY_SIZE" in answer.content.decode()
    assert services.resolve("core.b") == "Mine"


def test_ten_million_characters_are_taken_back():
    """A reset, or an import of the default, is how an operator gets rid of them."""
    by_hand("", "core.a", "x" * MOST)

    services.reset(["core.a"])

    assert services.assemble().text == "Alpha\n\nMine"


@on_sqlite
@each_kind
def test_bytes_that_are_no_text_are_served_as_such(kind):
    """Each is a replacement character; a process that knows nothing serves them too."""
    sql, read = BYTES[kind]
    by_hand("", "core.a", None, sql)

    built = services.assemble()

    assert (built.text, built.degraded) == (f"{read}\n\nMine", False)
    assert services.resolve("core.a") == read


@on_sqlite
@each_kind
def test_the_pages_stand_beside_bytes_that_are_no_text(kind, visitor, caplog):
    """List, editor, history and export show what is served."""
    sql, read = BYTES[kind]
    by_hand("", "core.a", None, sql)
    row = Override.objects.only("pk").get(key="core.a")

    page = visitor.open(fragment="core.a")
    past = visitor.client.get(reverse("admin:prompts_app_revision_changelist"))
    export = visitor.client.get(address("export")).json()
    led = visitor.client.get(address("change", "admin", row.pk))

    assert page.box("core.a").raw == read
    assert (past.status_code, led.status_code) == (200, 302)
    assert export["texts"][0]["text"] == read
    assert caplog.records == []


@on_sqlite
@each_kind
@pytest.mark.parametrize(
    ("write", "left"),
    [
        (lambda: services.save({"core.a": "Right"}), "Right"),
        (lambda: services.reset(["core.a"]), None),
        (lambda: services.save({"core.b": "New"}), "as it was"),
    ],
)
def test_bytes_that_are_no_text_can_be_replaced(kind, write, left):
    """Removed as well, and left alone; history keeps how they were read."""
    sql, read = BYTES[kind]
    by_hand("", "core.a", None, sql)

    write()

    kept = services.stored().texts.get(("", "core.a"))
    assert kept == (read if left == "as it was" else left)
    if left != "as it was":
        assert history()[-1] == {("", "core.a"): (read, left)}


@on_sqlite
def test_the_commands_read_bytes_that_are_no_text():
    """As every reader does, so that nobody is told that the database failed."""
    by_hand("", "core.a", None, BYTES["no UTF-8"][0])
    by_hand("", "core.c", None, BYTES["lone surrogate"][0])

    assert "core.a" in run("list")[0]
    assert run("check")[1].startswith("3 stored texts")
    assert "a\ufffdb" in run("show", "core.a")[0]
    assert run("render")[0] == "a\ufffdb\n\nMine\n"
    assert run("prune-history", "--keep", "0")[1]
    assert run("prune", "core.c")[0]
    assert rows_read() == {("", "core.b")}


def rows_read():
    """Return the addresses whose texts Django reads without help."""
    Override.objects.filter(key="core.a").only("pk").update(text="")
    return {address for address, text in rows().items() if text}


@on_sqlite
def test_others_read_the_connection_as_before():
    """Only what the app reads is read so; an error of theirs stays one."""
    driver = connection.connection.text_factory
    by_hand("", "core.a", None, BYTES["no UTF-8"][0])

    services.assemble()

    assert connection.connection.text_factory is driver
