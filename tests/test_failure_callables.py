"""What a project registers, and what raises there: served, raised, logged."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command
from django.db import (
    InterfaceError,
    OperationalError,
    ProgrammingError,
    connection,
    transaction,
)

from prompts_app import services
from prompts_app.exceptions import HookError
from prompts_app.overrides import snapshots
from tests.assembling import CORE, entry, fragment, variable
from tests.failing import told
from tests.storing import Broken

pytestmark = pytest.mark.django_db(transaction=True)

STOPS = [KeyboardInterrupt, SystemExit, GeneratorExit]
LOST = [InterfaceError, OperationalError]
HERE = re.escape(__file__)


class Unspoken:
    """Something that cannot be written as a text."""

    def __str__(self):
        raise TypeError("canary")


GARBAGE = [["canary"], {"canary": 1}, {"canary"}, b"canary", Unspoken()]


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a text of one variable, which has no provider yet, and one without."""
    registry.register(CORE, fragment("core.a", "Hi {{who}}"), fragment("core.b", "B"))
    snapshots.forget()
    return registry


def coroutine(error):
    """Return a provider that has to be waited for, and raises."""

    async def provide(context):
        raise error

    return provide


@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize("make", [Broken, coroutine])
def test_who_is_stopped_in_a_provider_stops(declared, stop, make, caplog):
    """A process that is told to end ends, instead of sending half a prompt."""
    declared.register(variable("who", make(stop("canary"))))

    with pytest.raises(BaseException, match="canary") as caught:
        services.assemble()

    assert caught.type is stop
    assert told(caplog) == []


@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize("kind", ["register_hook", "register_tools", "register_source"])
def test_who_is_stopped_in_a_callable_stops(declared, stop, kind, caplog):
    """It is neither a hook's error nor a source's."""
    getattr(declared, kind)(Broken(stop("canary")))

    with pytest.raises(BaseException, match="canary") as caught:
        services.assemble()

    assert caught.type is stop
    assert told(caplog) == []


@pytest.mark.parametrize("value", GARBAGE)
def test_a_provider_that_gives_no_value_has_failed(declared, value, caplog):
    """The rest is served; the record has the variable and the kind of error."""
    declared.register(variable("who", lambda context: value))

    built = services.assemble()

    assert built.text == "Hi\n\nB"
    (note,) = entry(built, "core.a").notes
    assert (note.code, note.names) == ("provider_failed", ("who",))
    ((level, said),) = told(caplog)
    assert level == "WARNING"
    assert said.startswith("The provider of variable who failed: TypeError at ")


@pytest.mark.parametrize("value", ["{{who}}", "\0\r\n", "\ud800", "x" * 100_000])
def test_a_provider_that_gives_an_odd_text_is_taken_at_its_word(declared, value):
    """A value is never expanded, cut or refused, unless its variable is untrusted."""
    declared.register(variable("who", lambda context: f"<{value}>"))

    assert services.assemble().text == f"Hi <{value}>\n\nB"


@pytest.mark.parametrize("error", LOST)
@pytest.mark.parametrize("make", [Broken, coroutine])
def test_a_lost_connection_is_fatal_in_a_transaction_only(
    declared, error, make, caplog
):
    """Of both kinds: nobody goes on in a transaction that may be broken."""
    declared.register(variable("who", make(error("canary"))))

    with pytest.raises(error), transaction.atomic():
        services.assemble()
    connection.set_autocommit(False)
    with pytest.raises(error):
        services.assemble()
    connection.rollback()
    connection.set_autocommit(True)
    assert told(caplog) == []

    assert services.assemble().text == "Hi\n\nB"
    assert len(told(caplog)) == 1


@pytest.mark.parametrize("error", [RuntimeError, OperationalError, PermissionError])
def test_a_hook_that_raises_is_raised_by_its_name(declared, error, caplog):
    """With what it raised as the cause; a prompt without its change is another one."""
    broken = Broken(error("canary"))
    declared.register_hook(broken)

    with pytest.raises(HookError, match=r"Broken raised an error$") as caught:
        services.assemble()

    assert caught.value.__cause__ is broken.error
    assert told(caplog) == []


@pytest.mark.parametrize("given", [None, 3, ["read"], "read", [None]])
def test_a_provider_of_tools_that_gives_none_ends_the_call(declared, given, caplog):
    """A prompt for tools that are not there is no prompt to go on with."""
    declared.register_tools(lambda context: given)

    with pytest.raises((TypeError, ValueError)):
        services.assemble()

    assert told(caplog) == []


def said_of(error):
    """Return the pattern of the record about a source that raised *error*."""
    return (
        rf"The source registered at {HERE}:\d+ failed: {error.__name__} at .+\.py:\d+"
    )


@pytest.mark.parametrize("error", [RuntimeError, KeyError])
def test_a_source_that_raises_is_named_and_raised(declared, error, caplog):
    """Texts of its fragments are never lost in silence, whatever was known before."""
    services.assemble()
    declared.register_source(Broken(error("canary")))

    with pytest.raises(error):
        services.assemble()
    with pytest.raises(error):
        services.save({"core.b": "New"})

    records = told(caplog)
    assert len(records) == 2
    for level, said in records:
        assert level == "ERROR"
        assert re.fullmatch(said_of(error), said)


def test_a_source_that_breaks_off_is_named_too(declared, caplog):
    """What it gave before does not count either."""

    def source():
        yield "", fragment("core.c", "C")
        raise RuntimeError("canary")

    declared.register_source(source)

    with pytest.raises(RuntimeError):
        services.assemble()

    ((_, said),) = told(caplog)
    assert re.fullmatch(said_of(RuntimeError), said)


@pytest.mark.parametrize(
    "given",
    [
        None,
        "canary",
        ["canary"],
        [("", "canary")],
        [("No scope!", CORE)],
        [(None, CORE)],
        [("", CORE, "canary")],
    ],
)
def test_a_source_that_gives_no_declarations_is_named(declared, given, caplog):
    """It would else fail somewhere in the registry, without a name."""
    declared.register_source(lambda: given)

    with pytest.raises(
        TypeError,
        match=r"^a source gives pairs of scope and declaration$|is not iterable$",
    ):
        services.assemble()

    ((level, said),) = told(caplog)
    assert level == "ERROR"
    assert re.fullmatch(said_of(TypeError), said)


def test_a_table_that_a_source_lacks_is_told_by_the_database_alone(declared, caplog):
    """So the first `migrate` of an installation is silent; its own words name the table."""
    declared.register_source(Broken(ProgrammingError("canary")))

    with pytest.raises(ProgrammingError):
        services.assemble()

    assert told(caplog) == []


@pytest.mark.parametrize("error", LOST)
def test_a_source_without_an_answer_lets_the_last_known_texts_stand_in(
    declared, error, caplog
):
    """It is the database that does not answer; one record tells of that."""
    caplog.clear()
    snapshots._last_record.clear()
    broken = Broken(error("canary"))
    given = [("", fragment("core.c", "C"))]

    def source():
        return given or broken()

    declared.register_source(source)
    known = services.assemble()
    given.clear()
    services.touch()

    during = [services.assemble() for _ in range(2)]

    assert {one.text for one in during} == {known.text} == {"Hi {{who}}\n\nB\n\nC"}
    assert all(one.degraded for one in during)
    name = error.__name__
    said = f"Database default did not answer ({name}); the last known texts are served"
    assert told(caplog) == [("WARNING", said)]


@pytest.mark.parametrize("error", [RuntimeError, ProgrammingError, OperationalError])
def test_a_source_that_raises_keeps_no_check_from_running(declared, error):
    """`migrate` runs the checks, and may bring what the source lacks."""
    declared.register_source(Broken(error("canary")))

    call_command("check", databases=["default"])
