"""What is remembered from call to call, and what never is."""

from __future__ import annotations

import gc
import tracemalloc
from collections import UserDict
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType

import pytest
from django.test import override_settings

from prompts_app import services
from prompts_app.assembly import Snapshot
from prompts_app.assembly.remembering import memo
from prompts_app.assembly.resolving import clean_texts
from prompts_app.assembly.shapes import shape_of
from tests.assembling import CORE, SEAM, fragment, tool, variable

TEXTS = {("", "core.b"): "Hello {{who}}"}
STORED = Snapshot(TEXTS, version="stored")


class Colour(str):
    """A text that is written in another way than it is compared."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"the colour {super().__str__()}"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare three fragments, one of them gated, and a clause."""
    registry.register(
        CORE,
        SEAM,
        fragment("core.a", "Always"),
        fragment("core.b", "Hi {{who}}", order=1),
        fragment("core.c", "Where: {{place}}", requires=("place",), order=2),
        fragment("core.d", "{{more}}", order=3),
        fragment("core.e", "\n({{place}})\n", provides="more"),
    )
    memo.clear()
    return registry


def said(overrides=STORED, **arguments):
    """Return the text of a call."""
    return services.assemble(overrides=overrides, **arguments).text


def three(**arguments):
    """Return the texts of the same call three times, the last by the shortest way."""
    return [said(**arguments) for _ in range(3)]


def test_the_third_call_finds_a_plan_with_other_values_in_it():
    """It is filled anew each time."""
    names = ("Ada", "Eve", "Kim", "Ada")

    texts = [said(variables={"who": name, "place": "Ulm"}) for name in names]

    assert texts == [f"Always\n\nHello {name}\n\nWhere: Ulm\n\n(Ulm)" for name in names]


@pytest.mark.parametrize("blank", ["", " ", "\u3000", None, False])
def test_a_value_that_turns_blank_leads_to_another_layout(blank):
    """And back again, however often."""
    full = {"who": "Ada", "place": "Ulm"}
    empty = {"who": "Ada", "place": blank}
    turns = (full, full, full, empty, empty, empty, full, empty)

    texts = [said(variables=values) for values in turns]

    whole = "Always\n\nHello Ada\n\nWhere: Ulm\n\n(Ulm)"
    less = "Always\n\nHello Ada" + f"\n\n({blank or ''})"
    assert texts == [whole if values is full else less for values in turns]


def test_a_subclass_of_text_is_written_by_its_own_str():
    """Also where an equal plain text was there before and after."""
    values = ("red", "red", "red", Colour("red"), Colour("red"), "red")

    texts = [said(variables={"who": value}, include=("core.b",)) for value in values]

    assert texts == [
        *["Hello red"] * 3,
        *["Hello the colour red"] * 2,
        "Hello red",
    ]


def test_a_number_is_written_each_time():
    """A text in its place before says nothing of it."""
    values = ("1", "1", "1", 1, 1, 2.5, "1")

    texts = [said(variables={"who": value}, include=("core.b",)) for value in values]

    assert texts == [f"Hello {value}" for value in values]


def test_a_list_raises_only_where_it_is_needed():
    """At the third call as at the first."""
    for _ in range(3):
        assert said(variables={"who": [1]}, include=("core.a",)) == "Always"
        with pytest.raises(TypeError, match="'who' is a list"):
            said(variables={"who": [1]})


def test_an_untrusted_value_is_cleaned_each_time(declared):
    """What was clean before is no proof for what comes after."""
    declared.register(variable("who", untrusted=True))
    values = ("Ada", "Ada", "Ada", "A\u202eda", "A\u202eda", "```", "Ada", "\u202e")

    texts = [said(variables={"who": value}, include=("core.b",)) for value in values]

    cleaned = ("Ada", "Ada", "Ada", "Ada", "Ada", "'''", "Ada", "")
    assert texts == [f"Hello {value}".strip() for value in cleaned]


def test_an_untrusted_list_is_not_looked_at_where_nobody_needs_it(declared):
    """It has no place in the set of clean texts either."""
    declared.register(variable("who", untrusted=True))

    assert three(variables={"who": [1]}, include=("core.a",)) == ["Always"] * 3


def test_few_clean_values_are_remembered_and_no_long_ones(declared):
    """They are other people's words."""
    declared.register(variable("who", untrusted=True))
    long = "x" * 200_001

    for number in range(600):
        said(variables={"who": f"{number}"}, include=("core.b",))
    assert len(clean_texts.texts) <= 512
    assert {"598", "599"} <= clean_texts.texts
    assert three(variables={"who": long}, include=("core.b",)) == [f"Hello {long}"] * 3

    assert long not in clean_texts.texts


def test_clean_values_are_bounded_by_all_their_characters(declared):
    """Each of them may be long, but not all."""
    declared.register(variable("who", untrusted=True))

    for number in range(20):
        value = f"{number}".ljust(150_000, "x")
        assert said(variables={"who": value}, include=("core.b",)) == f"Hello {value}"

    held = clean_texts.texts
    assert value in held
    assert clean_texts.weight == sum(map(len, held)) <= 1_000_000


def test_long_values_of_strangers_are_not_held_either(declared):
    """However little of them is left when they are clean."""
    declared.register(variable("who", untrusted=True))
    values = {"who": "\0" * 20_001 + "Ada"}

    texts = three(variables=values, include=("core.b",))
    made = services.assemble(overrides=STORED, variables=values, include=("core.b",))

    assert texts == ["Hello Ada"] * 3
    assert shape_of(made.frame, values).last is None


def test_long_values_are_not_held_when_a_call_is_over():
    """A shape holds those of its last call, to compare the next ones with."""
    values = {"who": "x" * 20_001}
    for _ in range(4):
        assert len(said(variables=values, include=("core.b",))) == 20_007

    made = services.assemble(overrides=STORED, variables=values, include=("core.b",))
    shape = shape_of(made.frame, values)

    assert shape.usable
    assert shape.last is None

    values["who"] = "x" * 20_000
    said(variables=values, include=("core.b",))
    assert shape.last[0] == (values["who"],)


def test_a_provider_is_asked_at_each_call(declared):
    """Its value is never remembered."""
    given = iter("abcd")
    declared.register(variable("who", lambda context: next(given)))

    texts = [said(include=("core.b",)) for _ in range(4)]

    assert texts == [f"Hello {letter}" for letter in "abcd"]


def test_a_call_that_gives_the_value_does_not_ask_the_provider(declared):
    """So it can go the short way, and the next one without it asks again."""
    asked = []
    declared.register(variable("who", lambda context: asked.append(1) or "P"))

    texts = [*three(variables={"who": "Ada"}, include=("core.b",)), said()]

    assert texts[:3] == ["Hello Ada"] * 3
    assert texts[3].startswith("Always\n\nHello P\n\n")
    assert len(asked) == 1


def test_a_provider_of_a_fragment_that_is_out_anyway_bars_no_short_way(declared):
    """A family that is not offered decides before any variable."""
    declared.register(
        variable("late", lambda context: pytest.fail("nobody needs it")),
        fragment("core.f", "{{late}}", families=("files",), requires=("late",)),
    )
    values = {"who": "Ada", "place": "Ulm"}
    for _ in range(3):
        made = services.assemble(overrides=STORED, variables=values)

    assert shape_of(made.frame, values).usable


def test_a_provider_of_tools_is_asked_at_each_call(declared):
    """What it offers may depend on anything."""
    read, write = tool("read"), tool("write")
    offers = iter([[read], [read], [read], [write], [], [read]])
    declared.register_tools(lambda context: next(offers))
    declared.register(fragment("core.t", "Use {{tool_names}}.", when_tools=True))

    texts = [said(include=("core.t",)) for _ in range(6)]

    assert texts == [*["Use read."] * 3, "Use write.", "", "Use read."]


@pytest.mark.parametrize("kind", [list, tuple, iter])
def test_tools_are_told_apart_however_they_are_given(declared, kind):
    """A list that was changed since is another offer."""
    declared.register(fragment("core.t", "Use {{tool_names}}.", when_tools=True))
    read, write = tool("read"), tool("write")
    offers = ([read], [read], [read], [write], [read, write], [], [write])

    texts = [said(tools=kind(offer), include=("core.t",)) for offer in offers]

    assert texts == [
        *["Use read."] * 3,
        *("Use write.", "Use read, write.", "", "Use write."),
    ]


def test_a_list_of_tools_that_is_changed_in_place_is_another_offer(declared):
    """Its own identity says nothing of what is in it."""
    declared.register(fragment("core.t", "Use {{tool_names}}.", when_tools=True))
    offer = [tool("read")]
    before = three(tools=offer, include=("core.t",))

    offer[0] = tool("write")

    assert before == ["Use read."] * 3
    assert three(tools=offer, include=("core.t",)) == ["Use write."] * 3


def test_the_callers_values_may_be_any_mapping_and_may_change():
    """What an assembly tells later is of the values it was made of."""
    values = {"who": "Ada", "place": "Ulm"}
    for _ in range(3):
        made = services.assemble(overrides=STORED, variables=values)

    values["who"] = "Eve"

    assert made.text.startswith("Always\n\nHello Ada")
    assert made.sections[1].text == "Hello Ada"
    assert made.variables["who"] == "Ada"


@pytest.mark.parametrize(
    ("setting", "value", "text"),
    [
        ("PROMPTS_APP_LEVEL", "lean", "Facts"),
        ("PROMPTS_APP_MODEL_LEVELS", {"small*": "lean"}, "Facts"),
        ("PROMPTS_APP_USER_LEVEL", lambda user, model: "lean", "Facts"),
        ("PROMPTS_APP_LEVEL", "detailed", "Facts\nand coaching"),
    ],
)
def test_a_setting_counts_from_the_next_call_on(declared, setting, value, text):
    """What was remembered under another setting does not."""
    default = "Facts\n<!-- detailed -->\nand coaching\n<!-- /detailed -->"
    declared.register(fragment("core.l", default))
    call = {"include": ("core.l",), "model": "small-1"}
    before = three(**call)

    with override_settings(**{setting: value}):
        during = three(**call)

    assert before == ["Facts\nand coaching"] * 3
    assert during == [text] * 3
    assert three(**call) == before


def test_the_order_of_tools_counts_from_the_next_call_on(declared):
    """It is a setting as well."""
    declared.register(fragment("core.t", "Use {{tool_names}}."))
    call = {"tools": (tool("read"), tool("write")), "include": ("core.t",)}
    before = three(**call)

    with override_settings(PROMPTS_APP_TOOL_ORDER=["write", "*"]):
        during = three(**call)

    assert before == ["Use read, write."] * 3
    assert during == ["Use write, read."] * 3


@pytest.mark.case(70)
def test_a_save_of_other_texts_leaves_a_plan_as_it_was():
    """And the assembly is of the version that it was asked for."""
    made = []
    for number in range(4):
        texts = {**TEXTS, ("tenant.acme", "core.a"): f"{number}", ("", "task.x"): "X"}
        snapshot = Snapshot(texts, version=f"version {number}")
        made.append(services.assemble(overrides=snapshot, variables={"who": "Ada"}))

    assert {id(one.frame.plan) for one in made} == {id(made[0].frame.plan)}
    assert [one.version for one in made] == [f"version {n}" for n in range(4)]


def test_one_text_at_two_places_is_two_plans():
    """What is remembered of a set of texts says where each of them stands."""
    one = Snapshot({("", "core.a"): "Mine"}, version="one")
    other = Snapshot({("", "core.b"): "Mine"}, version="other")
    include = ("core.a", "core.b")

    texts = [said(overrides=texts, include=include) for texts in (one, other) * 2]

    assert texts == ["Mine\n\nHi {{who}}", "Always\n\nMine"] * 2


def test_a_call_that_hooks_may_change_leaves_nothing_behind(declared):
    """Its plan is of this one call."""
    declared.register_hook(lambda draft, context: None)
    said(variables={"who": "Ada"})
    before = len(memo)

    said(variables={"who": "Ada"})

    assert len(memo) == before


def test_two_stores_of_one_version_are_told_apart():
    """A restored backup may bear a version whose texts this process knows otherwise."""
    one = Snapshot({("", "core.a"): "One"}, version="same")
    other = Snapshot({("", "core.a"): "Other"}, version="same")

    texts = [said(overrides=texts, include=("core.a",)) for texts in (one, other) * 3]

    assert texts == ["One", "Other"] * 3


Own = type("Own", (dict,), {"values": None})
"""A dictionary whose values are to be had by key alone."""


@pytest.mark.parametrize("kind", [dict, Own, UserDict, MappingProxyType])
def test_a_mapping_is_read_in_the_same_way_each_time(kind):
    """As a dictionary is made of it, by the short way as by the long one."""
    three(variables={"who": "Ada"}, include=("core.b",))

    texts = three(variables=kind({"who": "Eve"}), include=("core.b",))

    assert texts == ["Hello Eve"] * 3


@pytest.mark.parametrize("has_tools", [[], ["x"], 0, 1, "yes"])
def test_whether_there_are_tools_is_asked_of_anything(declared, has_tools):
    """What counts is whether it is true."""
    declared.register(fragment("core.t", "Tools", when_tools=True))

    texts = three(has_tools=has_tools, include=("core.t",))

    assert texts == ["Tools" if has_tools else ""] * 3


@pytest.mark.parametrize("scope", [None, 0, False])
def test_what_is_no_scope_is_an_error_at_each_call(scope):
    """Also one that counts as false."""
    for _ in range(3):
        with pytest.raises(TypeError):
            said(scope=scope)


def test_texts_of_somebodys_own_that_nobody_wants_leave_nothing_behind():
    """Their plan is that of the defaults, and yet they come once."""
    three(overrides=Snapshot(version="stored"), variables={"who": "Ada"})
    before = len(memo)

    for number in range(20):
        said({"core.nobody": f"{number}"}, variables={"who": "Ada"})

    assert len(memo) == before


def test_a_snapshot_of_somebodys_own_leaves_nothing_behind():
    """Previews come with new texts at every key stroke."""
    three(variables={"who": "Ada"})
    before = len(memo)

    for number in range(50):
        said(STORED.replace({"core.a": f"{number}"}), variables={"who": "Ada"})

    assert len(memo) <= before + 2


def test_what_is_remembered_is_bounded():
    """By how many there are, and by how heavy they are together."""
    for number in range(700):
        snapshot = Snapshot({("", "core.a"): "x" * 40_000 + f"{number}"}, version="v")
        for _ in range(2):
            assert said(snapshot, include=("core.a",)).endswith(f"x{number}")

    assert len(memo) <= 4096
    assert memo.weight <= 32_000_000


def test_what_is_remembered_is_bounded_in_bytes_too(monkeypatch):
    """What an entry holds besides is held under its weight as well."""
    monkeypatch.setattr(memo, "_weight", 1_000_000)
    tracemalloc.start()
    try:
        for number in range(60):
            snapshot = Snapshot({("", "core.a"): f"{number}" * 50_000}, version="v")
            for _ in range(3):
                assert len(said(snapshot, include=("core.a",))) >= 50_000
        del snapshot
        gc.collect()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert held < 2_000_000


def test_a_text_forgets_layouts_of_which_it_has_many(declared):
    """It is worked through again, with the same result."""
    names = "abcdef"
    default = "\n".join(f"{{{{{name}}}}}" for name in names)
    declared.register(fragment("core.m", default))

    for number in [*range(64), *range(64)]:
        values = {name: name * (number >> n & 1) for n, name in enumerate(names)}
        assert said(variables=values, include=("core.m",)) == "\n".join(
            name for name in values.values() if name
        )


def test_threads_get_each_their_own_text():
    """All of them use one plan, and no value strays into another call."""
    names = [f"Person {number}" for number in range(40)] * 5

    def call(name):
        blank = {"place": "" if name.endswith("3") else "Ulm"}
        return said(variables={"who": name, **blank})

    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(call, names))

    for name, text in zip(names, texts, strict=True):
        assert f"Hello {name}\n" in f"{text}\n"
        assert ("Where: Ulm" in text) is not name.endswith("3")


def test_a_recalled_assembly_can_still_ask_a_provider(declared):
    """Somebody may ask why a fragment that is not part of it would be out."""
    seen = []
    declared.register(variable("late", seen.append))
    other = fragment("core.z", requires=("late",))
    for _ in range(3):
        made = services.assemble(
            overrides=STORED, variables={"who": "Ada"}, include=("core.b",), model="m"
        )

    reason = made.failed_gate(other)

    assert reason.names == ("late",)
    assert [(one.variables, one.model) for one in seen] == [({"who": "Ada"}, "m")]


def test_a_recalled_assembly_is_told_like_any_other():
    """Sections, trace, lanes and variables are those of the first call."""
    values = {"who": "Ada", "place": "Ulm"}
    first, _, third = (
        services.assemble(overrides=STORED, variables=values) for _ in range(3)
    )

    for name in ("text", "seam", "sections", "trace", "lanes", "fingerprint", "tools"):
        assert getattr(third, name) == getattr(first, name)
    assert dict(third.variables) == dict(first.variables)
    assert repr(third) == repr(first)


def test_a_clause_that_the_call_gives_a_value_for_has_a_plan_of_its_own():
    """The caller's value stands in for the clause."""
    with_it = {"who": "Ada", "place": "Ulm", "more": "given"}
    without = {"who": "Ada", "place": "Ulm"}

    texts = [said(variables=one) for one in (with_it, without) * 4]

    assert [text.rpartition("\n")[2] for text in texts] == ["given", "(Ulm)"] * 4


def test_tool_names_of_a_call_beat_those_of_its_tools(declared):
    """By the short way as by the long one."""
    declared.register(fragment("core.t", "Use {{tool_names}} {{lb}}x}}."))
    call = {"tools": (tool("read"),), "include": ("core.t",)}

    assert three(variables={"tool_names": "mine"}, **call) == ["Use mine {{x}}."] * 3
    assert three(**call) == ["Use read {{x}}."] * 3


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        ("- one", "- two", "- one\n- two"),
        ("one", "- two", "one\n\n- two"),
        ("- one", "two", "- one\n\ntwo"),
        ("one\n- more", "- two", "one\n- more\n- two"),
        ("- one\nmore", "- two", "- one\nmore\n\n- two"),
        ("- one\n  - more", "- two", "- one\n  - more\n- two"),
        ("-", "- two", "-\n\n- two"),
        ("- one", "-two", "- one\n\n-two"),
    ],
)
def test_values_decide_how_sections_are_welded(declared, first, second, text):
    """Each time anew, whatever the calls before had."""
    declared.register(
        fragment("core.x", "{{first}}", order=8),
        fragment("core.y", "{{second}}", order=9),
    )
    call = {"include": ("core.x", "core.y")}
    others = {"first": "- a", "second": "- b"}

    for _ in range(3):
        assert said(variables=others, **call) == "- a\n- b"
        assert said(variables={"first": first, "second": second}, **call) == text


@pytest.mark.parametrize(
    ("default", "value", "text"),
    [
        ("Start\n- {{x}}", "one", "Start\n- one\n- end"),
        ("Start\n- {{x}}", "one\nmore", "Start\n- one\nmore\n\n- end"),
        ("Start\n- {{x}}", "one\n- more", "Start\n- one\n- more\n- end"),
        ("Start {{x}}", "one", "Start one\n\n- end"),
        ("{{x}} {{x}}", "-", "- -\n- end"),
        ("{{x}}{{x}}", "-", "--\n\n- end"),
        ("{{x}}\n-{{s}}{{x}}", "x", "x\n- x\n- end"),
        ("a\n{{s}} - {{x}}.", "x", "a\n  - x.\n- end"),
        ("a\n  - {{x}}", "x", "a\n  - x\n- end"),
        ("a\n- b\n{{x}}", "x", "a\n- b\nx\n\n- end"),
    ],
)
def test_a_value_in_the_last_line_decides_whether_an_item_follows(
    declared, default, value, text
):
    """Where the line begins may be fixed, or come with a value."""
    declared.register(
        fragment("core.x", default, order=8), fragment("core.y", "- end", order=9)
    )
    values = {"x": value, "s": " "}

    texts = three(variables=values, include=("core.x", "core.y"))

    assert texts == [text] * 3


def test_of_a_clause_only_outer_line_feeds_go(declared):
    """By the short way as by the long one; its letters and spaces stay."""
    declared.register(fragment("core.g", "\nX {{n}} X \n", provides="sign"))
    declared.register(fragment("core.s", "[{{sign}}]"))

    assert three(variables={"n": "1"}, include=("core.s",)) == ["[X 1 X ]"] * 3


def test_several_values_decide_several_welds(declared):
    """Also between the same two values, with nothing but fixed texts there."""
    declared.register(
        fragment("core.w", "{{x}}", order=6),
        fragment("core.x", "- mid", order=7),
        fragment("core.y", "- {{y}}", order=8),
        fragment("core.z", "-{{s}}{{y}}", order=9),
    )
    call = {"include": ("core.w", "core.x", "core.y", "core.z")}

    for _ in range(3):
        values = {"x": "- a", "y": "b", "s": " "}
        assert said(variables=values, **call) == "- a\n- mid\n- b\n- b"
        values = {"x": "a", "y": "b\nc", "s": "-"}
        assert said(variables=values, **call) == "a\n\n- mid\n- b\nc\n\n--b\nc"
