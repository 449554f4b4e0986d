"""More than one database: each is kept apart, and routers decide which is meant."""

from __future__ import annotations

import pytest
from django.db import connections, router
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from prompts_app import services
from prompts_app.exceptions import SaveRefused
from prompts_app.models import Change, Override, Revision, StoredState
from prompts_app.overrides import exchange, history, restoring, rows, writing
from prompts_app.overrides.history import latest
from prompts_app.overrides.pruning import Pruned
from tests.assembling import CORE, fragment
from tests.databases import second_database
from tests.storing import announcements

pytestmark = pytest.mark.django_db(databases=["default", "second"])


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    return registry


@pytest.fixture(scope="module", autouse=True)
def second(django_db_setup, django_db_blocker, tmp_path_factory):
    """Return the alias of a second database with empty tables for texts."""
    folder = tmp_path_factory.mktemp("database")
    with second_database(django_db_blocker, folder) as alias:
        yield alias


class Replica:
    """A router that reads texts from the second database and writes to the first."""

    def db_for_read(self, model, **hints):
        """Send reads of this app's rows to the second database."""
        return "second" if model._meta.app_label == "prompts_app" else None


class Elsewhere(Replica):
    """A router that keeps texts in the second database alone."""

    db_for_write = Replica.db_for_read


def test_each_database_has_texts_of_its_own(second):
    """What is kept of one is never taken for the other's."""
    services.save({"core.a": "First"})
    Override.objects.using(second).create(key="core.a", text="Other")

    texts = [services.stored().texts, services.stored(using=second).texts]

    assert texts == [{("", "core.a"): "First"}, {("", "core.a"): "Other"}]
    assert services.stored() is services.stored()
    assert services.stored(using=second) is services.stored(using=second)
    assert services.stored().version != services.stored(using=second).version


@pytest.mark.parametrize(
    "write",
    [
        lambda row, alias: row.save(using=alias),
        lambda row, alias: Override.objects.using(alias).bulk_create([row]),
        lambda row, alias: Override.objects.db_manager(alias).create(key="core.a"),
    ],
)
def test_a_write_renews_the_version_of_its_own_database(second, write):
    """Nobody else has to read anew."""
    here, there = services.stored(), services.stored(using=second)

    write(Override(key="core.a", text=""), second)

    assert services.stored() is here
    assert services.stored(using=second) is not there
    assert services.stored(using=second).texts == {("", "core.a"): ""}


@pytest.mark.parametrize(
    "take_away",
    [
        lambda row, alias: row.delete(using=alias),
        lambda row, alias: row.delete(alias),
        lambda row, alias: row.delete(),
        lambda row, alias: Override.objects.using(alias).all().delete(),
    ],
)
def test_a_deletion_renews_the_version_of_its_own_database(second, take_away):
    """A row knows where it came from."""
    row = Override.objects.using(second).create(key="core.a", text="Other")
    here, there = services.stored(), services.stored(using=second)

    take_away(row, second)

    assert services.stored() is here
    assert services.stored(using=second) is not there
    assert services.stored(using=second).texts == {}


def test_assemblies_read_where_the_router_says(second, settings):
    """A replica is served as far as it has come; saves go to the first."""
    settings.DATABASE_ROUTERS = [Replica()]

    services.save({"core.a": "Mine"})
    behind = services.assemble().text
    Override.objects.using(second).create(key="core.a", text="Mine")

    assert behind == "Alpha\n\nBeta"
    assert services.assemble().text == "Mine\n\nBeta"
    assert services.stored(using="default").texts == {("", "core.a"): "Mine"}


def test_etags_and_history_are_those_of_the_database_that_saves_go_to(second, settings):
    """A replica that lags behind makes no conflict out of nothing."""
    settings.DATABASE_ROUTERS = [Replica()]
    services.save({"core.a": "Mine"})

    etag = services.etag("", "core.a")
    services.save({"core.a": "Mine too"}, based_on={"core.a": etag})

    assert services.as_of(1).texts == {("", "core.a"): "Mine"}
    assert services.as_of(2).texts == {("", "core.a"): "Mine too"}


def test_a_store_can_live_in_a_database_of_its_own(second, settings):
    """Saves, history and versions all go there together."""
    settings.DATABASE_ROUTERS = [Elsewhere()]

    services.save({"core.a": "Mine"})
    services.reset(["core.a"])
    services.touch()

    assert services.assemble().text == "Alpha\n\nBeta"
    assert Revision.objects.using(second).count() == 2
    assert services.as_of(1).texts == {("", "core.a"): "Mine"}
    for model in (Override, Revision, Change, StoredState):
        assert not model.objects.using("default").exists()


def test_a_source_is_told_which_database_is_read(declared, second, settings):
    """So what it reads belongs to the same state as the texts."""
    asked = []
    declared.register_source(lambda: asked.append(services.reading_from()) or [])
    settings.DATABASE_ROUTERS = [Replica()]

    services.assemble()
    services.save({"core.a": "Mine"})
    services.stored(using="default")
    services.stored(using=second)
    settings.PROMPTS_APP_IGNORE_OVERRIDES = True
    services.assemble()
    services.stored(using="default")

    # A save reads what it is compared with where it goes to.
    assert asked == ["second", "default", "default", "second", "default"]
    assert services.reading_from() == "second"


def test_a_source_that_fails_leaves_no_database_behind(declared, second):
    """What is read next is read where it is asked for."""
    registration = declared.register_source(lambda: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        services.stored(using=second)
    registration.remove()

    assert services.reading_from() == "default"


def test_a_touch_renews_the_version_of_the_database_it_names(second):
    """Who wrote to another database says which."""
    services.touch()
    here, there = services.stored().version, services.stored(using=second).version

    services.touch(using=second)

    assert services.stored().version == here
    assert services.stored(using=second).version != there


def test_the_latest_saves_are_read_where_they_were_made(second, settings):
    """A replica may not have them yet, neither the saves nor what they changed."""
    settings.DATABASE_ROUTERS = ["tests.test_overrides_aliases.Replica"]
    services.save({"core.a": "Mine"})

    (save,) = latest(5)

    assert save.addresses == (("", "core.a"),)


@pytest.fixture(params=[Replica, Elsewhere])
def home(request, second, settings):
    """Return the alias of the database that saves go to, once with reads elsewhere."""
    settings.DATABASE_ROUTERS = [request.param()]
    alias = router.db_for_write(Override)
    for key in ("core.gone", "core.lost"):
        Override.objects.using(alias).create(key=key, text="Left", default_text="Old")
    return alias


def texts_in(alias):
    """Return the stored texts of one database by key."""
    return dict(Override.objects.using(alias).values_list("key", "text"))


def test_every_writer_works_where_saves_go(home):
    """What it looks at is there as well, whatever a replica says."""
    services.save({"core.a": "Mine"})
    drifted = {"scope": "", "key": "core.a", "text": "Mine", "default_text": "Older"}
    services.import_texts({"format": 1, "texts": [drifted]})
    services.acknowledge(["core.a"])
    services.restore(2)
    (restored,) = Override.objects.using(home).filter(key="core.a")
    exported = services.export_texts()
    services.adopt("core.gone", "core.b")
    services.restore(4, keys=[("", "core.b")])
    exported["texts"] = [one | {"text": "New"} for one in exported["texts"][:1]]
    services.import_texts(exported)
    services.prune(["core.lost"])

    assert restored.default_text == "Older"
    assert texts_in(home) == {"core.a": "New"}
    made = (
        Revision.objects.using(home).order_by("number").values_list("kind", flat=True)
    )
    before = ["save", "import", "acknowledge", "restore"]
    assert [*made] == [*before, "adopt", "restore", "import", "prune"]


def test_every_question_is_asked_where_saves_go(home):
    """Before a write as well as of what was written, and of history."""
    services.save({"core.a": "Mine"}, scope="tenant.x")
    stale = dict.fromkeys(["core.a"], services.etag("tenant.x", "core.b"))
    document = services.export_texts(scope="tenant.x")

    assert [
        one.code for one in writing.examine({"core.a": "B"}, scope="tenant.x")
    ] == []
    (fault,) = writing.examine({"core.a": "B"}, scope="tenant.x", based_on=stale)
    assert fault.code == "conflict"
    assert exchange.examine(document)[0].aims == []
    assert [one.key for one in restoring.foresee(0)[0]] == ["core.a"]
    assert rows.rows_of("tenant.x")["core.a"].text == "Mine"
    assert rows.scopes_in_use() == ("tenant.x",)
    assert [save.addresses for save in latest(5)] == [(("tenant.x", "core.a"),)]
    assert history.outcomes(1) == (("tenant.x", "core.a", "Mine"),)
    assert history.moment_of(timezone.now()) == 1
    assert history.saves_of("tenant.x", {"core.a": "core.a"})["core.a"].count == 1
    etag = services.etag("tenant.x", "core.a")
    assert history.ancestor("tenant.x", ["core.a"], etag, "Alpha") == "Mine"
    assert services.stored(using=home).version


def test_history_is_forgotten_where_saves_go(home):
    """What a replica has of it, or has not, keeps nothing."""
    for text in ("One", "Two", "Three"):
        services.save({"core.a": text})

    assert services.prune_history(keep=1) == Pruned(2, 2, 1)
    assert services.prune_history(keep=1, dry_run=False) == Pruned(2, 2, 1)
    assert Revision.objects.using(home).count() == 1


def test_what_history_is_needed_for_is_looked_up_where_saves_go(declared, home):
    """The last change of each text, declared or only stored."""
    late = declared.register(fragment("core.late", "Late"))
    services.save({"core.late": "Mine"})
    services.save({"core.b": "Mine"})
    services.save({"core.a": "Mine"})
    services.save({"core.a": "Mine too"})
    late.remove()

    assert services.prune_history(keep=0, dry_run=False) == Pruned(1, 1, 3)
    left = Revision.objects.using(home).order_by("number")
    assert [*left.values_list("number", flat=True)] == [1, 2, 4]


@pytest.mark.parametrize("lost", ["state", "history"])
def test_numbers_go_on_where_saves_go(home, lost):
    """From the state or from history, whichever is left."""
    services.save({"core.a": "One"})
    services.save({"core.a": "Two"})
    if lost == "state":
        StoredState.objects.using(home).update(revision=0)
    else:
        Revision.objects.using(home).all().delete()

    assert services.save({"core.a": "Three"}).revision == 3


def test_the_total_is_that_of_the_database_that_saves_go_to(home, settings):
    """A replica that lacks texts makes no room."""
    settings.PROMPTS_APP_MAX_STORED_CHARS = 60
    services.save({"core.a": "x" * 50})

    with pytest.raises(SaveRefused, match="together"):
        services.save({"core.b": "y" * 50})


def test_a_save_is_announced_when_its_own_database_has_committed(
    home, django_capture_on_commit_callbacks
):
    """No other commit says anything of it."""
    with (
        announcements() as sent,
        django_capture_on_commit_callbacks(using=home, execute=True) as callbacks,
    ):
        services.save({"core.a": "Mine"})
        assert sent == []

    assert len(callbacks) == 1
    assert [one["using"] for one in sent] == [home]


def test_a_save_renews_the_version_once_wherever_it_goes(home):
    """It says beforehand that it will, so that its rows need not."""
    services.save({"core.a": "Mine"})

    with CaptureQueriesContext(connections[home]) as caught:
        services.save({"core.a": "Other", "core.b": "Mine"})

    state = connections[home].ops.quote_name(StoredState._meta.db_table)
    renewed = [one for one in caught if f"INSERT INTO {state}" in one["sql"]]
    assert len(renewed) == 1


def test_a_database_that_has_no_texts_is_left_alone(second, settings):
    """No statement goes there, not even one that begins a transaction."""
    settings.DATABASE_ROUTERS = [Elsewhere()]

    with CaptureQueriesContext(connections["default"]) as caught:
        services.touch()
        services.save({"core.a": "One"})
        services.save({"core.a": "Two"})
        services.save({"core.a": "Two"})
        pruned = services.prune_history(keep=1, dry_run=False)
        text = services.stored().texts["", "core.a"]

    assert (pruned, text) == (Pruned(1, 1, 1), "Two")
    assert caught.captured_queries == []


def test_a_refusal_leaves_the_database_that_saves_go_to_as_it_was(home):
    """Its version too, and after a save that changes nothing as well."""
    services.save({"core.a": "Mine"})
    before = services.stored(using=home).version

    with pytest.raises(SaveRefused):
        services.save({"core.a": "\0"})
    refused = services.stored(using=home).version
    services.save({"core.a": "Mine"})

    assert [refused, services.stored(using=home).version] == [before, before]
