"""The sample values of a preview: the scenario's, as they are edited, never saved."""

from __future__ import annotations

import pytest

from prompts_app.declarations import Scenario, Variable
from tests.assembling import CORE, fragment, hooked
from tests.pages import Visitor
from tests.storing import everything

pytestmark = pytest.mark.django_db

LINES = "one\ntwo\nthree"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare variables, and two scenarios with values for them."""
    registry.register(
        CORE,
        Variable("name", label="Name", example="Ines"),
        Variable("place", label="Place", example="home"),
        Variable("memories", label="Memories"),
        Variable("unused", label="Unused"),
        fragment("core.a", "Hello {{name}} in {{place}}.", order=1),
        fragment("core.b", "You know:\n{{memories}}", order=2, requires=("memories",)),
        Scenario("plain", label="Plain", variables={"name": "Jo", "memories": LINES}),
        Scenario("other", label="Other", variables={"name": "Kim", "place": "Rome"}),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def values(page):
    """Return the sample values that the form sends, by name."""
    return {
        name.removeprefix("value:"): value.replace("\r\n", "\n")
        for name, (value,) in page.fields().items()
        if name.startswith("value:")
    }


def summaries(page):
    """Return the headings of the folds round the sample values."""
    within = page.one("div", id="prompts-samples")
    return [one.text for one in page.all("summary", within)]


def test_values_stand_in_two_folds(visitor):
    """Those in use or with a text first, then those that are blank here."""
    page = visitor.open(scenario="plain")

    assert values(page) == {
        "name": "Jo",
        "place": "",
        "memories": LINES,
        "unused": "",
    }
    assert summaries(page) == [
        "Sample values 3 · only for this preview, never saved with the texts",
        "1 blank in this scenario",
    ]
    blank = page.one("details", class_="prompts-blank")
    assert page.one("input", blank).attributes["name"] == "value:unused"


def test_the_fold_of_blank_ones_goes_with_the_last_of_them(visitor):
    """A heading over nothing would be odd."""
    page = visitor.send(visitor.open(), {"value:unused": "x", "value:place": "y"})

    assert summaries(page)[0].startswith("Sample values 4 ·")
    assert not page.has("details", class_="prompts-blank")


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        ("short", None),
        ("x" * 60, None),
        ("x" * 61, "2"),
        ("one\r\ntwo", "2"),
        ("one\r\n" + "x" * 61, "3"),
        ("\r\n" * 20, "6"),
    ],
)
def test_a_long_value_has_room(visitor, value, rows):
    """A plain field would lose its line breaks."""
    page = visitor.send(visitor.open(), {"value:name": value})

    if rows is None:
        field = page.one("input", name="value:name")
        assert field.attributes["value"] == value
    else:
        field = page.one("textarea", name="value:name")
        assert field.attributes["rows"] == rows
        assert field.raw == value.replace("\r\n", "\n")


def test_each_value_knows_the_scenarios_own(visitor):
    """A script sends only those that differ from it."""
    page = visitor.send(visitor.open(scenario="plain"), {"value:name": "Lou"})

    assert page.one("input", name="value:name").attributes["data-original"] == "Jo"
    memories = page.one("textarea", name="value:memories")
    assert memories.attributes["data-original"] == LINES


def test_an_edited_value_fills_the_preview_and_is_never_saved(visitor):
    """It opens gates and goes in as it is typed, whatever is saved beside it."""
    before = everything()
    page = visitor.open(scenario="other")

    page = visitor.send(
        page, {"value:memories": "- {{name}}\r\n- <b>", "value:name": ""}
    )

    assert page.passages() == {
        "core.a": "Hello  in Rome.",
        "core.b": "You know:\n- {{name}}\n- <b>",
    }
    assert everything() == before
    page = visitor.save(page, {"text:core.a": "Hi {{name}}"})
    assert page.passages()["core.a"] == "Hi Kim"


def test_edited_values_survive_every_step_within_their_scenario(visitor):
    """Another fragment, a filter, a button, and the way through the review."""
    page = visitor.send(visitor.open(fragment="core.a"), {"value:name": "Lou"})

    page = visitor.send(page, press=("fragment", "core.b"))
    page = visitor.send(page, press=("state", "built-in"))
    page = visitor.send(page, {"text:core.a": "Hi {{name}}"}, ("_off", "core.b"))
    page = visitor.send(visitor.review(page), press="Back to editing")

    assert values(page)["name"] == "Lou"
    assert page.passages()["core.a"].endswith("Lou")


def test_edited_values_belong_to_the_scenario_they_were_shown_for(visitor):
    """Another one brings its own, by the choice or by the link to it."""
    page = visitor.open(scenario="plain")

    other = visitor.send(page, {"value:name": "Lou", "scenario": "other"})
    assert values(other)["name"] == "Kim"
    other = visitor.send(page, {"value:name": "Lou"}, ("_scenario", "other"))
    assert values(other)["name"] == "Kim"
    examples = visitor.send(page, {"value:name": "Lou", "scenario": ""})
    assert values(examples) == {
        "name": "Ines",
        "place": "home",
        "memories": "",
        "unused": "",
    }
    assert values(visitor.send(examples, {"value:name": "Lou"}))["name"] == "Lou"


def test_a_button_brings_the_scenarios_values_back(visitor):
    """And loses no text by it."""
    page = visitor.send(visitor.open(fragment="core.a"), {"value:name": "Lou"})

    page = visitor.send(
        page, {"text:core.a": "Hi {{name}}"}, "Back to the scenario’s values"
    )

    assert values(page)["name"] == "Jo"
    assert page.box("core.a").raw == "Hi {{name}}"
    assert page.passages()["core.a"] == "Hi Jo"


@pytest.mark.parametrize(
    ("value", "shown"), [(None, ""), (False, ""), (0, "0"), (12, "12"), ("a", "a")]
)
def test_a_value_that_is_no_text_is_shown_as_it_is_written(
    visitor, declared, value, shown
):
    """What is no value is blank, as it is in a prompt."""
    declared.register(Scenario("odd", label="Odd", variables={"unused": value}))

    page = visitor.open(scenario="odd")

    assert values(page)["unused"] == shown


def test_what_is_worked_out_has_no_sample(visitor, declared):
    """Neither the registry's own variables nor the text of a clause."""
    declared.register(
        Variable("clause", label="Declared, and provided"),
        fragment("core.c", "a clause of {{tool_names}}", provides="clause"),
    )

    assert set(values(visitor.open())) == {"name", "place", "memories", "unused"}


def test_where_nothing_can_be_assembled_the_values_are_still_there(visitor, declared):
    """One of them may be to blame, and those with a text stand first."""
    hooked(declared, lambda draft: 1 / 0)

    page = visitor.open(scenario="other")

    assert summaries(page) == [
        "Sample values 2 · only for this preview, never saved with the texts",
        "2 blank in this scenario",
    ]


def test_the_part_for_a_script_has_the_new_scenarios_values(visitor):
    """Edited ones come back as they were sent."""
    fields = {"scenario": "other", "values_of": "other", "value:name": "Lou"}

    page = visitor.ask("samples", fields)

    assert page.one("input", name="value:name").attributes["value"] == "Lou"
    assert page.one("input", name="values_of").attributes["value"] == "other"


def test_a_variable_may_be_called_as_a_method_is(visitor, registry):
    """Its sample goes to the review, to both sides, and back."""
    registry.register(
        Variable("items", label="Items"), fragment("core.items", "Buy {{items}}")
    )
    page = visitor.open(fragment="core.items")
    typed = {"text:core.items": "Get {{items}}", "value:items": "eggs"}

    review = visitor.review(page, typed)
    sides = visitor.send(page, typed, "Side by side")
    back = visitor.send(review, press="Back to editing")

    assert review.one("textarea", name="value:items").raw == "eggs"
    assert sides.one("textarea", name="value:items").raw == "eggs"
    assert back.box("core.items").raw == "Get {{items}}"
