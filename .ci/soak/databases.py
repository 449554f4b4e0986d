"""Databases of its own, made for one run and dropped after it."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import django
import environ
from django.conf import settings
from django.db import connections

from soak.noted import History, Revision

ROOT = Path(__file__).resolve().parent.parent.parent
# One for each checkout, so that two may run side by side.
NAME = f"prompts_soak_{zlib.crc32(str(ROOT).encode())}"
DEFAULTS = {
    "POSTGRESQL_URL": f"postgres://postgres@127.0.0.1:5432/{NAME}",
    "MARIADB_URL": f"mysql://root@127.0.0.1:3306/{NAME}",
}
MAKE = {
    "postgresql": "CREATE DATABASE {}",
    "mysql": "CREATE DATABASE {} CHARACTER SET utf8mb4",
}
DROP = {
    "postgresql": "DROP DATABASE IF EXISTS {} WITH (FORCE)",
    "mysql": "DROP DATABASE IF EXISTS {}",
}


class Database(NamedTuple):
    """A database server to be tried."""

    name: str
    variable: str
    """The environment variable with its address."""
    driver: str
    isolation: str
    """The isolation of the server whose requests are transactions; "" is usual."""

    @property
    def url(self) -> str:
        """Where it is, with a name of its own whatever the variable says."""
        url = os.environ.get(self.variable, DEFAULTS[self.variable])
        return f"{url.rpartition('/')[0]}/{NAME}"

    def answers(self) -> bool:
        """Return whether something listens where it should be."""
        place = urlsplit(self.url)
        try:
            socket.create_connection((place.hostname, place.port), timeout=5).close()
        except OSError:
            return False
        return True

    def has_driver(self) -> bool:
        """Return whether Python can talk to it."""
        return importlib.util.find_spec(self.driver) is not None


DATABASES = (
    Database("PostgreSQL", "POSTGRESQL_URL", "psycopg", ""),
    Database("MariaDB", "MARIADB_URL", "MySQLdb", "repeatable read"),
)


def configure() -> None:
    """Let this process talk to all of them."""
    env = environ.Env()
    settings.configure(
        DATABASES={"default": {}}
        | {one.name: env.db_url_config(one.url) for one in DATABASES}
    )
    django.setup()


@contextmanager
def made(database: Database) -> Iterator[Mapping[str, str]]:
    """Make the database with its tables; give the environment for its processes."""
    environment = os.environ | {
        "DATABASE_URL": database.url,
        "PYTHONPATH": str(ROOT),
        "DJANGO_SETTINGS_MODULE": "tests.settings",
    }
    command(database, DROP)
    command(database, MAKE)
    try:
        migrate = [sys.executable, "-m", "django", "migrate", "--verbosity=0"]
        subprocess.run(migrate, env=environment, check=True)
        yield environment
    finally:
        connections[database.name].close()
        command(database, DROP)


def command(database: Database, commands: Mapping[str, str]) -> None:
    """Run one of *commands* on the server, outside of any database."""
    connection = connections[database.name]
    name = connection.ops.quote_name(NAME)
    with connection._nodb_cursor() as cursor:  # noqa: SLF001  # Django has no public way to a server without a database of it
        cursor.execute(commands[connection.vendor].format(name))


def version(database: Database) -> str:
    """Return the version of the server."""
    with connections[database.name].cursor() as cursor:
        cursor.execute("SELECT version()")
        told: str = cursor.fetchone()[0]
    return told.removeprefix("PostgreSQL ").split()[0].split("-")[0]


def history(database: Database, defaults: Mapping[str, str]) -> History:
    """Return all saves and what is stored, read without the app."""
    changes: dict[int, dict[str, tuple[str | None, str | None]]] = {}
    told = rows(database, "change", "revision_id", "key", "before", "after")
    for revision, key, before, after in told:
        changes.setdefault(revision, {})[key] = before, after
    found = sorted(
        rows(database, "revision", "number", "kind", "comment", "restores", "id")
    )
    return History(
        defaults,
        [
            Revision(number, kind, tag, restores, changes.get(own, {}))
            for number, kind, tag, restores, own in found
        ],
        dict(rows(database, "override", "key", "text")),
    )


def rows(database: Database, table: str, *columns: str) -> list[tuple[Any, ...]]:
    """Return *columns* of all rows of one of the app's tables."""
    connection = connections[database.name]
    quote = connection.ops.quote_name
    names = ", ".join(map(quote, columns))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {names} FROM {quote(f'prompts_app_{table}')}")  # noqa: S608  # tables and columns are named in this module, and quoted
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found
