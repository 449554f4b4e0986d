"""``prompts list``: every fragment in a line."""

from __future__ import annotations

import pytest

from prompts_app import Fragment, services
from prompts_app.models import Override
from tests.commanding import DECLARED, cells, row, run
from tests.factories import OverrideFactory


@pytest.fixture(autouse=True)
def catalogue(registry, db):
    """Return a registry that holds a small catalogue."""
    registry.register(*DECLARED)
    return registry


def test_list_names_every_fragment_by_group():
    """Groups stand in page order, those that nobody declares last."""
    out, err = run("list")

    keys = [cells[0] for cells in cells(out)]
    assert keys == [
        "FRAGMENT",
        "first.task",
        "main.at",
        "main.hello",
        "main.search",
        "main.fixed",
        "main.lock",
        "seam.lead",
        "loose.end",
    ]
    assert row(out, "main.hello") == ["main", "Built-in", "the code"]
    assert row(out, "main.lock") == ["main", "Locked", "the code"]
    assert err == ""


def test_list_tells_the_states_apart():
    """Changed, switched off, drifted, and rows that no fragment reads."""
    services.save({"main.hello": "Hi.", "main.fixed": "", "main.search": "Look."})
    Override.objects.filter(key="main.search").update(default_text="An older one.")
    for key in ("gone.key", "main.lock"):
        Override.objects.create(scope="", key=key, text="Mine.", default_text="")

    out, _ = run("list")

    assert row(out, "main.hello") == ["main", "Changed", "the whole installation"]
    assert row(out, "main.fixed") == ["main", "Off", "the whole installation"]
    assert row(out, "main.search") == ["main", "Drifted", "the whole installation"]
    assert row(out, "gone.key") == ["-", "Orphaned", "the whole installation"]
    assert out.count("main.lock") == 2


def test_list_says_from_which_scope_a_text_is(catalogue):
    """The nearest scope that says anything counts, then the installation, then code."""
    catalogue.register(
        Fragment("main.at", label="At", group="main", default="@", provides="at"),
        Fragment("acme.own", label="Own", group="main", default="Own."),
        scope="tenant.acme",
    )
    services.save({"main.hello": "Hi.", "main.fixed": ""})
    services.save({"main.hello": "Hi from Acme."}, scope="tenant.acme")
    services.save({"main.hello": "Hi from support."}, scope="agent.support")
    # A row that only code can have written: its own scope alone declares no such key.
    Override.objects.create(
        scope="agent.support", key="acme.own", text="Mine.", default_text="Own."
    )

    out, err = run("list", "--scope", "tenant.acme", "--scope", "agent.support")

    assert row(out, "main.hello") == ["main", "Changed", "agent.support"]
    assert row(out, "main.fixed") == ["main", "Off", "the whole installation"]
    assert row(out, "main.at") == ["main", "Built-in", "the code, for tenant.acme"]
    assert row(out, "acme.own") == ["main", "Changed", "agent.support"]
    assert "Orphaned" not in out
    assert err == ""


def test_list_tells_of_the_scopes_that_have_texts():
    """Who asks for no scope learns that there are some, and of their lost texts."""
    services.save({"main.hello": "Hi from Acme."}, scope="tenant.acme")
    Override.objects.create(
        scope="tenant.acme", key="gone.key", text="Mine.", default_text=""
    )

    out, err = run("list")

    assert row(out, "main.hello") == ["main", "Built-in", "the code"]
    assert row(out, "gone.key") == ["-", "Orphaned", "tenant.acme"]
    assert err == "Texts are saved for scopes too: tenant.acme.\n"


@pytest.mark.parametrize("scope", [[], ["--scope", "tenant.a", "--scope", "tenant.b"]])
def test_list_asks_the_database_little(scope, django_assert_max_num_queries):
    """The number of statements grows neither with the fragments nor with the scopes."""
    services.save({"main.hello": "Hi.", "main.fixed": ""})
    for name in ("tenant.a", "tenant.b", "tenant.c"):
        services.save({"main.hello": f"Hi from {name}."}, scope=name)
    services.stored()

    with django_assert_max_num_queries(2):
        run("list", *scope)


def test_list_names_what_is_no_scope():
    """Rows that somebody wrote by hand are told of, and hide nothing."""
    services.save({"main.hello": "Hi."}, scope="tenant.acme")
    OverrideFactory(scope="Acme", key="main.fixed")

    out, err = run("list")
    chained, beside = run("list", "--scope", "tenant.acme")

    assert row(out, "main.fixed") == ["main", "Built-in", "the code"]
    assert row(chained, "main.hello") == ["main", "Changed", "tenant.acme"]
    assert err == (
        "Texts are saved for scopes too: tenant.acme.\n"
        "'Acme' is no scope; 1 text under it is kept and not sent.\n"
    )
    assert beside == ""


def test_ignored_texts_are_ignored_aloud(settings):
    """While the setting is on, the defaults are in force, and this is said."""
    services.save({"main.hello": "Hi."})
    settings.PROMPTS_APP_IGNORE_OVERRIDES = True

    listed, listed_beside = run("list")
    rendered, rendered_beside = run("render", "--include", "main.hello")

    assert row(listed, "main.hello") == ["main", "Built-in", "the code"]
    assert rendered == "Hello Ines at Quay 4!\n"
    for beside in (listed_beside, rendered_beside):
        assert "Saved texts are ignored (PROMPTS_APP_IGNORE_OVERRIDES)." in beside
