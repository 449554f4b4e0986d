"""Every way of writing a row renews the store's version."""

from __future__ import annotations

import json

import pytest
from asgiref.sync import async_to_sync
from django.core.management import call_command
from django.db import IntegrityError, transaction

from prompts_app import services
from prompts_app.models import Change, Override, Revision, StoredState
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory, UserFactory
from tests.storing import rows, version

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    return registry


def one():
    """Return the row of the first fragment."""
    return Override.objects.get(key="core.a")


def changed(**fields):
    """Return the row of the first fragment with other values, not saved yet."""
    row = one()
    for name, value in fields.items():
        setattr(row, name, value)
    return row


def made(key="core.b", text="New"):
    """Return a row that is not saved yet."""
    return Override(key=key, text=text)


WRITES = {
    "save of a new row": (lambda: made().save(), "Mine\n\nNew"),
    "save": (lambda: changed(text="New").save(), "New\n\nBeta"),
    "save of one field": (
        lambda: changed(text="New").save(update_fields=["text"]),
        "New\n\nBeta",
    ),
    "delete": (lambda: one().delete(), "Alpha\n\nBeta"),
    "create": (
        lambda: Override.objects.create(key="core.b", text="New"),
        "Mine\n\nNew",
    ),
    "get_or_create": (
        lambda: Override.objects.get_or_create(key="core.b", defaults={"text": "New"}),
        "Mine\n\nNew",
    ),
    "update_or_create": (
        lambda: Override.objects.update_or_create(
            key="core.a", defaults={"text": "New"}
        ),
        "New\n\nBeta",
    ),
    "update": (lambda: Override.objects.update(text="New"), "New\n\nBeta"),
    "update of a queryset": (
        lambda: Override.objects.filter(key="core.a").update(text=""),
        "Beta",
    ),
    "delete of a queryset": (lambda: Override.objects.all().delete(), "Alpha\n\nBeta"),
    "bulk_create": (lambda: Override.objects.bulk_create([made()]), "Mine\n\nNew"),
    "bulk_update": (
        lambda: Override.objects.bulk_update([changed(text="New")], ["text"]),
        "New\n\nBeta",
    ),
}
ASYNC_WRITES = {
    "asave": lambda row: row.asave(),
    "adelete": lambda row: row.adelete(),
    "acreate": lambda row: Override.objects.acreate(key="core.b", text="New"),
    "aget_or_create": lambda row: Override.objects.aget_or_create(key="core.b"),
    "aupdate_or_create": lambda row: Override.objects.aupdate_or_create(
        key="core.a", defaults={"text": "New"}
    ),
    "aupdate": lambda row: Override.objects.aupdate(text="New"),
    "adelete of a queryset": lambda row: Override.objects.all().adelete(),
    "abulk_create": lambda row: Override.objects.abulk_create([made()]),
    "abulk_update": lambda row: Override.objects.abulk_update([row], ["text"]),
}


@pytest.mark.case(68)
@pytest.mark.parametrize("way", WRITES)
def test_every_write_is_seen_at_the_next_assembly(way):
    """Whoever writes rows without a save renews the version all the same."""
    write, text = WRITES[way]
    OverrideFactory(key="core.a", text="Mine")
    before = version()
    seen_before = services.assemble().text

    write()

    assert seen_before == "Mine\n\nBeta"
    assert services.assemble().text == text
    assert version() != before


@pytest.mark.case(68)
@pytest.mark.parametrize("way", ASYNC_WRITES)
def test_every_asynchronous_write_is_seen_at_the_next_assembly(way):
    """The ORM's own asynchronous methods renew the version as well."""
    OverrideFactory(key="core.a", text="Mine")
    row = changed(text="New")
    before = version()
    seen_before = services.assemble().text

    async def write():
        await ASYNC_WRITES[way](row)

    async_to_sync(write)()

    assert version() != before
    assert services.assemble().text != seen_before


@pytest.mark.parametrize("way", WRITES)
def test_a_write_that_is_rolled_back_renews_nothing(way):
    """Row and version are written in one transaction."""
    OverrideFactory(key="core.a", text="Mine")
    before = version(), rows()

    with transaction.atomic():
        WRITES[way][0]()
        inside = version(), rows()
        transaction.set_rollback(True)

    assert inside != before
    assert (version(), rows()) == before
    assert services.assemble().text == "Mine\n\nBeta"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "write",
    [
        lambda: made("core.a").save(),
        lambda: Override.objects.bulk_create([made("core.a")]),
        lambda: Override.objects.filter(key="core.b").update(key="core.a"),
    ],
)
def test_a_write_that_fails_renews_nothing(write):
    """The version belongs to what was really stored."""
    OverrideFactory(key="core.a", text="Mine")
    OverrideFactory(key="core.b", text="Yours")
    before = version()

    with pytest.raises(IntegrityError):
        write()

    assert version() == before


@pytest.mark.case(31, 68)
@pytest.mark.parametrize("natural", [True, False])
def test_a_fixture_is_seen_at_the_next_assembly(tmp_path, natural):
    """Rows that come in raw renew the version, and nothing that stood is lost."""
    OverrideFactory(key="core.a", text="Mine")
    path = tmp_path / "texts.json"
    row = {
        "model": "prompts_app.override",
        "fields": {
            "key": "core.b" if not natural else "core.a",
            "text": "Loaded",
            "updated_at": "2026-01-01T00:00:00Z",
        },
    }
    path.write_text(json.dumps([row]))
    before = version()
    services.assemble()

    call_command("loaddata", path, verbosity=0)

    assert version() != before
    expected = "Loaded\n\nBeta" if natural else "Mine\n\nLoaded"
    assert services.assemble().text == expected


@pytest.mark.case(66, 68)
def test_a_fixture_with_a_state_of_its_own_is_seen(tmp_path):
    """A version that was dumped earlier stands for other texts by now."""
    services.save({"core.a": "Then"})
    path = tmp_path / "store.json"
    call_command("dumpdata", "prompts_app", output=path, verbosity=0)
    dumped = version()
    snapshot_then = services.stored()
    Override.objects.update(text="Now")
    services.assemble()

    call_command("loaddata", path, verbosity=0)

    assert dumped in path.read_text()
    assert version() != dumped
    assert services.assemble().text == "Then\n\nBeta"
    assert services.stored().texts == snapshot_then.texts


def test_a_state_saved_by_hand_is_renewed():
    """No version comes back that a process may have kept texts for."""
    services.save({"core.a": "Mine"})
    state = StoredState.objects.get()
    kept = state.version

    state.save()

    assert version() != kept


def test_rows_of_the_history_renew_nothing():
    """Only texts are read by assemblies."""
    services.save({"core.a": "Mine"})
    before = version()

    Revision.objects.update(comment="Other")
    Change.objects.all().delete()

    assert version() == before


def test_a_user_who_goes_changes_no_text():
    """The row stays, without its author."""
    user = UserFactory()
    OverrideFactory(key="core.a", text="Mine", updated_by=user)
    services.assemble()

    user.delete()

    assert one().updated_by is None
    assert services.assemble().text == "Mine\n\nBeta"


def test_what_is_written_on_commit_renews_the_version_again(
    django_capture_on_commit_callbacks,
):
    """The end of one write is not the middle of another."""
    OverrideFactory(key="core.a", text="Mine")

    with django_capture_on_commit_callbacks(execute=True):
        transaction.on_commit(lambda: Override.objects.update(text="Later"))
        Override.objects.update(text="Sooner")
        services.assemble()

    assert services.assemble().text == "Later\n\nBeta"
