"""Providers where Django is: threads, event loops, context, transactions, tools."""

from __future__ import annotations

import asyncio
import threading
from contextvars import ContextVar

import pytest
from asgiref.sync import ThreadSensitiveContext, async_to_sync, sync_to_async
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction

from prompts_app import ToolSet, services
from prompts_app.assembly import Snapshot
from prompts_app.exceptions import ToolOrderError
from tests.assembling import CORE, Counted, entry, fragment, tool, variable
from tests.factories import UserFactory

SECONDS = 20
"""After which a wait counts as a deadlock."""
tenant = ContextVar("tenant", default="nobody")


def in_sync_code(**given):
    """Return an assembly as a view or a task gets it."""
    return services.assemble(**given)


def in_a_running_loop(**given):
    """Return an assembly as an asynchronous view gets it."""

    async def view():
        async with asyncio.timeout(SECONDS):
            return await services.aassemble(**given)

    return async_to_sync(view)()


ways = pytest.mark.parametrize("way", [in_sync_code, in_a_running_loop])


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a group, and a text of one variable that has no provider yet."""
    registry.register(CORE, fragment("core.a", "Hello {{who}}", requires=("who",)))
    return registry


@ways
@pytest.mark.django_db
def test_a_coroutine_may_use_the_database_of_the_caller(declared, way):
    """What the caller's transaction holds it sees, and nobody waits for ever."""
    UserFactory(username="ada")

    @sync_to_async
    def counted():
        return User.objects.count(), threading.current_thread()

    async def provide(context):
        count, thread = await counted()
        await User.objects.aget(username="ada")
        threads.append(thread)
        return count

    threads = []
    declared.register(variable("who", provide))

    assert way().text == "Hello 1"
    assert threads == [threading.current_thread()]


@ways
@pytest.mark.django_db
def test_a_provider_sees_the_context_of_the_caller(declared, way):
    """A coroutine and a plain function alike, and a thread is Django's own."""

    async def waits(context):
        return tenant.get()

    def asks(context):
        return f"{tenant.get()} {User.objects.count()}"

    declared.register(
        fragment("core.b", "{{also}}"), variable("who", waits), variable("also", asks)
    )
    token = tenant.set("acme")
    try:
        assert way().text == "Hello acme\n\nacme 0"
    finally:
        tenant.reset(token)


def test_a_coroutine_runs_in_the_loop_of_the_caller(declared):
    """So it may share what belongs to that loop: clients, locks, tasks."""
    loops = []

    async def provide(context):
        loops.append(asyncio.get_running_loop())
        return await context.extra

    async def view():
        loops.append(asyncio.get_running_loop())
        async with asyncio.timeout(SECONDS):
            task = asyncio.create_task(asyncio.sleep(0, "Ada"))
            return await services.aassemble(extra=task, overrides=Snapshot())

    declared.register(variable("who", provide))

    assert async_to_sync(view)().text == "Hello Ada"
    assert loops[0] is loops[1]


def test_calls_at_once_have_each_their_own_values(declared):
    """One after the other, since synchronous work has one thread, and none for ever."""

    async def provide(context):
        await asyncio.sleep(0)
        return str(context.extra)

    async def view():
        async with asyncio.timeout(SECONDS):
            calls = (
                services.aassemble(extra=number, overrides=Snapshot())
                for number in range(8)
            )
            return await asyncio.gather(*calls)

    declared.register(variable("who", provide))

    texts = [built.text for built in async_to_sync(view)()]
    assert texts == [f"Hello {number}" for number in range(8)]


@ways
@pytest.mark.django_db
def test_a_provider_is_waited_for_once_per_assembly(declared, way):
    """However many gates and texts name its variable, and however it is looked at."""
    calls = []

    async def provide(context):
        calls.append(context)
        return "Ada"

    declared.register(
        fragment("core.b", "{{who}} {{who}}"),
        fragment("core.c", unless=("who",)),
        variable("who", provide),
        variable("idle", Counted("no")),
    )

    built = way()
    looked_at = (built.trace, built.lanes, built.sections, built.fingerprint)

    assert len(calls) == 1
    assert all(looked_at)
    assert "idle" not in built.variables


class Later:
    """Something to wait for that is no coroutine."""

    def __await__(self):
        yield from asyncio.sleep(0).__await__()
        return "Ada"


@ways
@pytest.mark.django_db
def test_whatever_can_be_waited_for_is(declared, way):
    """A method, an object with a method, a future: no kind of callable is special."""
    declared.register(variable("who", lambda context: Later()))

    assert way().text == "Hello Ada"


@ways
@pytest.mark.django_db
def test_a_coroutine_that_fails_costs_its_value(declared, way, caplog):
    """It is logged by name and place and traced; under strict it is raised."""

    async def fails(context):
        await asyncio.sleep(0)
        raise LookupError("a secret")

    declared.register(fragment("core.b", "B"), variable("who", fails))

    built = way()

    assert built.text == "B"
    (note,) = entry(built, "core.a").notes
    assert (note.code, note.names) == ("provider_failed", ("who",))
    assert f"variable who failed: LookupError at {__file__}:" in caplog.text
    assert "secret" not in caplog.text
    with pytest.raises(LookupError):
        way(strict=True)


@ways
@pytest.mark.django_db(transaction=True)
def test_an_error_of_the_database_is_fatal_in_a_transaction_only(declared, way):
    """Also in a coroutine, whose statement ran in the transaction of the caller."""

    @sync_to_async
    def ask():
        with connection.cursor() as cursor:
            cursor.execute("SELECT nothing FROM nowhere")

    declared.register(fragment("core.b", "B"), variable("who", lambda context: ask()))

    assert way().text == "B"
    with pytest.raises(DatabaseError), transaction.atomic():
        way()


def test_a_request_with_a_thread_of_its_own_ends(declared):
    """As a server for asynchronous requests has it: all synchronous work is there."""
    threads = []

    async def provide(context):
        threads.append(await sync_to_async(threading.current_thread)())
        return "Ada"

    async def request():
        async with asyncio.timeout(SECONDS), ThreadSensitiveContext():
            threads.append(await sync_to_async(threading.current_thread)())
            return (await services.aassemble(overrides=Snapshot())).text

    async def server():
        return await asyncio.gather(request(), request())

    declared.register(variable("who", provide))

    assert asyncio.run(server()) == ["Hello Ada"] * 2
    assert len(threads) == 4
    assert len(set(threads)) == 2
    assert threading.current_thread() not in threads


@ways
@pytest.mark.django_db
def test_a_provider_may_assemble_another_prompt(declared, way):
    """By either door, inside either door."""

    async def waits(context):
        return await services.arender("core.b")

    declared.register(
        fragment("core.b", "B"),
        fragment("core.c", "{{also}}"),
        variable("who", waits),
        variable("also", lambda context: services.render("core.b")),
    )

    assert way().text == "Hello B\n\nB\n\nB"


def test_a_cancelled_call_is_no_failed_provider(declared, caplog):
    """Who is told to stop stops, instead of sending half a prompt."""

    async def provide(context):
        context.extra.cancel()
        await asyncio.sleep(SECONDS)

    async def view():
        call = asyncio.current_task()
        await services.aassemble(extra=call, overrides=Snapshot())

    declared.register(variable("who", provide))

    with pytest.raises(asyncio.CancelledError):
        async_to_sync(view)()
    assert caplog.records == []


@ways
@pytest.mark.django_db
def test_a_provider_of_tools_may_be_a_coroutine(declared, way, settings):
    """Families, has_tools, tool_names and the order follow from what it gives."""
    settings.PROMPTS_APP_TOOL_ORDER = ["zoom", "*", "absent"]

    async def offer(context):
        await asyncio.sleep(0)
        return ToolSet([tool("read", "files"), tool("zoom")], known=["absent"])

    declared.register_tools(offer)
    declared.register_tools(lambda context: [tool("ask", "people")])
    declared.register(
        fragment("core.f", "{{tool_names}}", families=("files",), when_tools=True),
        fragment("core.g", "G", when_tools=False),
        fragment("core.h", "H", families=("people",)),
    )

    built = way()

    assert [one.name for one in built.tools] == ["zoom", "ask", "read"]
    assert built.text == "zoom, ask, read\n\nH"
    settings.PROMPTS_APP_TOOL_ORDER = ["*", "gone"]
    with pytest.raises(ToolOrderError, match="gone; known: absent, ask, read, zoom"):
        way()


@ways
@pytest.mark.django_db
def test_gates_judge_the_tools_that_hooks_and_protections_left(declared, way):
    """The guidance, the flag and the list of names all follow the final offer."""
    declared.register_tools(lambda context: [tool("read", "files"), tool("ask")])
    declared.protect(tools=["ask"])
    declared.register_hook(lambda draft, context: draft.tools.clear())
    declared.register(
        fragment("core.f", "F", families=("files",)),
        fragment("core.g", "{{tool_names}}", when_tools=True),
    )

    assert way().text == "ask"
    assert way(families=["files"], has_tools=False).text == "F"


@ways
@pytest.mark.django_db
def test_a_provider_of_tools_that_fails_ends_the_call(declared, way):
    """A prompt for tools that are not there is no prompt to go on with."""

    async def offer(context):
        raise LookupError("no tools")

    declared.register_tools(offer)

    with pytest.raises(LookupError, match="no tools"):
        way()
