"""``prompts export`` and ``import``: texts from one installation to another."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from prompts_app import services
from prompts_app.management import exchanging
from prompts_app.models import Override, Revision
from tests.commanding import DECLARED, cells, run
from tests.factories import UserFactory
from tests.storing import announcements, everything, rows

TASK = {"scope": "", "key": "first.task", "default_text": "About {{what}}."}


@pytest.fixture(autouse=True)
def catalogue(registry, db):
    """Return a registry that holds a small catalogue."""
    registry.register(*DECLARED)
    return registry


@pytest.fixture
def file(tmp_path):
    """Return the path of a file that holds three texts, two of them new here."""
    services.save({"main.hello": "Hi.", "main.fixed": ""})
    services.save({"main.at": "@"}, scope="tenant.acme")
    path = tmp_path / "texts.json"
    run("export", "--output", str(path))
    services.reset(["main.fixed"])
    services.reset(["main.at"], scope="tenant.acme")
    services.save({"main.search": "Look."})
    return path


def forget():
    """Empty the store of texts."""
    Override.objects.all().delete()


def refused(*arguments):
    """Return why the command is refused, which has changed nothing."""
    before = everything()
    with pytest.raises(CommandError) as caught:
        run(*arguments)
    assert everything() == before
    return str(caught.value)


@pytest.mark.case(25)
def test_an_export_can_be_sent_on(tmp_path):
    """The document on standard output, figures beside it; nothing is written."""
    services.save({"main.hello": "Hé\u2028\nthere"})
    services.save({"main.at": "@"}, scope="tenant.acme")
    before = everything()

    with CaptureQueriesContext(connection) as caught:
        out, err = run("export")
    scoped, beside = run("export", "--scope", "tenant.acme")
    path = tmp_path / "texts.json"
    quiet, _ = run("export", "--output", str(path))

    assert json.loads(out) == services.export_texts()
    assert "Hé\u2028" in out
    assert err == "2 texts exported.\n"
    assert [one["text"] for one in json.loads(scoped)["texts"]] == ["@"]
    assert beside == "1 text exported.\n"
    assert json.loads(run("export", "--scope", "")[0])["texts"][0]["scope"] == ""
    assert (quiet, path.read_text()) == ("", out)
    assert {query["sql"].split()[0] for query in caught} == {"SELECT"}
    assert everything() == before


@pytest.mark.case(26)
def test_an_import_stores_all_as_one_revision(
    file, editor, django_capture_on_commit_callbacks
):
    """It says what became of each text; what the file does not hold stays."""
    arguments = ("--user", "editor", "--comment", "From staging")
    with announcements() as sent, django_capture_on_commit_callbacks(execute=True):
        out, err = run("import", str(file), *arguments)

    assert cells(out) == [
        ["main.fixed", "the whole installation", "switched off"],
        ["main.at", "tenant.acme", "stored"],
    ]
    assert err == "2 texts changed, as revision 6.\n"
    assert rows() == {
        ("", "main.hello"): "Hi.",
        ("", "main.fixed"): "",
        ("", "main.search"): "Look.",
        ("tenant.acme", "main.at"): "@",
    }
    revision = Revision.objects.get(number=6)
    assert (revision.kind, revision.comment) == ("import", "From staging")
    assert revision.author == editor
    assert [one["keys"] for one in sent] == [
        (("", "main.fixed"), ("tenant.acme", "main.at"))
    ]


def test_an_import_that_changes_nothing_says_so(file):
    """There is no revision of it."""
    run("import", str(file))

    assert run("import", str(file)) == ("", "Nothing changes; nothing was written.\n")


def test_a_removed_text_is_told(tmp_path):
    """A text equal to the default takes the override away."""
    services.save({"main.hello": "Hi."})
    path = tmp_path / "texts.json"
    text = {
        "scope": "",
        "key": "main.hello",
        "text": "Hello {{name}}{{at}}!",
        "default_text": "",
    }
    path.write_text(json.dumps({"format": 1, "texts": [text]}))

    out, err = run("import", str(path))

    assert cells(out) == [["main.hello", "the whole installation", "removed"]]
    assert err == "1 text changed, as revision 2.\n"


def test_a_dry_run_tells_the_same_and_writes_nothing(
    file, django_capture_on_commit_callbacks
):
    """Not even a version, and nobody is told."""
    before = everything()

    with announcements() as sent, django_capture_on_commit_callbacks(execute=True):
        out, err = run("import", str(file), "--dry-run")

    assert err == "2 texts would change; nothing was written.\n"
    assert (everything(), sent) == (before, [])
    assert out == run("import", str(file))[0]


@pytest.mark.case(78)
def test_all_faults_are_named_and_nothing_is_stored(tmp_path, settings):
    """A line for each, with its scope."""
    settings.PROMPTS_APP_MAX_FRAGMENT_CHARS = 3
    texts = [
        {"scope": "", "key": "gone.key", "text": "x", "default_text": ""},
        {"scope": "tenant.acme", "key": "main.lock", "text": "x", "default_text": ""},
        {**TASK, "text": "Long"},
    ]
    path = tmp_path / "texts.json"
    path.write_text(json.dumps({"format": 1, "texts": texts}))

    assert set(refused("import", str(path)).splitlines()) == {
        "There is no fragment 'gone.key'.",
        "tenant.acme: main.lock is locked by the software.",
        "first.task: 4 characters; at most 3 are allowed. Shorten it by 1.",
        "first.task no longer mentions {{what}}.",
    }


def test_a_lost_mention_can_be_confirmed(tmp_path):
    """By key and name, as a person ticks it on the page."""
    path = tmp_path / "texts.json"
    path.write_text(json.dumps({"format": 1, "texts": [{**TASK, "text": "Go."}]}))

    run("import", str(path), "--confirm", "first.task=what")

    assert rows() == {("", "first.task"): "Go."}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("import {folder}/none.json", "none.json cannot be read: No such file"),
        ("import {folder}", "cannot be read: Is a directory."),
        ("import {folder}/bad.json", "The file is no JSON: "),
        ("import {folder}/texts.json --user nobody", "there is no account 'nobody'."),
        ("import {folder}/texts.json --user gone", "account 'gone' is not active."),
        ("import {folder}/texts.json --user viewer", "Missing permission: "),
        ("import {folder}/texts.json --confirm key", "'key' is not KEY=NAME"),
        ("import {folder}/texts.json --confirm =key", "'=key' is not KEY=NAME"),
        ("export --scope Acme", "'Acme' is no scope: kind.name in lower case."),
        ("export --output {folder}", "is no regular file."),
        ("export --output=", "--output: the name of the file is missing."),
    ],
)
def test_a_mistake_is_named(file, viewer, arguments, said):
    """Whatever cannot be done is refused by name, and nothing is written."""
    UserFactory(username="gone", is_active=False)
    (file.parent / "bad.json").write_text("{")

    assert said in refused(*arguments.format(folder=file.parent).split())


def test_a_name_that_no_file_can_have_is_refused():
    """As any other that cannot be read."""
    assert "cannot be read: embedded null byte." in refused("import", "a\0b")


def test_a_giant_file_is_refused_with_the_limit(monkeypatch):
    """It is read no further than to where that is known."""
    asked = []

    class Giant(io.BytesIO):
        def read(self, size=-1):
            asked.append(size)
            return super().read(size)

    monkeypatch.setattr(exchanging, "MOST_BYTES", 100)
    monkeypatch.setattr(Path, "open", lambda path, mode: Giant(b" " * 1_000))

    assert "texts.json has more than 100 bytes" in refused("import", "texts.json")
    assert asked == [101]


def test_a_file_may_be_as_long_as_the_limit(file, monkeypatch):
    """A byte more is too much."""
    length = file.stat().st_size

    monkeypatch.setattr(exchanging, "MOST_BYTES", length - 1)
    assert f"has more than {length - 1} bytes" in refused("import", str(file))
    monkeypatch.setattr(exchanging, "MOST_BYTES", length)
    assert run("import", str(file))[1].startswith("2 texts changed")


def test_an_export_of_one_installation_fills_another(file):
    """To the byte."""
    exported = json.loads(file.read_text())
    forget()

    run("import", str(file))

    assert services.export_texts() == exported
