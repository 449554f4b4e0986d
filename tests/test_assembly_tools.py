"""Which tools an assembly offers, and in what order."""

from __future__ import annotations

import pytest

from prompts_app.assembly import in_order, tool_order_fault
from prompts_app.declarations import ToolSet
from prompts_app.exceptions import ToolOrderError
from prompts_app.registry import REST
from tests.assembling import assemble, hooked, registry_of, tool

TENANT = "tenant.acme"


def offers(*names, known=None, **given):
    """Return a provider of tools with these names."""
    made = [tool(name, **given) for name in names]
    return lambda context: made if known is None else ToolSet(made, known)


def names(assembly):
    """Return the names of the tools, in order."""
    return [one.name for one in assembly.tools]


@pytest.mark.covers("D8", "D23", "D45")
def test_providers_of_all_layers_add_up():
    """Global first, and of one name all stay as they were collected."""
    registry = registry_of()
    registry.register_tools(offers("read", family="tenant"), TENANT)
    registry.register_tools(offers("zoom", "read", known=["write"]))
    registry.register_tools(lambda context: iter([tool("list")]))

    assert names(assemble(registry)) == ["list", "read", "zoom"]
    built = assemble(registry, scope=TENANT)
    assert names(built) == ["list", "read", "read", "zoom"]
    assert [one.family for one in built.tools] == ["", "", "tenant", ""]


@pytest.mark.covers("D30")
def test_a_provider_gets_the_context_and_is_run_by_the_caller():
    """So that a coroutine can be waited for; given tools ask nobody."""
    registry = registry_of()
    seen = []
    registry.register_tools(lambda context: seen.append(context) or [tool("read")])

    def call(provider, context):
        return [*provider(context), tool("more")]

    built = assemble(registry, variables={"x": 1}, call=call)
    given = assemble(registry, tools=[])

    assert names(built) == ["more", "read"]
    assert given.tools == ()
    (context,) = seen
    assert context.variables == {"x": 1}


@pytest.mark.covers("D40", "D41")
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (None, ["B", "a1", "a_", "aa", "b"]),
        ([REST], ["B", "a1", "a_", "aa", "b"]),
        (["b", REST, "B"], ["b", "a1", "a_", "aa", "B"]),
        ((REST, "a1"), ["B", "a_", "aa", "b", "a1"]),
        (["aa", "B", REST], ["aa", "B", "a1", "a_", "b"]),
        (["b", "*", "B"], ["b", "a1", "a_", "aa", "B"]),
    ],
)
def test_tools_are_by_name_or_as_the_order_lists_them(order, expected):
    """By code point, whatever the language, the rest at its place."""
    registry = registry_of()
    registry.register_tools(offers("b", "B", "a_", "a1", "aa"))

    assert names(assemble(registry, tool_order=order)) == expected


@pytest.mark.covers("D42", "W36")
@pytest.mark.parametrize(
    ("order", "fault"),
    [
        ([], "lacks '*'"),
        (["read"], "lacks '*'"),
        (["read", REST, "read"], "names twice: read."),
        ([REST, REST], "names twice: *."),
        (["b", "a", REST, "a", "b"], "names twice: a, b."),
        ("*", "not a str"),
        ({REST}, "not a set"),
        (None, "not a NoneType"),
        ([REST, 7], "names only, not 7"),
    ],
)
def test_an_order_that_cannot_be_right_is_found(order, fault):
    """Before anything is offered, in a sentence for whoever wrote it."""
    assert fault in tool_order_fault(order)
    if order is not None:
        with pytest.raises(ValueError, match="tool order"):
            in_order([], order, None)
    assert tool_order_fault([REST, "read"]) == ""


@pytest.mark.covers("D43", "D44")
def test_an_order_may_list_what_a_provider_knows_and_withholds():
    """What nobody knows is refused with all such names and what is known."""
    registry = registry_of()
    registry.register_tools(offers("zoom", known=["read", "zoom"]))

    assert names(assemble(registry, tool_order=["read", REST])) == ["zoom"]
    assert names(assemble(registry, tool_order=["read", "zoom", REST])) == ["zoom"]
    with pytest.raises(ToolOrderError) as caught:
        assemble(registry, tool_order=["pear", "zoom", "apple", REST])
    assert caught.value.names == ("pear", "apple")
    assert caught.value.known == ("read", "zoom")
    assert "pear, apple; known: read, zoom" in str(caught.value)
    with pytest.raises(ToolOrderError, match="known: none"):
        assemble(registry_of(), tool_order=["pear", REST])


@pytest.mark.covers("D44")
def test_a_plain_list_does_not_say_what_else_there_is():
    """An order that lists more than one call offers is no fault of that call."""
    order = ["read", REST]

    assert names(assemble(registry_of(), tools=[tool("z")], tool_order=order)) == ["z"]
    with pytest.raises(ToolOrderError):
        assemble(registry_of(), tools=ToolSet([tool("z")]), tool_order=order)


@pytest.mark.parametrize("tools", ["read", b"read", {"read": 1}, 7, object()])
def test_tools_are_a_collection_of_tools(tools):
    """From a call or from a provider."""
    registry = registry_of()
    registry.register_tools(lambda context: tools)

    kind = type(tools).__name__
    with pytest.raises(TypeError, match=f"tools has to hold Tool values, not {kind}$"):
        assemble(registry, tools=tools)
    with pytest.raises(TypeError, match="tools has to hold Tool values, not"):
        assemble(registry)


@pytest.mark.covers("D33", "D34")
def test_hooks_see_the_tools_in_order_and_have_the_last_word():
    """What a hook leaves is not sorted again, protected ones aside."""
    registry = registry_of()
    registry.register_tools(offers("b", "c", "a", known=["z"]))
    seen = []

    def turn(draft):
        seen.append([one.name for one in draft.tools])
        draft.tools.reverse()
        draft.tools.append(tool("aa"))

    hooked(registry, turn)
    hooked(registry, turn)

    built = assemble(registry, tool_order=["c", REST, "z"])

    assert seen == [["c", "a", "b"], ["b", "a", "c", "aa"]]
    assert names(built) == ["aa", "c", "a", "b", "aa"]


@pytest.mark.covers("D33")
def test_nothing_leaks_from_one_assembly_to_the_next():
    """A result's schema may be changed at will."""
    registry = registry_of()
    registry.register_tools(offers("read"))

    assemble(registry).tools[0].schema()["properties"]["x"] = 1

    assert assemble(registry).tools[0].schema()["properties"] == {}
