"""One editor: what it says of its fragment, its text and its variables."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.declarations import Lifetime, Scenario, Variable
from tests.assembling import CORE, SEAM, TASKS, fragment
from tests.pages import Visitor

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare the groups and two variables."""
    registry.register(
        CORE,
        SEAM,
        TASKS,
        Variable(
            "user",
            label="The person",
            description="From the account.",
            example="Ann",
            lifetime=Lifetime.CONVERSATION,
            untrusted=True,
        ),
        Variable("flag", label="A flag", untrusted=True),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def legend(page, key):
    """Return the variables of a legend with what is said of each."""
    said = {}
    for row in page.all("tr", page.editor(key))[1:]:
        name = page.one("button", row).attributes["data-insert"]
        said[name] = [one.text for one in page.all("td", row)][1:]
    return said


def facts(page, key):
    """Return what is said of when a fragment appears."""
    editor = page.editor(key)
    return [one.text for one in page.all("dd", editor)]


@pytest.mark.covers("L8")
def test_an_editor_names_its_fragment(visitor, declared):
    """Group, key, label, hint and place in the group; the hint is for people alone."""
    declared.register(
        fragment("core.a", order=1),
        fragment("core.b", "Beta", label="Writing", hint="For people.", order=2),
        fragment("core.c", order=3),
    )

    page = visitor.open(fragment="core.b")

    editor = page.editor("core.b")
    where = page.one("div", editor, class_="prompts-where").text
    assert where.startswith("Core · core.b")
    assert "2 of 3" in where
    assert page.one("h2", editor).text == "Writing Built-in"
    assert page.one("p", id="hint:core.b").text == "For people."
    assert page.box("core.b").attributes["aria-describedby"] == (
        "hint:core.b size:core.b problems:core.b"
    )
    steps = page.all("a", page.one("span", editor, class_="prompts-step"))
    assert [one.attributes["href"] for one in steps] == ["#core.a", "#core.c"]
    assert "For people." not in services.assemble().text


def test_the_first_and_the_last_have_one_neighbour(visitor, declared):
    """There is no step out of the group."""
    declared.register(fragment("core.a", order=1), fragment("core.b", order=2))

    page = visitor.open(fragment="core.a")

    steps = page.all("span", class_="prompts-step")
    leads = [[one.attributes["href"] for one in page.all("a", step)] for step in steps]
    assert leads == [["#core.b"], ["#core.a"]]
    assert not page.has("p", class_="prompts-hint")


def test_an_editor_says_when_its_fragment_appears(visitor, declared):
    """Gates stand in words, with the place in the preview."""
    declared.register(
        fragment("core.a", order=1),
        fragment("core.b", order=2, when_tools=False, requires=("user",)),
        fragment("core.c", order=3, requires=("flag",)),
    )

    page = visitor.open(fragment="core.a")

    assert facts(page, "core.a") == ["Always", "passage 1 of 2"]
    assert facts(page, "core.b") == [
        "When no tool is offered, When {{user}} has a value",
        "passage 2 of 2",
    ]
    assert facts(page, "core.c") == ["When {{flag}} has a value", "left out here"]
    assert page.one("a", page.editor("core.b"), href="#passage:core.b")
    assert page.has("div", id="passage:core.b")


def test_a_text_that_is_left_out_offers_a_scenario_that_has_it(visitor, declared):
    """The first one in which it is a section, a clause or before an authored prompt."""
    declared.register(
        fragment("core.a", "With {{clause}}."),
        fragment("core.clause", "a clause", provides="clause", requires=("flag",)),
        fragment("seam.lead", "Then", group="seam"),
        fragment("task.c", group="tasks"),
        Scenario("plain", label="Plain", variables={}),
        Scenario("empty", label="Empty", include=()),
        Scenario("flagged", label="With a flag", variables={"flag": "yes"}),
        Scenario("later", label="Later", variables={"flag": "yes"}),
        Scenario("authored", label="Authored", variables={}, authored="Mine"),
    )

    page = visitor.open(fragment="core.clause")
    assert facts(page, "core.clause")[1] == "left out here; show “With a flag”"
    seam = visitor.open(fragment="seam.lead")
    assert facts(seam, "seam.lead")[1] == "left out here; show “Authored”"
    assert facts(visitor.open(fragment="task.c"), "task.c")[1] == "left out here"

    page = visitor.send(page, press=("_scenario", "flagged"))

    assert page.chosen("scenario") == "flagged"
    assert page.passages() == {"core.a": "With a clause."}


@pytest.mark.covers("L7")
def test_the_legend_lists_what_the_text_uses_then_what_is_documented(visitor, declared):
    """It documents and restricts nothing: any variable may be used and is listed."""
    declared.register(
        fragment("core.a", "{{flag}}", variables=("flag", "lb")),
        Scenario("plain", label="Plain", variables={"user": "Ann <b>"}),
    )
    services.save({"core.a": "{{nobody}} {{user}} {{ user }}"})

    page = visitor.open(fragment="core.a")

    assert legend(page, "core.a") == {
        "nobody": ["No variable of this name is declared.", "blank", ""],
        "user": [
            "The person From the account. · untrusted",
            "Ann <b>",
            "Per chat used 2 times",
        ],
        "flag": ["A flag untrusted", "blank", "Every turn"],
        "lb": [
            "Two opening braces Writes {{ without starting a reference.",
            "{{",
            "Never",
        ],
    }


def test_the_variable_of_a_clause_goes_by_the_clauses_name(visitor, declared):
    """Its value is the clause's text, as the preview has it."""
    declared.register(
        fragment("core.a", "With {{clause}}."),
        fragment("core.x", "a clause", label="The clause", provides="clause"),
    )

    page = visitor.open(fragment="core.a")

    assert legend(page, "core.a") == {
        "clause": ["The clause from another text", "a clause", ""]
    }


def test_a_text_without_variables_says_so(visitor, declared):
    """An empty table would look like a fault."""
    declared.register(fragment("core.a", "Plain"))

    page = visitor.open(fragment="core.a")

    assert "This text uses no variables." in page.editor("core.a").text


def test_all_variables_can_be_looked_up(visitor, declared):
    """Below the editors, the registry's own two included; the start view hides them."""
    declared.register(fragment("core.a", "Plain"))

    page = visitor.open(fragment="core.a")

    fold = page.one("details", id="prompts-variables")
    assert "hidden" not in fold.attributes
    assert page.one("summary", fold).text == "All variables 4"
    names = [one.attributes["data-insert"] for one in page.all("button", fold)]
    assert names == ["lb", "tool_names", "user", "flag"]
    start = visitor.open()
    assert "hidden" in start.one("details", id="prompts-variables").attributes


@pytest.mark.parametrize(
    ("scope", "saved", "summary", "button"),
    [
        ("", {}, "Compare with default no difference", "Restore default"),
        (
            "",
            {"": "Mine"},
            "Compare with default words added: 1, removed: 1",
            "Restore default",
        ),
        (
            "tenant.acme",
            {"": "Mine"},
            "Compare with what stands beneath no difference",
            "Restore what stands beneath",
        ),
        (
            "tenant.acme",
            {"": "All of us", "tenant.acme": "Mine"},
            "Compare with what stands beneath words added: 1, removed: 3",
            "Restore what stands beneath",
        ),
    ],
)
def test_what_stands_beneath_can_be_compared_and_restored(
    visitor, declared, scope, saved, summary, button
):
    """In a scope that is the text of the whole installation."""
    declared.register(fragment("core.a", "Alpha"))
    for layer, text in saved.items():
        services.save({"core.a": text}, scope=layer)

    page = visitor.open(fragment="core.a", scope=scope)

    summaries = [one.text for one in page.all("summary", page.editor("core.a"))]
    assert summaries[1] == summary
    assert page.one("button", name="_restore").text == button


def test_a_drifted_text_opens_the_default_to_compare(visitor, declared):
    """The new default is what the decision is about."""
    declared.register(fragment("core.a", "Alpha", order=1), fragment("core.b", "B"))
    services.save({"core.a": "Mine", "core.b": "Mine too"})
    declared._registry = {}
    declared.register(CORE, fragment("core.a", "New", order=1), fragment("core.b", "B"))

    page = visitor.open(fragment="core.a")

    drifted, other = (
        page.all("details", page.editor(key))[1] for key in ("core.a", "core.b")
    )
    assert "open" in drifted.attributes
    assert "open" not in other.attributes
    assert page.one("del", drifted).text == "New"
    assert page.one("ins", drifted).text == "Mine"
