"""The site that the page is measured on, served by a process of its own."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

from bench.ground import ROOT

PORT = 8918
SITE = f"http://127.0.0.1:{PORT}"
SIGN_IN = f"{SITE}/admin/login/"
# The process that serves the site is given it by its environment.
PASSWORD = os.environ.setdefault("BENCH_PASSWORD", secrets.token_urlsafe())
FRAGMENTS, OVERRIDES, CHARACTERS = 1_500, 300, 200_000
GROUPS = 15


def serve(folder: str) -> None:
    """Run the demo site with the huge catalogue, on a database in *folder*."""
    os.environ |= {"DEMO_DIR": folder, "DEBUG": "false"}
    os.environ.pop("DATABASE_URL", None)
    os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
    import django
    from django.conf import settings

    settings.PROMPTS_APP_MAX_FRAGMENT_CHARS = 2 * CHARACTERS
    settings.PROMPTS_APP_MAX_STORED_CHARS = 10 * CHARACTERS
    django.setup()
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.management import call_command
    from django.core.servers.basehttp import run
    from django.core.wsgi import get_wsgi_application

    call_command("migrate", verbosity=0)
    fill()
    run("127.0.0.1", PORT, isolated(StaticFilesHandler(get_wsgi_application())))


def fill() -> None:
    """Declare the fragments, store the overrides, and make as many users."""
    from django.contrib import admin
    from django.contrib.auth.models import User

    from prompts_app import services

    declare()
    texts = {
        f"many{group}.f{number}": f"Changed text {number} of group {group}."
        for group in range(GROUPS)
        for number in range(OVERRIDES // GROUPS)
    }
    line = "Name the source of every figure, and say how old it is.\n"
    texts["many0.f0"] = (line * CHARACTERS)[:CHARACTERS].strip()
    services.save(texts)
    User.objects.create_superuser("root", password=PASSWORD)
    User.objects.bulk_create(
        User(username=f"user{n}", email=f"user{n}@example.com", first_name="First")
        for n in range(FRAGMENTS - 1)
    )
    listed = admin.site.get_model_admin(User)
    listed.list_per_page = listed.list_max_show_all = FRAGMENTS


def declare() -> None:
    """Register the groups and their fragments."""
    from prompts_app import Fragment, Group, register

    for group in range(GROUPS):
        key = f"many{group}"
        register(Group(key, label=f"Many {group}", order=900 + group, role="preamble"))
        register(
            *(
                Fragment(
                    f"{key}.f{number}",
                    label=f"Text {number}",
                    group=key,
                    default=f"Text {number} of group {group}. Say it plainly, and name "
                    "its source.",
                    order=number,
                )
                for number in range(FRAGMENTS // GROUPS)
            )
        )


def isolated(application):
    """Return *application* with the headers without which no memory is told."""

    def answer(environ, start_response):
        def start(status, headers, *rest):
            own = [
                ("Cross-Origin-Opener-Policy", "same-origin"),
                ("Cross-Origin-Embedder-Policy", "require-corp"),
            ]
            names = {name for name, _ in own}
            kept = [pair for pair in headers if pair[0] not in names]
            return start_response(status, kept + own, *rest)

        return application(environ, start)

    return answer


@contextmanager
def server() -> Iterator[None]:
    """Run `serve()` in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.page_site", folder],
            cwd=ROOT,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait()
            yield
        finally:
            process.terminate()
            process.wait()


def wait() -> None:
    """Return when the site answers; give up after a minute."""
    for _ in range(120):
        try:
            socket.create_connection(("127.0.0.1", PORT)).close()
        except OSError:
            time.sleep(0.5)
        else:
            return
    raise TimeoutError("The site did not start.")


if __name__ == "__main__":
    serve(sys.argv[1])
