"""What transactions see that are isolated more than is usual."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from functools import partial
from types import SimpleNamespace

import pytest
from django.core.management.color import no_style
from django.db import DatabaseError, OperationalError, connection, transaction

from prompts_app import services
from prompts_app.exceptions import EditConflict
from prompts_app.models import Revision
from prompts_app.transactions import is_read_committed, queued
from tests import process_commands
from tests.storing import in_threads

pytestmark = pytest.mark.django_db(transaction=True)

TABLES = [f"prompts_app_{n}" for n in ("change", "revision", "override", "storedstate")]
# Each driver names it in a way of its own, psycopg by a number.
REPEATABLE = {"postgresql": 3, "mysql": "repeatable read"}


def elsewhere(values):
    """Return the failures of saving *values* over another connection."""
    return in_threads(lambda: services.save(values))


def test_a_save_over_another_connection_is_seen_here(registry):
    """What the tests below do meanwhile is really done."""
    process_commands.declare()

    assert elsewhere({"core.a": "Theirs"}) == []
    assert process_commands.assemble() == "Theirs\n\nnone"


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite lets one write")
def test_first_saves_that_are_taken_back_let_all_others_through(registry):
    """However many wait for the row that the first of them made."""
    process_commands.declare()

    def save_or_not(number):
        with transaction.atomic():
            services.save({"core.a": f"Text {number}"})
            transaction.set_rollback(number % 2 == 0)

    for _ in range(4):
        empty = connection.ops.sql_flush(no_style(), TABLES, reset_sequences=True)
        connection.ops.execute_sql_flush(empty)
        failed = in_threads(*(partial(save_or_not, number) for number in range(6)))

        assert failed == []
        assert Revision.objects.count() == 3


class Recorded(list):
    """A connection to MySQL that notes its statements; *refuses* names what fails."""

    vendor = "mysql"
    settings_dict = {"NAME": "n" * 64}
    refuses = "nothing"
    wrap_database_errors = nullcontext()

    @property
    def cursor(self):
        return self

    @contextmanager
    def __call__(self):
        yield self

    def execute(self, sql, params):
        self.append(sql)
        if self.refuses in sql:
            raise DatabaseError


def test_first_saves_wait_in_a_queue_that_is_left_whatever_happens():
    """MySQL's queue is the session's, so that no transaction leaves it by ending."""
    connection = Recorded()
    with pytest.raises(ZeroDivisionError), queued(connection):
        connection.append(1 / 0)
    refusing = Recorded()
    refusing.refuses = "GET_LOCK"
    with queued(refusing):
        refusing.append("SAVE")

    lock = "SELECT GET_LOCK(%s, 60)"
    assert connection == [lock, "SELECT RELEASE_LOCK(%s)"]
    assert refusing == [lock, "SAVE"]


def test_only_a_level_that_is_known_to_be_usual_counts_as_usual():
    """Where nobody chose one, the server's own is in force, whatever it is."""
    levels = ("read committed", "repeatable read", "serializable", None)
    usual = [
        level
        for level in levels
        if is_read_committed(SimpleNamespace(isolation_level=level))
    ]

    assert usual == ["read committed"]


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one level only")
class TestRepeatableRead:
    """Each transaction sees the moment of its first statement."""

    @pytest.fixture(autouse=True)
    def repeatable(self, registry, monkeypatch):
        """Isolate this test's transactions, and declare two fragments of one text."""
        process_commands.declare()
        with monkeypatch.context() as patched:
            options = connection.settings_dict.setdefault("OPTIONS", {})
            patched.setitem(options, "isolation_level", REPEATABLE[connection.vendor])
            connection.close()
            yield
        connection.close()

    def test_one_moment_is_seen_to_the_end_of_a_transaction(self):
        """What is saved meanwhile is served at the first assembly after it."""
        services.save({"core.a": "Before"})

        with transaction.atomic():
            first = services.assemble().text
            assert elsewhere({"core.a": "After"}) == []
            again = services.assemble().text

        assert first == again == "Before\n\nnone"
        assert services.assemble().text == "After\n\nnone"

    def test_an_edit_of_what_was_not_seen_is_refused(self):
        """By the database or as a conflict; what was saved meanwhile stays."""
        based_on = {"core.a": services.etag("", "core.a")}

        with transaction.atomic():
            services.assemble()
            assert elsewhere({"core.a": "Theirs"}) == []
            with pytest.raises((OperationalError, EditConflict)):
                services.save({"core.a": "Mine"}, based_on=based_on)
            transaction.set_rollback(True)

        assert services.assemble().text == "Theirs\n\nnone"

    def test_an_own_save_makes_no_old_text_stay(self):
        """Where a save goes over the unseen, what was seen with it is not kept."""
        services.save({"core.b": "Before"})

        try:
            with transaction.atomic():
                services.assemble()
                assert elsewhere({"core.b": "Theirs"}) == []
                services.save({"core.a": "Mine"})
                inside = [services.assemble().text for _ in range(2)]
        except OperationalError:
            assert services.assemble().text == "none\n\nTheirs"
        else:
            assert inside == ["Mine\n\nBefore"] * 2
            assert services.assemble().text == "Mine\n\nTheirs"
