"""The door: what its functions give, take and refuse."""

from __future__ import annotations

import asyncio

import pytest
from django.db import DatabaseError, transaction

from prompts_app import services
from prompts_app.assembly import Snapshot
from prompts_app.exceptions import UnknownFragment, UnknownVariable
from tests.assembling import (
    CORE,
    SEAM,
    TASKS,
    entry,
    fragment,
    tool,
    variable,
)
from tests.factories import OverrideFactory
from tests.storing import Broken

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a preamble, a seam and a task."""
    registry.register(
        CORE,
        SEAM,
        TASKS,
        fragment("core.a", "Alpha {{name}}"),
        fragment("core.b", "Beta", level="detailed"),
        fragment("core.seam", "Over to you", group="seam"),
        fragment("core.title", "Name this: {{text}}", group="tasks"),
    )
    return registry


def test_everything_that_is_given_reaches_the_assembly(declared):
    """Each argument of the door counts in the one pure function."""
    declared.register(fragment("core.a", "Near {{name}}"), scope="tenant.x")
    seen = []
    declared.register(variable("who", provider=seen.append))
    declared.register(fragment("core.who", "{{who}}", order=9))
    shell = tool("shell", family="shell")

    built = services.assemble(
        include=["core", "core.title"],
        variables={"name": "Ada", "text": "this"},
        scope="tenant.x",
        tools=[shell],
        level="lean",
        model="small",
        user="somebody",
        extra={"chat": 1},
    )

    assert built.text == "Near Ada\n\nName this: this"
    assert (built.tools, built.level, built.scope) == ((shell,), "lean", ("tenant.x",))
    (context,) = seen
    assert (context.model, context.user, context.extra) == (
        *("small", "somebody"),
        {"chat": 1},
    )
    assert built.seam == "Over to you"


def test_limit_measure_and_strict_reach_the_assembly():
    """What has to go goes, and what is at fault is raised."""
    short = services.assemble(variables={"name": "Ada"}, limit=10)
    words = services.assemble(
        variables={"name": "Ada"}, limit=2, measure=lambda text: len(text.split())
    )

    assert short.text == words.text == "Alpha Ada"
    with pytest.raises(UnknownVariable, match=r"core\.a"):
        services.assemble(strict=True)


def test_families_and_tools_may_be_told_apart(declared):
    """A call may say what is offered without listing tools."""
    declared.register(
        fragment("core.files", "Files", families=("files",), order=9),
        fragment("core.none", "No tools", when_tools=False, order=10),
    )

    told = services.assemble(families=["files"], has_tools=True, variables={"name": ""})
    untold = services.assemble(tools=(), variables={"name": ""})

    assert told.text == "Alpha\n\nBeta\n\nFiles"
    assert untold.text == "Alpha\n\nBeta\n\nNo tools"


def test_the_tool_order_of_the_settings_counts(settings):
    """Tools come as the installation orders them."""
    settings.PROMPTS_APP_TOOL_ORDER = ["zoom", "*"]

    built = services.assemble(tools=[tool("edit"), tool("zoom")])

    assert [one.name for one in built.tools] == ["zoom", "edit"]


@pytest.mark.parametrize("argument", ["include", "families"])
def test_a_bare_text_is_no_collection(argument):
    """Its letters are never taken for names."""
    with pytest.raises(TypeError, match=argument):
        services.assemble(**{argument: "core"})


@pytest.mark.covers("L60")
def test_a_task_is_rendered_by_its_key():
    """One fragment, filled and trimmed, whatever its group."""
    assert services.render("core.title", {"text": "a chat"}) == "Name this: a chat"
    assert services.render("core.b", level="lean") == ""


@pytest.mark.covers("L61")
def test_a_task_that_is_off_renders_nothing():
    """An empty result is the sign that a feature is switched off."""
    services.save({"core.title": ""})

    assert services.render("core.title", {"text": "a chat"}) == ""


@pytest.mark.case(94)
@pytest.mark.parametrize("ask", [services.render, services.resolve])
@pytest.mark.parametrize(
    ("key", "near"), [("core.titel", "core.title"), ("coretitle", "core.title")]
)
def test_an_unknown_key_is_told_with_its_near_misses(ask, key, near):
    """A typing error is answered by the key that was meant."""
    with pytest.raises(UnknownFragment) as caught:
        ask(key)

    assert caught.value.key == key
    assert near in caught.value.near
    assert near in str(caught.value)


@pytest.mark.covers("L36")
def test_an_override_of_an_unknown_key_makes_no_fragment():
    """What nobody declares has no text in force."""
    OverrideFactory(key="core.gone", text="Gone")

    with pytest.raises(UnknownFragment):
        services.resolve("core.gone")
    with pytest.raises(UnknownFragment):
        services.assemble(include=("core.gone",))


@pytest.mark.covers("L35", "L36")
def test_the_text_in_force_is_unfilled_and_ungated():
    """Override before default; off is blank, whatever blank was typed."""
    untouched = services.resolve("core.a")
    services.save({"core.a": "Mine {{name}}", "core.b": "  "})

    assert untouched == "Alpha {{name}}"
    assert services.resolve("core.a") == "Mine {{name}}"
    assert services.resolve("core.b") == ""


@pytest.mark.covers("L37")
@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        (None, "Stored"),
        ({}, "Alpha {{name}}"),
        ({"core.a": "Given"}, "Given"),
        ({"core.b": "Given"}, "Alpha {{name}}"),
        (Snapshot({("", "core.a"): "Snapshot"}), "Snapshot"),
    ],
)
def test_given_texts_replace_the_stored_ones_as_a_whole(overrides, expected):
    """A mapping is the whole set of global texts, a snapshot is used as it is."""
    OverrideFactory(key="core.a", text="Stored")

    assert services.resolve("core.a", overrides=overrides) == expected
    built = services.assemble(include=("core.a",), overrides=overrides)
    assert built.text == expected
    assert bool(built.version) == (overrides is None)


@pytest.mark.covers("L38")
def test_an_assembly_says_where_each_text_came_from():
    """The trace tells the stored from the declared, a blank one included."""
    services.save({"core.a": "Mine"}, scope="tenant.x")
    services.save({"core.b": ""})

    built = services.assemble(scope=("tenant.x",), include=("core", "core.title"))

    assert entry(built, "core.a").origin == ("override", "tenant.x")
    assert entry(built, "core.b").origin == ("override", "")
    assert entry(built, "core.title").origin == ("default", "")


async def slow(context):
    """Provide a name after a while."""
    await asyncio.sleep(0)
    return "Ada"


def test_a_provider_may_be_a_coroutine(declared):
    """The synchronous door waits for it."""
    declared.register(variable("name", provider=slow))

    assert services.assemble().text == "Alpha Ada\n\nBeta"


def test_a_coroutine_cannot_be_waited_for_inside_a_running_loop(declared, caplog):
    """Who has a loop uses the twin; the provider counts as failed, and is closed."""
    declared.register(variable("name", provider=slow))

    async def call():
        return services.assemble(overrides=Snapshot())

    built = asyncio.run(call())

    assert built.text == "Alpha\n\nBeta"
    assert [note.code for note in entry(built, "core.a").notes] == ["provider_failed"]
    assert "RuntimeError" in caplog.text


def test_a_failing_provider_is_passed_over(declared, caplog):
    """Its variable has no value, and the record names it."""
    declared.register(variable("name", provider=Broken(ValueError("canary"))))

    assert services.assemble().text == "Alpha\n\nBeta"
    assert "variable name" in caplog.text
    assert "canary" not in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_provider_that_breaks_a_transaction_is_not_passed_over(declared):
    """Going on would fail later, in another place."""
    declared.register(variable("name", provider=Broken(DatabaseError("no"))))

    outside = services.assemble().text
    with pytest.raises(DatabaseError), transaction.atomic():
        services.assemble()

    assert outside == "Alpha\n\nBeta"
