"""What the tests of the demo site share; `tests/test_demo.py` runs them."""

from __future__ import annotations

import pytest
from django.conf import settings

from tests.factories import UserFactory

# Under the settings of all other tests there is no demo site to be tested.
if settings.ROOT_URLCONF != "project.urls":
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(autouse=True)
def _quick_passwords(settings):
    """Spare the time that a password's safety takes."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def visitor(db):
    """Return somebody who may sign in and nothing more."""
    return UserFactory(username="visitor", is_staff=False)


@pytest.fixture
def signed_in(client, visitor):
    """Return a client in which *visitor* is signed in."""
    client.force_login(visitor)
    return client
