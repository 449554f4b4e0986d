"""A database that really is gone, slow, read-only or without tables: served and logged."""

from __future__ import annotations

import gc
import logging
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import (
    DatabaseError,
    InterfaceError,
    OperationalError,
    connection,
    transaction,
)

from prompts_app import services
from prompts_app.overrides import snapshots
from tests.assembling import CORE, fragment
from tests.commanding import run
from tests.factories import OverrideFactory
from tests.failing import gone, not_migrated, read_only, slow, told
from tests.storing import Broken, everything

pytestmark = [
    pytest.mark.django_db(transaction=True),
    # Django leaves open what fails while it is made; newer Pythons warn of it.
    pytest.mark.filterwarnings("ignore:unclosed database:ResourceWarning"),
]


@pytest.fixture(autouse=True)
def collected():
    """Let what was left open go while its warning is passed over."""
    yield
    gc.collect()


RECORD = (
    "Database default did not answer (OperationalError);"
    " the last known texts are served"
)
UNANSWERED = {"gone": gone, "slow": slow}
unanswered = pytest.mark.parametrize("failure", UNANSWERED)
DOCUMENT = {
    "format": 1,
    "texts": [{"scope": "", "key": "core.a", "text": "New", "default_text": "Alpha"}],
}
WRITES = {
    "save": lambda: services.save({"core.a": "New"}),
    "reset": lambda: services.reset(["core.b"]),
    "acknowledge": lambda: services.acknowledge(["core.b"]),
    "restore": lambda: services.restore(0),
    "import": lambda: services.import_texts(DOCUMENT),
    "adopt": lambda: services.adopt("gone.text", "core.a"),
    "prune": lambda: services.prune(["gone.text"]),
    "touch": services.touch,
    "prune_history": lambda: services.prune_history(keep=0, dry_run=False),
}
LOOKS = ["list", "check", "export"]


@pytest.fixture(autouse=True)
def stored(registry, monkeypatch):
    """Declare two fragments, store a text of one, and know nothing of either."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    OverrideFactory(key="gone.text", text="Kept")
    services.save({"core.b": "canary"})
    monkeypatch.setattr(snapshots, "_last_record", {})
    snapshots.forget()


@unanswered
def test_a_process_that_knows_the_texts_serves_them(failure, caplog):
    """Whether nobody listens or nobody answers in time; one record tells of it."""
    before = services.assemble()

    with caplog.at_level(logging.DEBUG), UNANSWERED[failure]():
        during = [services.assemble() for _ in range(3)]
        rendered, beside = run("render")
    after = services.assemble()

    assert {one.text for one in during} == {before.text} == {"Alpha\n\ncanary"}
    assert [one.degraded for one in (before, *during, after)] == [
        False,
        *[True] * 3,
        False,
    ]
    assert rendered == "Alpha\n\ncanary\n"
    assert "The database did not answer. These are the last known texts." in beside
    assert told(caplog) == [("WARNING", RECORD)]


@unanswered
def test_a_process_that_knows_nothing_raises(failure, caplog):
    """The defaults would undo every edit in silence; the caller hears of it at once."""
    with UNANSWERED[failure](), pytest.raises(OperationalError):
        services.assemble()

    assert told(caplog) == []
    assert services.assemble().text == "Alpha\n\ncanary"


def test_a_transaction_that_waits_too_long_raises():
    """Whoever opened it has to know that it is broken, whatever was known before."""
    services.assemble()

    late = "timeout|max_statement_time|locked"
    # In SQLite it is the beginning of the transaction that waits.
    with slow(), pytest.raises(OperationalError, match=late):
        transaction.atomic()(services.assemble)()

    assert services.assemble().text == "Alpha\n\ncanary"


@unanswered
@pytest.mark.parametrize("name", WRITES)
def test_a_write_that_finds_no_answer_changes_nothing(failure, name, caplog):
    """The driver's error is raised, and the next try gets through."""
    before = everything()

    with UNANSWERED[failure](), pytest.raises(OperationalError):
        WRITES[name]()

    assert everything() == before
    assert told(caplog) == []
    WRITES[name]()


@pytest.mark.parametrize("name", WRITES)
def test_a_read_only_database_is_served_from_and_not_written_to(name, caplog):
    """What is stored is read as ever; a write ends in the database's own words."""
    before = everything()

    with read_only():
        with pytest.raises(DatabaseError, match=r"(?i)read.?only"):
            WRITES[name]()
        built = services.assemble()

    assert (built.text, built.degraded) == ("Alpha\n\ncanary", False)
    assert everything() == before
    assert told(caplog) == []


@pytest.mark.parametrize("verb", ["reload", "restore 0", "prune gone.text"])
def test_a_command_that_may_not_write_says_why(verb):
    """In a sentence with the database's own reason, and status 1."""
    before = everything()

    with read_only(), pytest.raises(CommandError, match=r"(?i)read.?only") as caught:
        run(*verb.split())

    assert str(caught.value).startswith("The database did not answer: ")
    assert everything() == before


@pytest.mark.parametrize("verb", LOOKS)
@pytest.mark.parametrize("failure", [gone, not_migrated])
def test_a_command_that_cannot_read_says_why(verb, failure):
    """It asks for texts as they are stored now, so none stand in."""
    services.assemble()

    with failure(), pytest.raises(CommandError, match="The database did not answer: "):
        run(verb)


def test_a_command_whose_connection_breaks_off_says_so():
    """Of Django's two kinds of error the second is told like the first."""
    broken = Broken(InterfaceError("connection already closed"))

    with (
        connection.execute_wrapper(broken),
        pytest.raises(CommandError, match="did not answer: connection already closed"),
    ):
        run("list")


@pytest.mark.parametrize("failure", [gone, not_migrated])
def test_the_app_starts_and_is_checked_without_its_tables(failure):
    """No check of ours needs a table, so `migrate` and `runserver` begin."""
    silent = {"tags": ["prompts_app"], "stdout": StringIO(), "stderr": StringIO()}

    with failure():
        call_command("check", **silent)
    with not_migrated():
        call_command("check", databases=["default"], **silent)

    assert silent["stderr"].getvalue() == ""


def test_without_tables_nothing_is_assembled(caplog):
    """The error names the table that is missing; nobody is sent mere defaults."""
    with not_migrated(), pytest.raises(DatabaseError, match="prompts_app_"):
        services.assemble()

    assert told(caplog) == []
    assert services.assemble().text == "Alpha\n\ncanary"


@pytest.mark.parametrize("failure", [gone, not_migrated])
def test_defaults_need_no_database_where_an_operator_asks_for_them(failure, settings):
    """The setting that ignores stored texts is the way to go on meanwhile."""
    settings.PROMPTS_APP_IGNORE_OVERRIDES = True

    with failure():
        assert services.assemble().text == "Alpha\n\nBeta"
        assert run("list")[1] == (
            "Saved texts are ignored (PROMPTS_APP_IGNORE_OVERRIDES).\n"
        )
