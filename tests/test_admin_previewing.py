"""The preview: the whole prompt with unsaved texts in it, and what is left out."""

from __future__ import annotations

import pytest

from prompts_app.declarations import Lifetime, Scenario, Tool, Variable
from tests.assembling import CORE, SEAM, TASKS, fragment
from tests.factories import OverrideFactory
from tests.pages import Visitor
from tests.storing import everything

pytestmark = pytest.mark.django_db


def forbidden(context):  # pragma: no cover  # what is tested is that nobody calls it
    raise AssertionError("a preview asks nobody")


SEARCH = Tool("search", description="Searches.", parameters={}, family="web")


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a small prompt whose providers must not be asked, and two scenarios."""
    registry.register(
        CORE,
        SEAM,
        TASKS,
        Variable("name", label="Name", example="Ines", provider=forbidden),
        Variable("place", label="Place", provider=forbidden, lifetime=Lifetime.CALL),
        Variable("long", label="Long", example="two\nlines"),
        fragment("core.a", "Hello {{name}}.", label="Greeting", order=1),
        fragment("core.b", "Beta", order=2),
        fragment("core.placed", "At {{place}}.", order=3, requires=("place",)),
        fragment("core.tools", "Use {{tool_names}}.", order=4, families=("web",)),
        fragment("seam.lead", "Then:", group="seam", order=5),
        fragment("task.title", "Name {{name}}", group="tasks", order=6),
        Scenario("plain", label="Plain chat", variables={"name": "Jo"}),
        Scenario(
            "full",
            label="Full chat",
            variables={"name": "Kim", "place": "home"},
            tools=(SEARCH,),
            authored="Authored <b>prompt</b>",
        ),
        Scenario("title", label="Title", include=("task.title",), variables={}),
        Scenario("examples", label="Examples"),
    )
    registry.register_tools(forbidden)
    return registry


@pytest.fixture
def visitor(viewer):
    """Return somebody who may look at the page."""
    return Visitor(viewer)


def left_out(page):
    """Return the fragments that each reason keeps out."""
    out = page.one("details", class_="prompts-out")
    return {
        page.one("dt", row).text: page.one("dd", row).text
        for row in page.all("div", out)
    }


@pytest.mark.covers("L37")
def test_unsaved_texts_are_laid_over_what_is_stored(visitor):
    """The whole prompt is shown as it would be sent, before anything is saved."""
    OverrideFactory(key="core.b", text="Stored")
    before = everything()

    page = visitor.preview({"text:core.a": "Dear {{name}}", "fragment": "core.a"})

    assert page.passages() == {"core.a": "Dear Jo", "core.b": "Stored"}
    assert page.one("p", class_="prompts-size").text == (
        "15 characters · about 4 tokens \N{MINUS SIGN}2 against saved"
    )
    assert everything() == before


def test_without_unsaved_texts_it_is_as_saved(visitor):
    """The first scenario is played unless another is asked for."""
    page = visitor.open()

    assert page.passages() == {"core.a": "Hello Jo.", "core.b": "Beta"}
    assert (
        page.one("p", class_="prompts-size").text
        == "15 characters · about 4 tokens as saved"
    )
    assert page.chosen("scenario") == "plain"


def test_an_unsaved_text_and_the_one_in_view_are_marked(visitor):
    """Both marks stand beside the name, for everybody."""
    page = visitor.preview(
        {"text:core.b": "", "text:core.a": "x", "fragment": "core.a"}
    )

    passage = page.one("div", data_passage_of="core.a")
    assert "is-current" in passage.attributes["class"]
    assert page.one("div", passage, class_="prompts-name").text == "Greeting Unsaved"
    assert left_out(page)["Switched off"] == "core.b Unsaved"


def test_what_is_left_out_is_named_by_reason(visitor):
    """Reasons about variables name these."""
    page = visitor.open(scenario="plain")

    assert left_out(page) == {
        "Variable is blank": "core.placed place",
        "No web tools": "core.tools",
    }
    out = page.one("details", class_="prompts-out")
    assert page.one("summary", out).text == "Left out 2 of 4, and why"


def test_nothing_left_out_is_said_in_words(visitor):
    """With all tools and values every fragment appears."""
    page = visitor.open(scenario="full")

    assert "Every fragment is in." in page.one("details", class_="prompts-out").text


@pytest.mark.covers("L3")
def test_an_authored_prompt_stands_below_the_seam(visitor):
    """A scenario with one shows all that is sent; without one the seam is no part."""
    page = visitor.open(scenario="full")

    assert page.passages() == {
        "core.a": "Hello Kim.",
        "core.b": "Beta",
        "core.placed": "At home.",
        "core.tools": "Use search.",
        "seam.lead": "Then:",
        "": "Authored <b>prompt</b>",
    }
    assert page.one("div", data_passage_of="").attributes["class"] == "prompts-passage"
    assert "Authored prompt" in page.one("div", data_passage_of="").text


def test_a_task_is_shown_as_the_request_it_is(visitor):
    """Only what the scenario includes is there, and nothing else counts as left out."""
    page = visitor.open(scenario="title")

    assert page.passages() == {"task.title": "Name"}
    assert left_out(page) == {}


def test_a_task_that_is_off_sends_nothing(visitor):
    """The page says so instead of showing an empty box."""
    OverrideFactory(key="task.title", text="")

    page = visitor.open(scenario="title")

    assert page.passages() == {}
    assert "Nothing would be sent in this scenario." in page.html


@pytest.mark.parametrize("scenario", ["", "no_such", "examples"])
def test_without_variables_of_a_scenario_the_examples_stand(visitor, scenario):
    """Nobody's provider is asked, so what has no example is blank."""
    page = visitor.open(scenario=scenario)

    assert page.passages()["core.a"] == "Hello Ines."
    assert "core.placed" not in page.passages()


def test_without_any_scenario_the_examples_stand_too(viewer, registry):
    """A project need not declare scenarios to see its prompt."""
    registry._registry = {}
    registry.register(CORE, Variable("name", label="Name", example="Ines"))
    registry.register(fragment("core.a", "Hello {{name}}."))

    page = Visitor(viewer).open()

    assert page.passages() == {"core.a": "Hello Ines."}
    assert page.chosen("scenario") == ""


def test_the_level_is_the_one_asked_for_or_the_scenarios(visitor, declared, settings):
    """Else it is the installation's, as for any call."""
    text = "Fact.\n<!-- detailed -->\nCoaching.\n<!-- /detailed -->"
    declared.register(
        fragment("core.fenced", text, order=9),
        Scenario("small", label="Small model", level="lean"),
    )

    def shown(**query):
        page = visitor.open(**query)
        return page.chosen("level"), page.passages()["core.fenced"]

    lean, detailed = ("lean", "Fact."), ("detailed", "Fact.\nCoaching.")
    assert shown() == detailed
    assert shown(level="lean") == lean
    assert shown(scenario="small") == lean
    assert shown(scenario="small", level="detailed") == detailed
    settings.PROMPTS_APP_LEVEL = "lean"
    assert shown() == lean


def samples(page):
    """Return the edited sample values of the page, those in use first."""
    return {
        name.removeprefix("value:"): values
        for name, values in page.fields().items()
        if name.startswith("value:")
    }


def test_every_variable_can_be_given_a_sample_value(visitor):
    """Those with a value or in use come first; a long value gets more room."""
    page = visitor.open(scenario="plain")

    assert samples(page) == {"name": ["Jo"], "place": [""], "long": [""]}
    assert [
        one.text for one in page.all("summary", page.one("div", id="prompts-samples"))
    ] == [
        "Sample values 2 · only for this preview, never saved with the texts",
        "1 blank in this scenario",
    ]
    page = visitor.open(scenario="")
    assert page.has("textarea", name="value:long", rows="2")
    assert page.has("input", name="value:name")
    assert not page.has("details", class_="prompts-blank")


def test_an_edited_sample_value_changes_the_preview_alone(visitor):
    """It beats the scenario's, opens gates, and is stored nowhere."""
    before = everything()
    page = visitor.open(scenario="plain")

    page = visitor.send(page, {"value:place": "sea", "value:name": "<i>"})

    assert page.passages()["core.placed"] == "At sea."
    assert page.passages()["core.a"] == "Hello <i>."
    assert samples(page)["place"] == ["sea"]
    assert everything() == before


def test_another_scenario_brings_its_own_sample_values(visitor):
    """What was edited belonged to the scenario before."""
    page = visitor.open(scenario="plain")

    page = visitor.send(page, {"value:name": "Edited", "scenario": "full"})

    assert page.passages()["core.a"] == "Hello Kim."
    assert samples(page)["name"] == ["Kim"]


@pytest.mark.case(4)
@pytest.mark.parametrize(
    "value", ["{# x", "{% raw %}", "<!-- -->", "{{place}}", "\\1 %s $x", "{0}"]
)
def test_a_sample_value_goes_in_as_it_was_typed(visitor, value):
    """No comment, tag or reference in it means anything."""
    page = visitor.preview({"value:name": value, "scenario": "plain"})

    assert page.passages()["core.a"] == f"Hello {value}."


@pytest.mark.parametrize(
    "name", ["lb", "tool_names", "no_such", "", "__class__", "a\0"]
)
def test_a_sample_value_of_another_name_does_no_harm(visitor, name):
    """What is no variable of the page is left aside."""
    page = visitor.preview({f"value:{name}": "x", "scenario": "full"})

    assert page.passages()["core.b"] == "Beta"


def test_the_bar_tells_how_much_keeps_how_long(visitor):
    """Shares are written in words and drawn without a gap or a style attribute."""
    page = visitor.open(scenario="full")

    drawn = [
        (one.attributes["class"], one.attributes["x"], one.attributes["width"])
        for one in page.all("rect", page.one("svg", class_="prompts-lanes"))
    ]
    assert drawn == [
        ("is-fixed", "0%", "12%"),
        ("is-conversation", "12%", "33%"),
        ("is-turn", "45%", "31%"),
        ("is-call", "76%", "24%"),
    ]
    words = page.one("ul", class_="prompts-shares")
    assert [one.text for one in page.all("li", words)] == [
        "12 % same in every chat",
        "33 % same within a chat",
        "30 % new every turn",
        "24 % new every call",
    ]
    assert not page.has("svg", style=None)
