"""Killing workers at random, as a machine that runs out of memory does."""

from __future__ import annotations

import contextlib
import http.client
import os
import random
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from soak.noted import Kill
from tests.serving import Line, Server

PAUSE = (0.4, 1.6)
"""Seconds between two kills, at least and at most."""


class Killer:
    """Kills a worker of one of *servers* now and then, and notes when."""

    def __init__(self, servers: Sequence[Server], seed: str) -> None:
        self.kills: list[Kill] = []
        self._servers = servers
        # The first is killed more often: its workers are there again at once.
        self._weights = [5, *[1] * (len(servers) - 1)]
        self._random = random.Random(f"{seed} killer")  # noqa: S311  # draws whom to kill, again as the seed printed says
        self._stop = threading.Event()

    def run(self) -> None:
        """Kill until it is told to stop."""
        while not self._stop.wait(self._random.uniform(*PAUSE)):
            (server,) = self._random.choices(self._servers, self._weights)
            # Whoever is asked may have been killed by another request.
            with contextlib.suppress(OSError, http.client.HTTPException):
                self._kill(server)

    def stop(self) -> None:
        """Let it stop."""
        self._stop.set()

    def _kill(self, server: Server) -> None:
        with contextlib.closing(Line(server.port)) as line:
            worker = line.ask("prompt")[1]["process"]
        if parent_of(worker) != server.process:
            return
        begin = time.monotonic()
        os.kill(worker, signal.SIGKILL)
        self.kills.append(Kill(begin, time.monotonic(), worker, server.port))


def parent_of(process: int) -> int:
    """Return the number of the process that started another."""
    told = Path(f"/proc/{process}/stat").read_text("ascii", "replace")
    return int(told.rpartition(")")[2].split()[1])


@contextmanager
def killing(servers: Sequence[Server], seed: str) -> Iterator[Killer]:
    """Kill workers for as long as the block lasts."""
    killer = Killer(servers, seed)
    thread = threading.Thread(target=killer.run, daemon=True)
    thread.start()
    try:
        yield killer
    finally:
        killer.stop()
        thread.join()
