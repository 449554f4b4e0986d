"""
Tasks that assemble and save, for a worker of Celery's, and that worker.

Messages and results are files in ``CELERY_FOLDER``, so no other service is needed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from celery import Celery  # type: ignore[import-untyped]  # it ships no types
from celery.signals import worker_init  # type: ignore[import-untyped]  # its signals have no types either
from django.db import connections

from tests.serving import end_session

app = Celery("tests", set_as_current=False)


def exchange_in(folder: str) -> None:
    """Let messages and results be files in *folder*, looked for every 50 ms."""
    app.conf.update(
        broker_url="filesystem://",
        result_backend=f"file://{folder}",
        broker_transport_options={
            "data_folder_in": folder,
            "data_folder_out": folder,
            "control_folder": folder,
            "polling_interval": 0.05,
        },
    )


exchange_in(os.environ.get("CELERY_FOLDER", "."))


@app.task
def assembled() -> tuple[int, str]:
    """Return the process that runs the task, and the prompt as it sees it."""
    from tests import process_commands  # noqa: PLC0415  # apps are ready only now

    return os.getpid(), process_commands.assemble()


@app.task
def saved(values: dict[str, str]) -> int | None:
    """Save *values* and return the number of the revision."""
    from tests import process_commands  # noqa: PLC0415  # apps are ready only now

    return process_commands.save(values)


def begin(**_arguments: object) -> None:
    """Declare and assemble once, before the worker makes its processes."""
    from tests import process_commands  # noqa: PLC0415  # apps are ready only now

    process_commands.declare()
    process_commands.assemble()
    connections.close_all()


worker_init.connect(begin)


@contextmanager
def worker(environ: Mapping[str, str], folder: str) -> Iterator[None]:
    """Run a worker that shares *folder*, with two processes of its own."""
    exchange_in(folder)
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "celery", "--app", __name__, "worker"),
            *("--pool=prefork", "--concurrency=2", "--loglevel=ERROR"),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
        ],
        env={**environ, "CELERY_FOLDER": folder},
        start_new_session=True,
    )
    try:
        yield
    finally:
        # To end by itself it would take seconds, and it has nothing to tidy up.
        end_session(process)
