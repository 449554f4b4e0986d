"""
Real servers of the site in `tests.served`, for as long as a block lasts.

`wsgi()` and `asgi()` make the application in their processes. Each server is given a
socket that listens already, so nobody has to wait until it has started.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import IO, Any

from django.core.asgi import get_asgi_application
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application
from django.db import connections

SETS = tuple(tuple(f"set{n}.{name}" for name in "abc") for n in range(4))
"""The fragments of the site that are saved together."""
EDITED = tuple(f"edited.t{n}" for n in range(4))
"""Those that are edited one by one."""
DEFAULTS = {key: f"{key} none" for keys in (*SETS, EDITED) for key in keys}
"""By key, in the order in which the prompt has them."""
SECONDS = 60
"""How long an answer or an end may take at most, on a busy machine."""


def wsgi() -> WSGIHandler:
    """Return the application, having assembled once, as code that runs early may."""
    application = get_wsgi_application()
    _served().began_with.append(_assembled())
    # Workers that are made from this process must not share one.
    connections.close_all()
    return application


def asgi() -> ASGIHandler:
    """Return the application for an asynchronous server."""
    application = get_asgi_application()
    _served()
    return application


def _served() -> ModuleType:
    from tests import served  # noqa: PLC0415  # apps are ready only now

    served.declare()
    return served


def _assembled() -> str:
    from prompts_app import services  # noqa: PLC0415  # apps are ready only now

    return services.assemble().text


class Line:
    """One connection to a server, kept open between questions."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection(
            "127.0.0.1", port, timeout=SECONDS
        )

    def ask(self, path: str, **body: Any) -> tuple[int, dict[str, Any]]:
        """
        Return status and content of the answer; a page of words has no content.

        Raises:
            OSError, HTTPException: the line was cut.
        """
        self._connection.request(
            "POST" if body else "GET",
            f"/{path}",
            json.dumps(body) if body else None,
            {"Host": "localhost"},
        )
        answer = self._connection.getresponse()
        content = answer.read()
        is_json = answer.headers.get_content_type() == "application/json"
        return answer.status, json.loads(content) if is_json else {}

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs."""

    port: int
    process: int
    """The number of the process that watches over its workers."""


@contextmanager
def gunicorn(
    environ: Mapping[str, str],
    *,
    workers: int = 2,
    threads: int = 2,
    log: IO[bytes] | None = None,
) -> Iterator[Server]:
    """
    Run gunicorn, which loads the application before it makes its workers.

    What it complains of goes to *log*, or where complaints of this process go.
    """
    arguments = [
        "--preload",
        f"--workers={workers}",
        f"--threads={threads}",
        "--worker-class=gthread",
        f"--keep-alive={2 * SECONDS}",
        f"--timeout={2 * SECONDS}",
        "--log-level=error",
        "--no-control-socket",
        "tests.serving:wsgi()",
    ]
    with _running("gunicorn", "--bind=fd://", arguments, environ, log) as server:
        yield server


@contextmanager
def uvicorn(
    environ: Mapping[str, str], *, workers: int = 1, log: IO[bytes] | None = None
) -> Iterator[Server]:
    """
    Run uvicorn, whose workers, if there are several, load the application each.

    What it complains of goes to *log*, or where complaints of this process go.
    """
    arguments = [
        f"--workers={workers}",
        f"--timeout-keep-alive={2 * SECONDS}",
        # Whoever dies while it is asked how it is holds up the others for as long.
        "--timeout-worker-healthcheck=10",
        "--log-level=error",
        "--lifespan=off",
        "--factory",
        "tests.serving:asgi",
    ]
    with _running("uvicorn", "--fd=", arguments, environ, log) as server:
        yield server


@contextmanager
def _running(
    program: str,
    bind: str,
    arguments: list[str],
    environ: Mapping[str, str],
    log: IO[bytes] | None,
) -> Iterator[Server]:
    with socket.create_server(("127.0.0.1", 0), backlog=256) as listening:
        # What is accepted inherits it; uvicorn does not know what it is given.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        port = listening.getsockname()[1]
        number = listening.fileno()
        process = subprocess.Popen(
            [sys.executable, "-m", program, f"{bind}{number}", *arguments],
            env={**environ, "DJANGO_SETTINGS_MODULE": "tests.settings_served"},
            pass_fds=[number],
            stderr=log,
            start_new_session=True,
        )
    # Only the server listens now, so a question to a dead one fails at once.
    try:
        yield Server(port, process.pid)
        # It ends by itself, as from a keyboard, so that what it measured is kept.
        process.send_signal(signal.SIGINT)
        process.wait(timeout=SECONDS)
    finally:
        end_session(process)


def end_session(process: subprocess.Popen[bytes]) -> None:
    """End whatever is left of the session that *process* began."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    finally:
        process.wait()
