"""What is served when: what transactions, isolation and restored backups do to it."""

from __future__ import annotations

from contextlib import contextmanager

import pytest
from django.db import OperationalError, connection, transaction

from prompts_app import services
from prompts_app.overrides import snapshots
from tests.assembling import CORE, fragment
from tests.storing import in_threads

pytestmark = pytest.mark.django_db(transaction=True)

REPEATABLE = {"postgresql": 3, "mysql": "repeatable read"}
"""By vendor, the option that has every transaction see one moment."""
with_isolation = pytest.mark.skipif(
    connection.vendor not in REPEATABLE, reason="SQLite has one level only"
)


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    return registry


@pytest.fixture
def repeatable(monkeypatch):
    """Let this test's transactions see the moment of their first statement."""
    with monkeypatch.context() as patched:
        options = connection.settings_dict.setdefault("OPTIONS", {})
        level = REPEATABLE[connection.vendor]
        patched.setitem(options, "isolation_level", level)
        connection.close()
        yield
    connection.close()


def elsewhere(values):
    """Save *values* over another connection, and commit them."""
    assert in_threads(lambda: services.save(values)) == []


@with_isolation
def test_a_repeatable_read_sees_one_moment_to_its_end(repeatable):
    """What is saved meanwhile is served at the first assembly after it."""
    services.save({"core.a": "Before"})

    with transaction.atomic():
        first = services.assemble().text
        elsewhere({"core.a": "After"})
        again = services.assemble().text

    assert first == again == "Before\n\nBeta"
    assert services.assemble().text == "After\n\nBeta"


@pytest.mark.skipif(
    connection.vendor != "mysql", reason="Others refuse to write over the unseen"
)
def test_what_a_transaction_saw_of_others_does_not_outlive_it(repeatable):
    """Its own save is newer than what it sees of the rest, and is kept by nobody."""
    services.save({"core.b": "Before"})

    with transaction.atomic():
        services.assemble()
        elsewhere({"core.b": "Theirs"})
        services.save({"core.a": "Mine"})
        inside = [services.assemble().text for _ in range(2)]

    assert inside == ["Mine\n\nBefore"] * 2
    assert services.assemble().text == "Mine\n\nTheirs"
