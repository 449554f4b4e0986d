"""What a scenario means to a preview."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from prompts_app import (
    Fragment,
    Group,
    Level,
    Lifetime,
    Scenario,
    Scope,
    Tool,
    Variable,
)
from prompts_app.assembly import Snapshot
from prompts_app.exceptions import UnknownScenario
from prompts_app.preview import (
    LaneShare,
    lane_shares,
    scenario_arguments,
    scopes_of,
    situation_of,
    situations,
)
from prompts_app.services import assemble

asked = Mock()
NAME = Variable("name", label="Name", example="Ines", provider=asked)
PLACE = Variable("place", label="Place", example="Quay 4", provider=asked)
TOOL = Tool("search", description="Searches.", parameters={}, family="web")
GREETING = Fragment(
    "demo.greeting", label="Greeting", group="demo", default="{{name}}/{{where}}"
)
CLAUSE = Fragment(
    "demo.where", label="Where", group="demo", default="at {{place}}", provides="where"
)
TOOLS = Fragment(
    "demo.tools",
    label="Tools",
    group="demo",
    default="Use {{tool_names}}.",
    families=("web",),
    order=1,
)


@pytest.fixture
def view(registry):
    """Yield a view of three fragments and two variables; nobody may be asked."""
    registry.register(
        Group("demo", label="Demo", order=1, role="preamble"),
        Scope("tenant.acme", label="Acme"),
        *(NAME, PLACE, GREETING, CLAUSE, TOOLS),
    )
    registry.register_tools(asked)
    yield registry.view()
    assert not asked.called


def _text(view, scenario=None, values=None):
    arguments = scenario_arguments(view, scenario, values)
    return assemble(**arguments, overrides=Snapshot()).text


def test_without_a_scenario_the_examples_stand(view):
    """Each variable is worth its example, and no tool is offered."""
    assert _text(view) == "Ines/at Quay 4"


def test_a_scenario_without_variables_takes_the_examples_too(view):
    """Variables None means the examples; the scenario's tools are offered."""
    scenario = Scenario("plain", label="Plain", tools=(TOOL,))

    assert _text(view, scenario) == "Ines/at Quay 4\n\nUse search."


def test_what_a_scenario_does_not_name_is_blank(view):
    """A scenario with variables is complete: neither example nor provider steps in."""
    scenario = Scenario("named", label="Named", variables={"name": "Jo"})

    assert _text(view, scenario) == "Jo/at"


def test_edited_values_beat_the_scenario_and_the_examples(view):
    """What was typed for one preview counts, whatever else gives that name."""
    scenario = Scenario("named", label="Named", variables={"name": "Jo"})

    assert _text(view, scenario, {"name": "Kim", "place": "home"}) == "Kim/at home"
    assert _text(view, None, {"name": "Kim"}) == "Kim/at Quay 4"


def test_a_scenario_may_stand_in_for_what_is_worked_out(view):
    """A scenario that names a clause or the list of tools means just that."""
    scenario = Scenario(
        "set",
        label="Set",
        variables={"where": "anywhere", "tool_names": "a, b"},
        tools=(TOOL,),
    )

    assert _text(view, scenario) == "/anywhere\n\nUse a, b."


def test_every_other_trait_of_a_scenario_is_handed_on(view):
    """Tools, families, scope, level and include are the scenario's own."""
    scenario = Scenario(
        "full",
        label="Full",
        tools=(TOOL,),
        families=("agent",),
        scope=("tenant.acme", "agent.support"),
        level=Level.LEAN,
        include=("demo.greeting",),
    )

    arguments = scenario_arguments(view, scenario)

    del arguments["variables"]
    assert arguments == {
        "include": ("demo.greeting",),
        "scope": ("tenant.acme", "agent.support"),
        "tools": (TOOL,),
        "families": ("agent",),
        "level": Level.LEAN,
    }


def test_shares_say_how_much_keeps_how_long(view, registry):
    """Lanes without text are left out; the rest add up, most stable first."""
    registry.register(Fragment("demo.z", label="Z", group="demo", default="Fixed."))

    assembly = assemble(**scenario_arguments(view), overrides=Snapshot())

    assert lane_shares(assembly) == (
        LaneShare(Lifetime.FIXED, length=6, start=0, percent=30),
        LaneShare(Lifetime.TURN, length=14, start=6, percent=70),
    )


def test_an_empty_prompt_has_no_shares(view):
    """Nothing is divided among nothing."""
    assembly = assemble(include=(), tools=(), overrides=Snapshot())

    assert lane_shares(assembly) == ()


STORED = Snapshot(
    {("", "demo.where"): "in {{place}}", ("tenant.acme", "demo.where"): ""}
)


def test_a_situation_is_a_scenario_with_the_texts_in_force(view, registry):
    """By name or by itself; a chain that is given beats its own."""
    registry.register(Scenario("acme", label="Acme", scope="tenant.acme"))

    def text(scenario, **options):
        return situation_of(scenario, overrides=STORED, **options).assemble().text

    assert text(None) == "Ines/in Quay 4"
    assert text("acme") == "Ines/"
    assert text(registry.view().scenarios["acme"]) == "Ines/"
    assert text("acme", scope="tenant.other") == "Ines/in Quay 4"
    assert text(None, scope=("tenant.other", "tenant.acme")) == "Ines/"


def test_a_situation_takes_values_and_other_arguments(view):
    """Those of one assembly beat the situation's, and both beat the scenario's."""
    scenario = Scenario("chat", label="Chat", variables={"name": "Jo", "place": "home"})
    situation = situation_of(
        scenario, overrides=Snapshot(), values={"name": "Kim", "place": "sea"}
    )

    assembly = situation.assemble({"place": "bay"}, tools=(TOOL,), level=Level.LEAN)

    assert assembly.text == "Kim/at bay\n\nUse search."
    assert assembly.level is Level.LEAN


def test_a_situation_knows_its_levels_and_its_authored_prompt():
    """Both levels, unless the scenario is of one; the examples have no such prompt."""
    lean = Scenario("lean", label="Lean", level=Level.LEAN, authored="I am Acme.")

    named = situation_of(lean, overrides=Snapshot())
    plain = situation_of(None, overrides=Snapshot())

    assert (named.levels, named.authored) == ((Level.LEAN,), "I am Acme.")
    assert (plain.levels, plain.authored) == (tuple(Level), "")


def test_a_scenario_that_nobody_declares_is_named(registry):
    """With those that there are."""
    with pytest.raises(UnknownScenario, match="Known: none is declared"):
        situation_of("chad", overrides=Snapshot())
    registry.register(Scenario("chat", label="Chat"), Scenario("task", label="Task"))
    with pytest.raises(UnknownScenario, match="Known: chat, task") as unknown:
        situation_of("chad", overrides=Snapshot())

    assert (unknown.value.name, unknown.value.known) == ("chad", ("chat", "task"))


def test_scenarios_are_played_wherever_something_differs(view, registry):
    """One that names a chain there alone, the others in each scope by itself."""
    registry.register(
        Scenario("chat", label="Chat"),
        Scenario("acme", label="Acme", scope=("tenant.acme", "agent.x")),
    )

    def played(**options):
        return [
            (one.scenario.key, one.view.chain)
            for one in situations(overrides=STORED, **options)
        ]

    assert played() == [
        ("chat", ()),
        ("chat", ("tenant.acme",)),
        ("acme", ("tenant.acme", "agent.x")),
    ]
    assert played(scope="agent.y") == [("chat", ("agent.y",)), ("acme", ("agent.y",))]


def test_scopes_are_those_that_change_anything(view, registry):
    """By texts, by declarations of apps and sources, by hooks; a label is no change."""
    odd = Fragment("demo.odd", label="Odd", group="demo", default="Odd.")
    registry.register(odd, scope="agent.odd")
    registry.register_hook(asked, scope="agent.hook")
    sourced = Snapshot({("tenant.b", "x.y"): ""}, [("tenant.a", odd), ("", GREETING)])

    assert scopes_of(sourced) == ("agent.hook", "agent.odd", "tenant.a", "tenant.b")


def test_no_repr_of_a_situation_shows_a_value():
    """A failing test prints it."""
    situation = situation_of(None, overrides=Snapshot(), values={"name": "secret"})

    assert "secret" not in repr(situation)
