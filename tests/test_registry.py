"""What can be registered, what is refused, and how it is taken back."""

from __future__ import annotations

import runpy
from code import InteractiveInterpreter
from pathlib import Path

import pytest

import prompts_app
from prompts_app import exceptions as errors
from prompts_app.contrib import chat
from prompts_app.declarations import Scenario, Scope, ToolSet
from prompts_app.registry import Registry, registry as the_registry
from tests.assembling import CORE, fragment, registry_of, tool, variable

TENANT = "tenant.acme"


def no_hook(draft, context):
    """Change nothing."""


def no_tools(context):
    """Offer nothing."""


def no_source():
    """Declare nothing."""


@pytest.mark.parametrize(
    "name",
    ["register", "register_hook", "register_source", "register_tools", "protect"],
)
def test_what_apps_import_is_the_registrys_own(name):
    """A short name for one registry, that of the process."""
    for package in (prompts_app, prompts_app.registry):
        assert getattr(package, name) == getattr(the_registry, name)


@pytest.mark.covers("D1", "D4")
def test_one_registry_holds_everything():
    """Every kind has its records, in order of registration, and where it was made."""
    registry = Registry()
    who = variable("who")

    registry.register(CORE, fragment(), who, Scope(TENANT, label="Acme"))
    registry.register(Scenario("chat", label="Chat"))
    registry.register_source(no_source)
    registry.register_tools(no_tools)
    registry.register_hook(no_hook, TENANT)
    registry.protect(["core.a"], ["read"])

    assert [one.value for one in registry.records("variable")] == [who]
    kinds = ("group", "fragment", "scope", "scenario", "source", "tools", "hook")
    for kind in (*kinds, "protection"):
        (record,) = registry.records(kind)
        assert record.kind == kind
        assert Path(record.place.rpartition(":")[0]).name == "test_registry.py"


def test_a_record_names_a_caller_inside_the_package_too(registry):
    """What the package's own apps register was made in their `prompts.py`."""
    path = Path(chat.__file__).with_name("prompts.py")

    runpy.run_path(str(path), run_name="prompts_app.contrib.chat.prompts")

    places = [one.place.rpartition(":")[0] for one in registry.records("fragment")]
    assert places
    assert {*places} == {str(path)}


def test_a_record_names_a_caller_without_a_module():
    """A console may have no name."""
    registry = Registry()
    console = InteractiveInterpreter({"registry": registry, "fragment": fragment()})

    console.runsource("registry.register(fragment)", "<console>")

    assert [one.place for one in registry.records("fragment")] == ["<console>:1"]


def test_a_registry_reads_like_a_mapping_of_global_fragments():
    """Keys of scopes are not among them, and an empty registry is true."""
    registry = Registry()
    assert registry
    assert len(registry) == 0

    registry.register(fragment("core.b"), fragment("core.a"), variable("who"))
    registry.register(fragment("core.c"), scope=TENANT)

    assert list(registry) == ["core.b", "core.a"]
    assert len(registry) == 2
    assert "core.a" in registry
    assert "core.c" not in registry
    assert "who" not in registry
    assert registry["core.a"] == fragment("core.a")
    assert repr(registry) == "<Registry: 2 fragments, 4 records>"


@pytest.mark.case(94)
def test_an_unknown_key_is_answered_with_near_misses():
    """The error is a LookupError that offers what may have been meant."""
    registry = registry_of(fragment("core.style"), fragment("task.title"))

    with pytest.raises(errors.UnknownFragment, match=r"mean core\.style\?") as caught:
        registry["core.stile"]

    assert isinstance(caught.value, LookupError)
    assert caught.value.key == "core.stile"
    assert caught.value.near == ("core.style",)
    with pytest.raises(errors.UnknownFragment, match=r"no fragment 'zzz'\.$"):
        registry["zzz"]


@pytest.mark.covers("D6", "W14")
def test_the_same_key_twice_in_a_layer_is_refused_with_both_places():
    """The first stays, and the message of the global layer shows the way out."""
    registry = registry_of(fragment(default="first"))

    with pytest.raises(errors.AlreadyRegistered, match="register with scope") as caught:
        registry.register(fragment(default="second"))

    error = caught.value
    assert error.what == "fragment core.a"
    assert error.scope == ""
    assert [Path(place.rpartition(":")[0]).name for place in error.places] == [
        "assembling.py",
        "test_registry.py",
    ]
    assert registry["core.a"].default == "first"


@pytest.mark.covers("D6", "D7")
def test_the_same_name_twice_in_a_scope_is_refused():
    """Each kind of declaration has its own names."""
    registry = Registry()
    registry.register(variable("who"), scope=TENANT)

    with pytest.raises(errors.AlreadyRegistered, match=r"scope 'tenant\.acme'") as e:
        registry.register(variable("who"), scope=TENANT)

    assert "register with scope" not in str(e.value)
    registry.register(variable("who"))
    registry.register(Scenario("who", label="Who"))


@pytest.mark.covers("D5")
def test_a_call_registers_all_or_nothing():
    """One bad declaration, or a double in the call itself, keeps the others out."""
    registry = Registry()
    told = []
    registry.on_change(told.append)

    with pytest.raises(errors.AlreadyRegistered):
        registry.register(CORE, fragment(), fragment())
    with pytest.raises(TypeError):
        registry.register(CORE, "core.a")

    assert not registry.records("group")
    assert not told


@pytest.mark.covers("D5")
@pytest.mark.parametrize(
    "stranger", ["core.a", None, tool("read"), ToolSet([]), fragment, object()]
)
def test_what_is_no_declaration_is_refused(stranger):
    """A tool is offered by a provider, so the message says where it belongs."""
    with pytest.raises(TypeError) as caught:
        Registry().register(stranger)

    assert str(caught.value) == (
        f"{type(stranger).__name__} is no declaration: register Fragment, Variable,"
        " Group, Scope or Scenario; tools go through register_tools"
    )


@pytest.mark.parametrize("scope", ["", TENANT])
@pytest.mark.parametrize("name", ["lb", "tool_names"])
def test_the_registrys_own_variables_are_nobody_elses(name, scope):
    """In no layer."""
    with pytest.raises(errors.InvalidDeclaration, match="the registry's own"):
        Registry().register(variable(name), scope=scope)


@pytest.mark.parametrize(
    "declaration", [Scope("a.b", label="B"), Scenario("chat", label="Chat")]
)
def test_scopes_and_scenarios_are_global(declaration):
    """Neither can lie inside a scope."""
    with pytest.raises(errors.InvalidDeclaration, match="registered globally only"):
        Registry().register(declaration, scope=TENANT)


@pytest.mark.covers("D5")
@pytest.mark.parametrize("scope", ["acme", "tenant.Acme", None, ["tenant.acme"]])
def test_a_layer_is_global_or_a_scope(scope):
    """Every way to register checks it, and nothing is stored."""
    registry = Registry()

    for register, what in (
        (registry.register, fragment()),
        (registry.register_tools, no_tools),
        (registry.register_hook, no_hook),
        (registry.protect, ["core.a"]),
    ):
        with pytest.raises(errors.InvalidDeclaration, match="is no scope"):
            register(what, scope=scope)
    assert registry.generation == 0


@pytest.mark.covers("D5")
@pytest.mark.parametrize("stranger", [None, "no_hook", [no_hook]])
def test_sources_providers_and_hooks_are_callable(stranger):
    """What cannot be called is refused when it is registered."""
    registry = Registry()

    for register in (
        registry.register_source,
        registry.register_tools,
        registry.register_hook,
    ):
        with pytest.raises(errors.InvalidDeclaration) as caught:
            register(stranger)
        assert str(caught.value).endswith(
            f": {type(stranger).__name__} is not callable"
        )


def test_the_public_functions_are_those_of_the_one_registry():
    """Apps register with the instance that the services read."""
    for name in ("register", "register_source", "register_tools", "register_hook"):
        assert getattr(prompts_app, name).__self__ is the_registry
    assert prompts_app.protect.__self__ is prompts_app.registry is the_registry
