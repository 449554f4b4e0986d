"""
Look for inputs that break a promise, with the coverage of the package as guide.

Called as ``fuzz.py [TARGET…] [--minutes N] [--keep]``; the targets are the functions of
``tests/fuzzing.py``, all of them if none is named. It starts from ``tests/corpus`` and
the words of ``fuzz.dict``. An input that fails is written to the corpus, so that the
tests fail on it until the fault is mended. With ``--keep`` the inputs that reach new
code are written there as well, the fewest and shortest.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import atheris

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests" / "corpus"
WORDS = ROOT / ".ci" / "fuzz.dict"
LONGEST = 2048
"""How many bytes an input has at most."""
SLOWEST = 60
"""After how many seconds an input counts as one that hangs."""


def load(name: str) -> object:
    """Return the target *name*, the package watched as it is imported."""
    sys.path.insert(0, str(ROOT))
    with atheris.instrument_imports(include=["prompts_app"]):
        import django  # noqa: PLC0415  # its set-up imports the package, which has to be watched by then
        from django.conf import settings  # noqa: PLC0415  # only a look at a target needs Django at all

        apps = ("admin", "auth", "contenttypes", "messages", "sessions")
        settings.configure(
            INSTALLED_APPS=[*(f"django.contrib.{app}" for app in apps), "prompts_app"],
        )
        django.setup()
        from tests.fuzzing import TARGETS  # noqa: PLC0415  # it imports models, which need the set-up above
    return TARGETS[name]


def fuzz(name: str, options: list[str]) -> None:
    """Run libFuzzer in this process; it ends it."""
    atheris.enabled_hooks.add("str")
    # libFuzzer starts itself anew while it merges, through a shell.
    itself = shlex.join((sys.executable, __file__, name, "--"))
    atheris.Setup([itself, *options], load(name))
    atheris.Fuzz()


def call(name: str, *options: object) -> int:
    """Run libFuzzer in another process; return its status."""
    command = [sys.executable, __file__, name, "--", *map(str, options)]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def look(name: str, minutes: float, found: str, *, keep: bool) -> int:
    """Look for inputs from the corpus of *name*; return libFuzzer's status."""
    kept = CORPUS / name
    status = call(
        name,
        f"-max_total_time={round(60 * minutes)}",
        f"-max_len={LONGEST}",
        f"-timeout={SLOWEST}",
        f"-dict={WORDS}",
        f"-artifact_prefix={kept}/",
        "-print_final_stats=1",
        "-verbosity=0",
        found,
        kept,
    )
    if not status and keep:
        status = call(name, "-merge=1", "-verbosity=0", kept, found)
    return status


def main() -> int:
    """Look for inputs as the command line says; return a status for the shell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--keep", action="store_true")
    asked = parser.parse_args()
    failed = []
    for name in asked.targets or sorted(path.name for path in CORPUS.iterdir()):
        sys.stdout.write(f"=== {name}\n")
        sys.stdout.flush()
        with tempfile.TemporaryDirectory() as found:
            if look(name, asked.minutes, found, keep=asked.keep):
                failed.append(name)
    sys.stdout.write(f"Failed: {', '.join(failed) or 'none'}\n")
    return bool(failed)


if __name__ == "__main__":
    if "--" in sys.argv:
        fuzz(sys.argv[1], sys.argv[3:])
    sys.exit(main())
