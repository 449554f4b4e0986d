"""Fixtures for all tests."""

from __future__ import annotations

import importlib
import os
import re
import threading

import pytest
from django.conf import settings
from django.db import connection
from hypothesis import settings as hypothesis_settings

from prompts_app.contrib.custom.prompts import custom_fragments
from prompts_app.overrides import telling
from prompts_app.testing import isolated_registry
from tests.checkout import ROOT
from tests.factories import UserFactory

pytest_plugins = ["prompts_app.pytest_plugin"]

SEE = ("prompts_app.view_override", "prompts_app.view_revision")

# How long an example takes says more of the machine than of the code.
hypothesis_settings.register_profile("tests", hypothesis_settings(deadline=None))
hypothesis_settings.load_profile("tests")
# For the second run of the same tests: --hypothesis-profile=few.
hypothesis_settings.register_profile("few", max_examples=20)


def pytest_addoption(parser):
    """Let a run on another database leave out what would be the same there."""
    parser.addoption(
        "--database-only",
        action="store_true",
        help="run only the tests that use the database",
    )


def pytest_collection_modifyitems(config, items):
    """Leave out what the command line does not ask for."""
    wanted = uses_database if config.getoption("--database-only") else bool
    config.hook.pytest_deselected(items=[item for item in items if not wanted(item)])
    items[:] = filter(wanted, items)


def uses_database(item):
    """Tell whether the test *item* asks for the database, by mark or fixture."""
    marked = item.get_closest_marker("django_db") is not None
    return marked or not {"db", "transactional_db"}.isdisjoint(item.fixturenames)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(request, tmp_path_factory):
    """
    Keep SQLite's test database in a file of this run.

    Other processes and the live server read it, and two runs may overlap.
    """
    database = settings.DATABASES["default"]
    file = tmp_path_factory.mktemp("database") / "test.sqlite3"
    names = {"django.db.backends.sqlite3": str(file)}
    database.setdefault("TEST", {})["NAME"] = names.get(database["ENGINE"])
    request.getfixturevalue("django_db_modify_db_settings_parallel_suffix")


@pytest.fixture(autouse=True)
def told(monkeypatch):
    """
    Let every test be one in a process that has told of its texts already.

    Give back what is returned to be in one that has not.
    """
    once = threading.Lock()
    once.acquire()
    monkeypatch.setattr(telling, "_once", once)
    return once


@pytest.fixture(scope="session")
def live_server(django_db_setup, live_server):
    """
    Return the live server, started when the test database is there.

    Started earlier it would take SQLite's for one in memory, and share one
    connection between its threads.
    """
    return live_server


@pytest.fixture
def registry():
    """Yield an empty registry that stands in for the real one."""
    with isolated_registry() as isolated:
        yield isolated


@pytest.fixture
def with_rows(registry):
    """Return that registry, with the rows of `CustomFragment` as its only source."""
    registry.register_source(custom_fragments)
    return registry


@pytest.fixture
def editor(db):
    """Return a member of staff who may see and change every text."""
    return UserFactory(
        username="editor", permissions=[*SEE, "prompts_app.change_override"]
    )


@pytest.fixture
def viewer(db):
    """Return a member of staff who may see everything and change nothing."""
    return UserFactory(username="viewer", permissions=SEE)


@pytest.fixture
def stranger(db):
    """Return a member of staff without any right over prompts."""
    return UserFactory(username="stranger")


@pytest.fixture
def superuser(db):
    """Return a user who holds every right."""
    return UserFactory(username="superuser", is_superuser=True)


@pytest.fixture
def process_environ(transactional_db):
    """
    Return the environment in which another process sees this test's rows.

    It names the test database and these settings; what is committed here is
    there, and the other way round.
    """
    server = re.match(r"\w+://[^/]*", settings.DATABASE_URL)[0]
    return os.environ | {
        "DATABASE_URL": f"{server}/{connection.settings_dict['NAME']}",
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PYTHONPATH": str(settings.BASE_DIR),
    }


@pytest.fixture
def soak(monkeypatch):
    """Return what imports a module of the soak."""
    monkeypatch.syspath_prepend(str(ROOT / ".ci"))
    return lambda name: importlib.import_module(f"soak.{name}")
