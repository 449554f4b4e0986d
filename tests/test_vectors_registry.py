"""The cases of ``vectors.json`` about layers, tools and protections."""

from __future__ import annotations

import pytest

from prompts_app import exceptions as errors
from prompts_app.assembly import Context, Snapshot, build
from prompts_app.declarations import Fragment, Tool
from prompts_app.registry import REST, Registry
from tests.vectors import refusal, vectors


def offered_in_order(given):
    """Return the names of a vector's tools as an assembly offers them."""
    registry = Registry()
    for provider in given["providers"]:
        names = [_tool_name(name) for name in provider["schemas"]]
        tools = [Tool(name, description="", parameters={}) for name in names]
        registry.register_tools(lambda context, tools=tools: tools)
    order = given["order"]
    order = None if order is None else [_tool_name(name) for name in order]
    built = build(registry.view(), Snapshot(), Context(), tool_order=order)
    return [tool.name for tool in built.tools]


def _tool_name(name):
    return REST if name == "<unlisted-tools>" else name


@vectors("tool_order")
@pytest.mark.covers("D40", "D41", "D42", "D43", "D45")
def test_tool_order(vector):
    """Tools come in the configured order, or by name; a wrong order is refused."""
    error = refusal(vector)

    if error is None:
        assert offered_in_order(vector["input"]) == vector["expected"]["tools"]
    elif error["code"] == "unregistered":
        with pytest.raises(errors.ToolOrderError) as caught:
            offered_in_order(vector["input"])
        assert list(caught.value.names) == error["references"]
        assert list(caught.value.known) == error["known"]
    elif error["code"] == "reserved_name":
        with pytest.raises(errors.InvalidDeclaration):
            offered_in_order(vector["input"])
    else:
        culprit = _tool_name(error.get("reference", REST))
        with pytest.raises(ValueError, match="tool order") as caught:
            offered_in_order(vector["input"])
        assert culprit in str(caught.value)


@vectors("protect")
@pytest.mark.covers("D52", "D53")
def test_protect(vector):
    """Whatever a hook leaves, protected sections are as they were before."""
    given = vector["input"]
    registry = Registry()
    for order, section in enumerate(given["canonical"]):
        registry.register(_section(section | {"order": order}))
    registry.register_hook(
        lambda draft, context: _leave(draft, given["result"]),
    )
    if given["protected"]:
        registry.protect([f"core.{name}" for name in given["protected"]])

    built = build(registry.view(), Snapshot(), Context(include=("core",)))

    expected = [(f"core.{one['name']}", one["text"]) for one in vector["expected"]]
    assert [(one.key, one.text) for one in built.sections] == expected


def _section(section):
    return Fragment(
        f"core.{section['name']}",
        label=section["name"],
        group="core",
        default=section["text"],
        order=section["order"],
    )


def _leave(draft, result):
    """Put *result* in place of the sections of *draft*."""
    kind = type(draft.sections[0])
    draft.sections[:] = [
        kind(f"core.{one['name']}", one["text"], group="core") for one in result
    ]


@vectors("layers")
@pytest.mark.covers("D6", "D21", "D22", "D24", "D54")
def test_layers(vector):
    """A scope's sections replace and join the global ones."""
    given = vector["input"]
    registry = Registry()
    registry.register(*map(_section, given["global"]))
    error = refusal(vector) or {}

    if given.get("protected"):
        registry.protect([f"core.{name}" for name in given["protected"]])
    if error.get("code") == "duplicate":
        with pytest.raises(errors.AlreadyRegistered) as caught:
            registry.register(*map(_section, given["scope"]), scope="agent.one")
        assert caught.value.scope == "agent.one"
        return
    if error.get("code") == "protected_name":
        with pytest.raises(errors.ProtectedFragment) as caught:
            registry.register(*map(_section, given["scope"]), scope="agent.one")
        key = f"core.{error['reference']}"
        assert caught.value.conflicts == (("agent.one", key),)
        return
    registry.register(*map(_section, given["scope"]), scope="agent.one")
    chain = ("agent.one",)
    context = Context(include=("core",), scope=chain)
    built = build(registry.view(chain), Snapshot(), context)
    seen = [f"{one.key.removeprefix('core.')}={one.text}" for one in built.sections]
    assert seen == vector["expected"]["sections"]
