"""What holds for all verbs of the command ``prompts``, and ``reload``."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.conf import settings as configured
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from prompts_app import services
from prompts_app.management.commands.prompts import VERBS, Command
from tests.commanding import DECLARED, run
from tests.factories import OverrideFactory
from tests.storing import everything


@pytest.fixture
def catalogue(registry, db):
    """Return a registry that holds a small catalogue."""
    registry.register(*DECLARED)
    return registry


def test_reload_gives_the_store_a_new_version(catalogue):
    """No text changes, and yet every process reads anew."""
    services.save({"main.fixed": ""})
    before = services.stored()

    run("reload")

    assert services.stored().version != before.version
    assert services.stored().texts == before.texts


@pytest.mark.covers("A62")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "show main.helo",
            "There is no fragment 'main.helo'. Did you mean main.hello, ",
        ),
        (
            "render --scenario chad",
            "There is no scenario 'chad'. Known: chat, own, acme",
        ),
        ("render --include man", "There is no group 'man'. Known: first, main, seam."),
        ("render --include main.helo", "Did you mean main.hello, "),
        (
            "diff --scenario chad",
            "There is no scenario 'chad'. Known: chat, own, acme.",
        ),
        ("diff --to-scenario chad", "There is no scenario 'chad'."),
        ("diff --to-scope Acme", "--to-scope: 'Acme' is no scope: kind.name"),
        ("diff --defaults --to-scenario chat", "not allowed with argument --defaults"),
        ("diff --level lean", "--level says nothing where both levels are compared"),
        ("diff --context much", "invalid int value: 'much'"),
        ("check --fail-level info", "invalid choice: 'info'"),
        ("check --scope Acme", "--scope: 'Acme' is no scope"),
        ("explain", "the following arguments are required: KEY"),
        ("explain main.hello --scenario chad", "There is no scenario 'chad'."),
        ("explain main.hello --scope Acme", "--scope: 'Acme' is no scope"),
        ("list --scope Acme", "--scope: 'Acme' is no scope: kind.name in lower case."),
        ("list --scope a.b --scope a.b", "names one twice"),
        ("render --level huge", "invalid choice: 'huge'"),
        ("render --set name", "'name' is not NAME=VALUE"),
        ("render --set Name=x", "'Name' is no variable that can be given a value"),
        ("render --set lb=x", "'lb' is no variable that can be given a value"),
        ("render --set name=\udcff", "the value of name is no valid text"),
        ("", "the following arguments are required: VERB"),
        ("delete", "invalid choice: 'delete'"),
    ],
)
def test_a_mistake_is_named(catalogue, arguments, message):
    """Whatever cannot be done is refused with what could have been meant."""
    with pytest.raises(CommandError) as refused:
        run(*arguments.split())

    assert message in str(refused.value)


READING = [
    "list",
    "show main.hello",
    "explain main.hello",
    "explain main.hello --scenario chat",
    "render --trace --tokens",
    "render --json",
    "diff --scenario chat",
    "diff --defaults --words",
    "check",
    "check --json",
    "export",
]
WRITING = {"reload", "import", "restore", "adopt", "prune", "prune-history"}
NEEDED = {
    "show": ["main.hello"],
    "explain": ["main.hello"],
    "import": ["texts.json"],
    "restore": ["1"],
    "adopt": ["gone.key", "main.hello"],
    "prune": ["gone.key"],
}


@pytest.mark.case(28)
@pytest.mark.parametrize("arguments", READING)
def test_looking_writes_nothing(catalogue, arguments):
    """Whatever is looked up, compared or checked: only statements that read."""
    services.save({"main.fixed": "Changed."})
    OverrideFactory(key="gone.key", scope="tenant.acme")
    before = everything()

    with CaptureQueriesContext(connection) as caught:
        run(*arguments.split())

    assert everything() == before
    assert {query["sql"].split()[0] for query in caught} == {"SELECT"}


def test_every_verb_that_does_not_write_is_known_not_to():
    """A new verb has to be tried above, or to be one that writes."""
    assert {arguments.split()[0] for arguments in READING} == VERBS.keys() - WRITING


@pytest.mark.parametrize("verb", VERBS)
def test_djangos_own_options_may_follow_the_verb(catalogue, verb):
    """Few look for them before it."""
    parser = Command().create_parser("manage.py", "prompts")
    key = NEEDED.get(verb, [])
    own = ["--no-color", "--traceback", "-v", "0", "--settings=tests.settings"]

    after = parser.parse_args([verb, *key, *own])

    assert after == parser.parse_args([*own, verb, *key])
    assert after.no_color
    assert not parser.parse_args([verb, *key]).no_color


def test_there_may_be_nothing_to_choose_from(registry, db):
    """Without a scenario or a group this is what the refusal says."""
    for arguments in (["--scenario", "chat"], ["--include", "main"]):
        with pytest.raises(CommandError, match="Known: none is declared"):
            call_command("prompts", "render", *arguments)


def test_a_failing_hook_is_named_with_its_cause(catalogue):
    """The message says which hook gave up, and with what."""

    def fail(draft, context):
        raise RuntimeError("out of paper")

    catalogue.register_hook(fail)

    with pytest.raises(CommandError, match=r"fail raised an error: out of paper"):
        run("render")


def test_a_bad_setting_is_named(catalogue, settings):
    """It is said as briefly as any other mistake."""
    settings.PROMPTS_APP_LEVEL = "huge"

    with pytest.raises(CommandError, match="PROMPTS_APP_LEVEL: 'huge' is no level"):
        run("render")


@pytest.mark.parametrize("verb", ["list", "check", "render", "diff", "reload"])
def test_a_database_that_fails_is_told_in_a_sentence(catalogue, verb):
    """As one does in which no table was made so far."""

    def fail(*arguments):
        raise OperationalError("no such table: prompts_app_override")

    with (
        connection.execute_wrapper(fail),
        pytest.raises(CommandError, match="The database did not answer: no such table"),
    ):
        run(verb)


def test_exit_codes_tell_mistakes_from_success(process_environ):
    """Another process prints the saved text; what it cannot do ends in 1 or 2."""
    services.save({"core.style": "Rhyme."})

    def code(*arguments):
        return subprocess.run(
            [sys.executable, "manage.py", "prompts", *arguments],
            cwd=configured.BASE_DIR,
            env=process_environ,
            capture_output=True,
            text=True,
            check=False,
        )

    done = code("render", "--include", "core.style")
    unknown, misused = code("show", "core.styel"), code("render", "--level", "huge")
    OverrideFactory(key="core.gone")
    passed, failed = code("check"), code("check", "--fail-level", "warning")

    assert (done.returncode, done.stdout) == (0, "Rhyme.\n"), done.stderr
    assert (unknown.returncode, unknown.stdout) == (1, "")
    assert "Did you mean core.style" in unknown.stderr
    assert (misused.returncode, misused.stdout) == (2, "")
    assert (passed.returncode, failed.returncode) == (0, 1)
    assert passed.stdout == failed.stdout
    assert "core.gone" in passed.stdout
