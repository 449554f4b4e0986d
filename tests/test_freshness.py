"""What is served when: after rollbacks, restored backups and requests in a transaction."""

from __future__ import annotations

import unittest

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection, transaction
from django.db.models.signals import post_save
from django.test import TestCase

from prompts_app import services
from prompts_app.models import Override, Revision
from prompts_app.transactions import has_renewed
from tests import process_commands, served
from tests.processes import other_processes
from tests.serving import EDITED, SETS
from tests.storing import Broken

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments of one text, as other processes do."""
    process_commands.declare()


def test_a_transaction_knows_whether_it_renewed_the_version():
    """The one before it does not count, and one that was opened by hand may have."""
    known = [has_renewed("default")]
    with transaction.atomic():
        services.save({"core.a": "Mine"})
        with transaction.atomic():
            known.append(has_renewed("default"))
    with transaction.atomic():
        known.append(has_renewed("default"))
    transaction.set_autocommit(False)
    try:
        known.append(has_renewed("default"))
    finally:
        transaction.set_autocommit(True)

    assert known == [False, True, False, True]


def test_what_was_taken_back_by_hand_never_stands_in():
    """With autocommit off there is a transaction, although there is no block."""
    services.save({"core.a": "Stored"})
    services.assemble()

    transaction.set_autocommit(False)
    try:
        services.save({"core.a": "Taken back"})
        inside = services.assemble().text
        transaction.rollback()
    finally:
        transaction.set_autocommit(True)
    with connection.execute_wrapper(Broken(OperationalError())):
        during = services.assemble()

    assert inside == "Taken back\n\nnone"
    assert (during.text, during.degraded) == ("Stored\n\nnone", True)


def test_what_is_seen_in_the_middle_of_a_write_bears_no_version():
    """Whoever keeps something under a version must not keep that."""
    services.save({"core.a": "Before"})
    seen = []

    def look(**arguments):
        seen.append(services.stored())

    post_save.connect(look, sender=Override)
    try:
        services.save({"core.a": "After", "core.b": "After too"})
    finally:
        post_save.disconnect(look, sender=Override)

    assert [one.version for one in seen] == ["", ""]
    assert services.stored().version not in {"", *(one.version for one in seen)}
    assert services.assemble().text == "After\n\nAfter too"


TABLES = (
    "prompts_app_change",
    "prompts_app_revision",
    "prompts_app_override",
    "prompts_app_storedstate",
)


def dumped(*tables):
    """Return all rows of *tables*, as a backup of the database has them."""
    found = {}
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"SELECT * FROM {table}")  # noqa: S608  # a table of ours
            found[table] = cursor.fetchall()
    return found


def bring_back(backup):
    """Put the rows of *backup* in place of what its tables hold, without the ORM."""
    with transaction.atomic(), connection.cursor() as cursor:
        for table in backup:
            cursor.execute(f"DELETE FROM {table}")  # noqa: S608  # a table of ours
        for table, rows in reversed(backup.items()):
            marks = ", ".join(["%s"] * len(rows[0]))
            insert = f"INSERT INTO {table} VALUES ({marks})"  # noqa: S608  # the table is the model's, and each value has a mark
            cursor.executemany(insert, rows)


@pytest.mark.case(66)
def test_a_restored_backup_is_served_at_once(process_environ):
    """
    Numbers come again after it, versions do not.

    So it does not matter which of the states before or after a process last saw.
    """
    with other_processes(process_environ, 1) as (idle,):
        services.save({"core.a": "One"})
        backup = dumped(*TABLES)
        services.save({"core.a": "Two"})
        seen = {idle("assemble"), process_commands.assemble()}
        bring_back(backup)
        restored = process_commands.assemble()
        number = services.save({"core.b": "Another two"}).revision
        afterwards = {idle("assemble"), process_commands.assemble()}

    assert seen == {"Two\n\nnone"}
    assert restored == "One\n\nnone"
    assert number == 2
    assert afterwards == {"One\n\nAnother two"}


@pytest.mark.case(66, 68)
def test_a_backup_of_the_texts_alone_is_served_after_a_reload():
    """The state that was not restored with them says that nothing changed."""
    services.save({"core.a": "One"})
    backup = dumped("prompts_app_override")
    services.save({"core.a": "Two"})
    services.assemble()
    bring_back(backup)

    unseen = services.assemble().text
    call_command("prompts", "reload", verbosity=0)

    assert unseen == "Two\n\nnone"
    assert services.assemble().text == "One\n\nnone"


def test_emptied_tables_are_served_as_no_texts(process_environ):
    """Whatever a process saw before, such as what an earlier test stored."""
    with other_processes(process_environ, 1) as (other,):
        services.save({"core.a": "Mine"})
        seen = {other("assemble"), process_commands.assemble()}
        call_command("flush", interactive=False, verbosity=0)
        afterwards = {other("assemble"), process_commands.assemble()}

    assert seen == {"Mine\n\nnone"}
    assert afterwards == {"none\n\nnone"}


@pytest.fixture
def site(settings, monkeypatch, client):
    """Return a client of the small site, each of whose requests is a transaction."""
    settings.ROOT_URLCONF = "tests.served"
    settings.MIDDLEWARE = []
    monkeypatch.setitem(connection.settings_dict, "ATOMIC_REQUESTS", True)
    served.declare()

    def post(place, **body):
        return client.post(f"/{place}", body, content_type="application/json")

    return post


def test_a_request_sees_its_own_save_and_others_do_after_it(site):
    """The request is one transaction, which is committed before it is answered."""
    values = dict.fromkeys(SETS[0], "Mine")
    answered = site("save", values=values, comment="why").json()

    assert answered["revision"] == 1
    assert answered["text"] == services.assemble().text
    assert answered["text"].startswith("Mine\n\nMine\n\nMine\n\nset1.a none")


@pytest.mark.case(65)
def test_a_request_that_fails_takes_its_save_back(site, client):
    """Nobody is served what it saved, not even the process that answered it."""
    client.raise_request_exception = False
    before = services.assemble().text

    failed = site("failing", values={"set0.a": "Taken back"})
    undone = site("undone", values={"set0.a": "Taken back"}).json()

    assert failed.status_code == 500
    assert undone["inside"].startswith("Taken back")
    assert undone["text"] == services.assemble().text == before
    assert not Revision.objects.exists()


def test_of_two_edits_of_one_text_the_later_request_is_refused(site, client):
    """What it was based on is not there any more; and restoring brings it back."""
    key = EDITED[0]
    shown = client.get("/shown").json()
    based_on = {key: shown["etags"][key]}

    answers = [
        site("save", values={key: text}, based_on=based_on) for text in ("One", "Two")
    ]
    kept = services.resolve(key)
    restored = site("restore", number=0, keys=[["", key]]).json()

    assert [answer.status_code for answer in answers] == [200, 409]
    assert kept == "One"
    assert restored["revision"] == 2
    assert client.get("/shown").json()["text"] == shown["text"]


def test_coroutines_are_refused_and_served_alike(site, client, monkeypatch):
    """The asynchronous twins read and write as the others do."""
    monkeypatch.setitem(connection.settings_dict, "ATOMIC_REQUESTS", False)
    key = EDITED[0]
    based_on = {key: client.get("/shown").json()["etags"][key]}

    answers = [
        site("asynchronous-save", values={key: text}, based_on=based_on)
        for text in ("One", "Two")
    ]
    one = client.get("/asynchronous-prompt").json()
    site("reset", keys=[key])
    two = client.get("/prompt").json()

    assert [answer.status_code for answer in answers] == [200, 409]
    assert one["text"].split("\n\n")[len(SETS) * 3] == "One"
    assert two["text"] == services.assemble().text
    assert "One" not in two["text"]


def test_what_a_test_case_stores_is_gone_after_it():
    """A version that was taken back never comes again, so nothing is kept under it."""

    class Texts(TestCase):
        @classmethod
        def setUpTestData(cls):
            services.save({"core.a": "Of the class"})

        def test_one(self):
            self.change("One")

        def test_two(self):
            self.change("Two")

        def change(self, text):
            assert process_commands.assemble() == "Of the class\n\nnone"
            services.save({"core.a": text})
            assert process_commands.assemble() == f"{text}\n\nnone"

    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(Texts).run(result)

    assert (result.testsRun, result.errors, result.failures) == (2, [], [])
    assert process_commands.assemble() == "none\n\nnone"
