"""Groups, scopes, tools and scenarios."""

from __future__ import annotations

import json

import pytest

from prompts_app.declarations import (
    Group,
    Level,
    Scenario,
    Scope,
    Tool,
    ToolSet,
    family_names,
    object_schema,
)
from prompts_app.exceptions import InvalidDeclaration
from tests.assembling import tool

PARAMETERS = {"type": "object", "properties": {"path": {"type": ["string", "null"]}}}


@pytest.mark.parametrize(
    "wrong",
    [
        *({"key": "Core"}, {"key": "core.a"}, {"key": "a" * 101}, {"key": None}),
        *({"label": ""}, {"order": None}, {"order": float("inf")}, {"role": "other"}),
        *({"role": ""}, {"permission": "change"}),
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_group_that_cannot_be_right_is_refused(wrong):
    """As it is made, by its key."""
    given = {"key": "core", "label": "Core", "order": 1} | wrong

    with pytest.raises(InvalidDeclaration, match="Group"):
        Group(given.pop("key"), **given)


@pytest.mark.parametrize("role", ["preamble", "seam", "task"])
def test_a_group_has_one_of_three_roles(role):
    """Task is what it is without a word."""
    assert Group("core", label="Core", order=-1.5, role=role).role == role
    assert Group("core", label="Core", order=1).role == "task"


@pytest.mark.case(53)
@pytest.mark.parametrize(
    "wrong",
    [
        *(
            {"key": ""},
            {"key": "acme"},
            {"key": "tenant.Acme"},
            {"key": "a." + "b" * 99},
        ),
        *({"label": None}, {"permission": "x"}),
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_scope_that_cannot_be_right_is_refused(wrong):
    """The global layer is no scope that could be declared."""
    given = {"key": "tenant.acme", "label": "Acme"} | wrong

    with pytest.raises(InvalidDeclaration, match="Scope"):
        Scope(given.pop("key"), **given)


@pytest.mark.covers("D43")
@pytest.mark.parametrize(
    "wrong",
    [
        *({"name": "*"}, {"name": ""}, {"name": "a b"}, {"name": "a" * 65}),
        *({"name": "zug_ü"}, {"name": "a\n"}, {"name": None}, {"description": None}),
        *({"parameters": []}, {"parameters": None}, {"family": "Web"}),
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_tool_that_cannot_be_right_is_refused(wrong):
    """The name that stands for the rest is nobody's either."""
    given = {"name": "read", "description": "", "parameters": {}} | wrong

    with pytest.raises(InvalidDeclaration, match="Tool"):
        Tool(given.pop("name"), **given)


@pytest.mark.covers("D33", "O7")
def test_a_tools_schema_is_fresh_on_every_call():
    """What a caller does to it, or to what it was made of, leaks nowhere."""
    parameters = {"properties": {"path": {"type": ["string"]}}}
    read = Tool("read", description="Reads.", parameters=parameters)

    parameters["properties"]["path"]["type"].append("null")
    read.schema()["properties"]["path"]["type"] = "integer"

    assert read.schema() == {"properties": {"path": {"type": ["string"]}}}
    with pytest.raises(TypeError):
        read.parameters["properties"] = {}


@pytest.mark.covers("O7")
def test_an_object_schema_is_strict_and_fresh():
    """Every property is required, sorted, and no other is allowed."""
    properties = {"to": {"type": "string"}, "at": {"type": ["string", "null"]}}

    schema = object_schema(properties)
    schema["properties"]["to"]["type"] = "integer"
    schema["required"].append("more")

    assert object_schema(properties) == {
        "type": "object",
        "properties": {"to": {"type": "string"}, "at": {"type": ["string", "null"]}},
        "required": ["at", "to"],
        "additionalProperties": False,
    }


@pytest.mark.covers("O6", "O7")
def test_equal_schemas_are_equal_bytes():
    """However their dicts were filled, at every depth; lists keep their order."""
    inner = {"type": "object", "enum": ["z", "a"], "description": "d"}
    properties = {"to": inner, "at": {"type": ["string", "null"]}}
    turned = {"at": properties["at"], "to": dict(reversed(inner.items()))}
    parameters = [object_schema(properties), object_schema(turned)]

    assert json.dumps(parameters[0]) == json.dumps(parameters[1])
    tools = [
        Tool("send", description="d", parameters=parameters[0]),
        Tool("send", description="d", parameters=dict(reversed(parameters[1].items()))),
    ]
    assert tools[0] == tools[1]
    written = json.dumps(tools[0].schema())
    assert written == json.dumps(tools[1].schema())
    assert '"enum": ["z", "a"]' in written


@pytest.mark.covers("D8")
def test_a_tool_set_knows_what_it_offers_and_more():
    """Names that are withheld are listed first, offered ones always, each once."""
    offered = [tool("read"), tool("read"), tool("zoom")]

    assert ToolSet(offered).known == ("read", "zoom")
    assert ToolSet(offered, known=["write", "zoom"]).known == ("write", "zoom", "read")
    assert ToolSet([], known=["write"]).offered == ()
    assert ToolSet(iter(offered)).offered == tuple(offered)


@pytest.mark.covers("D5")
def test_a_tool_set_holds_tools_and_names():
    """Neither one text nor anything else passes for them."""
    with pytest.raises(TypeError, match=r"^offered has to be a collection of tools"):
        ToolSet("read")
    with pytest.raises(InvalidDeclaration, match="offered holds dict"):
        ToolSet([{"name": "read"}])
    with pytest.raises(TypeError, match=r"^known has to be a collection"):
        ToolSet([], known="read")
    with pytest.raises(InvalidDeclaration, match="known"):
        ToolSet([], known=["*"])


def test_families_are_named_once_in_order():
    """A tool without family adds none."""
    offered = [tool("a", "web"), tool("b"), tool("c", "files"), tool("d", "web")]

    assert family_names(offered) == ("web", "files")


def test_a_scenario_keeps_what_it_was_given():
    """As tuples and read-only mappings, one scope as a chain of one."""
    values = {"who": "Ada"}
    scenario = Scenario(
        "chat",
        label="Chat",
        variables=values,
        tools=[tool("read")],
        families=["web"],
        scope="tenant.acme",
        level="lean",
        include=["core", "task.a"],
    )

    values["who"] = "Eve"

    assert scenario.variables == {"who": "Ada"}
    assert scenario.tools == (tool("read"),)
    assert scenario.families == ("web",)
    assert scenario.scope == ("tenant.acme",)
    assert scenario.level is Level.LEAN
    assert scenario.include == ("core", "task.a")
    with pytest.raises(TypeError):
        scenario.variables["who"] = "Eve"


def test_a_scenario_may_leave_everything_open():
    """Then examples, the tools' families and the page's level count."""
    scenario = Scenario("chat", label="Chat")

    assert scenario.variables is None
    assert scenario.families is None
    assert scenario.include is None
    assert scenario.level is None
    assert scenario.scope == scenario.tools == ()


@pytest.mark.parametrize(
    "wrong",
    [
        *({"key": "Chat"}, {"key": "a.b"}, {"label": " "}, {"authored": None}),
        *({"tools": ["read"]}, {"scope": "acme"}, {"families": ["Web"]}),
        *({"scope": ["a.b", "a.b"]}, {"level": "loud"}),
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_scenario_that_cannot_be_right_is_refused(wrong):
    """As it is made, by its key."""
    given = {"key": "chat", "label": "Chat"} | wrong

    with pytest.raises(InvalidDeclaration, match="Scenario"):
        Scenario(given.pop("key"), **given)


@pytest.mark.parametrize("field", ["tools", "families", "include"])
def test_a_scenarios_collections_refuse_one_text(field):
    """All but the scope, of which one is a chain."""
    with pytest.raises(TypeError, match=f"^{field} has to be a collection"):
        Scenario("chat", label="Chat", **{field: "core"})


def test_a_scenario_gives_no_value_for_the_registrys_own_braces():
    """What no call may give, a sample may not give either."""
    with pytest.raises(InvalidDeclaration, match="lb is the registry's own"):
        Scenario("chat", label="Chat", variables={"lb": "{{"})
