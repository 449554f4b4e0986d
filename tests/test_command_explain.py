"""``prompts explain``: why a fragment is in a prompt, or why it is not."""

from __future__ import annotations

import pytest
from django.core.management import CommandError

from prompts_app import Fragment, Level, Scenario, services
from prompts_app.assembly import Snapshot
from prompts_app.testing import isolated_registry
from tests.commanding import DECLARED, SEARCH, cells, facts, row, run
from tests.factories import OverrideFactory


@pytest.fixture(autouse=True)
def catalogue(registry, db):
    """Return a registry that holds a small catalogue."""
    registry.register(*DECLARED)
    return registry


@pytest.mark.covers("W37")
def test_explain_tells_of_every_scenario():
    """In a line for each: what became of the fragment there, and why."""
    out, err = run("explain", "main.search")

    assert cells(out) == [
        ["SCENARIO", "LEVEL", "OUTCOME", "CHARACTERS", "FROM", "WHY"],
        ["chat", "Detailed", "In the prompt", "11", "Built-in"],
        ["own", "Detailed", "Left out", "0", "Built-in", "No tools"],
        ["acme", "Lean", "Left out", "0", "Built-in", "No tools"],
    ]
    assert err == ""


def test_explain_tells_what_is_not_asked_for():
    """A task is no part of a chat's prompt, and a clause needs a text that names it."""
    services.save({"main.hello": "Hello {{name}}!"})

    out, _ = run("explain", "first.task")

    assert row(out, "chat") == ["Detailed", "Not asked for", "0"]


def test_explain_tells_of_a_clause_that_no_text_names(catalogue):
    """Where it is asked for by its group, it is provided, needed or not."""
    catalogue.register(
        Fragment("first.at", label="At", group="first", default="x", provides="far")
    )

    out, _ = run("explain", "first.at")

    assert row(out, "chat") == ["Detailed", "No text names {{far}}", "0"]


@pytest.mark.covers("W37")
def test_explain_judges_every_gate_of_one_scenario():
    """The first that fails is the reason; the others have their verdicts too."""
    out, _ = run(
        *("explain", "main.search", "--scenario", "own", "--scope", "tenant.acme"),
    )

    assert out.splitlines()[0] == "Search (main.search)"
    assert facts(out) == {
        "scenario": "own",
        "scope": "tenant.acme",
        "level": "detailed",
        "outcome": "Left out",
        "because": "No tools",
        "characters": "0",
        "text": "Built-in",
        "lane": "same within a chat",
        "no": "With web tools",
    }
    assert cells(out)[-2:] == [
        ["no", "When a tool is offered"],
        ["no", "With web tools"],
    ]


def test_explain_takes_what_is_set_and_the_level_it_is_told(catalogue):
    """Each value and each family is a condition of its own."""
    catalogue.register(
        Fragment(
            "main.gated",
            label="Gated",
            group="main",
            default="x",
            families=("web", "agent"),
            level=Level.LEAN,
            lean_reason="Short.",
            requires=("name", "place"),
            unless=("what",),
        ),
        Scenario("full", label="Full", variables={"name": "Jo"}, tools=(SEARCH,)),
    )

    out, _ = run(
        *("explain", "main.gated", "--scenario", "full", "--level", "lean"),
        *("--set", "what=it"),
    )

    assert facts(out)["because"] == "Variable is blank: {{place}}"
    assert cells(out)[-5:] == [
        ["yes", "With web or agent tools"],
        ["yes", "At the lean level only"],
        ["yes", "When {{name}} has a value"],
        ["no", "When {{place}} has a value"],
        ["no", "When {{what}} is blank"],
    ]


def test_explain_tells_the_layer_of_a_text_and_what_else_there_is_to_say():
    """Also of one that is in, and of one without any condition."""
    OverrideFactory(key="old.task", scope="tenant.acme", text="About {{name}}.")
    services.save({"main.fixed": ""})

    told, _ = run("explain", "first.task", "--scenario", "acme")
    off, _ = run("explain", "main.fixed", "--scenario", "chat")

    assert facts(told)["outcome"] == "Not asked for"
    assert (facts(off)["outcome"], facts(off)["because"]) == ("Off", "Switched off")
    assert facts(off)["text"] == "Changed"
    assert not off.endswith("\n\n")


def test_explain_notes_what_is_odd_about_a_text_that_is_in(catalogue):
    """A text that is stored under an earlier key is sent, and yet worth a word."""
    catalogue.register(Scenario("task", label="Task", include=("first.task",)))
    OverrideFactory(key="old.task", scope="tenant.acme", text="About {{name}}.")

    out, _ = run(
        *("explain", "first.task", "--scenario", "task", "--level", "lean"),
        *("--scope", "tenant.acme"),
    )

    assert facts(out)["because"] == "Saved under an earlier key: old.task"
    assert facts(out)["text"] == "Changed for tenant.acme"


def test_explain_without_any_scenario_takes_the_examples(registry):
    """There is nothing to list, so it tells of the one prompt there is."""
    with isolated_registry() as bare:
        bare.register(*(one for one in DECLARED if not isinstance(one, Scenario)))
        out, _ = run("explain", "main.hello")

    assert facts(out)["scenario"] == "Examples"
    assert facts(out)["outcome"] == "In the prompt"


def test_explain_knows_what_only_a_scenarios_scope_declares(catalogue):
    """It has a line where it is declared, and none elsewhere."""
    catalogue.register(
        Fragment("main.near", label="Near", group="main", default="Near."),
        scope="tenant.acme",
    )

    out, _ = run("explain", "main.near")

    assert [line[0] for line in cells(out)] == ["SCENARIO", "acme"]


@pytest.mark.case(94)
@pytest.mark.parametrize("more", [(), ("--scenario", "chat")])
def test_explain_offers_the_nearest_key(more):
    """A letter is soon mistyped."""
    with pytest.raises(CommandError, match=r"Did you mean main\.hello"):
        run("explain", "main.helo", *more)


def test_explain_tells_of_a_database_that_does_not_answer(monkeypatch):
    """Whoever asks knows that it may not be the newest."""
    stale = Snapshot(degraded=True)
    monkeypatch.setattr(services, "stored", lambda: stale)

    assert run("explain", "main.hello")[1].endswith("These are the last known texts.\n")
