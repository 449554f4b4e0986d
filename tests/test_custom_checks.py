"""The system checks of rows, and starting before there is a table."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.checks import Warning as Caution, run_checks
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from prompts_app.checks import check_all as check_prompts
from prompts_app.contrib.custom import checks
from prompts_app.contrib.custom.checks import check_all
from prompts_app.contrib.custom.models import CustomFragment
from tests.assembling import CORE, fragment
from tests.factories import CustomFragmentFactory

pytestmark = pytest.mark.django_db


def test_w001_a_row_that_was_written_unvalidated():
    """Each is named with its fields, no word of its text is, and rows are only read."""
    CustomFragmentFactory(key="custom.fine")
    CustomFragmentFactory(key="No Key", text="Secret", requires=["Who"], label="")
    CustomFragmentFactory(key="custom.z", scope="tenant.x", text="<!-- detailed -->")

    found = check_all(databases=["default"])

    assert found == [
        Caution(
            f"Custom fragment '{name}' was written without being validated; at fault:"
            f" {fields}.",
            hint="Open it in the admin, where each fault stands beside its field.",
            id="prompts_app_custom.W001",
        )
        for name, fields in (
            ("No Key", "key, label, requires"),
            ("tenant.x custom.z", "text"),
        )
    ]
    assert check_all() == check_all(databases=[]) == []


def test_rows_are_looked_at_when_a_database_is_named():
    """A check that names none asks for no row, with any Django."""
    CustomFragmentFactory(key="No Key")

    told = run_checks(tags=["prompts_app_custom"], databases=["default"])
    with CaptureQueriesContext(connection) as asked:
        silent = run_checks()

    assert "prompts_app_custom.W001" in {one.id for one in told}
    assert "prompts_app_custom.W001" not in {one.id for one in silent}
    assert not any("customfragment" in query["sql"] for query in asked)


@pytest.mark.covers("L31", "W14")
def test_w030_a_row_of_a_registered_key(with_rows):
    """The app's own check tells it, as of any source."""
    with_rows.register(CORE, fragment("core.a"))
    CustomFragmentFactory(key="core.a")
    CustomFragmentFactory(key="custom.a", locked=True)
    CustomFragmentFactory(key="custom.a", scope="tenant.x")

    assert [(one.id, one.msg) for one in check_prompts(databases=["default"])] == [
        (
            "prompts_app.W030",
            f"Fragment {what}: what a source declares does not count, since {why}.",
        )
        for what, why in (
            ("core.a", "an app registers the same"),
            ("custom.a in scope tenant.x", "the key is protected globally"),
        )
    ]


def test_a_database_without_the_table_has_no_rows_to_look_at(monkeypatch):
    """`migrate` runs the checks before it makes the table."""

    def using(alias):
        raise DatabaseError

    monkeypatch.setattr(CustomFragment.objects, "using", using)

    assert check_all(databases=["default"]) == []


def test_a_database_that_rows_do_not_go_to_is_not_asked(settings, monkeypatch):
    """Other databases have no such table."""

    class Nowhere:
        """A router that keeps the rows out of every database."""

        def allow_migrate(self, alias, label, **hints):
            """Allow everything else."""
            return None if label != "prompts_app_custom" else False

    settings.DATABASE_ROUTERS = [Nowhere()]
    monkeypatch.setattr(checks, "_rows", None)

    assert check_all(databases=["default"]) == []


def test_a_fresh_database_is_checked_and_migrated(tmp_path):
    """Nothing reads rows before their table is there, and then there are none."""
    script = (
        "import django; django.setup()\n"
        "from django.core.management import call_command\n"
        "call_command('check', databases=['default'], fail_level='WARNING')\n"
        "call_command('migrate', verbosity=0)\n"
        "call_command('check', databases=['default'], fail_level='WARNING')\n"
        "from prompts_app import services\n"
        "print(len(services.assemble().text) > 0)\n"
    )

    tried = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=settings.BASE_DIR,
        env={
            "DATABASE_URL": f"sqlite:///{tmp_path / 'fresh.sqlite3'}",
            "DJANGO_SETTINGS_MODULE": "tests.settings",
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert tried.stdout.splitlines()[-1:] == ["True"], tried.stderr


def test_the_models_have_their_migration():
    """Nobody who changes a row's fields forgets it."""
    call_command(
        *("makemigrations", "prompts_app_custom"),
        check=True,
        dry_run=True,
        verbosity=0,
        stdout=io.StringIO(),
    )
