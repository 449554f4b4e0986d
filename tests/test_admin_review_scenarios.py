"""Where a change shows: the scenarios whose prompt changes, and how."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.declarations import Scenario, Variable
from tests.assembling import CORE, SEAM, TASKS, fragment, hooked
from tests.pages import Visitor

pytestmark = pytest.mark.django_db

HELLO = "Hello {{name}}, how are you?"
FENCED = "Fact.\n<!-- detailed -->\nCoaching.\n<!-- /detailed -->"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a prompt, a task and a few scenarios that play them."""
    registry.register(
        CORE,
        SEAM,
        TASKS,
        Variable("name", label="Name"),
        Variable("question", label="The first message"),
        fragment("core.a", HELLO, label="Greeting", order=1),
        fragment("core.b", "Beta", label="Second", order=2),
        fragment("seam.lead", "Then:", label="Lead", group="seam", order=3),
        fragment("task.t", "Title for {{question}}", label="Title", group="tasks"),
        Scenario("plain", label="Plain chat", variables={"name": "Jo"}),
        Scenario("title", label="Titling", include=("task.t",), variables={}),
        Scenario("own", label="Own prompt", variables={}, authored="Authored."),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def review(visitor, texts, **query):
    """Return the review of *texts*, typed on the page that *query* asks for."""
    fields = {f"text:{key}": text for key, text in texts.items()}
    return visitor.review(visitor.open(**query), fields)


def scenarios(page):
    """Return what is said of each scenario that changes, by label."""
    return {
        page.one("summary", fold).text: {
            heading.text: words_of
            for heading, words_of in zip(
                page.all("h3", fold), passages(page, fold), strict=True
            )
        }
        for fold in page.all("details")
    }


def passages(page, fold):
    """Return what is removed and added in each passage of a scenario."""
    return [
        tuple([one.raw for one in page.all(kind, pre)] for kind in ("del", "ins"))
        for pre in page.all("pre", fold)
    ]


def asides(page):
    """Return the quiet sentences of the review."""
    return [one.text for one in page.all("p", class_="prompts-aside")]


def test_scenarios_that_change_show_how(visitor):
    """With the difference in characters, and the passages as they are filled."""
    page = review(visitor, {"core.a": "Hello {{name}}!"})

    told = {label.partition(" ·")[0]: said for label, said in scenarios(page).items()}
    assert told == {
        "Plain chat \N{MINUS SIGN}13 characters": {
            "Greeting": ([", how are you?"], ["!"]),
        },
        "Own prompt \N{MINUS SIGN}13 characters": {
            "Greeting": ([", how are you?"], ["!"]),
        },
    }
    where = page.one("section", aria_labelledby="prompts-where-title")
    assert page.all("p", where)[0].text == "2 of 3 scenarios change."
    assert asides(page)[-1] == "No difference: Titling"


def test_one_scenario_of_several_is_said_in_the_singular(visitor):
    """And a prompt that is as long as before is said to be so."""
    page = review(visitor, {"task.t": "Title: of {{question}}"}, fragment="task.t")

    assert list(scenarios(page)) == ["Titling as long as before · about 3 tokens"]
    where = page.one("section", aria_labelledby="prompts-where-title")
    assert page.all("p", where)[0].text == "1 of 3 scenarios changes."
    assert asides(page)[-1] == "No difference: Plain chat, Own prompt"


def test_the_share_that_is_the_same_in_every_chat_is_compared(visitor):
    """Only where it moves; what a prompt cache keeps is what an edit can lose."""
    page = review(visitor, {"core.b": "Beta {{name}}"}, fragment="core.b")

    (first, *_) = scenarios(page)
    assert first == (
        "Plain chat +3 characters · about 7 \N{RIGHTWARDS ARROW} 8 tokens"
        " · 15 → 0 % same in every chat"
    )


def test_a_text_that_no_scenario_shows_changes_none(visitor, declared):
    """It is reviewed all the same."""
    declared.register(fragment("task.u", "Unseen", group="tasks"))

    page = review(visitor, {"task.u": "Other"}, fragment="task.u")

    assert scenarios(page) == {}
    assert "0 of 3 scenarios change." in page.html
    assert asides(page)[-1] == "No difference: Plain chat, Titling, Own prompt"


def test_a_passage_that_comes_and_one_that_goes_are_shown_whole(visitor):
    """In the order of the new prompt, what is gone after it."""
    services.save({"core.b": ""})

    page = review(visitor, {"core.a": "", "core.b": "Beta"}, fragment="core.a")

    (said,) = [told for label, told in scenarios(page).items() if "Plain" in label]
    assert said == {
        "Second": ([], ["Beta"]),
        "Greeting": (["Hello Jo, how are you?"], []),
    }


def test_the_seam_is_a_passage_of_authored_prompts_alone(visitor):
    """Elsewhere nothing is sent for it."""
    page = review(visitor, {"core.b": "Bee", "seam.lead": "Now:"}, fragment="core.b")

    assert {
        label.split(" ")[0]: list(told) for label, told in scenarios(page).items()
    } == {
        "Plain": ["Second"],
        "Own": ["Second", "Lead"],
    }


def test_each_scenario_is_played_at_its_own_level(visitor, declared):
    """Whatever level the preview beside the editors happens to show."""
    declared.register(
        fragment("core.f", FENCED, label="Fenced", order=8),
        Scenario("small", label="Small model", level="lean"),
    )

    page = review(
        visitor,
        {"core.f": FENCED.replace("Coaching", "Advice")},
        fragment="core.f",
        level="lean",
    )

    assert [label.split(" ")[0] for label in scenarios(page)] == ["Plain", "Own"]
    assert asides(page)[-1] == "No difference: Titling, Small model"


def test_a_scenario_that_cannot_be_assembled_is_not_said_to_be_the_same(
    visitor, declared
):
    """A hook may fail on the new text only."""

    def fail(draft):
        if any("break" in section.text for section in draft.sections):
            raise RuntimeError("broken")

    hooked(declared, fail)

    page = review(visitor, {"core.b": "break"}, fragment="core.b")

    assert page.one("p", class_="errornote").text == (
        "Could not be assembled: Plain chat, Own prompt"
    )
    assert asides(page)[-1] == "No difference: Titling"
    assert scenarios(page) == {}


def test_a_passage_that_a_hook_adds_goes_by_its_key(visitor, declared):
    """It may repeat what was edited."""

    def repeat(draft):
        for section in draft.sections:
            if section.key == "core.b":
                draft.sections.append(type(section)("hook.x", section.text, 9, "core"))
                break

    hooked(declared, repeat)

    page = review(visitor, {"core.b": "Bee"}, fragment="core.b")

    (first, *_) = scenarios(page).values()
    assert list(first) == ["Second", "hook.x"]
