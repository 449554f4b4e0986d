"""What holds for the repository as a whole."""

from __future__ import annotations

import ast
import os
import re
import socket
import subprocess
import sys
import tomllib

import pytest
from django.core.management import call_command

from tests.checkout import ROOT, in_checkout, tracked

LOCKS = sorted((ROOT / ".ci" / "requirements").glob("*.txt"))
EXCEPTION = re.compile(r"# (?:noqa|type: ignore|pragma: no)\b")
EXCUSED = re.compile(
    r"# (?:noqa: [A-Z\d, ]+|type: ignore\[[\w, -]+\]|pragma: no \w+)  # \w"
)
TOP_LEVEL = {
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "docs",
    "fixtures",
    "manage.py",
    "project",
    "prompts_app",
    "pyproject.toml",
    "static",
    "templates",
    "tests",
}


def modules(*folders):
    """Return the paths and the syntax trees of what was written by hand."""
    return [
        (path.relative_to(ROOT).as_posix(), ast.parse(path.read_text()))
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not {"migrations", "venvs"} & {*path.parts}
    ]


def functions(tree):
    """Return every function of *tree*, methods and inner ones included."""
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def run(*arguments, **environ):
    """Run Python with *arguments*, as from a shell that sets *environ*."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in {"DJANGO_SETTINGS_MODULE", "DATABASE_URL", "CACHE_URL"}
    }
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=inherited | environ,
        capture_output=True,
        text=True,
        check=False,
    )


@in_checkout
def test_the_top_level_holds_only_what_belongs_there():
    """A new file or folder at the top is a decision, not an accident."""
    visible = {path.split("/")[0] for path in tracked() if not path.startswith(".")}

    assert visible <= TOP_LEVEL


def test_modules_stay_short():
    """A module that outgrows 300 lines is split by idea."""
    long = [
        f"{path}: {lines} lines"
        for path, _ in modules("prompts_app", "project", ".ci")
        if (lines := len((ROOT / path).read_text().splitlines())) > 300
    ]

    assert long == []


def test_functions_stay_short():
    """A function has less than 30 lines, its documentation aside."""
    long = []
    for path, tree in modules("prompts_app", "project", ".ci"):
        for function in functions(tree):
            documented = ast.get_docstring(function) is not None
            body = function.body[1:] if documented else function.body
            lines = sum(part.end_lineno - part.lineno + 1 for part in body)
            long += [f"{path}: {function.name}: {lines} lines"] * (lines >= 30)

    assert long == []


def test_every_exception_to_a_rule_gives_its_reason():
    """Beside it, where whoever meets the line reads it."""
    bare = [
        f"{path.relative_to(ROOT)}:{number}"
        for folder in ("prompts_app", "project", "tests", ".ci")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "venvs" not in path.parts
        for number, line in enumerate(path.read_text().split("\n"), start=1)
        if EXCEPTION.search(line) and not EXCUSED.search(line)
    ]

    assert bare == []


def test_every_test_states_its_claim():
    """A test's docstring is the sentence that the test makes true."""
    silent = [
        f"{path}: {function.name}"
        for path, tree in modules("tests")
        for function in ast.iter_child_nodes(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        and function.name.startswith("test_")
        and not (ast.get_docstring(function) or "").endswith(".")
    ]

    assert silent == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_holds_pins_with_hashes_and_no_address(lock):
    """Whatever index is used, the same files are installed."""
    pin = r"[a-z0-9-]+==[^ ]+( ; [^\\]+)?"
    lines = lock.read_text().replace(" \\\n", "").splitlines()

    assert lines
    for line in lines:
        assert re.fullmatch(rf"{pin}(    --hash=sha256:[0-9a-f]{{64}})+", line), line


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_serves_both_lines_of_django(lock):
    """Python 3.11 gets the last Django it can run, a newer Python a newer one."""
    pins = re.findall(r"^django==(\d)[^;]*; ([^\\]*) \\$", lock.read_text(), re.M)

    assert pins == [
        ("5", "python_full_version < '3.12'"),
        ("6", "python_full_version >= '3.12'"),
    ]


def test_the_locks_hold_whatever_is_asked_for():
    """A library added to the groups is added to a lock too."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    asked = {
        re.split(r"[>=\[]", need)[0].lower()
        for needs in [
            project["project"]["dependencies"],
            *project["dependency-groups"].values(),
        ]
        for need in needs
        if isinstance(need, str)
    }

    locked = {
        name
        for lock in LOCKS
        for name in re.findall(r"^([a-z0-9-]+)==", lock.read_text(), re.M)
    }

    assert asked <= locked


@pytest.mark.parametrize("caller", [".pre-commit-config.yaml", ".ci/run"])
def test_hooks_and_ci_call_commands_that_exist(caller):
    """A command is written once, in the Makefile."""
    text = (ROOT / caller).read_text()
    makefile = (ROOT / "Makefile").read_text()
    called = set(re.findall(r"(?:entry: make|--no-print-directory) (\w+)", text))
    called.update(*map(str.split, re.findall(r"for target in (.*);", text)))

    assert called
    for target in called:
        assert re.search(rf"^{target}:", makefile, re.M), target


@pytest.mark.django_db
def test_the_migrations_say_what_the_models_say():
    """Nobody who changes a model forgets its migration."""
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.parametrize(
    "port", ["0", "65536", "http", "", "\N{ARABIC-INDIC DIGIT ONE}"]
)
def test_what_is_no_port_is_refused(port):
    """The demo is not started on something that is no port, and this is said."""
    tried = run(".ci/port.py", port)

    assert tried.returncode == 1
    assert f"PORT={port} is no port" in tried.stderr


def test_a_port_that_is_taken_is_refused():
    """Whoever starts the demo twice is told how to choose another port."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        tried = run(".ci/port.py", str(port))

    assert tried.returncode == 1
    assert f"Port {port} cannot be used" in tried.stderr
    assert "make run PORT=" in tried.stderr


def test_a_free_port_is_accepted():
    """A port that nothing listens on passes without a word."""
    with socket.create_server(("127.0.0.1", 0)) as soon_free:
        port = soon_free.getsockname()[1]

    tried = run(".ci/port.py", str(port))

    assert (tried.returncode, tried.stdout, tried.stderr) == (0, "", "")


def test_the_demo_site_has_no_faults(tmp_path):
    """Every system check of the demo site passes, with warnings as errors."""
    tried = run(
        "-W", "error", "manage.py", "check", "--fail-level=WARNING", DEMO_DIR=tmp_path
    )

    assert tried.returncode == 0, tried.stderr


def test_the_demo_site_serves_by_both_interfaces(tmp_path):
    """A WSGI and an ASGI server each find an application."""
    tried = run(
        "-c",
        "from project import asgi, wsgi;"
        "print(callable(asgi.application), callable(wsgi.application))",
        DEMO_DIR=tmp_path,
    )

    assert tried.stdout.split() == ["True", "True"], tried.stderr


def test_the_demo_site_keeps_the_key_it_made(tmp_path):
    """The secret key is made once, differs by site, and only its owner reads it."""
    show = ("-c", "from project.settings import SECRET_KEY; print(SECRET_KEY)")

    first, again = (run(*show, DEMO_DIR=tmp_path / "one").stdout for _ in range(2))
    other = run(*show, DEMO_DIR=tmp_path / "two").stdout

    assert len(first.strip()) == 50
    assert again == first
    assert other != first
    (kept,) = (tmp_path / "one").iterdir()
    assert kept.stat().st_mode & 0o077 == 0


def test_the_demo_site_takes_its_services_from_the_environment(tmp_path):
    """Another database, another cache and another key need no change of code."""
    tried = run(
        "-c",
        "from project import settings as s;"
        "print(s.DATABASES['default']['ENGINE'], s.CACHES['default']['BACKEND'],"
        " s.SECRET_KEY, s.DEBUG)",
        DEMO_DIR=tmp_path,
        DATABASE_URL="postgres://somebody@localhost/prompts",
        CACHE_URL="redis://localhost/1",
        SECRET_KEY="given",
        DEBUG="off",
    )

    assert tried.stdout.split() == [
        "django.db.backends.postgresql",
        "django.core.cache.backends.redis.RedisCache",
        "given",
        "False",
    ], tried.stderr
