"""``prompts render``: a prompt, its figures, its trace."""

from __future__ import annotations

import json

import pytest

from prompts_app import Fragment, Variable, services
from prompts_app.models import StoredState
from tests.commanding import DECLARED, SEARCH, facts, row, run


@pytest.fixture(autouse=True)
def catalogue(registry, db):
    """Return a registry that holds a small catalogue."""
    registry.register(*DECLARED)
    return registry


@pytest.mark.covers("A60", "A61")
def test_render_prints_the_prompt_and_its_figures_apart():
    """Standard output holds the text alone, so that it can be sent on."""
    services.save({"main.fixed": ""})
    version = StoredState.objects.get().version

    out, err = run("render", "--scenario", "chat")

    assert out == "Hello Jo at !\n\nUse search.\n\nSafe.\n"
    assert facts(err) | {"fingerprint": ""} == {
        "characters": "33",
        "sections": "3 (1 left out)",
        "lanes": "17 % same in every chat, 38 % same within a chat, 45 % new every turn",
        "level": "detailed",
        "scope": "the whole installation",
        "version": version,
        "fingerprint": "",
    }


def test_render_counts_tokens_where_it_can(settings):
    """With a counter in the settings its figure stands beside the characters."""
    settings.PROMPTS_APP_TOKEN_COUNTER = lambda text: len(text.split())

    _, err = run("render", "--include", "main.fixed")

    assert row(err, "tokens") == ["1"]
    assert row(err, "version") == ["nothing was ever saved"]


def test_render_without_a_scenario_takes_the_examples():
    """Each variable is its own example, and no tool is offered."""
    out, _ = run("render")

    assert out == "Hello Ines at Quay 4!\n\nFixed.\n\nSafe.\n"


def test_render_takes_what_is_set_before_the_scenario():
    """A value may hold anything; one that nothing asks for is pointed out."""
    out, err = run(
        *("render", "--scenario", "chat", "--set", "name=a=b {{place}}"),
        *("--set", "nobody=1", "--include", "main.hello"),
    )

    assert out == "Hello a=b {{place}} at !\n"
    assert err.endswith("Not asked for here: nobody.\n")


def test_render_joins_an_authored_prompt():
    """The scenario's authored prompt follows, led over to by the seam."""
    out, err = run("render", "--scenario", "own")

    assert out.endswith("Safe.\n\nMind this:\n\nI am Acme.\n")
    assert row(err, "characters") == [str(len(out) - 1)]


def test_render_takes_scope_and_level_of_the_scenario_unless_told():
    """What is given on the command line stands in place of it."""
    services.save({"main.fixed": "As Acme does."}, scope="tenant.acme")
    services.save({"main.fixed": "As others do."}, scope="tenant.other")

    of_scenario, figures = run("render", "--scenario", "acme")
    told, told_figures = run(
        *("render", "--scenario", "acme", "--scope", "tenant.other"),
        *("--level", "detailed"),
    )

    assert "As Acme does." in of_scenario
    assert (row(figures, "scope"), row(figures, "level")) == (
        ["tenant.acme"],
        ["lean"],
    )
    assert "As others do." in told
    assert (row(told_figures, "scope"), row(told_figures, "level")) == (
        ["tenant.other"],
        ["detailed"],
    )


def test_render_takes_groups_and_keys():
    """Several may be named; a group without fragments in it is no fault."""
    out, _ = run(
        "render", *("--include", "loose"), *("--include", "main.fixed"), "--level=lean"
    )

    assert out == "Loose.\n\nFixed.\n"


def test_render_says_that_nothing_would_be_sent():
    """An empty prompt is an answer, not a fault."""
    services.save({"main.fixed": ""})

    out, err = run("render", "--include", "main.fixed")

    assert out == ""
    assert err.endswith("Nothing would be sent.\n")


def test_render_traces_every_fragment():
    """A row for each: what became of it, how long it is, and why it is out."""
    _, err = run("render", "--trace")

    assert row(err, "main.hello") == [
        "In the prompt",
        "21",
        "new every turn",
        "Built-in",
    ]
    assert row(err, "main.search")[-1] == "No tools"
    assert row(err, "main.at")[0] == "In another text"


def test_render_gives_everything_to_programs():
    """One JSON document, and nothing beside it."""
    out, err = run("render", "--scenario", "chat", "--json", "--trace")

    document = json.loads(out)
    assembly = services.assemble(variables={"name": "Jo", "place": ""}, tools=(SEARCH,))
    assert err == ""
    assert document["scenario"] == "chat"
    assert document["prompt"] == document["text"] == assembly.text
    assert document["seam"] == "Mind this:"
    assert (document["level"], document["scope"]) == ("detailed", [])
    assert (document["version"], document["degraded"]) == ("", False)
    assert document["fingerprint"] == assembly.fingerprint
    assert document["variables"] == dict(assembly.variables)
    assert document["sections"][0] == {
        "key": "main.hello",
        "group": "main",
        "lane": "turn",
        "text": "Hello Jo at !",
    }
    assert document["lanes"]["conversation"]["text"] == "Use search."
    trace = {entry.pop("key"): entry for entry in document["trace"]}
    assert trace["main.search"] == {
        "outcome": "included",
        "reason": None,
        "notes": [],
        "origin": {"kind": "default", "scope": ""},
        "lane": "conversation",
        "length": 11,
        "text": "Use search.",
    }
    assert document["tools"] == [
        {
            "name": "search",
            "description": "Searches.",
            "parameters": {},
            "family": "web",
            "strict": True,
        }
    ]


def test_render_gives_reasons_to_programs_in_code_and_words():
    """A program reads the code, a person the words."""
    out, _ = run("render", "--json")

    trace = {entry["key"]: entry for entry in json.loads(out)["trace"]}
    assert trace["main.search"]["reason"] == {
        "code": "when_tools",
        "names": ["with"],
        "words": "No tools",
    }


def test_render_tells_of_a_database_that_does_not_answer(monkeypatch):
    """Whoever reads the prompt knows that it may not be the newest."""
    stale = services.Snapshot(degraded=True)
    monkeypatch.setattr(services, "stored", lambda: stale)

    _, err = run("render")

    assert err.endswith("These are the last known texts.\n")


def test_a_scenario_asks_no_provider(catalogue):
    """What the scenario does not name is blank, whoever could tell it."""
    asked = []
    catalogue.register(Variable("news", label="News", provider=asked.append))
    catalogue.register(
        Fragment("main.news", label="News", group="main", default="{{news}}.", order=5)
    )
    catalogue.register_tools(asked.append)

    out, _ = run("render", "--scenario", "chat")

    assert out.endswith("\n\n.\n")
    assert asked == []
