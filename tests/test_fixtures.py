"""The fixtures that other tests stand on."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.contrib.auth.models import User

from tests.conftest import uses_database
from tests.factories import PASSWORD

COUNT_USERS = """
import django
django.setup()
from django.contrib.auth.models import User
print(User.objects.count())
User.objects.create(username="from the other process")
"""


def test_another_process_shares_the_tests_database(process_environ, superuser):
    """What a test commits another process reads, and the other way round."""
    other = subprocess.run(
        [sys.executable, "-W", "error", "-c", COUNT_USERS],
        env=process_environ,
        capture_output=True,
        text=True,
        check=False,
    )

    assert other.stdout == "1\n", other.stderr
    assert User.objects.filter(username="from the other process").exists()


@pytest.mark.parametrize(
    ("name", "sees", "changes"),
    [
        ("editor", True, True),
        ("viewer", True, False),
        ("stranger", False, False),
        ("superuser", True, True),
    ],
)
def test_users_hold_the_rights_that_their_names_say(name, sees, changes, request):
    """Each user is a member of staff with real permissions."""
    user = request.getfixturevalue(name)

    assert user.is_staff
    assert user.check_password(PASSWORD)
    assert user.has_perm("prompts_app.view_override") is sees
    assert user.has_perm("prompts_app.view_revision") is sees
    assert user.has_perm("prompts_app.change_override") is changes


def test_a_registry_of_ones_own_is_empty(registry):
    """A test starts from no declarations, whatever the installed apps declare."""
    assert len(registry) == 0


def test_a_fixture_shows_that_the_database_is_used(request, editor):
    """A test that asks for a stored user asks for the database."""
    assert uses_database(request.node)


@pytest.mark.django_db
def test_a_mark_shows_that_the_database_is_used(request):
    """A test that is marked for the database needs no fixture beside."""
    assert uses_database(request.node)


def test_other_tests_do_not_use_the_database(request):
    """A test of pure values is left out where only the database differs."""
    assert not uses_database(request.node)
