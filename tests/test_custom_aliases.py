"""Rows in more than one database: each is read and announced where it stands."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.contrib.custom.checks import check_all
from prompts_app.contrib.custom.models import CustomFragment
from tests.assembling import CORE
from tests.databases import second_database
from tests.factories import CustomFragmentFactory

pytestmark = pytest.mark.django_db(databases=["default", "second"])

APPS = ("prompts_app", "prompts_app_custom")


@pytest.fixture(autouse=True)
def declared(with_rows):
    """Declare the group of the rows."""
    with_rows.register(CORE)
    return with_rows


@pytest.fixture(scope="module", autouse=True)
def second(django_db_setup, django_db_blocker, tmp_path_factory):
    """Return the alias of a second database with empty tables for texts and rows."""
    folder = tmp_path_factory.mktemp("database")
    with second_database(django_db_blocker, folder, CustomFragment) as alias:
        yield alias


class Replica:
    """A router that reads from the second database and writes to the first."""

    apps: tuple[str, ...] = APPS

    def db_for_read(self, model, **hints):
        """Send reads to the second database."""
        return "second" if model._meta.app_label in self.apps else None


class Elsewhere(Replica):
    """A router that keeps everything in the second database alone."""

    db_for_write = Replica.db_for_read


class Apart(Elsewhere):
    """A router that keeps rows in the second database and texts in the first."""

    apps = APPS[1:]


def text(alias):
    """Return the prompt that the texts and rows of one database give."""
    return services.assemble(overrides=services.stored(using=alias)).text


WRITES = {
    "save": lambda row, alias: row.save(using=alias),
    "bulk_create": lambda row, alias: CustomFragment.objects.using(alias).bulk_create(
        [row]
    ),
    "create": lambda row, alias: CustomFragment.objects.db_manager(alias).create(
        key=row.key, label=row.label, group=row.group, text=row.text
    ),
}
DELETIONS = {
    "named": lambda row, alias: row.delete(using=alias),
    "positional": lambda row, alias: row.delete(alias),
    "known": lambda row, alias: row.delete(),
    "queryset": lambda row, alias: CustomFragment.objects.using(alias).all().delete(),
}


@pytest.mark.parametrize("way", WRITES)
def test_a_write_is_announced_in_its_own_database(second, way):
    """Nobody else has to read anew, and nobody else sees the row."""
    here, there = services.stored(), services.stored(using=second)

    WRITES[way](CustomFragmentFactory.build(), second)

    assert services.stored() is here
    assert services.stored(using=second) is not there
    assert (text("default"), text(second)) == ("", "Row")


@pytest.mark.parametrize("way", DELETIONS)
def test_a_deletion_is_announced_in_its_own_database(second, way):
    """A row knows where it came from."""
    row = CustomFragmentFactory.build()
    row.save(using=second)
    here = services.stored()
    before = text(second)

    DELETIONS[way](row, second)

    assert services.stored() is here
    assert (before, text(second)) == ("Row", "")


def test_a_replica_that_lags_behind_is_served_as_far_as_it_has_come(second, settings):
    """Assemblies have its rows; the page, which asks the primary, has the new ones."""
    settings.DATABASE_ROUTERS = [Replica()]
    row = CustomFragmentFactory(text="New")
    behind = services.assemble().text

    row.text, row.pk = "Old", None
    row.save(using=second)

    assert behind == ""
    assert (services.assemble().text, text("default")) == ("Old", "New")
    assert services.stored(using="default") is services.stored(using="default")
    assert check_all(databases=["default", second]) == []


def test_rows_can_live_in_another_database_with_the_texts(second, settings):
    """Both go there together, and a save knows the fragment."""
    settings.DATABASE_ROUTERS = [Elsewhere()]

    CustomFragmentFactory(key="custom.x")
    saved = services.save({"custom.x": "Mine"})

    assert saved.stored == ("custom.x",)
    assert services.assemble().text == "Mine"
    assert not CustomFragment.objects.using("default").exists()
    assert check_all() == []


def test_rows_and_texts_that_are_kept_apart_are_an_error(second, settings):
    """No transaction could change the one and announce it in the other."""
    settings.DATABASE_ROUTERS = [Apart()]

    assert [(one.id, one.msg.partition(" in ")[0]) for one in check_all()] == [
        ("prompts_app_custom.E001", "Custom fragments are read"),
        ("prompts_app_custom.E001", "Custom fragments are written"),
    ]
