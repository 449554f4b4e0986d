"""The databases that the statement is measured on: those that answer."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from importlib.util import find_spec
from urllib.parse import urlsplit

from bench import part
from bench.results import Chapter

NAME = f"prompts_bench_{os.getpid()}"
HEADING = "The statement"
ABOUT = """\
Warm: nothing was saved since. One statement finds that out; beside it stands the
plainest SELECT of the version by a cursor of the same connection."""


def chapter() -> Chapter:
    """Measure on each database; return one chapter of all."""
    with tempfile.TemporaryDirectory() as folder:
        sqlite = f"{folder}/bench.sqlite3"
        (first,) = part.run(
            "statement", BENCH_URL=f"sqlite:///{sqlite}", BENCH_DATABASE=sqlite
        )
    table = first.text.splitlines()
    ratios = dict(first.ratios)
    skipped = []
    for name, (url, driver) in servers().items():
        if reason := unusable(url, driver):
            skipped.append(f"{name} was not measured: {reason}.")
            sys.stderr.write(f"skipped: {name}: {reason}\n")
            continue
        (found,) = part.run("statement", BENCH_URL=url, BENCH_DATABASE=NAME)
        table += found.text.splitlines()[2:]
        ratios |= found.ratios
    text = "\n\n".join([ABOUT, "\n".join(table), *skipped])
    return Chapter(HEADING, text, ratios)


def servers() -> dict[str, tuple[str, str]]:
    """Return address and driver of each database server."""
    postgresql = f"postgres://postgres@127.0.0.1:5432/{NAME}"
    mariadb = f"mysql://root@127.0.0.1:3306/{NAME}"
    return {
        "PostgreSQL": (os.environ.get("POSTGRESQL_URL", postgresql), "psycopg"),
        "MariaDB": (os.environ.get("MARIADB_URL", mariadb), "MySQLdb"),
    }


def unusable(url: str, driver: str) -> str:
    """Return why the server at *url* cannot be measured; ``""`` if it can."""
    if find_spec(driver) is None:
        return f"{driver} is not installed"
    place = urlsplit(url)
    try:
        socket.create_connection((place.hostname or "", place.port or 0), 2).close()
    except OSError as error:
        return f"no answer from port {place.port} ({error.strerror or error})"
    return ""
