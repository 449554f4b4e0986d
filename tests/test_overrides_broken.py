"""Writes that something breaks off, and stores that something put together anew."""

from __future__ import annotations

import signal
import threading

import pytest
from django.db import (
    InterfaceError,
    OperationalError,
    connection,
    transaction,
)

from prompts_app import services
from prompts_app.exceptions import EditConflict
from prompts_app.models import Change, Override, Revision, StoredState
from prompts_app.overrides import snapshots
from tests import process_commands
from tests.factories import OverrideFactory
from tests.processes import other_processes
from tests.storing import (
    announcements,
    before_statement,
    everything,
    history,
    in_threads,
    rows,
)

pytestmark = pytest.mark.django_db(transaction=True)

TEXTS = {"core.a": "Mine", "core.b": ""}
LOST = (OperationalError, InterfaceError)
END_OF_CONNECTION = {
    "postgresql": ("SELECT pg_backend_pid()", "SELECT pg_terminate_backend(%s)"),
    "mysql": ("SELECT CONNECTION_ID()", "KILL %s"),
}
DOCUMENT = {
    "format": 1,
    "texts": [
        {"scope": scope, "key": "core.a", "text": "Imported", "default_text": "none"}
        for scope in ("", "tenant.x")
    ],
}
WRITES = {
    "save": lambda: services.save(TEXTS),
    "reset": lambda: services.reset(["core.a"]),
    "restore": lambda: services.restore(0),
    "import": lambda: services.import_texts(DOCUMENT),
    "adopt": lambda: services.adopt("gone.text", "core.b"),
    "prune": lambda: services.prune(["gone.text"]),
}


@pytest.fixture(autouse=True)
def stored(registry):
    """Declare two fragments, store a text of one, and one that nobody reads."""
    process_commands.declare()
    snapshots.forget()
    OverrideFactory(key="gone.text", text="Kept", default_text="none")
    services.save({"core.a": "Before"})


def statements(write):
    """Return how many statements *write* takes, and take it back."""
    reached = []
    with transaction.atomic():
        with before_statement(0, lambda: reached.append(1)):
            write()
        transaction.set_rollback(True)
    return len(reached)


def gone():
    """Fail as every statement does once the server is gone."""
    raise OperationalError("canary")


@pytest.mark.parametrize("name", WRITES)
def test_a_database_that_goes_in_mid_write_leaves_the_store_as_it_was(name):
    """At whichever statement; nobody is told of it, and the next try gets through."""
    write = WRITES[name]
    before, text = everything(), services.assemble().text

    with announcements() as sent:
        for number in range(statements(write)):
            with before_statement(number, gone), pytest.raises(OperationalError):
                write()
            assert everything() == before
        assert sent == []
        assert services.assemble().text == text

        assert write().revision == 2
    assert [one["revision"] for one in sent] == [2]


@pytest.mark.skipif(
    connection.vendor not in END_OF_CONNECTION, reason="SQLite has no server to lose"
)
@pytest.mark.parametrize("name", WRITES)
def test_a_connection_that_ends_in_mid_write_leaves_the_store_as_it_was(name):
    """The server itself ends it, at the first, a middle and the last statement."""
    write = WRITES[name]
    before, count = everything(), statements(WRITES[name])
    asks, ends = END_OF_CONNECTION[connection.vendor]

    def end(number):
        with connection.cursor() as cursor:
            cursor.execute(ends, [number])

    for place in (1, count // 2, count - 1):
        with connection.cursor() as cursor:
            cursor.execute(asks)
            (number,) = cursor.fetchone()
        done = []

        def once(number=number, done=done):
            if not done:
                done.append(True)
                assert in_threads(lambda: end(number)) == []

        with before_statement(place, once), pytest.raises(LOST):
            write()
        connection.close()
        assert everything() == before

    assert write().revision == 2


def test_a_process_that_is_killed_in_mid_save_leaves_the_store_as_it_was(
    process_environ,
):
    """After the lock was taken, in the middle, and before the commit."""
    before = everything()
    count = statements(WRITES["save"])

    with other_processes(process_environ, 4) as processes:
        for process, number in zip(processes, (2, count // 2, count - 1), strict=False):
            process.begin("die_in", values=TEXTS, statement=number)
            assert process.ended() == -signal.SIGKILL
            assert everything() == before
            assert services.assemble().text == "Before\n\nnone"

        processes[-1]("die_in", values=TEXTS, statement=1_000)
    assert rows() == {
        ("", "core.a"): "Mine",
        ("", "core.b"): "",
        ("", "gone.text"): "Kept",
    }


@pytest.mark.skipif(connection.vendor != "sqlite", reason="asks for SQLite's own limit")
def test_a_disk_that_is_full_leaves_the_store_as_it_was(settings):
    """Once there is room again, the same save gets through."""
    settings.PROMPTS_APP_MAX_FRAGMENT_CHARS = 10**6
    settings.PROMPTS_APP_MAX_STORED_CHARS = 10**6
    before = everything()
    long = {"core.a": "x" * 500_000}

    def pragma(name, value=""):
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA {name}{value}")
            return cursor.fetchone()[0]

    most = pragma("max_page_count")
    pragma("max_page_count", f" = {pragma('page_count')}")
    try:
        with pytest.raises(OperationalError, match="full"):
            services.save(long)
        assert everything() == before
        assert services.assemble().text == "Before\n\nnone"
    finally:
        pragma("max_page_count", f" = {most}")

    assert services.save(long).revision == 2


def meanwhile(number, first, second):
    """
    Run *first* up to a statement, let *second* come as far as it can, and go on.

    Return what failed. Where *second* has to wait for the lock it waits.
    """
    paused, goes_on, done = (threading.Event() for _ in range(3))

    def pause():
        paused.set()
        goes_on.wait(20)

    def one():
        try:
            with before_statement(number, pause):
                first()
        finally:
            paused.set()

    def other():
        paused.wait(20)
        try:
            second()
        finally:
            done.set()

    def watch():
        paused.wait(20)
        done.wait(0.1)
        goes_on.set()

    return in_threads(one, other, watch)


@pytest.mark.case(72)
def test_two_savers_lose_nothing_wherever_they_meet():
    """At every statement of the one, the other comes: both texts are kept."""
    for number in range(statements(lambda: services.save({"core.a": "One"})) + 1):
        failed = meanwhile(
            number,
            lambda text=f"A{number}": services.save({"core.a": text}),
            lambda text=f"B{number}": services.save({"core.b": text}),
        )

        assert failed == []
        assert services.assemble().text == f"A{number}\n\nB{number}"
        numbers = Revision.objects.order_by("number").values_list("number", flat=True)
        assert list(numbers) == list(range(1, 2 * number + 4))


@pytest.mark.case(72)
def test_of_two_savers_of_one_text_the_later_is_told_wherever_they_meet():
    """One of them wins, and the other's text is in nobody's way."""
    for number in range(statements(lambda: services.save({"core.a": "One"})) + 1):
        shown = {"core.a": services.etag("", "core.a")}
        count = Revision.objects.count()

        failed = meanwhile(
            number,
            lambda n=number, s=shown: services.save({"core.a": f"A{n}"}, based_on=s),
            lambda n=number, s=shown: services.save({"core.a": f"B{n}"}, based_on=s),
        )

        assert [type(error) for error in failed] == [EditConflict]
        assert rows()["", "core.a"] in {f"A{number}", f"B{number}"}
        assert Revision.objects.count() == count + 1


def three_saves():
    """Make two saves more; return the rows and the state right after the first."""
    kept = list(Override.objects.values()), StoredState.objects.values().get()
    services.save({"core.a": "Second", "core.b": "Second"})
    services.save({"core.a": "Third"})
    services.assemble()
    return kept


def put_back(texts, state):
    """Put rows and state of a backup in place of those that are there."""
    with transaction.atomic():
        Override.objects.all().delete()
        Override.objects.bulk_create(Override(**one) for one in texts)
        StoredState.objects.all().delete()
        StoredState.objects.create(**state)


def test_older_texts_under_a_newer_history_are_served_and_saved_over():
    """A backup of the texts alone: numbers go on, and no edit is overwritten unseen."""
    shown = {"core.a": services.etag("", "core.a")}
    kept = three_saves()
    stale = {"core.a": services.etag("", "core.a")}
    past = history()

    put_back(*kept)

    assert services.assemble().text == "Before\n\nnone"
    with pytest.raises(EditConflict):
        services.save({"core.a": "Fourth"}, based_on=stale)
    assert services.save({"core.a": "Fourth"}, based_on=shown).revision == 4
    assert history()[:3] == past
    assert services.restore(3, keys=[("", "core.a")]).revision == 5
    assert rows()["", "core.a"] == "Before"


@pytest.mark.parametrize("knows", [True, False])
def test_newer_texts_over_an_older_history_are_served_and_saved_over(knows):
    """A backup of the history alone: what it does not know it does not invent."""
    three_saves()
    Change.objects.filter(revision__number__gt=1).delete()
    Revision.objects.filter(number__gt=1).delete()
    if not knows:
        StoredState.objects.update(revision=1)
    services.touch()

    assert services.assemble().text == "Third\n\nSecond"
    assert services.save({"core.a": "Fourth"}).revision == (4 if knows else 2)
    assert rows()["", "core.b"] == "Second"
    if knows:
        with pytest.raises(ValueError, match="not known any more"):
            services.restore(1)
    else:
        assert services.restore(1).revision == 3
        assert rows()["", "core.a"] == "Third"


def test_a_store_without_its_state_goes_on_with_the_next_number():
    """A backup that lacks the row: nothing is served from memory for it."""
    three_saves()
    StoredState.objects.all().delete()
    Override.objects.filter(key="core.a").update(text="Foreign")
    StoredState.objects.all().delete()

    assert services.assemble().text == "Foreign\n\nSecond"
    assert services.stored().version == ""
    assert services.save({"core.b": "Fourth"}).revision == 4
    assert services.assemble().text == "Foreign\n\nFourth"
