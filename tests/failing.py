"""A database that is gone, slow, read-only or empty for a block; rows by hand."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.utils.timezone import now

from prompts_app import services
from prompts_app.models import Override, StoredState

READ_ONLY = {
    "sqlite": ("PRAGMA query_only = ON", "PRAGMA query_only = OFF"),
    "postgresql": (
        "SET default_transaction_read_only = on",
        "SET default_transaction_read_only = off",
    ),
    "mysql": (
        "SET SESSION TRANSACTION READ ONLY",
        "SET SESSION TRANSACTION READ WRITE",
    ),
}
IMPATIENT: dict[str, dict[str, object]] = {
    "sqlite": {"timeout": 0.05},
    "postgresql": {"options": "-c statement_timeout=50"},
    "mysql": {"init_command": "SET SESSION max_statement_time = 0.05"},
}
"""What ends a statement after a twentieth of a second: each server's own limit."""
HIDDEN = "_hidden"


def run(*statements: str) -> None:
    """Run statements that give nothing back."""
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


@contextmanager
def gone() -> Iterator[None]:
    """Let connections lead to a port nobody listens on, or to no file."""
    with socket.create_server(("127.0.0.1", 0)) as soon_closed:
        port = str(soon_closed.getsockname()[1])
    nowhere = {
        "sqlite": {"NAME": "/nowhere/at/all.sqlite3"},
        "postgresql": {"HOST": "127.0.0.1", "PORT": port},
        "mysql": {"HOST": "127.0.0.1", "PORT": port},
    }
    connection.close()
    before = dict(connection.settings_dict)
    connection.settings_dict.update(nowhere[connection.vendor])
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(before)


@contextmanager
def slow() -> Iterator[None]:
    """Let another connection hold the store, and let no statement wait for it long."""
    state = StoredState._meta.db_table
    holding = {
        "sqlite": ("PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE"),
        "postgresql": ("BEGIN", f"LOCK TABLE {state} IN ACCESS EXCLUSIVE MODE"),
        "mysql": (f"LOCK TABLES {state} WRITE",),
    }
    other = connection.copy()
    connection.close()
    options = connection.settings_dict["OPTIONS"]
    connection.settings_dict["OPTIONS"] = {**options, **IMPATIENT[connection.vendor]}
    try:
        with other.cursor() as cursor:
            for statement in holding[other.vendor]:
                cursor.execute(statement)
        yield
    finally:
        other.close()
        connection.close()
        connection.settings_dict["OPTIONS"] = options


@contextmanager
def read_only() -> Iterator[None]:
    """Let the database refuse every change, as a standby or a full disk does."""
    begin, end = READ_ONLY[connection.vendor]
    run(begin)
    try:
        yield
    finally:
        run(end)


@contextmanager
def not_migrated() -> Iterator[None]:
    """Let there be no table, as before the first `migrate`."""
    tables = [model._meta.db_table for model in (Override, StoredState)]
    with connection.schema_editor() as editor:
        for table in tables:
            editor.alter_db_table(Override, table, table + HIDDEN)
    try:
        yield
    finally:
        with connection.schema_editor() as editor:
            for table in tables:
                editor.alter_db_table(Override, table + HIDDEN, table)


def by_hand(scope: str, key: str, text: str | None, sql: str = "%s") -> None:
    """
    Write a row past the app, as in the shell of a database, and tell of it.

    *sql* makes the text, of *text* or, where that is None, by itself.
    """
    quote = connection.ops.quote_name
    names = ("scope", "key", "default_text", "updated_at", "text")
    columns = ", ".join(map(quote, names))
    table = quote(Override._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({columns}) VALUES (%s, %s, %s, %s, {sql})",  # noqa: S608  # the names are those of the model, quoted, and values are parameters
            [scope, key, "Alpha", now(), *([] if text is None else [text])],
        )
    services.touch()


def told(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    """Return what the app logged, by level and words, none of it a canary."""
    assert "canary" not in caplog.text
    return [
        (one.levelname, one.getMessage())
        for one in caplog.records
        if one.name == "prompts_app"
    ]
