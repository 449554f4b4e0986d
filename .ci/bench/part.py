"""One part of the measurements, in a process of its own: ``-m bench.part NAME``."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module

from bench import ground, results


class Failed(RuntimeError):
    """The process of a part ended with an error, which it has printed."""


def run(name: str, **environ: str) -> list[results.Chapter]:
    """
    Return the chapters of the part *name*, run with *environ*.

    Raises:
        Failed: it printed no chapters.
    """
    # The rest of an address may hold a password.
    kind = environ.get("BENCH_URL", "").partition(":")[0]
    sys.stderr.write(f"measuring: {name} {kind}\n")
    done = subprocess.run(
        [sys.executable, "-m", "bench.part", name],
        env=os.environ | environ,
        cwd=ground.ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Failed(f"{name} ended with status {done.returncode}")
    return results.read(done.stdout.splitlines()[-1])


def main(name: str) -> None:
    """Measure, and print the chapters as one line."""
    ground.start()
    chapters = import_module(f"bench.{name}").chapters()
    sys.stdout.write(f"{results.written(chapters)}\n")


if __name__ == "__main__":
    main(sys.argv[1])
