"""``prompts render``: a prompt, its figures, its trace."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.core.management import CommandError

from prompts_app import Fragment, Scenario, Variable, services
from prompts_app.assembly import Snapshot
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


@pytest.mark.covers("W46")
def test_render_estimates_tokens_where_it_cannot_count(settings):
    """It says that it did; the trace has sizes in the same unit."""
    _, estimated = run("render", "--include", "main.fixed", "--tokens", "--trace")
    settings.PROMPTS_APP_TOKEN_COUNTER = lambda text: len(text.split())
    _, counted = run("render", "--include", "main.fixed", "--tokens", "--trace")

    assert row(estimated, "tokens") == ["about 2"]
    assert row(estimated, "FRAGMENT")[1] == "TOKENS"
    assert row(estimated, "main.fixed")[1] == "about 2"
    assert (row(counted, "tokens"), row(counted, "main.fixed")[1]) == (["1"], "1")


def test_render_gives_tokens_to_programs_that_ask():
    """With the word whether they were counted."""
    out, _ = run("render", "--include", "main.fixed", "--tokens", "--json")

    assert json.loads(out)["tokens"] == {"count": 2, "estimated": True}


def test_render_tells_a_counter_that_counts_nothing(settings):
    """A tokenizer's list is no number; the setting is named."""
    settings.PROMPTS_APP_TOKEN_COUNTER = str.split

    with pytest.raises(
        CommandError, match="PROMPTS_APP_TOKEN_COUNTER: it returned a list"
    ):
        run("render", "--tokens")


@pytest.mark.covers("A2", "A6", "A60")
def test_render_takes_the_level_of_a_model(settings):
    """Unless the scenario or the command line says another."""
    settings.PROMPTS_APP_MODEL_LEVELS = {"swift-*": "lean"}

    def level(*arguments):
        return row(run("render", "--model", "swift-2", *arguments)[1], "level")[0]

    assert level() == "lean"
    assert level("--level", "detailed") == "detailed"
    assert row(run("render", "--model", "other")[1], "level") == ["detailed"]


def test_render_tells_hooks_the_model(catalogue):
    """They may do something for one model only."""
    seen = []
    catalogue.register_hook(lambda draft, context: seen.append(context.model))

    run("render", "--model", "swift-2")

    assert seen == ["swift-2"]


@pytest.mark.covers("A61")
def test_render_writes_to_a_file(tmp_path):
    """The same bytes as to standard output; the figures are told as ever."""
    file = tmp_path / "prompt.txt"

    printed, _ = run("render", "--scenario", "chat")
    out, err = run("render", "--scenario", "chat", "--output", str(file))
    as_json, _ = run("render", "--json", "-o", str(tmp_path / "prompt.json"))

    assert out == as_json == ""
    assert file.read_bytes().decode() == printed
    assert row(err, "characters") == [str(len(printed) - 1)]
    assert json.loads((tmp_path / "prompt.json").read_text())["text"]
    assert len(list(tmp_path.iterdir())) == 2


def test_render_writes_an_empty_file_for_no_prompt(tmp_path):
    """Whoever reads it finds nothing, and no line of it."""
    services.save({"main.fixed": ""})
    file = tmp_path / "prompt.txt"

    run("render", "--include", "main.fixed", "--output", str(file))

    assert file.read_bytes() == b""


def test_render_replaces_a_file_at_once(tmp_path, monkeypatch):
    """Who reads it meanwhile has the old content; rights and links stay."""
    file, link = tmp_path / "prompt.txt", tmp_path / "link"
    file.write_text("Before.")
    file.chmod(0o640)
    link.symlink_to(file)
    seen = []
    replace = Path.replace

    def look(path, target):
        seen.append(file.read_text())
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", look)

    run("render", "--include", "main.fixed", "--output", str(link))

    assert seen == ["Before."]
    assert file.read_text() == "Fixed.\n"
    assert file.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()


def test_render_leaves_a_file_as_it_was_if_it_cannot_finish(tmp_path, monkeypatch):
    """Neither half of a prompt nor a leftover lies there."""
    file = tmp_path / "prompt.txt"
    file.write_text("Before.")

    def fail(path, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)

    with pytest.raises(CommandError, match="cannot be written: No space left"):
        run("render", "--output", str(file))
    assert file.read_text() == "Before."
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nowhere/prompt.txt", "cannot be written: No such file or directory."),
        ("", "is no regular file."),
        ("a\0b", "cannot be written: "),
    ],
)
def test_render_says_why_a_file_cannot_be_written(tmp_path, name, why):
    """The option, the name and the reason are told."""
    with pytest.raises(CommandError, match=re.escape(why)) as refused:
        run("render", "--output", f"{tmp_path}/{name}")

    assert str(refused.value).startswith(f"--output: {tmp_path}/{name} ")


def test_render_names_the_scenario_that_cannot_be_assembled(catalogue):
    """A value of the wrong kind is named too."""
    catalogue.register(Scenario("wrong", label="Wrong", variables={"name": ["Jo"]}))

    with pytest.raises(CommandError, match=r"^wrong: .*name"):
        run("render", "--scenario", "wrong")


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
    stale = Snapshot(degraded=True)
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
