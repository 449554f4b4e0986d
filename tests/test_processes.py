"""What one process saves and another serves."""

from __future__ import annotations

import pytest
from django.db import transaction

from prompts_app import services
from prompts_app.models import Override, Revision
from tests import process_commands
from tests.processes import other_processes
from tests.storing import rows

pytestmark = pytest.mark.django_db(transaction=True)

PROCESSES, WRITERS, READERS, SAVES = 2, 4, 4, 2


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare here what the other processes declare."""
    process_commands.declare()


@pytest.mark.case(36, 60, 64)
def test_a_committed_save_is_served_by_every_process_at_its_next_assembly(
    process_environ,
):
    """Nothing has to be restarted, cleared or waited for; a reset travels as well."""
    with other_processes(process_environ, 2) as (one, two):
        seen = [one("assemble"), two("assemble"), process_commands.assemble()]
        assert seen == ["none\n\nnone"] * 3

        assert one("save", values={"core.a": "One"}) == 1
        seen = [two("assemble"), one("assemble"), process_commands.assemble()]
        assert seen == ["One\n\nnone"] * 3

        Override.objects.update(text="")
        seen = [one("assemble"), two("assemble")]
        assert seen == ["none"] * 2

        assert two("reset", keys=["core.a"]) == 2
        seen = [one("assemble"), two("assemble"), process_commands.assemble()]
        assert seen == ["none\n\nnone"] * 3


@pytest.mark.case(65)
def test_a_save_is_served_elsewhere_after_its_commit_and_never_before(process_environ):
    """What is rolled back was seen by its own transaction alone."""
    with other_processes(process_environ, 1) as (other,):
        services.save({"core.a": "Before"})
        other("assemble")

        own = other("roll_back", values={"core.a": "Taken back"})
        afterwards = [other("assemble"), process_commands.assemble()]
        with transaction.atomic():
            services.save({"core.b": "Open"})
            inside = process_commands.assemble()
            meanwhile = other("assemble")
        committed = other("assemble")

    assert own == "Taken back\n\nnone"
    assert afterwards == ["Before\n\nnone"] * 2
    assert inside == "Before\n\nOpen"
    assert meanwhile == "Before\n\nnone"
    assert committed == "Before\n\nOpen"


@pytest.mark.case(72)
def test_writers_lose_nothing_and_readers_see_no_half_of_a_save(process_environ):
    """
    Eight of each at once, on an empty store, edit the same two texts.

    Every edit that was acknowledged is in the texts and in the history.
    """
    with other_processes(process_environ, PROCESSES) as processes:
        for number, process in enumerate(processes):
            process.begin(
                "contend",
                name=f"p{number}w",
                writers=WRITERS,
                readers=READERS,
                saves=SAVES,
            )
        results = [process.result() for process in processes]

    saved = {tag: number for one in results for tag, number in one["saved"].items()}
    count = PROCESSES * WRITERS * SAVES
    assert [one["torn"] for one in results] == [[]] * PROCESSES
    assert min(one["reads"] for one in results) > 0
    assert sorted(saved.values()) == list(range(1, count + 1))
    for text in rows().values():
        assert text.split() == ["none", *sorted(saved, key=saved.__getitem__)]
    comments = Revision.objects.values_list("comment", "number")
    assert dict(comments) == saved
    for number in range(count + 1):
        texts = set(services.as_of(number).texts.values())
        assert [len(text.split()) for text in texts] == [number + 1] * bool(number)


def test_a_writer_tries_again_when_another_was_first(monkeypatch):
    """The edit is made anew on what the other one left."""
    old = services.stored()
    services.save({"core.a": "Theirs", "core.b": "Theirs"})
    snapshots = iter([old, services.stored()])
    monkeypatch.setattr(services, "stored", lambda: next(snapshots))

    process_commands.append("mine")

    assert set(rows().values()) == {"Theirs mine"}
