"""How fresh the texts are that an assembly sees, and what that costs."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from prompts_app import services
from prompts_app.assembly import Snapshot
from prompts_app.models import Override, StoredState
from prompts_app.overrides import snapshots
from prompts_app.testing import override_prompts
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory
from tests.storing import Broken, everything, rows, version

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    return registry


def test_what_did_not_change_is_the_same_value(declared):
    """Nothing of it is held twice, and plans hang on what was declared."""
    declared.register_source(lambda: [("", fragment("core.late", "Late"))])
    snapshots.forget()
    services.save({"core.a": "Mine", "core.b": "Long " * 9})
    before = services.stored()

    services.save({"core.a": "Other"})
    after = services.stored()

    assert after.texts == {A: "Other", B: before.texts[B]}
    assert after.texts[B] is before.texts[B]
    assert after.declarations is before.declarations
    assert (before.weight, after.weight) == (len("Mine") + 45, len("Other"))


def test_what_a_source_declares_anew_is_another_value(declared):
    """A plan of the old texts would be wrong."""
    texts = ["One"]
    declared.register_source(lambda: [("", fragment("core.late", texts[0]))])
    before = services.stored().declarations
    texts[0] = "Two"

    services.touch()

    assert services.stored().declarations != before
    assert services.resolve("core.late") == "Two"


def test_without_the_stored_texts_it_is_the_same_value_each_time(declared, settings):
    """As long as sources declare the same."""
    settings.PROMPTS_APP_IGNORE_OVERRIDES = True
    texts = ["One"]
    declared.register_source(lambda: [("", fragment("core.late", texts[0]))])
    before, again = services.stored(), services.stored()

    texts[0] = "Two"
    after = services.stored()

    assert again is before
    assert after is not before
    assert services.resolve("core.late") == "Two"


A, B = ("", "core.a"), ("", "core.b")
READS = {
    "assemble": services.assemble,
    "render": lambda: services.render("core.a"),
    "resolve": lambda: services.resolve("core.a", scope="tenant.x"),
    "stored": services.stored,
    "etag": lambda: services.etag("", "core.a"),
    "view_of": lambda: services.view_of("tenant.x"),
}


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("saved", [True, False])
def test_nothing_changed_costs_one_statement(read, saved, django_assert_num_queries):
    """Every read asks once whether something changed, and no more."""
    if saved:
        services.save({"core.a": "Mine"})
    services.assemble()

    with django_assert_num_queries(1) as captured:
        READS[read]()

    assert captured[0]["sql"].lstrip().startswith("SELECT")


@pytest.mark.parametrize("saved", [True, False])
def test_a_store_that_has_a_state_is_asked_for_it_alone(
    saved, django_assert_num_queries
):
    """Only while nobody has saved does the question extend to the rows."""
    if saved:
        services.save({"core.a": "Mine"})
    services.stored()

    with django_assert_num_queries(1) as captured:
        services.stored()

    assert ("EXISTS" not in captured[0]["sql"]) is saved


@pytest.mark.parametrize("read", READS)
def test_a_change_costs_one_statement_more(read, django_assert_num_queries):
    """Version and rows are read together, so that they belong together."""
    services.assemble()
    services.save({"core.a": "Mine"})

    with django_assert_num_queries(2):
        READS[read]()
    with django_assert_num_queries(1):
        READS[read]()


def test_unchanged_texts_are_one_value():
    """Ten assemblies of one request share what was read for the first."""
    services.save({"core.a": "Mine"})

    assert services.stored() is services.stored()
    assert services.stored().version == version()


def test_a_snapshot_that_is_given_costs_no_statement(django_assert_num_queries):
    """It is used as it is, whatever is stored by now."""
    services.save({"core.a": "Then"})
    snapshot = services.stored()
    services.save({"core.a": "Now"})

    with django_assert_num_queries(0):
        assert services.assemble(overrides=snapshot).text == "Then\n\nBeta"
        assert services.assemble(overrides={"core.b": ""}).text == "Alpha"
        assert services.resolve("core.a", overrides=snapshot) == "Then"


@pytest.mark.case(28, 39)
@pytest.mark.parametrize("read", [*READS, "as_of"])
@pytest.mark.parametrize("saved", [True, False])
def test_reading_never_writes(read, saved):
    """No row is made by a look, not even the first one."""
    if saved:
        services.save({"core.a": "Mine"})
        services.save({"core.b": ""}, scope="tenant.x")
    before = everything()

    with CaptureQueriesContext(connection) as captured:
        (READS | {"as_of": lambda: services.as_of(0)})[read]()

    assert everything() == before
    statements = {query["sql"].split()[0] for query in captured}
    # PostgreSQL declares a cursor to read many rows by.
    assert statements - {"DECLARE"} == {"SELECT"}
    assert StoredState.objects.count() == saved


def test_an_empty_store_is_known_without_a_state():
    """There is no version before the first save, and nothing to be stale."""
    first = services.stored()

    assert (first.version, dict(first.texts)) == ("", {})
    assert services.stored() is first


def test_rows_without_a_state_are_read_every_time(django_assert_num_queries):
    """Nobody can know whether they changed, so nobody assumes it."""
    OverrideFactory(key="core.a", text="Old")
    StoredState.objects.all().delete()

    with django_assert_num_queries(2):
        first = services.assemble()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE prompts_app_override SET text = 'New'")
    with django_assert_num_queries(2):
        second = services.assemble()

    assert (first.text, first.version) == ("Old\n\nBeta", "")
    assert (second.text, second.version) == ("New\n\nBeta", "")


def test_a_store_that_is_emptied_is_seen_as_empty():
    """As a flush leaves it: no row and no state."""
    services.save({"core.a": "Mine"})
    services.assemble()

    Override.objects.all().delete()
    StoredState.objects.all().delete()

    assert services.assemble().text == "Alpha\n\nBeta"


@pytest.mark.case(66)
def test_a_row_changed_past_the_app_is_seen_after_a_touch():
    """Foreign SQL renews no version; whoever runs it says so."""
    services.save({"core.a": "Mine"})
    services.assemble()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE prompts_app_override SET text = 'Theirs'")

    unseen = services.assemble().text
    services.touch()

    assert unseen == "Mine\n\nBeta"
    assert services.assemble().text == "Theirs\n\nBeta"


@pytest.mark.case(36)
def test_a_fresh_process_finds_what_was_saved():
    """What is kept in memory is a copy; without it the same text is there."""
    services.save({"core.a": "Mine", "core.b": ""})
    kept = services.assemble()

    snapshots.forget()

    assert services.assemble().text == kept.text == "Mine"
    assert services.assemble().version == kept.version


@pytest.mark.case(65)
def test_a_save_that_is_rolled_back_was_never_there():
    """Inside its transaction it is seen at once, and not any more outside."""
    services.save({"core.a": "Before"})
    services.assemble()

    with transaction.atomic():
        services.save({"core.a": "Inside"})
        inside = services.assemble().text
        with transaction.atomic():
            services.save({"core.a": "Deeper"})
            deeper = services.assemble().text
            transaction.set_rollback(True)
        inside_again = services.assemble().text
        transaction.set_rollback(True)

    assert deeper == "Deeper\n\nBeta"
    assert inside == inside_again == "Inside\n\nBeta"
    assert services.assemble().text == "Before\n\nBeta"


@pytest.mark.case(35)
def test_ignored_overrides_stay_where_they_are(settings, django_assert_num_queries):
    """The defaults are in force without a look at the database."""
    services.save({"core.a": "Mine", "core.b": ""})
    before = everything()
    settings.PROMPTS_APP_IGNORE_OVERRIDES = True

    with django_assert_num_queries(0):
        ignoring = services.assemble()
        resolved = services.resolve("core.a")

    assert (ignoring.text, ignoring.version) == ("Alpha\n\nBeta", "")
    assert resolved == "Alpha"
    assert everything() == before
    settings.PROMPTS_APP_IGNORE_OVERRIDES = False
    assert services.assemble().text == "Mine"


@pytest.mark.case(35)
def test_saving_stays_possible_while_overrides_are_ignored(settings):
    """What is saved comes into force when they are heeded again."""
    settings.PROMPTS_APP_IGNORE_OVERRIDES = True

    services.save({"core.a": "Mine"})

    assert services.assemble().text == "Alpha\n\nBeta"
    settings.PROMPTS_APP_IGNORE_OVERRIDES = False
    assert services.assemble().text == "Mine\n\nBeta"


def test_ignoring_overrides_works_without_a_database(settings, declared):
    """Sources are asked all the same, since what they declare is no override."""
    settings.PROMPTS_APP_IGNORE_OVERRIDES = True
    declared.register_source(lambda: [("", fragment("core.c", "Gamma"))])

    with connection.execute_wrapper(Broken(AssertionError("asked"))):
        assert services.assemble().text == "Alpha\n\nBeta\n\nGamma"


@pytest.mark.covers("L37", "W22")
def test_unsaved_texts_can_be_laid_over_the_stored_ones():
    """A preview changes one text and leaves the others as they are stored."""
    services.save({"core.a": "Mine", "core.b": "Mine too"})
    stored = services.stored()

    unsaved = stored.replace({"core.a": "Unsaved", "core.b": None})

    assert services.assemble(overrides=unsaved).text == "Unsaved\n\nBeta"
    assert unsaved.version == ""
    assert dict(stored.texts) == rows()


def test_a_pinned_snapshot_stands_for_the_stored_one(django_assert_num_queries):
    """Tests of other apps see what they pinned, and no database."""
    services.save({"core.a": "Mine"})
    pinned = Snapshot({("", "core.a"): "Pinned"})

    with override_prompts(pinned), django_assert_num_queries(0):
        assert services.stored() is pinned
        assert services.assemble().text == "Pinned\n\nBeta"
    assert services.assemble().text == "Mine\n\nBeta"


def test_a_snapshot_prints_no_text():
    """What lands in a log says how many texts there are."""
    services.save({"core.a": "canary"})

    printed = repr(services.stored())

    assert "1 texts" in printed
    assert "canary" not in printed
    assert "canary" not in repr(snapshots._kept)
