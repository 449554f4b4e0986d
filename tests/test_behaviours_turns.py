"""What a program does that sends one prompt at every turn of a conversation."""

from __future__ import annotations

from itertools import pairwise

import pytest

from prompts_app import Lifetime, services
from prompts_app.assembly import Snapshot
from tests.assembling import CORE, TASKS, Counted, entry, fragment, variable

NOTHING_STORED = Snapshot()


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two groups and a text that never changes."""
    registry.register(CORE, TASKS, fragment("core.a", "You help."))
    return registry


def turn(**variables):
    """Return the assembly of one turn."""
    return services.assemble(variables=variables, overrides=NOTHING_STORED)


@pytest.mark.covers("D70", "A31", "A32", "A42")
def test_the_facts_of_a_turn_are_told_from_the_prompt_and_from_each_other(declared):
    """A lane has its own text, and a fingerprint that moves when it has news."""
    declared.register(
        variable("jobs"),
        fragment("core.jobs", "Running: {{jobs}}", requires=("jobs",), order=1),
        fragment("core.none", "Nothing runs any more.", unless=("jobs",), order=2),
    )

    turns = [turn(jobs=jobs) for jobs in ("build", "build", "", "")]

    told = [built.lanes[Lifetime.TURN] for built in turns]
    assert [lane.text for lane in told] == [
        "Running: build",
        "Running: build",
        "Nothing runs any more.",
        "Nothing runs any more.",
    ]
    news = [a.fingerprint != b.fingerprint for a, b in pairwise(told)]
    assert news == [False, True, False]
    assert {built.lanes[Lifetime.FIXED].text for built in turns} == {"You help."}


@pytest.mark.covers("D71")
@pytest.mark.django_db
def test_a_scope_can_leave_facts_out_and_nobody_finds_them_out(declared):
    """A blank text switches them off there; elsewhere they are told as ever."""
    provider = Counted("a build")
    declared.register(
        variable("jobs", provider), fragment("core.jobs", "Running: {{jobs}}")
    )
    services.save({"core.jobs": ""}, scope="agent.quiet")

    quiet = services.assemble(scope="agent.quiet")
    calls = provider.calls

    assert (quiet.text, calls) == ("You help.", 0)
    assert entry(quiet, "core.jobs").outcome == "off"
    assert (
        services.assemble(scope="agent.other").text == "You help.\n\nRunning: a build"
    )


@pytest.mark.covers("D72")
def test_one_fragment_can_be_the_whole_prompt(declared):
    """Nothing else joins it, a protected neighbour included."""
    declared.register(
        fragment("core.guard", "Guard.", locked=True, order=-1),
        fragment("task.whole", "Say {{what}}.", group="tasks"),
    )
    given = {"variables": {"what": "hello"}, "overrides": NOTHING_STORED}

    assert services.render("task.whole", **given) == "Say hello."
    built = services.assemble(include=("task.whole",), **given)
    assert [section.key for section in built.sections] == ["task.whole"]


@pytest.mark.covers("D75")
@pytest.mark.parametrize(("plan", "expected"), [("", []), (" \n", []), ("1", ["P 1"])])
def test_a_text_that_does_not_apply_is_not_there(declared, plan, expected):
    """A gate says so, where elsewhere a function had to return nothing."""
    declared.register(
        variable("plan"), fragment("core.p", "P {{plan}}", requires=("plan",))
    )

    assert turn(plan=plan).text.split("\n\n")[1:] == expected


@pytest.mark.covers("A26")
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"file": "x", "writable": "yes"}, "<file>x</file>"),
        ({"file": "", "writable": "yes"}, "There is no file yet. Write one."),
        ({"file": "", "writable": ""}, "There is no file yet."),
    ],
)
def test_a_text_says_itself_what_is_not_there(declared, values, expected):
    """A pair of gates tells presence from absence, and a clause what may be done."""
    declared.register(
        *map(variable, ("file", "writable")),
        fragment("core.f", "<file>{{file}}</file>", requires=("file",)),
        fragment("core.g", "There is no file yet.{{write}}", unless=("file",)),
        fragment("core.w", " Write one.", provides="write", requires=("writable",)),
    )

    assert turn(**values).text == f"You help.\n\n{expected}"


@pytest.mark.covers("A30")
@pytest.mark.django_db
def test_the_texts_of_a_turn_can_be_frozen():
    """What is saved meanwhile waits for the next turn."""
    frozen = services.stored()

    services.save({"core.a": "You help at night."})

    texts = [services.assemble(overrides=o).text for o in (frozen, frozen, None)]
    assert texts == ["You help.", "You help.", "You help at night."]


@pytest.mark.covers("A33", "A35")
def test_what_cannot_be_found_out_costs_no_turn(declared):
    """A provider that fails is not a blank one: the trace tells them apart."""
    declared.register(
        variable("broken", lambda context: 1 / 0),
        variable("blank", lambda context: None),
        fragment("core.b", "B {{broken}}", requires=("broken",)),
        fragment("core.c", "C {{blank}}", requires=("blank",)),
    )

    built = turn()

    assert built.text == "You help."
    codes = {one.key: [note.code for note in one.notes] for one in built.trace}
    assert codes == {"core.a": [], "core.b": ["provider_failed"], "core.c": []}


@pytest.mark.covers("A34")
def test_a_fingerprint_is_over_the_whole_text(declared):
    """A change behind any number of characters moves it, and nothing is cut."""
    declared.register(variable("file"), fragment("core.f", "{{file}}"))

    long, longer = (turn(file="x" * 100_000 + end) for end in ("", "!"))

    assert len(longer.text) == len("You help.\n\n") + 100_001
    assert long.fingerprint != longer.fingerprint


@pytest.mark.covers("A43")
@pytest.mark.parametrize("gap", ["", "three hours"])
def test_a_long_gap_has_its_line_and_a_short_one_none(declared, gap):
    """Who knows the clock gives the variable or leaves it blank."""
    text = "You are in a chat.\nThe last message was {{gap}} ago."
    declared.register(variable("gap"), fragment("core.g", text, optional_lines=True))

    assert ("ago." in turn(gap=gap).text) is bool(gap)
    assert "in a chat." in turn(gap=gap).text
