"""Writers and readers at once, each with a connection of its own."""

from __future__ import annotations

import threading

import pytest
from django.db import transaction

from prompts_app import services
from prompts_app.exceptions import EditConflict
from prompts_app.models import Override, Revision, StoredState
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory
from tests.storing import in_threads, rows

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    return registry


@pytest.mark.case(72)
def test_two_first_savers_both_get_through():
    """Nobody has made the state's row yet, and both want to."""
    for attempt in range(5):
        StoredState.objects.all().delete()
        Revision.objects.all().delete()
        Override.objects.all().delete()

        failed = in_threads(
            lambda text=f"A{attempt}": services.save({"core.a": text}),
            lambda text=f"B{attempt}": services.save({"core.b": text}),
        )

        assert failed == []
        assert services.assemble().text == f"A{attempt}\n\nB{attempt}"
        assert sorted(Revision.objects.values_list("number", flat=True)) == [1, 2]


def test_saves_and_writes_through_the_orm_do_not_block_each_other():
    """Both take the state's row first, so that neither waits for the other."""
    OverrideFactory(key="core.a", text="Start")

    def save(name):
        for number in range(10):
            services.save({"core.a": f"{name}{number}"})

    def write(name):
        for number in range(10):
            Override.objects.filter(key="core.a").update(text=f"{name}{number}")

    failed = in_threads(
        lambda: save("a"), lambda: write("b"), lambda: save("c"), lambda: write("d")
    )

    assert failed == []
    assert rows()["", "core.a"] in {"a9", "b9", "c9", "d9"}


@pytest.mark.case(65)
def test_nobody_else_sees_a_save_before_it_is_committed():
    """Who saves sees his own text at once; after a rollback nobody does."""
    services.save({"core.a": "Before"})
    inside, looked = threading.Event(), threading.Event()
    seen = {}

    def save_and_take_back():
        with transaction.atomic():
            services.save({"core.a": "Taken back"})
            seen["own"] = services.assemble().text
            inside.set()
            looked.wait(20)
            transaction.set_rollback(True)
        seen["own afterwards"] = services.assemble().text

    def look():
        inside.wait(20)
        seen["other"] = services.assemble().text
        looked.set()

    failed = in_threads(save_and_take_back, look)

    assert failed == []
    assert seen == {
        "own": "Taken back\n\nBeta",
        "other": "Before\n\nBeta",
        "own afterwards": "Before\n\nBeta",
    }
    assert services.assemble().text == "Before\n\nBeta"


def test_two_edits_of_one_text_at_once_leave_one_and_tell_the_other():
    """Whoever comes second under the lock is told, and nothing is lost."""
    shown = {"core.a": services.etag("", "core.a")}

    failed = in_threads(
        lambda: services.save({"core.a": "One"}, based_on=shown),
        lambda: services.save({"core.a": "Two"}, based_on=shown),
    )

    (error,) = failed
    assert type(error) is EditConflict
    assert rows()["", "core.a"] in {"One", "Two"}
    assert Revision.objects.count() == 1
