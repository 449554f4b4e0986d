"""What the tasks of a queue are served, in processes that were forked long ago."""

from __future__ import annotations

import pytest
from django.db import transaction

from prompts_app import services
from tests import celery_app

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def queue(registry, process_environ, tmp_path):
    """Run a worker that has assembled before it made its processes."""
    celery_app.begin()
    services.save({"core.a": "At the start"})
    with celery_app.worker(process_environ, str(tmp_path)):
        yield


def result(sent):
    """Return what a task returned that was sent."""
    return sent.get(timeout=60, interval=0.02)


def text(sent=None):
    """Return the prompt of a task that was sent, or of one that is run here."""
    return (result(sent) if sent else celery_app.assembled())[1]


def test_a_task_is_served_every_save_that_was_committed(queue):
    """Its processes have nothing to refresh; one that is sent on commit is in time."""
    task = celery_app.assembled

    assert text(task.delay()) == text() == "At the start\n\nnone"
    services.save({"core.a": "Committed"})
    assert {text(sent) for sent in [task.delay() for _ in range(4)]} == {text()}
    with transaction.atomic():
        services.save({"core.a": "In time"})
        assert text(task.delay()) == "Committed\n\nnone"
        sent = []
        transaction.on_commit(lambda: sent.append(task.delay()))
    assert text(*sent) == "In time\n\nnone"
    assert result(celery_app.saved.delay({"core.a": "By a task"})) == 4
    assert text(task.delay()) == text() == "By a task\n\nnone"
    assert celery_app.saved({"core.a": "From here"}) == 5
    assert text(task.delay()) == text() == "From here\n\nnone"
