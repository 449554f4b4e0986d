"""How long imports and a start take, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

from bench import ground, growing
from bench.ratios import ratio
from bench.results import Chapter, table
from bench.sampling import ROUNDS, in_rounds

DJANGO = ("admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")
APPS = [f"django.contrib.{name}" for name in DJANGO]
OWN = [*APPS, "prompts_app"]
SETUP = """
from django.conf import settings
import django
settings.configure(
    INSTALLED_APPS={apps!r},
    DATABASES={{"default": {{"ENGINE": "django.db.backends.sqlite3"}}}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    USE_TZ=True,
)
"""
SCRIPT = """
from time import perf_counter_ns
{before}
start = perf_counter_ns()
{timed}
print(perf_counter_ns() - start)
"""
ADMIN = "import of Django's admin"
START = "`django.setup()` with Django's own apps"
UP = "django.setup()"
WAYS = {
    ADMIN: (SETUP.format(apps=APPS[1:]) + UP, "import django.contrib.admin"),
    "import of `prompts_app`": (SETUP.format(apps=APPS[1:]) + UP, "import prompts_app"),
    # The admin would import them to find its own classes.
    "import of `prompts_app.services`, the app being up": (
        SETUP.format(apps=OWN[1:]) + UP,
        "import prompts_app.services",
    ),
    START: (SETUP.format(apps=APPS), UP),
    "the same and `prompts_app`": (SETUP.format(apps=OWN), UP),
    "the same and an app with 1 500 fragments": (
        SETUP.format(apps=[*OWN, "bench.many"]),
        UP,
    ),
}
ABOUT = f"""\
{ROUNDS} fresh processes of each, in turn; what is measured is the line named, not the
interpreter's own start."""


def chapter() -> Chapter:
    """Measure; return what is to be told."""
    samples = in_rounds(
        {name: lambda way=way: timed(*way) for name, way in WAYS.items()}
    )
    rows = []
    ratios = {}
    for name in WAYS:
        reference = ADMIN if name.startswith("import") else START
        found = ratio(samples, name, reference)
        spent = growing.time(samples, name)
        rows.append((name, spent, str(found), found.spread))
        ratios[name] = found
    heads = ("", "µs", "× Django's own", "spread")
    return Chapter("Import and start", f"{ABOUT}\n\n{table(heads, rows)}", ratios)


def timed(before: str, measured: str) -> int:
    """Return the nanoseconds that *measured* takes in a new process after *before*."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(before=before, timed=measured)],
        env=os.environ,
        cwd=ground.ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return int(done.stdout)
