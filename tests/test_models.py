"""What a row is, and what the database refuses by itself."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from prompts_app import services
from prompts_app.models import Change, Override, Revision, StoredState
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory
from tests.storing import version

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    return registry


def test_a_manager_cannot_delete_the_whole_table():
    """As in Django that takes all() before delete()."""
    assert not hasattr(Override.objects, "delete")


def test_a_version_is_new_every_time():
    """Long random texts never come twice."""
    seen = set()

    for _ in range(20):
        services.touch()
        seen.add(version())

    assert len(seen) == 20
    assert {len(one) for one in seen} == {32}


def test_there_is_one_state():
    """A second row would be a second truth."""
    with pytest.raises(IntegrityError), transaction.atomic():
        StoredState.objects.create(pk=2, version="x")


def test_a_text_stands_once_in_each_scope():
    """The database itself refuses a second row."""
    OverrideFactory(scope="tenant.x", key="core.a")
    OverrideFactory(key="core.a")

    with pytest.raises(IntegrityError), transaction.atomic():
        OverrideFactory(scope="tenant.x", key="core.a")


def test_rows_are_told_apart_by_scope_and_key():
    """What is printed of a row names it and quotes no text."""
    OverrideFactory(key="core.b", text="canary", default_text="canary")
    services.save({"core.a": "canary"}, scope="tenant.x", comment="canary")
    near = Override.objects.get_by_natural_key("tenant.x", "core.a")

    printed = [*Override.objects.order_by("key"), *Change.objects.all()]
    printed += [*Revision.objects.all(), *StoredState.objects.all()]

    assert near.natural_key() == ("tenant.x", "core.a")
    assert list(map(str, printed)) == [
        "tenant.x core.a",
        "core.b",
        "tenant.x core.a",
        "1",
        version(),
    ]
    assert str(Change(key="core.a")) == "core.a"
    assert "canary" not in repr(printed)
