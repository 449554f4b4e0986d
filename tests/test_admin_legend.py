"""What is said of variables beside a text, and of how stable they make it."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.declarations import Lifetime, Scenario, Variable
from tests.assembling import CORE, fragment, hooked
from tests.pages import Visitor

pytestmark = pytest.mark.django_db

FIXED, CONVERSATION, TURN = Lifetime.FIXED, Lifetime.CONVERSATION, Lifetime.TURN
WORDS = {
    "ever": "the same in every chat",
    "chat": "the same only within a chat",
    "turn": "new every turn",
    "call": "new every call",
}


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare variables of every lifetime, and a clause of them."""
    registry.register(
        CORE,
        Variable("brand", label="Brand", lifetime=FIXED, example="Quayside"),
        Variable("user", label="The person", lifetime=CONVERSATION, example="Ann"),
        Variable("turn", label="The turn", lifetime=TURN, example="1"),
        Variable("call", label="The call", lifetime=Lifetime.CALL, example="2"),
        Variable("flag", label="A flag", lifetime=TURN, untrusted=True),
        fragment("core.plain", "Plain", order=1),
        fragment("core.user", "Hi {{user}}", order=2),
        fragment("core.turn", "At {{turn}}", order=3),
        fragment("core.clause", "as {{user}}", provides="clause", order=4),
        fragment("core.steady", "{{brand}}", provides="steady", order=5),
        fragment("core.gated", "Gated", requires=("turn",), order=6),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def note(visitor, key, text, **fields):
    """Return what is said of caching while *text* is typed."""
    typed = {f"text:{key}": text, "fragment": key, **fields}
    page = visitor.ask("note", typed)
    return " ".join(one.text for one in page.all("span"))


def legend(visitor, key, text, **fields):
    """Return the cells of each row of the legend, by the name that it inserts."""
    page = visitor.ask("legend", {f"text:{key}": text, "fragment": key, **fields})
    return {
        page.one("button", row).attributes["data-insert"]: [
            one.text for one in page.all("td", row)
        ][1:]
        for row in page.all("tr")[1:]
    }


@pytest.mark.parametrize(
    ("key", "text", "names", "now", "before"),
    [
        ("core.plain", "Hi {{user}}", "{{user}}", "chat", "ever"),
        ("core.plain", "{{nobody}}", "{{nobody}}", "call", "ever"),
        (
            "core.plain",
            "{{brand}} {{turn}} {{ turn }} {{user}} {{flag}}",
            "{{turn}}, {{flag}}",
            "turn",
            "ever",
        ),
        ("core.user", "Hi {{user}}, {{call}}", "{{call}}", "call", "chat"),
    ],
)
def test_a_text_that_leaves_its_part_says_why(visitor, key, text, names, now, before):
    """The names that make it change more often are there, undeclared ones too."""
    assert note(visitor, key, text) == (
        f"With {names} this text is {WORDS[now]}. "
        f"It was {WORDS[before]}, and could be cached."
    )


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        (
            "core.turn",
            "Never",
            "This text is now the same in every chat, and can be cached.",
        ),
        (
            "core.turn",
            "For {{user}}",
            "This text is now the same only within a chat, and can be cached.",
        ),
    ],
)
def test_a_text_that_comes_back_says_so(visitor, key, text, said):
    """An edit can win something for the cache as well."""
    assert note(visitor, key, text) == said


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("core.plain", "Other words"),
        ("core.plain", "{{brand}} and {{lb}}"),
        ("core.user", "{{user}}!"),
        ("core.gated", "Other {{turn}}"),
        ("core.gone", "{{turn}}"),
    ],
)
def test_a_text_that_stays_where_it_was_says_nothing(visitor, key, text):
    """Exceptions speak, the rule is silent."""
    assert note(visitor, key, text) == ""


def test_a_text_that_is_not_typed_says_nothing(visitor):
    """What is saved was saved knowingly."""
    services.save({"core.plain": "{{turn}}"})

    page = visitor.open(fragment="core.plain")

    assert "could be cached" not in page.html
    assert visitor.ask("note", {"fragment": "core.plain"}).elements == []


def test_a_saved_text_is_what_the_typed_one_is_compared_with(visitor):
    """Not the default beneath it."""
    services.save({"core.plain": "{{turn}}"})

    assert note(visitor, "core.plain", "{{call}}").endswith(
        "It was new every turn, and could be cached."
    )
    assert note(visitor, "core.plain", "x").startswith("This text is now the same in")


def test_a_clause_counts_as_stable_as_its_own_text(visitor):
    """Its variable is named, since it is what the text refers to."""
    assert note(visitor, "core.plain", "{{steady}}") == ""
    assert note(visitor, "core.plain", "Told {{clause}} by {{brand}}") == (
        "With {{clause}} this text is the same only within a chat. "
        "It was the same in every chat, and could be cached."
    )


def test_a_clause_of_an_unsaved_text_counts_as_it_is_typed(visitor):
    """Two edits may come together."""
    fields = {"text:core.steady": "{{call}}"}

    said = note(visitor, "core.plain", "{{steady}} {{turn}}", **fields)

    assert said.startswith("With {{steady}} this text is new every call.")


def test_where_no_variable_is_to_blame_the_conditions_are(visitor, declared):
    """A hook may take the text over, whatever it says."""

    def change(draft):
        for section in draft.sections:
            if section.key == "core.plain" and section.text == "Taken":
                section.text = "Taken over"

    hooked(declared, change)

    assert note(visitor, "core.plain", "Taken") == (
        "With its conditions this text is new every call. "
        "It was the same in every chat, and could be cached."
    )


def test_a_text_that_the_scenario_does_not_ask_for_says_nothing(visitor, declared):
    """Nobody knows here what becomes of it."""
    declared.register(Scenario("one", label="One", include=("core.user",)))

    assert note(visitor, "core.plain", "{{turn}}") == ""


def test_a_prompt_that_cannot_be_assembled_says_nothing_of_caching(visitor, declared):
    """Its legend shows the sample values all the same."""
    hooked(declared, lambda draft: 1 / 0)

    assert note(visitor, "core.plain", "{{turn}}") == ""
    assert legend(visitor, "core.plain", "{{turn}}") == {
        "turn": ["The turn", "1", "Every turn"]
    }


def test_the_legend_tells_how_often_a_text_uses_a_variable(visitor):
    """Once goes without saying; spellings and lines do not matter."""
    rows = legend(visitor, "core.plain", "{{user}}{{ user }}\n{{turn}}\n\n{{\tuser\t}}")

    assert rows == {
        "user": ["The person", "Ann", "Per chat used 3 times"],
        "turn": ["The turn", "1", "Every turn"],
    }


def test_what_is_no_reference_is_not_counted(visitor):
    """Braces of other kinds are text."""
    rows = legend(visitor, "core.plain", "{user} {{User}} {{{user}}} {{user.name}}")

    assert rows == {"user": ["The person", "Ann", "Per chat"]}


def test_what_a_fragment_documents_is_listed_after_what_its_text_uses(visitor):
    """It is offered again after the text has lost it."""
    rows = legend(visitor, "core.user", "{{turn}} {{turn}}")

    assert list(rows) == ["turn", "user"]
    assert rows["user"] == ["The person", "Ann", "Per chat"]


def test_a_clause_goes_by_its_label_and_says_where_it_comes_from(visitor):
    """It has no lifetime of its own, and its value is its text as it is typed."""
    rows = legend(
        visitor, "core.plain", "{{clause}}", **{"text:core.clause": "for {{user}}!"}
    )

    assert rows == {"clause": ["core.clause from another text", "for Ann!", ""]}


def test_a_variable_of_a_clauses_name_has_words_of_its_own(visitor, declared):
    """What is declared of it counts before the clause's label."""
    declared.register(
        Variable("clause", label="In short", description="Who it is for.")
    )

    rows = legend(visitor, "core.plain", "{{clause}}")

    assert rows == {
        "clause": [
            "In short Who it is for. from another text",
            "as Ann",
            "Every turn",
        ]
    }


def test_a_name_that_nobody_declares_is_said_to_be_none(visitor):
    """It would be sent as it is typed."""
    rows = legend(visitor, "core.plain", "{{nobody}} {{nobody}}")

    assert rows == {
        "nobody": ["No variable of this name is declared.", "blank", "used 2 times"]
    }


@pytest.mark.parametrize("value", [None, False, ""])
def test_what_is_no_value_is_blank_in_the_legend(visitor, declared, value):
    """Whichever way a scenario writes it."""
    declared.register(Scenario("one", label="One", variables={"flag": value}))

    rows = legend(visitor, "core.gated", "{{flag}}")

    assert rows["flag"] == ["A flag untrusted", "blank", "Every turn"]


def test_a_long_value_is_cut_in_the_legend_alone(visitor):
    """It stands in full among the sample values."""
    rows = legend(visitor, "core.plain", "{{user}}", **{"value:user": "x" * 100})

    assert rows["user"][1] == "x" * 59 + "…"


def test_scripts_are_told_what_a_text_may_refer_to(visitor, declared):
    """Variables and clauses with meaning and example; unknown names are told apart."""
    declared.register(Scenario("quiet", label="Quiet", variables={}))
    listed = visitor.open(fragment="core.plain", scenario="quiet")

    told = {
        one.attributes["data-insert"]: one.attributes
        for one in listed.all("button")
        if "data-insert" in one.attributes
    }

    assert {"brand", "user", "flag", "clause", "steady"} <= told.keys()
    assert told["user"]["data-meaning"] == "The person"
    assert told["user"]["data-example"] == "Ann"
    assert told["flag"]["data-example"] == ""
    assert not any("data-unknown" in attributes for attributes in told.values())
    typed = {"text:core.plain": "{{nobody}} {{user}}", "fragment": "core.plain"}
    unknown = [
        one.attributes["data-insert"]
        for one in visitor.ask("legend", typed).all("button")
        if "data-unknown" in one.attributes
    ]
    assert unknown == ["nobody"]
