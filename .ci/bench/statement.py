"""The statement that finds whether anything was saved, beside the plainest SELECT."""

from __future__ import annotations

from django.db import connection
from django.test.utils import CaptureQueriesContext

from bench import growing, scenario
from bench.ratios import Samples, ratio
from bench.results import Chapter, table
from bench.sampling import Candidate, measure
from prompts_app import services
from prompts_app.contrib.chat.offer import ALL_TOOLS

PLAIN = "version SELECT by cursor"
STORED = "`services.stored()`"
FULL = "full chat, the statement included"
APART = "full chat, snapshot given"
SELECT = "SELECT version FROM prompts_app_storedstate WHERE id = 1"


def chapters() -> list[Chapter]:
    """Measure on a database of its own; return what is to be told."""
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        texts = {key: f"{text}\n" for (_, key), text in scenario.stored_texts().items()}
        services.save(texts)
        return [told(measure(candidates()))]
    finally:
        connection.creation.destroy_test_db("unused", verbosity=0)


def candidates() -> list[Candidate]:
    """Return the plain statement, ours, and the full chat with and without it."""
    snapshot = services.stored()
    values = scenario.values()
    with CaptureQueriesContext(connection) as made:
        services.assemble(variables=values, tools=ALL_TOOLS)
    if len(made) != 1 or select() != snapshot.version:
        raise ValueError("An assembly takes more than the one statement.")

    def full() -> str:
        return services.assemble(variables=values, tools=ALL_TOOLS).text

    def apart() -> str:
        return services.assemble(
            overrides=snapshot, variables=values, tools=ALL_TOOLS
        ).text

    return [
        Candidate(PLAIN, select),
        Candidate(STORED, services.stored),
        Candidate(FULL, full),
        Candidate(APART, apart),
    ]


def select() -> str:
    """Return the version, as plainly as Django's cursor can be asked."""
    with connection.cursor() as cursor:
        cursor.execute(SELECT)
        return str(cursor.fetchone()[0])


def told(samples: Samples) -> Chapter:
    """Return the rows of this database."""
    vendor = connection.display_name
    version = ".".join(str(part) for part in connection.get_database_version())
    rows = [
        [
            f"{vendor} {version}",
            name,
            growing.time(samples, name),
            str(ratio(samples, name, PLAIN)),
            ratio(samples, name, PLAIN).spread,
        ]
        for name in samples
    ]
    heads = ("database", "", "µs", "× the SELECT", "spread")
    found = {f"statement: {vendor}": ratio(samples, STORED, PLAIN)}
    return Chapter("", table(heads, rows, 2), found)
