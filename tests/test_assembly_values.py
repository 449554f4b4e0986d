"""Where values come from, when providers are asked, and what happens if they fail."""

from __future__ import annotations

import logging
import re

import pytest
from asgiref.sync import async_to_sync
from django.utils.functional import lazystr

from prompts_app.assembly import Context, Snapshot, build
from prompts_app.assembly.resolving import CleanTexts
from prompts_app.declarations import Lifetime
from prompts_app.exceptions import MissingValue
from tests.assembling import (
    Counted,
    assemble,
    entry,
    fragment,
    hooked,
    registry_of,
    text_of,
    tool,
    variable,
)

FENCE = "<!-- detailed -->\n{{who}}\n<!-- /detailed -->"


@pytest.mark.covers("D7", "D31", "L27")
@pytest.mark.parametrize(
    ("value", "written"),
    [("Ada", "Ada"), (0, "0"), (None, ""), (False, ""), ("", ""), (lazystr("L"), "L")],
)
def test_a_providers_value_is_written_like_a_callers(value, written):
    """A provider may return anything with one spelling, or no value."""
    assert text_of(fragment(default="<{{who}}>"), variable("who", Counted(value))) == (
        f"<{written}>"
    )


@pytest.mark.covers("A50")
def test_a_callers_value_beats_the_provider_which_is_not_asked():
    """Also where it is no value."""
    for value, written in (("Eve", "<Eve>"), (None, "<>"), ("", "<>")):
        provider = Counted("Ada")
        one = fragment(default="<{{who}}>")
        text = text_of(one, variable("who", provider), variables={"who": value})

        assert (text, provider.calls) == (written, 0)


@pytest.mark.covers("D31", "W34")
@pytest.mark.parametrize(
    ("declared", "given", "calls"),
    [
        ([fragment(default="{{who}} {{who}}"), fragment("core.b", "{{who}}")], {}, 1),
        ([fragment(requires=["who"]), fragment("core.b", unless=["who"])], {}, 1),
        (
            [fragment(requires=["who"]), fragment("seam.s", "{{who}}", group="seam")],
            {},
            1,
        ),
        ([fragment(default="no name")], {}, 0),
        ([fragment(variables=["who"])], {}, 0),
        ([fragment(requires=["who"])], {"overrides": {"core.a": ""}}, 0),
        ([fragment(default="{{who}}")], {"overrides": {"core.a": "none"}}, 0),
        ([fragment(default="none")], {"overrides": {"core.a": "{{who}}"}}, 1),
        ([fragment(requires=["who"], when_tools=True)], {}, 0),
        ([fragment(requires=["who"], families=["web"])], {}, 0),
        ([fragment(requires=["who"], level="detailed")], {"level": "lean"}, 0),
        ([fragment(default="{{who}}", requires=["free"])], {}, 0),
        ([fragment(default=FENCE)], {"level": "lean"}, 0),
        ([fragment(default=FENCE)], {"level": None}, 1),
        ([fragment("task.t", "{{who}}", group="tasks")], {}, 0),
        ([fragment("core.c", "{{who}}", provides="note", group="tasks")], {}, 0),
        (
            [
                fragment("core.c", "{{who}}", provides="note", group="tasks"),
                fragment(default="{{note}}"),
            ],
            {},
            1,
        ),
    ],
)
def test_a_provider_is_asked_once_and_only_if_it_is_needed(declared, given, calls):
    """A gate that is reached or an admitted text at its level needs it."""
    provider = Counted("Ada")
    registry = registry_of(variable("who", provider), *declared)

    assemble(registry, **given)

    assert provider.calls == calls


@pytest.mark.covers("D21")
def test_a_replaced_variables_provider_is_not_asked():
    """The nearest declaration counts alone."""
    far, near = Counted("far"), Counted("near")
    registry = registry_of(fragment(default="{{who}}"), variable("who", far))
    registry.register(variable("who", near), scope="tenant.acme")

    assert assemble(registry, scope="tenant.acme").text == "near"
    assert (far.calls, near.calls) == (0, 1)


@pytest.mark.covers("D30")
def test_a_provider_gets_the_context_of_the_call():
    """What the call was given, as it was given it, hooks aside."""
    contexts = []
    registry = registry_of(
        fragment(default="{{who}}"), variable("who", contexts.append)
    )
    hooked(registry, lambda draft: draft.variables.update(more="x"))
    context = Context(user="somebody", model="m1", variables={"a": 1}, extra=[2])

    build(registry.view(), Snapshot(), context)

    assert contexts == [context]
    assert (context.user, context.model, context.extra) == ("somebody", "m1", [2])
    assert "more" not in context.variables


def fails(context):
    """Fail in a way that quotes a value."""
    raise LookupError("the secret value")


@pytest.mark.covers("D37", "W34", "W47")
def test_a_provider_that_fails_counts_as_no_value(caplog):
    """The failure is logged with its name and place, and stands in the trace."""
    registry = registry_of(
        fragment("core.a", "a{{who}}"),
        fragment("core.b", requires=["who"]),
        fragment("core.c", "C"),
        variable("who", fails),
    )

    with caplog.at_level(logging.DEBUG):
        built = assemble(registry)

    assert built.text == "a\n\nC"
    for key in ("core.a", "core.b"):
        (note,) = entry(built, key).notes
        assert (note.code, note.names) == ("provider_failed", ("who",))
    assert entry(built, "core.c").notes == ()
    (record,) = caplog.records
    assert record.name == "prompts_app"
    assert "variable who failed: LookupError at " in record.getMessage()
    assert __file__ in record.getMessage()
    assert "secret" not in record.getMessage()
    assert record.exc_info is None


def test_a_provider_of_a_collection_fails_like_any_other(caplog):
    """The message is the log's: the prompt goes out without the value."""
    assert text_of(fragment(default="a{{who}}"), variable("who", Counted([]))) == "a"
    assert "variable who failed: TypeError" in caplog.text


def test_what_a_log_says_of_a_provider_is_its_name_and_the_errors_place(caplog):
    """And nothing that the error says itself."""
    assert text_of(fragment(default="a{{who}}"), variable("who", fails)) == "a"

    (said,) = caplog.messages
    place = r"\S+test_assembly_values\.py:\d+"
    assert re.fullmatch(
        f"The provider of variable who failed: LookupError at {place}", said
    )


def test_under_strict_the_error_of_a_value_names_its_variable():
    """From a provider as from a call."""
    one = fragment(default="{{who}}")

    with pytest.raises(TypeError, match="variable 'who' is a list, not a text"):
        text_of(one, variable("who", Counted([])), strict=True)
    with pytest.raises(TypeError, match="variable 'who' is a list, not a text"):
        text_of(one, variables={"who": []}, strict=True)


@pytest.mark.parametrize("value", [None, False])
def test_under_strict_no_value_is_a_fault_wherever_it_comes_from(value):
    """And `False` is none."""
    one = fragment(default="{{who}}")

    with pytest.raises(MissingValue):
        text_of(one, variable("who", Counted(value)), strict=True)
    with pytest.raises(MissingValue):
        text_of(one, variables={"who": value}, strict=True)


def test_the_values_of_an_assembly_are_a_mapping():
    """Of what the call gives and what is declared, with and without the clauses."""
    registry = registry_of(
        variable("who"),
        fragment(default="{{c}}"),
        fragment("core.c", "C", provides="c"),
    )
    account = assemble(registry, variables={"n": 1})._account

    assert [*account.values] == ["lb", "tool_names", "who", "n"]
    assert len(account.values) == 4
    assert len(account.clauses) == 5
    with pytest.raises(KeyError, match="nobody"):
        account.values["nobody"]
    with pytest.raises(KeyError, match="nobody"):
        account.clauses["nobody"]


def test_an_error_without_a_trace_is_logged_too(caplog):
    """A runner of providers may hand on an error that it made elsewhere."""

    class Bare(Exception):
        """An error that never keeps a traceback."""

        __traceback__ = property(lambda self: None, lambda self, value: None)

    error = Bare()

    def call(provider, context):
        raise error

    registry = registry_of(fragment(default="a{{who}}"), variable("who", fails))

    assert assemble(registry, call=call).text == "a"
    assert "variable who failed: Bare at no known place" in caplog.text


def test_an_error_that_is_fatal_is_not_swallowed():
    """Who assembles says which ones are; under strict all of them."""
    registry = registry_of(fragment(default="{{who}}"), variable("who", fails))

    assert assemble(registry, fatal=lambda error: False).text == ""
    with pytest.raises(LookupError):
        assemble(registry, fatal=lambda error: isinstance(error, LookupError))
    with pytest.raises(LookupError):
        assemble(registry, strict=True, fatal=lambda error: False)


def test_a_coroutine_provider_needs_somebody_who_waits(caplog):
    """Without it the value is missing, and the log says why the provider failed."""

    async def later(context):
        return "Ada"

    class Awaitable:
        """Can be waited for, and cannot be closed."""

        __await__ = None

    one = fragment(default="a{{who}}")
    for provider in (later, lambda context: Awaitable()):
        assert text_of(one, variable("who", provider)) == "a"
    assert caplog.text.count("variable who failed: TypeError") == 2
    with pytest.raises(
        TypeError, match=r"^a coroutine provider needs a call= that waits for it$"
    ):
        text_of(one, variable("who", later), strict=True)
    waiting = registry_of(one, variable("who", later))
    wait = async_to_sync(later)
    assert assemble(waiting, call=lambda _, context: wait(context)).text == "aAda"


@pytest.mark.covers("W17", "L63")
def test_an_untrusted_value_is_cleaned_wherever_it_comes_from():
    """A trusted one is not, and a gate judges what is left."""
    value = "```\u202e\r\nx\x00"
    registry = registry_of(
        fragment("core.a", "{{mail}}|{{note}}"),
        fragment("core.b", "B", requires=["mail"]),
        variable("mail", Counted(value), untrusted=True),
        variable("note", Counted(value)),
    )

    assert assemble(registry).text == f"'''\nx|{value}\n\nB"
    given = {"mail": value, "note": value}
    assert assemble(registry, variables=given).text == f"'''\nx|{value}\n\nB"
    assert assemble(registry, variables={"mail": "\ufeff", "note": ""}).text == "|"


def test_clean_values_are_known_again_up_to_a_number():
    """Then all are forgotten but the last."""
    known = CleanTexts()
    assert (known.texts, known.weight) == (set(), 0)

    for number in range(512):
        known.clean(f"{number:03}")
    before = len(known.texts), known.weight
    known.clean("one more")

    assert before == (512, 1_536)
    assert (known.texts, known.weight) == ({"one more"}, 8)


def test_clean_values_are_known_again_up_to_their_characters():
    """Of one alone, and of all together."""
    known = CleanTexts()
    longest = [letter * 200_000 for letter in "abcde"]

    for value in (*longest, "f" * 200_001):
        assert known.clean(value) == value
    before = known.texts.copy(), known.weight
    known.clean("g")

    assert before == ({*longest}, 1_000_000)
    assert (known.texts, known.weight) == ({"g"}, 1)


@pytest.mark.covers("L16", "L17")
@pytest.mark.case(19, 21, 22)
def test_a_value_with_fences_or_references_is_only_text():
    """Levels are judged before values are put in, and values are never read."""
    registry = registry_of(fragment(default="{{doc}}\n{{query}}"))
    document = "<!-- detailed -->\n{{query}} {{user}}\n<!-- /detailed -->"

    for level in ("lean", "detailed"):
        built = assemble(
            registry, variables={"doc": document, "query": "why?"}, level=level
        )
        assert built.text == f"{document}\nwhy?"


@pytest.mark.covers("W23")
def test_two_braces_are_always_at_hand():
    """A literal reference needs no escape syntax."""
    assert text_of(fragment(default="{{lb}}today}} {{lb}}")) == "{{today}} {{"
    assert text_of(fragment(requires=["lb"])) == "A"


def test_nobody_gives_the_two_braces():
    """Neither a call nor a hook."""
    with pytest.raises(
        ValueError, match=r"^lb is the registry's own variable; no call may give it$"
    ):
        text_of(fragment(), variables={"lb": "["})


@pytest.mark.parametrize(
    ("offered", "given", "expected"),
    [
        ([], {}, "none"),
        ([tool("b"), tool("a"), tool("b")], {}, "a, b"),
        ([tool("b")], {"tool_names": "mine"}, "mine"),
        ([tool("b")], {"tool_names": None}, "none"),
    ],
)
def test_the_names_of_the_tools_are_a_variable(offered, given, expected):
    """In the order of the offer, each once, unless the call says otherwise."""
    registry = registry_of(
        fragment("core.a", "{{tool_names}}", requires=["tool_names"]),
        fragment("core.b", "none", unless=["tool_names"]),
    )

    assert assemble(registry, tools=offered, variables=given).text == expected


def test_what_was_looked_up_is_told():
    """Values as written, what was not needed left out."""
    registry = registry_of(
        fragment(default="{{who}} {{n}} {{none}} {{clause}}"),
        fragment("core.c", "C", provides="clause"),
        variable("who", Counted("Ada"), lifetime=Lifetime.CALL),
        variable("idle", Counted("no")),
    )

    built = assemble(registry, variables={"n": 3, "none": None, "unused": "x"})

    assert built.variables == {
        "lb": "{{",
        "tool_names": "",
        "who": "Ada",
        "n": "3",
        "none": "",
        "clause": "C",
    }
    with pytest.raises(TypeError):
        built.variables["who"] = "Eve"


def test_any_string_may_name_a_value():
    """What is no name can never be referred to, and does no harm."""
    values = {"A b": "x", "1": "x", "": "x", "{{a}}": "x", "a": "1"}

    assert text_of(fragment(default="{{a}} {{A b}}"), variables=values) == "1 {{A b}}"
