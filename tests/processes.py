"""
Another process, for tests: it reads commands as lines of JSON and answers in kind.

Run as a module it is that process; `other_process()` starts and ends one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import django


class OtherProcess:
    """A process with the tests' settings; calls of it run there."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", __name__],
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def begin(self, command: str, **arguments: Any) -> None:
        """Send *command*; what comes of it is for `result()`."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([command, arguments]) + "\n")
        self._process.stdin.flush()

    def result(self) -> Any:
        """Return what the command that was begun returned."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the other process has ended; its error stands above"
        return json.loads(line)

    def __call__(self, command: str, **arguments: Any) -> Any:
        self.begin(command, **arguments)
        return self.result()

    def ended(self) -> int:
        """Wait for it to end by itself; return its status, negative for a signal."""
        return self._process.wait(timeout=30)

    def end(self) -> None:
        """Let it finish, and make sure of it."""
        try:
            self._process.communicate(timeout=30)
        finally:
            self._process.kill()


@contextmanager
def other_processes(
    environ: Mapping[str, str], count: int
) -> Iterator[list[OtherProcess]]:
    """Give *count* processes that live as long as the block."""
    processes = [OtherProcess(environ) for _ in range(count)]
    try:
        yield processes
    finally:
        for process in processes:
            process.end()


def main() -> None:
    """Carry commands out until there are no more."""
    django.setup()
    from tests import process_commands  # noqa: PLC0415  # apps are ready only now

    process_commands.declare()
    for line in sys.stdin:
        command, arguments = json.loads(line)
        answer = process_commands.COMMANDS[command](**arguments)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
