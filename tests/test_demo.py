"""The demo site as a whole, in processes of its own."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(__file__).resolve().parent.parent
INHERITED_NOT = {"DJANGO_SETTINGS_MODULE", "DATABASE_URL", "CACHE_URL"}


def environ(folder, **more):
    """Return the environment of a demo site that keeps everything in *folder*."""
    kept = {key: text for key, text in os.environ.items() if key not in INHERITED_NOT}
    return kept | {"DEMO_DIR": str(folder)} | more


def run(*arguments, env):
    """Run Python with *arguments* in the repository."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.xdist_group("demo")
def test_the_demo_site_passes_its_own_tests(tmp_path):
    """They run under the demo site's settings, on the database of this run."""
    of_demo = f"_demo{os.environ.get('PYTEST_XDIST_WORKER', '')}"
    url = settings.DATABASE_URL
    server = {} if url == "sqlite://" else {"DATABASE_URL": f"{url}{of_demo}"}

    tried = run(
        *("-m", "pytest", "--ds=project.settings", "-p", "no:cacheprovider"),
        *("--create-db", "tests/demo"),
        env=environ(tmp_path, **server),
    )

    assert tried.returncode == 0, tried.stdout + tried.stderr
    assert re.search(r"\d{2} passed", tried.stdout)


@contextmanager
def serving(env):
    """Give the address of a demo site that runs as `make run` starts it."""
    with socket.create_server(("127.0.0.1", 0)) as soon_free:
        port = soon_free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "manage.py", "runserver", "--noreload", f"127.0.0.1:{port}"],
        cwd=ROOT,
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        patience = time.monotonic() + 60
        while not listens(port):
            assert server.poll() is None
            assert time.monotonic() < patience
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def listens(port):
    """Return whether a server is to be reached there."""
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def fetch(address):
    """Return what *address* answers."""
    with urllib.request.urlopen(address) as response:  # noqa: S310  # our own server
        return response.read().decode()


@pytest.mark.xdist_group("demo")
def test_a_fresh_clone_starts(tmp_path):
    """Migrated and filled, it prints the same accounts at each start, and serves."""
    env = environ(tmp_path / "site")
    migrated = run("manage.py", "migrate", "--verbosity=0", env=env)
    first, again = (run("manage.py", "demo", env=env) for _ in range(2))

    with serving(env) as address:
        page = fetch(f"{address}/login/")
        styles = fetch(address + re.search(r'href="(/static/[^"]*\.css)"', page)[1])

    assert migrated.returncode == 0, migrated.stderr
    assert first.stdout.count("\n") == 4, first.stderr
    assert again.stdout == first.stdout
    assert "color-scheme" in styles
