"""Every way of writing a row is announced, in the transaction that writes it."""

from __future__ import annotations

import json

import pytest
from asgiref.sync import async_to_sync
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.models.signals import post_save
from django.test.utils import CaptureQueriesContext

from prompts_app import services
from prompts_app.contrib.custom.models import CustomFragment
from prompts_app.overrides.snapshots import forget
from tests.assembling import CORE, fragment
from tests.factories import CustomFragmentFactory
from tests.storing import in_threads, version

pytestmark = pytest.mark.django_db

rows = CustomFragment.objects
NEW = {"key": "custom.b", "label": "B", "group": "core", "text": "New", "order": 2}


@pytest.fixture(autouse=True)
def declared(with_rows):
    """Declare one fragment beside the rows."""
    with_rows.register(CORE, fragment("core.z", "Zulu", order=9))
    return with_rows


@pytest.fixture
def row(db):
    """Return a row that has been assembled already."""
    made = CustomFragmentFactory(key="custom.a", text="Mine", order=1)
    assert services.assemble().text == "Mine\n\nZulu"
    return made


def changed(**fields):
    """Return the row with other values, not saved yet."""
    row = rows.get(key="custom.a")
    for name, value in fields.items():
        setattr(row, name, value)
    return row


WRITES = {
    "save of a new row": (
        lambda: CustomFragment(**NEW).save(),
        "Mine\n\nNew\n\nZulu",
    ),
    "save": (lambda: changed(text="New").save(), "New\n\nZulu"),
    "save of one field": (
        lambda: changed(text="New").save(update_fields=["text"]),
        "New\n\nZulu",
    ),
    "save of a gate": (lambda: changed(requires=["who"]).save(), "Zulu"),
    "delete": (lambda: changed().delete(), "Zulu"),
    "create": (lambda: rows.create(**NEW), "Mine\n\nNew\n\nZulu"),
    "get_or_create": (
        lambda: rows.get_or_create(key="custom.b", defaults=NEW),
        "Mine\n\nNew\n\nZulu",
    ),
    "update_or_create": (
        lambda: rows.update_or_create(key="custom.a", defaults={"text": "New"}),
        "New\n\nZulu",
    ),
    "update": (lambda: rows.update(text="New"), "New\n\nZulu"),
    "update of a queryset": (
        lambda: rows.filter(key="custom.a").update(text=""),
        "Zulu",
    ),
    "delete of a queryset": (lambda: rows.all().delete(), "Zulu"),
    "bulk_create": (
        lambda: rows.bulk_create([CustomFragment(**NEW)]),
        "Mine\n\nNew\n\nZulu",
    ),
    "bulk_update": (
        lambda: rows.bulk_update([changed(text="New")], ["text"]),
        "New\n\nZulu",
    ),
}
ASYNC_WRITES = {
    "asave": lambda row: row.asave(),
    "adelete": lambda row: row.adelete(),
    "acreate": lambda row: rows.acreate(**NEW),
    "aupdate": lambda row: rows.aupdate(text="New"),
    "adelete of a queryset": lambda row: rows.all().adelete(),
    "abulk_create": lambda row: rows.abulk_create([CustomFragment(**NEW)]),
    "abulk_update": lambda row: rows.abulk_update([row], ["text"]),
}


class Looking:
    """Assembles before and after each statement that changes something."""

    def __init__(self):
        self.times = 0
        self.busy = False

    def __call__(self, execute, sql, *arguments):
        changes = sql.startswith(("INSERT", "UPDATE", "DELETE"))
        if self.busy or not changes:
            return execute(sql, *arguments)
        self.look()
        result = execute(sql, *arguments)
        self.look()
        return result

    def look(self):
        """Assemble once."""
        self.busy = True
        services.assemble()
        self.busy = False
        self.times += 1


@pytest.mark.case(68)
@pytest.mark.parametrize("way", WRITES)
def test_every_write_is_seen_at_the_next_assembly(row, way):
    """However rows are written, every process reads anew."""
    write, text = WRITES[way]
    before = version()

    write()

    assert version() != before
    assert services.assemble().text == text


@pytest.mark.case(68)
@pytest.mark.parametrize("way", ASYNC_WRITES)
def test_every_asynchronous_write_is_seen_at_the_next_assembly(row, way):
    """The ORM's own asynchronous methods are announced as well."""
    row.text = "New"

    async def write():
        await ASYNC_WRITES[way](row)

    async_to_sync(write)()

    assert services.assemble().text != "Mine\n\nZulu"


@pytest.mark.parametrize("way", WRITES)
def test_a_write_that_is_rolled_back_is_never_seen(row, way):
    """Row and announcement belong to one transaction, and so does what it showed."""
    write, text = WRITES[way]
    before = version()

    with transaction.atomic():
        write()
        inside = services.assemble().text
        transaction.set_rollback(True)

    assert inside == text
    assert version() == before
    assert services.assemble().text == "Mine\n\nZulu"


@pytest.mark.parametrize("way", WRITES)
def test_what_is_assembled_in_the_middle_of_a_write_is_not_kept(row, way):
    """
    A receiver or a cascade may assemble before the change is done, or before it is
    announced; neither the state before nor a rolled-back one is taken for the last.
    """
    write, text = WRITES[way]

    with connection.execute_wrapper(Looking()):
        write()
    committed = services.assemble().text
    looking = Looking()
    with transaction.atomic(), connection.execute_wrapper(looking):
        rows.create(**NEW | {"key": "custom.c", "text": "Gone"})
        transaction.set_rollback(True)

    assert committed == text
    assert looking.times > 2
    assert services.assemble().text == text


@pytest.mark.parametrize("makes", [True, False])
def test_a_receiver_that_assembles_leaves_nothing_stale(row, makes):
    """It may be the first to assemble in its process, and the save be rolled back."""

    def assemble(**arguments):
        services.assemble()

    post_save.connect(assemble, sender=CustomFragment)
    forget()
    try:
        with transaction.atomic():
            changed(text="New").save()
            transaction.set_rollback(not makes)
    finally:
        post_save.disconnect(assemble, sender=CustomFragment)

    assert services.assemble().text == ("New\n\nZulu" if makes else "Mine\n\nZulu")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "write",
    [
        lambda: CustomFragment(**NEW | {"key": "custom.a"}).save(),
        lambda: rows.bulk_create([CustomFragment(**NEW | {"key": "custom.a"})]),
        lambda: rows.filter(key="custom.c").update(key="custom.a"),
    ],
)
def test_a_write_that_fails_announces_nothing(row, write):
    """The version belongs to what was really stored, and the next write is announced."""
    CustomFragmentFactory(key="custom.c")
    before = version()

    with pytest.raises(IntegrityError):
        write()

    assert version() == before
    rows.filter(key="custom.a").update(text="New")
    assert version() != before


@pytest.mark.django_db(transaction=True)
def test_a_change_is_seen_by_others_when_it_is_committed(row):
    """Another connection has the texts of before until then, and then the new ones."""
    seen = []

    def look():
        seen.append(services.assemble().text)

    # A writer holds SQLite's lock, and readers do not wait for it.
    with transaction.atomic():
        rows.update(text="New")
        failed = in_threads(look)
    failed += in_threads(look)

    assert failed == []
    assert seen == ["Mine\n\nZulu", "New\n\nZulu"]


@pytest.mark.django_db(transaction=True)
def test_writers_of_rows_and_of_texts_do_not_block_each_other(row):
    """All take the state's row first, so that none waits in a circle."""

    def save():
        for number in range(5):
            services.save({"core.z": f"Zulu {number}"})

    def write():
        for number in range(5):
            rows.filter(key="custom.a").update(text=f"Mine {number}")

    assert in_threads(save, write) == []
    assert services.assemble().text == "Mine 4\n\nZulu 4"


@pytest.mark.parametrize("natural", [True, False])
def test_rows_survive_a_dump_and_are_seen_when_they_are_loaded(row, tmp_path, natural):
    """Fixtures come in raw; a natural key finds the row that stands."""
    CustomFragmentFactory(
        key="custom.b", scope="tenant.x", when_tools=False, requires=["who", "who"]
    )
    declared = [one.declaration() for one in rows.order_by("key")]
    path = tmp_path / "rows.json"
    call_command(
        *("dumpdata", "prompts_app_custom"),
        use_natural_primary_keys=natural,
        output=path,
        verbosity=0,
    )
    row.text = "Since then"
    row.save()
    rows.filter(key="custom.b").delete()
    before = services.assemble().text

    call_command("loaddata", path, verbosity=0)

    assert ("pk" in json.loads(path.read_text())[0]) is not natural
    assert before == "Since then\n\nZulu"
    assert services.assemble().text == "Mine\n\nZulu"
    assert [one.declaration() for one in rows.order_by("key")] == declared


def test_a_fixture_that_is_refused_leaves_nothing_behind(row, tmp_path):
    """Its transaction takes the announcement away with it."""
    good, bad = {"key": "custom.a", "text": "New"}, {"key": "custom.b", "order": None}
    path = tmp_path / "rows.json"
    moment = {"created_at": "2026-01-01T00:00:00Z"}
    moment["updated_at"] = moment["created_at"]
    path.write_text(
        json.dumps(
            [
                {"model": "prompts_app_custom.customfragment", "fields": fields}
                for fields in (NEW | moment | good, NEW | moment | bad)
            ]
        )
    )
    before = version()

    with pytest.raises(IntegrityError):
        call_command("loaddata", path, verbosity=0)

    assert version() == before
    assert services.assemble().text == "Mine\n\nZulu"


def test_a_write_costs_two_announcements():
    """One statement before the change and one after it."""
    CustomFragmentFactory()

    with CaptureQueriesContext(connection) as taken:
        rows.update(text="New")

    verbs = [query["sql"].split()[0] for query in taken.captured_queries]
    changes = [verb for verb in verbs if verb in ("INSERT", "UPDATE", "SELECT")]
    assert changes == ["INSERT", "UPDATE", "INSERT"]
