"""``prompts show``: all there is to know of one fragment."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.models import Override
from tests.commanding import DECLARED, facts, row, run


@pytest.fixture(autouse=True)
def catalogue(registry, db):
    """Return a registry that holds a small catalogue."""
    registry.register(*DECLARED)
    return registry


def test_show_tells_all_of_a_fragment():
    """What is declared stands there in words, then the variables, then the texts."""
    out, _ = run("show", "first.task")

    assert out.splitlines()[0] == "Task (first.task)"
    told = facts(out)
    assert told == {
        "group": "first",
        "order": "9",
        "state": "Built-in, from the code",
        "appears": "At the lean level only; When {{name}} has a value",
        "lean because": "It is short.",
        "must mention": "{{what}}",
        "earlier keys": "old.task",
        "priority": "7",
        "hint": "The whole request.",
        "{{what}}": "declared nowhere",
    }
    assert row(out, "{{name}}") == ["The person", "Per chat, untrusted"]
    assert out.endswith("\n--- Default\nAbout {{what}}.\n\nThe default is in force.\n")


def test_show_explains_clauses_and_locks():
    """A variable that another fragment provides is told from a plain one."""
    of_hello, _ = run("show", "main.hello")
    of_lock, _ = run("show", "main.lock")

    assert row(of_hello, "{{at}}") == ["the text of main.at"]
    assert row(of_lock, "state") == ["Locked, from the code"]
    assert "{{" not in of_lock


def test_show_prints_each_saved_text(editor):
    """From the installation to the nearest scope, with who saved it and when."""
    services.save({"main.hello": "Hi {{place}}."}, author=editor)
    services.save({"main.hello": "Hi from Acme."}, scope="tenant.acme")
    day = f"{Override.objects.get(scope='').updated_at:%Y-%m-%d}"

    out, _ = run("show", "main.hello", "--scope", "tenant.acme")
    everywhere, beside = run("show", "main.hello")

    assert f"--- Saved for the whole installation by editor on {day}\nHi {{{{" in out
    assert f"--- Saved for tenant.acme on {day}\nHi from Acme.\n" in out
    assert out.endswith("\n--- In force, from tenant.acme\nHi from Acme.\n")
    assert row(everywhere, "{{place}}") == ["The place", "Every turn"]
    assert "Hi from Acme." not in everywhere
    assert beside == "Texts are saved for scopes too: tenant.acme.\n"


def test_show_says_that_a_fragment_is_off():
    """A blank text is shown as what it means."""
    services.save({"main.fixed": ""})

    out, _ = run("show", "main.fixed")

    assert "\n(switched off)\n" in out
    assert out.endswith("\nNothing is sent for this fragment.\n")


def test_show_prints_a_text_without_a_fragment():
    """What was saved is not lost with the fragment that it was saved for."""
    Override.objects.create(scope="", key="gone.key", text="Kept.", default_text="")

    out, _ = run("show", "gone.key")

    assert out.startswith("gone.key is no longer declared.")
    assert out.endswith("\nKept.\n")
