"""What is served while the database does not answer, and what is not."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from django.db import (
    DataError,
    InterfaceError,
    OperationalError,
    ProgrammingError,
    connection,
    transaction,
)

from prompts_app import services
from prompts_app.overrides import snapshots
from tests.assembling import CORE, fragment
from tests.storing import Broken, in_threads

pytestmark = pytest.mark.django_db(transaction=True)

RECORD = (
    "Database default did not answer (OperationalError);"
    " the last known texts are served"
)
END_OF_CONNECTION = {
    "postgresql": "SELECT pg_terminate_backend(%s)",
    "mysql": "KILL %s",
}


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments, and know nothing of what earlier tests stored."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    snapshots.forget()
    return registry


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Return the clock of the records, a list of one number of seconds."""
    # As soon after a start as it can be.
    now = [0.0]
    monkeypatch.setattr(snapshots, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(snapshots, "_last_record", {})
    return now


@contextmanager
def failing(error=OperationalError):
    """Let every statement fail, as if the server were gone."""
    with connection.execute_wrapper(Broken(error("canary"))):
        yield


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_the_last_known_texts_stand_in(error):
    """A person's "off" stays off, and the assembly says that it may be behind."""
    services.save({"core.a": "Mine", "core.b": ""})
    before = services.assemble()

    with failing(error):
        during = services.assemble()
        stored = services.stored()

    assert (during.text, during.version) == ("Mine", before.version)
    assert during.degraded
    assert stored.degraded
    assert not before.degraded


def test_plans_hold_while_the_last_known_texts_stand_in():
    """A database that is slow to come back makes no assembly slow."""
    services.save({"core.a": "Mine"})
    services.assemble()

    with failing():
        during = [services.stored() for _ in range(2)]
    services.save({"core.a": "Newer"})
    services.assemble()
    with failing():
        later = services.stored()

    assert during[0] is during[1]
    assert (later.texts["", "core.a"], later.degraded) == ("Newer", True)


def test_an_empty_store_stands_in_too():
    """That there was nothing to override is known as well."""
    services.assemble()

    with failing():
        during = services.assemble()

    assert (during.text, during.degraded) == ("Alpha\n\nBeta", True)


def test_the_next_answer_ends_it():
    """What was saved meanwhile is served as soon as the database answers."""
    services.save({"core.a": "Before"})
    services.assemble()

    with failing():
        services.assemble()
        assert in_threads(lambda: services.save({"core.a": "Meanwhile"})) == []
        during = services.assemble()
    after = services.assemble()

    assert during.text == "Before\n\nBeta"
    assert (after.text, after.degraded) == ("Meanwhile\n\nBeta", False)


def test_one_record_a_minute_tells_of_it(caplog, clock):
    """It names database and error, and neither a text nor the error's own words."""
    services.save({"core.a": "canary"})
    services.assemble()

    with caplog.at_level(logging.DEBUG, "prompts_app"), failing():
        for seconds in (0, 30, 29.9, 0.1, 59.9, 0.1):
            clock[0] += seconds
            services.assemble()

    assert caplog.messages == [RECORD] * 3
    told = {(record.name, record.levelname) for record in caplog.records}
    assert told == {("prompts_app", "WARNING")}
    assert "canary" not in caplog.text


def test_without_texts_to_stand_in_the_error_is_raised():
    """The defaults would undo every edit in silence."""
    with failing(), pytest.raises(OperationalError):
        services.assemble()


def test_inside_a_transaction_the_error_is_raised():
    """Whoever opened it has to know that it is broken."""
    services.assemble()

    with pytest.raises(OperationalError), transaction.atomic(), failing():
        services.assemble()


@pytest.mark.parametrize("error", [ProgrammingError, DataError, ZeroDivisionError])
def test_other_errors_are_raised(error):
    """A fault of the code is not hidden behind old texts."""
    services.assemble()

    with failing(error), pytest.raises(error):
        services.assemble()


def test_an_etag_is_never_that_of_texts_that_stand_in():
    """Nobody bases an edit on what may be behind."""
    services.assemble()

    with failing(), pytest.raises(OperationalError):
        services.etag("", "core.a")
    with failing(), pytest.raises(OperationalError):
        services.as_of(0)


@pytest.mark.case(65)
def test_texts_that_were_rolled_back_never_stand_in():
    """What a transaction saw of itself is not what was stored."""
    services.save({"core.a": "Stored"})
    services.assemble()

    with transaction.atomic():
        services.save({"core.a": "Taken back"})
        inside = [services.assemble().text for _ in range(3)]
        transaction.set_rollback(True)
    with failing():
        during = services.assemble().text

    assert inside == ["Taken back\n\nBeta"] * 3
    assert during == "Stored\n\nBeta"


def test_a_transaction_that_was_begun_by_hand_is_kept(superuser):
    """To close its connection would take back in silence what it wrote."""
    services.assemble()
    connection.set_autocommit(False)
    try:
        superuser.first_name = "Ada"
        superuser.save()
        with failing(), pytest.raises(OperationalError):
            services.assemble()
        connection.commit()
    finally:
        connection.set_autocommit(True)

    superuser.refresh_from_db()
    assert superuser.first_name == "Ada"


def test_texts_that_never_came_to_rest_never_stand_in(declared):
    """A source that changes the store whenever it is asked leaves nothing to rely on."""
    declared.register_source(lambda: services.touch() or [])
    assert services.assemble().text == "Alpha\n\nBeta"

    with failing(), pytest.raises(OperationalError):
        services.assemble()


def test_texts_that_were_committed_stand_in_once_seen_outside():
    """They become the last known ones at the first look after the commit."""
    services.save({"core.a": "Before"})
    services.assemble()
    with transaction.atomic():
        services.save({"core.a": "After"})
        services.assemble()
    services.assemble()

    with failing():
        assert services.assemble().text == "After\n\nBeta"


def test_a_source_that_cannot_read_makes_the_last_known_texts_stand_in(declared):
    """Declarations are part of what was known."""
    state = {"broken": False}

    def source():
        if state["broken"]:
            raise OperationalError("canary")
        return [("", fragment("core.row", "Row"))]

    declared.register_source(source)
    services.assemble()
    state["broken"] = True
    services.touch()

    during = services.assemble()

    assert (during.text, during.degraded) == ("Alpha\n\nBeta\n\nRow", True)


@pytest.mark.skipif(
    connection.vendor not in END_OF_CONNECTION, reason="SQLite has no server to lose"
)
def test_a_connection_that_the_server_ended_is_replaced():
    """The assembly that notices is served from memory, the next one anew."""
    services.save({"core.a": "Before"})
    services.assemble()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_backend_pid()"
            if connection.vendor == "postgresql"
            else "SELECT CONNECTION_ID()"
        )
        number = cursor.fetchone()[0]

    def end():
        services.save({"core.a": "After"})
        with connection.cursor() as cursor:
            cursor.execute(END_OF_CONNECTION[connection.vendor], [number])

    assert in_threads(end) == []
    noticing, next_one = services.assemble(), services.assemble()

    assert (noticing.text, noticing.degraded) == ("Before\n\nBeta", True)
    assert (next_one.text, next_one.degraded) == ("After\n\nBeta", False)
