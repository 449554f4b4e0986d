"""That what was worked out once is found again: by counting what is done, not by time."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from prompts_app import services
from prompts_app.assembly import (
    Snapshot,
    accounts,
    offering,
    patterns,
    plans,
    remembering,
    shapes,
)
from prompts_app.assembly.patterns import Pattern, pattern
from prompts_app.assembly.plans import Layout, Plan, Question
from prompts_app.assembly.remembering import memo
from prompts_app.assembly.shapes import Route, Shape
from prompts_app.services import assembling
from prompts_app.syntax import LONGEST_CACHED
from tests.assembling import CORE, SEAM, fragment, tool, variable

STORED = Snapshot({("", "core.b"): "Hello {{who}}"}, version="stored")
UNTOUCHED = Snapshot({("", "core.gone"): "Left"}, version="stored")
OWN = Snapshot({("", "core.b"): "Typed {{who}}"})
BOTH = READ, WRITE = tool("read"), tool("write")


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare fragments with and without a gate, a clause, and words of strangers."""
    registry.register(
        CORE,
        SEAM,
        variable("said", untrusted=True),
        fragment("core.a", "Always"),
        fragment("core.b", "Hi {{who}}", order=1),
        fragment("core.c", "Where: {{place}}", requires=("place",), order=2),
        fragment("core.d", "{{more}}", order=3),
        fragment("core.e", "\n({{place}})\n", provides="more"),
        fragment("core.f", "They said: {{said}}", requires=("said",), order=4),
    )
    memo.clear()
    return registry


@pytest.fixture
def done(monkeypatch):
    """Return how often each step was done that takes its time."""
    counts = Counter()

    def count(owner, name):
        original = getattr(owner, name)

        def counted(*arguments, **options):
            counts[name] += 1
            return original(*arguments, **options)

        monkeypatch.setattr(owner, name, counted)

    count(assembling, "build")
    for owner in (accounts, shapes):
        count(owner, "layout_of")
    count(Question, "answered")
    count(Plan, "with_texts")
    count(Shape, "look_up")
    count(remembering, "_base")
    count(remembering, "_with_texts")
    count(plans, "joined")
    count(patterns, "_form")
    count(offering, "_worked_out")
    return counts


def text(overrides=STORED, **arguments):
    """Return the text of a call."""
    return services.assemble(overrides=overrides, **arguments).text


@pytest.mark.parametrize("overrides", [STORED, UNTOUCHED])
@pytest.mark.parametrize("tools", [lambda: None, lambda: BOTH, lambda: [READ, WRITE]])
@pytest.mark.parametrize(
    "values",
    [
        {},
        {"who": "Ada"},
        {"who": "Ada", "place": "Ulm"},
        {"who": "", "place": " "},
        {"said": "plain"},
        {"said": "a {{name}}\0"},
        {"who": "```\u202e\0", "said": "plain"},
    ],
)
def test_the_third_call_of_its_kind_takes_the_short_way(overrides, tools, values, done):
    """It is recalled, with its text, and nothing is asked or laid out again."""
    call = {"overrides": overrides, "variables": values}
    before = [text(**call, tools=tools()) for _ in range(2)]
    done.clear()

    assert text(**call, tools=tools()) == before[0] == before[1]
    assert done == {"look_up": 1}
    assert text(**call, tools=tools()) == before[0]
    assert done == {"look_up": 1}


def test_other_values_take_the_short_way_where_the_same_ones_are_blank(done):
    """What they hold besides makes no difference to the way."""
    for _ in range(2):
        text(variables={"who": "Ada", "place": "Ulm"})
    done.clear()

    told = text(variables={"who": "Eve", "place": "Bonn"})

    assert told == "Always\n\nHello Eve\n\nWhere: Bonn\n\n(Bonn)"
    assert done == {"look_up": 1}


def test_values_that_are_blank_elsewhere_are_learnt_as_well(done):
    """The call is known, and its layout is once it was worked out."""
    for name in ("Ada", "Ada", ""):
        text(variables={"who": name, "place": ""})
    done.clear()

    assert text(variables={"who": "", "place": ""}) == "Always\n\nHello\n\n()"
    assert done == {"look_up": 1}


def test_a_call_with_a_limit_finds_the_layout(done):
    """It cannot be recalled as a whole, but nothing is asked again."""
    call = {"overrides": STORED, "variables": {"who": "Ada"}, "limit": 1_000}
    first, _ = [services.assemble(**call) for _ in range(2)]
    done.clear()

    made = services.assemble(**call)

    assert done == {"build": 1, "look_up": 1}
    assert made.text == first.text == "Always\n\nHello Ada\n\n({{place}})"
    assert made.trace == first.trace


@pytest.mark.parametrize("overrides", [STORED, UNTOUCHED])
def test_a_call_with_a_provider_finds_the_answers_to_its_questions(
    declared, overrides, done
):
    """The provider is asked, and what follows from what it says is known."""
    names = iter(("Ada", "Eve", "Kim"))
    declared.register(variable("who", lambda context: next(names)))
    for _ in range(2):
        text(overrides)
    done.clear()

    assert "Kim" in text(overrides)
    assert done == {"build": 1, "layout_of": 1}


def test_tools_that_come_in_a_new_list_are_worked_out_once(declared, done):
    """What counts is which they are and in which order they come."""
    declared.register_tools(lambda context: [READ, WRITE])
    for _ in range(2):
        text()
    done.clear()

    text()

    assert done == {"build": 1, "look_up": 1}


def test_a_call_with_tools_of_its_own_asks_no_provider_of_tools(declared, done):
    """So it can take the short way, whoever else would offer some."""
    declared.register_tools(lambda context: pytest.fail("nobody needs it"))
    for _ in range(2):
        text(tools=BOTH)
    done.clear()

    text(tools=BOTH)

    assert done == {"look_up": 1}


def test_tools_that_come_in_a_new_tuple_are_worked_out_once(done):
    """A tuple is told by its own identity first, and then by that of its tools."""
    offer = [READ, WRITE]
    for _ in range(2):
        text(tools=tuple(offer))
    done.clear()

    text(tools=tuple(offer[::-1]))
    again = tuple(offer)
    text(tools=again)
    text(tools=again)

    assert done["_worked_out"] == 1


def test_an_offer_stays_however_many_tuples_bring_it(declared, done):
    """They come and go, and what is in them is the same."""
    for _ in range(600):
        text(tools=tuple([READ, WRITE]))  # noqa: C409  # a literal would be one tuple each time

    assert done["_worked_out"] == 1


def test_a_save_of_another_text_works_out_that_text_alone(done):
    """The others are there already, as they were laid out."""
    text(variables={"who": "Ada"})
    done.clear()
    later = Snapshot({**STORED.texts, ("", "core.a"): "At times"}, version="later")

    assert (
        text(later, variables={"who": "Ada"}) == "At times\n\nHello Ada\n\n({{place}})"
    )
    assert done["_form"] == 1


def test_texts_of_somebodys_own_are_worked_out_each_time(done):
    """And yet the plan that they change is there."""
    for _ in range(3):
        text(OWN, variables={"who": "Ada"})
    done.clear()

    assert text(OWN, variables={"who": "Ada"}) == "Always\n\nTyped Ada\n\n({{place}})"
    assert done["with_texts"] == 1
    assert "_form" not in done


def test_a_text_has_one_pattern_unless_it_is_very_long():
    """At each level one; of long ones there are few, and they would fill the memory."""
    longest, longer = ("x" * (LONGEST_CACHED + more) for more in (0, 1))

    assert pattern(longest, "lean") is pattern(longest, "lean")
    assert patterns._patterns.weight >= 16 * LONGEST_CACHED
    assert pattern(longest, "lean") is not pattern(longest, "detailed")
    assert pattern(longer, "lean") is not pattern(longer, "lean")
    assert isinstance(pattern(longer, "lean"), Pattern)


@pytest.fixture
def held():
    """Return all that some calls left in the memory, by what it is, with its weight."""
    for overrides in (STORED, UNTOUCHED):
        for values in ({}, {"who": "Ada"}, {"who": "Ada", "place": "Ulm"}):
            for _ in range(3):
                text(overrides, variables=values, tools=BOTH)
    found = defaultdict(list)
    for one, weight, _ in memo._held.values():
        found[type(one)].append((one, weight))
    return found


def test_what_several_entries_hold_is_weighed_once(held):
    """Where it is put first; a call and a way lead to what weighs already."""
    assert {weight for _, weight in held[tuple]} == {1}
    assert {weight for _, weight in held[Route]} == {1}
    assert {weight for _, weight in held[Shape]} == {LONGEST_CACHED}
    assert (len(held[tuple]), len(held[Route])) == (6, 6)


@pytest.mark.parametrize(
    ("stored", "weight"),
    [("Mine", 0), ("x" * LONGEST_CACHED, 0), ("x" * (LONGEST_CACHED + 1), 60_003)],
)
def test_a_plan_weighs_the_very_long_texts_that_it_alone_has_worked_through(
    stored, weight
):
    """Others are held by the registry or by their snapshot, and weighed there."""
    snapshots = (Snapshot(), Snapshot({("", "core.a"): stored}))

    before, after = (
        services.assemble(overrides=snapshot).frame.plan.weight
        for snapshot in snapshots
    )

    assert after - before == weight


def test_a_plan_weighs_what_sources_declare():
    """Nobody else holds their texts when they declare others."""
    late = fragment("core.late", "x" * 500)
    plain = services.assemble(overrides=Snapshot(declarations=[("", fragment("x.y"))]))

    found = services.assemble(overrides=Snapshot(declarations=[("", late)]))

    assert found.frame.plan.weight - plain.frame.plan.weight == 500 - len("A")


@pytest.mark.parametrize("count", [1, 2])
def test_the_texts_of_a_snapshot_weigh_as_long_as_a_plan_of_them_is_held(count):
    """Those of each, once, however many plans there are of them."""
    weights = []
    for weight in (0, 700):
        memo.clear()
        for number in range(count):
            texts = {("", "core.a"): f"{number}"}
            snapshot = Snapshot(texts, version=f"{number}", weight=weight)
            for scope in ("tenant.a", "tenant.b", "tenant.a"):
                services.assemble(overrides=snapshot, scope=scope)
        weights.append(memo.weight)

    assert weights[1] - weights[0] == count * 700


@pytest.mark.parametrize("count", [8, 24])
def test_kinds_of_calls_do_not_drive_each_other_out(declared, count, done):
    """However long their prompts are, and whatever they have in common."""
    many = [fragment(f"core.m{number}", "x" * 400) for number in range(1_000)]
    declared.register(*many)
    for _ in range(3):
        for kind in range(count):
            text(scope=f"tenant.n{kind}", variables={"who": "Ada"})

    assert done["_base"] == count


def test_the_plan_that_others_come_from_stays(done, monkeypatch):
    """However many snapshots there were since it was made."""
    monkeypatch.setattr(memo, "_entries", 12)
    monkeypatch.setattr(memo, "_step", 1 / 12)

    for number in range(20):
        text(Snapshot({("", "core.a"): f"{number}"}, version=f"{number}"))

    assert len(memo) == 12
    assert done["_base"] == 1


def test_everything_is_held_under_its_own_weight(held):
    """Otherwise the bound on all of it together would bound nothing."""
    for kind in (Layout, Question):
        assert held[kind]
        assert all(weight == one.weight > 1 for one, weight in held[kind])
    for found, weight, _ in offering._offers._held.values():
        assert weight == len(found[1])


def test_a_plan_is_held_under_its_weight_once(held):
    """What leads to it besides weighs next to nothing."""
    weights = defaultdict(list)
    for plan, weight in held[Plan]:
        weights[plan].append(weight)

    assert len(weights) == 2
    for plan, found in weights.items():
        assert max(found) == plan.weight > 1
