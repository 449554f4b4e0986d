"""Fixtures for all tests."""

from __future__ import annotations

import os
from pathlib import PurePath

import pytest
from django.conf import settings
from django.db import connection
from hypothesis import settings as hypothesis_settings

from tests.factories import UserFactory

SEE = ("prompts_app.view_override", "prompts_app.view_revision")

# How long an example takes says more of the machine than of the code.
hypothesis_settings.register_profile("tests", hypothesis_settings(deadline=None))
hypothesis_settings.load_profile("tests")


@pytest.fixture
def registry():
    """Yield an empty registry that stands in for the real one."""
    from prompts_app.testing import isolated_registry  # noqa: PLC0415

    with isolated_registry() as isolated:
        yield isolated


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
    server = settings.DATABASE_URL.rpartition("/")[0]
    name = PurePath(connection.settings_dict["NAME"]).name
    return os.environ | {
        "DATABASE_URL": f"{server}/{name}",
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PYTHONPATH": str(settings.BASE_DIR),
    }
