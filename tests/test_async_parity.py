"""Every function of the door has a twin that gives the same to those who wait."""

from __future__ import annotations

import asyncio
import inspect

import pytest
from asgiref.sync import async_to_sync, iscoroutinefunction

from prompts_app import services
from prompts_app.assembly import Assembly, Snapshot
from prompts_app.exceptions import (
    EditConflict,
    PromptsError,
    SaveRefused,
    UnknownFragment,
)
from prompts_app.models import StoredState
from prompts_app.registry import View
from prompts_app.testing import override_prompts
from tests.assembling import CORE, fragment, variable
from tests.storing import everything

pytestmark = pytest.mark.django_db

FUNCTIONS = sorted(
    name
    for name, value in vars(services).items()
    if inspect.isfunction(value)
    and value.__module__.startswith(f"{services.__name__}.")
    and not name.startswith("_")
)


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments, one with a value that is waited for."""
    registry.register(
        CORE,
        variable("name", provider=slow),
        fragment("core.a", "Alpha {{name}}"),
        fragment("core.b", "Beta"),
    )
    return registry


async def slow(context):
    """Provide a name after a while."""
    await asyncio.sleep(0)
    return "Ada"


def waited(name, *arguments, **options):
    """Return what the twin of a function gives."""

    async def wait():
        return await getattr(services, f"a{name}")(*arguments, **options)

    return async_to_sync(wait)()


def shown(value):
    """Return *value* in a form that two equal results share."""
    return (
        (value.text, value.trace)
        if isinstance(value, Assembly)
        else [one.key for one in value.fragments]
        if isinstance(value, View)
        else value
    )


def test_every_public_function_has_a_twin():
    """No part of the door is closed to asynchronous callers, and no twin is alone."""
    twins = {
        name
        for name, value in vars(services).items()
        if iscoroutinefunction(value) and not name.startswith("_")
    }

    assert {"assemble", "save"} < set(FUNCTIONS)
    assert twins == {f"a{name}" for name in FUNCTIONS}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_twin_takes_the_same_arguments(name):
    """The same names, kinds, defaults and types."""
    function, twin = getattr(services, name), getattr(services, f"a{name}")

    assert inspect.signature(twin) == inspect.signature(function)
    assert twin.__doc__ == function.__doc__


READS = [
    ("assemble", (), {}),
    ("assemble", (), {"scope": "tenant.x", "overrides": {"core.b": ""}}),
    ("render", ("core.a",), {"variables": {"name": "Bob"}}),
    ("resolve", ("core.b",), {"scope": ("tenant.x",)}),
    ("resolve_level", ("lean",), {}),
    ("stored", (), {}),
    ("view_of", ("tenant.x",), {}),
    ("etag", ("", "core.b"), {}),
    ("as_of", (1,), {}),
    ("export_texts", (), {"scope": "tenant.x"}),
]


@pytest.mark.parametrize(("name", "arguments", "options"), READS)
def test_a_read_gives_the_same_to_those_who_wait(name, arguments, options):
    """The twin runs the same function."""
    services.save({"core.b": "Stored"})
    services.save({"core.b": "Near"}, scope="tenant.x")

    expected = getattr(services, name)(*arguments, **options)
    found = waited(name, *arguments, **options)

    assert shown(found) == shown(expected)


DOCUMENT = {
    "format": 1,
    "texts": [
        {"scope": "", "key": "core.b", "text": "Mine", "default_text": "Beta"},
    ],
}
WRITES = [
    ("save", ({"core.a": "Mine", "core.b": ""},), {"comment": "Why"}),
    ("reset", (["core.a"],), {"scope": "tenant.x"}),
    ("restore", (0,), {"comment": "Undone"}),
    ("import_texts", (DOCUMENT,), {}),
]


@pytest.mark.parametrize(("name", "arguments", "options"), WRITES)
def test_a_write_does_the_same_for_those_who_wait(name, arguments, options, superuser):
    """Rows, history and what is returned do not tell the two apart."""
    services.save({"core.a": "Near"}, scope="tenant.x")
    options = options | {"author": superuser}

    found = waited(name, *arguments, **options)
    of_twin = everything()[1:]
    services.save({"core.a": "Alpha {{name}}", "core.b": "Beta"})
    services.save({"core.a": "Near"}, scope="tenant.x")
    expected = getattr(services, name)(*arguments, **options)

    assert (found.stored, found.removed) == (expected.stored, expected.removed)
    assert found.revision == 2
    assert everything()[1:3] == of_twin[:2]


def test_a_touch_is_seen_after_waiting():
    """The version is new when the twin returns."""
    waited("touch")
    first = StoredState.objects.get().version
    waited("touch")

    assert StoredState.objects.get().version != first


@pytest.mark.parametrize(
    ("name", "arguments", "options", "error"),
    [
        ("save", ({"core.none": "x"},), {}, SaveRefused),
        ("save", ({"core.a": "x"},), {"based_on": {"core.a": "0"}}, EditConflict),
        ("render", ("core.none",), {}, UnknownFragment),
        ("as_of", (7,), {}, ValueError),
    ],
)
def test_a_refusal_is_the_same_for_those_who_wait(name, arguments, options, error):
    """The error comes out of the await."""
    with pytest.raises(error) as direct:
        getattr(services, name)(*arguments, **options)
    with pytest.raises(error) as after_waiting:
        waited(name, *arguments, **options)

    assert str(direct.value) == str(after_waiting.value)
    assert isinstance(direct.value, (PromptsError, ValueError))


def test_several_can_be_waited_for_at_once():
    """Each gets its own result."""
    services.save({"core.b": "Mine"})

    async def gather():
        return await asyncio.gather(
            services.aassemble(variables={"name": "One"}),
            services.aassemble(variables={"name": "Two"}, overrides=Snapshot()),
            services.arender("core.b"),
        )

    one, two, three = async_to_sync(gather)()

    assert (one.text, two.text) == ("Alpha One\n\nMine", "Alpha Two\n\nBeta")
    assert three == "Mine"


def test_pinned_texts_hold_for_those_who_wait():
    """What a task pins it alone sees, also in the thread that works for it."""
    services.save({"core.b": "Stored"})

    async def pinned(text):
        with override_prompts({"core.b": text}):
            await asyncio.sleep(0)
            return await services.arender("core.b")

    async def gather():
        return await asyncio.gather(
            pinned("One"), services.arender("core.b"), pinned("Two")
        )

    assert async_to_sync(gather)() == ["One", "Stored", "Two"]


def test_a_transaction_around_a_wait_is_the_callers():
    """Work is done in Django's thread for synchronous code, on its connection."""
    services.save({"core.b": "Stored"})

    async def save_and_look():
        await services.asave({"core.b": "Inside"})
        return (await services.aassemble()).text

    assert async_to_sync(save_and_look)() == "Alpha Ada\n\nInside"
    assert services.render("core.b") == "Inside"
