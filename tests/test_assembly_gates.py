"""What lets a fragment in, what keeps it out, and what the trace says of it."""

from __future__ import annotations

import pytest

from prompts_app.assembly import Context, Reason, Snapshot, build
from prompts_app.declarations import Level
from tests.assembling import (
    Counted,
    assemble,
    entry,
    fragment,
    outcomes,
    registry_of,
    text_of,
    tool,
    variable,
)


def fate(one, **options):
    """Return outcome and reason of the one fragment *one*."""
    told = entry(assemble(registry_of(one), **options), one.key)
    return told.outcome, told.reason


@pytest.mark.covers("L50", "L54")
@pytest.mark.parametrize(
    ("gate", "given", "reason"),
    [
        ({"when_tools": True}, {"has_tools": True}, None),
        ({"when_tools": True}, {"has_tools": False}, ("when_tools", ("with",))),
        ({"when_tools": False}, {"has_tools": False}, None),
        ({"when_tools": False}, {"has_tools": True}, ("when_tools", ("without",))),
        ({"when_tools": True}, {"tools": [tool("read")]}, None),
        ({"when_tools": True}, {"tools": []}, ("when_tools", ("with",))),
        ({"when_tools": True}, {"tools": [tool("read")], "has_tools": 0}, "when_tools"),
        ({"when_tools": True}, {"has_tools": 1}, None),
        ({"families": ["web", "db"]}, {"families": ["db", "x"]}, None),
        ({"families": ["web", "db"]}, {"families": []}, ("families", ("web", "db"))),
        ({"families": ["web"]}, {"tools": [tool("a", "web")]}, None),
        ({"families": ["web"]}, {"tools": [tool("a", "db")]}, "families"),
        (
            {"families": ["web"]},
            {"tools": [tool("a", "web")], "families": ()},
            "families",
        ),
        ({"families": ["web"]}, {"families": {"web"}, "has_tools": False}, None),
        ({"level": "detailed"}, {"level": "lean"}, ("level", ("detailed",))),
        ({"level": "detailed"}, {}, None),
        ({"level": "lean", "lean_reason": "x"}, {}, ("level", ("lean",))),
        ({"level": "lean", "lean_reason": "x"}, {"level": Level.LEAN}, None),
        ({"requires": ["x", "y"]}, {"variables": {"x": "1", "y": 0}}, None),
        ({"requires": ["x", "y", "z"]}, {"variables": {"y": "1"}}, "requires"),
        ({"unless": ["x", "y"]}, {"variables": {"x": "", "y": None}}, None),
        ({"unless": ["x", "y"]}, {"variables": {"y": "1"}}, ("unless", ("y",))),
        ({}, {}, None),
    ],
)
def test_each_gate_lets_in_or_says_why_not(gate, given, reason):
    """A fragment is in exactly if the gate holds, and the reason names the gate."""
    outcome, told = fate(fragment(**gate), **given)

    if reason is None:
        assert (outcome, told) == ("included", None)
    else:
        assert outcome == "gated"
        assert reason in (told, told.code)
    # An assembly that was not asked for it judges it alike.
    assert assemble(registry_of(), **given).failed_gate(fragment(**gate)) == told


@pytest.mark.covers("L50")
def test_gates_are_judged_in_order_and_the_first_is_the_reason():
    """Tools, families, level, what has to be filled, what has to be blank."""
    every = fragment(
        when_tools=True,
        families=["web"],
        level="detailed",
        requires=["x"],
        unless=["y"],
    )
    given = {"variables": {"y": "1"}, "level": "lean"}
    codes = []
    for better in (
        {},
        {"has_tools": True},
        {"families": ["web"]},
        {"level": None},
        {"variables": {"x": "1", "y": "1"}},
        {"variables": {"x": "1"}},
    ):
        given |= better
        codes.append(getattr(fate(every, **given)[1], "code", None))

    assert codes == ["when_tools", "families", "level", "requires", "unless", None]


@pytest.mark.covers("L52", "W11")
@pytest.mark.parametrize("value", [None, False, "", " ", "\n\t", "\u00a0"])
def test_no_value_and_white_space_are_blank(value):
    """For what is required, and for what has to be blank."""
    given = {"variables": {"x": value}}

    assert fate(fragment(requires=["x"]), **given)[1] == ("requires", ("x",))
    assert fate(fragment(unless=["x"]), **given) == ("included", None)


@pytest.mark.covers("L52", "W11")
@pytest.mark.parametrize("value", ["0", 0, "False", True, "-", 0.0])
def test_zero_and_words_are_values(value):
    """A number passes the gate as it is written."""
    given = {"variables": {"x": value}}

    assert fate(fragment(requires=["x"]), **given) == ("included", None)
    assert fate(fragment(unless=["x"]), **given)[1] == ("unless", ("x",))


@pytest.mark.covers("L53")
def test_a_gates_variable_need_not_stand_in_the_text():
    """A flag decides without being seen."""
    assert text_of(fragment(requires=["flag"]), variables={"flag": "yes"}) == "A"


def test_a_required_collection_is_refused_by_its_name():
    """A value that could not be written is no value to judge by either."""
    with pytest.raises(TypeError, match="'rows' is a list"):
        fate(fragment(requires=["rows"]), variables={"rows": ["a"]})


@pytest.mark.covers("L51")
def test_what_is_kept_out_leaves_nothing():
    """No heading and no gap, and nothing but the reason in the trace."""
    registry = registry_of(
        fragment("core.a"),
        fragment("core.b", "## Plan\n{{plan}}", requires=["plan"]),
        fragment("core.c", "C"),
    )
    built = assemble(registry)

    assert built.text == "A\n\nC"
    told = entry(built, "core.b")
    assert (told.text, told.length) == ("", 0)


@pytest.mark.covers("L56", "L9", "L35")
def test_an_override_keeps_the_gates_and_a_blank_one_switches_off():
    """Off is judged before any gate, and needs no other switch."""
    gated = fragment(requires=["x"])

    assert fate(gated, overrides={"core.a": "mine"})[0] == "gated"
    for blank in ("", " \n\t"):
        assert fate(gated, overrides={"core.a": blank}) == ("off", Reason("off"))


@pytest.mark.covers("L61", "D37")
def test_a_task_that_is_switched_off_gives_no_text():
    """The caller sees an empty prompt and leaves the request out."""
    registry = registry_of(fragment("task.title", "Name it.", group="tasks"))

    on = assemble(registry, include=("task.title",))
    off = assemble(registry, include=("task.title",), overrides={"task.title": ""})

    assert on.text == "Name it."
    assert off.text == ""
    assert not off.sections


@pytest.mark.covers("L55")
@pytest.mark.case(37)
def test_a_text_that_comes_out_blank_is_empty():
    """A blank default too: there is nothing that could be switched off."""
    registry = registry_of(
        fragment("core.a", "{{x}}"), fragment("core.b", " \n"), fragment("core.c", "C")
    )
    built = assemble(registry, variables={"x": " "})

    assert built.text == "C"
    assert outcomes(built) == {
        "core.a": "empty",
        "core.b": "empty",
        "core.c": "included",
    }
    assert str(entry(built, "core.b").reason) == "Rendered empty"


@pytest.mark.covers("W12")
def test_families_may_be_a_generator():
    """They are read once and hold for every gate."""
    registry = registry_of(*(fragment(f"core.{n}", families=["web"]) for n in "abc"))
    built = assemble(registry, families=(name for name in ["web"]))

    assert set(outcomes(built).values()) == {"included"}


@pytest.mark.parametrize("families", ["web", b"web"])
def test_families_refuse_one_text(families):
    """Its letters would be taken for names."""
    with pytest.raises(TypeError, match="families has to be a collection"):
        assemble(registry_of(), families=families)


@pytest.mark.covers("D30")
def test_everything_a_call_may_give_may_be_missing():
    """An empty registry gives an empty prompt."""
    built = build(registry_of().view(), Snapshot(), Context())

    assert (built.text, built.seam, built.trace, built.tools) == ("", "", (), ())
    assert built.level is Level.DETAILED


@pytest.mark.covers("W35")
def test_guidance_goes_with_the_tools_that_hooks_take_away():
    """Gates judge what is left of the offer."""
    registry = registry_of(
        fragment("core.a", families=["web"]),
        fragment("core.b", "{{tool_names}}", when_tools=True),
        variable("x", Counted("1")),
    )
    offered = [tool("search", "web"), tool("read", "files")]
    registry.register_hook(lambda draft, context: draft.tools.pop(), "a.one")
    registry.register_hook(lambda draft, context: draft.tools.clear(), "a.none")

    assert assemble(registry, tools=offered).text == "A\n\nread, search"
    assert assemble(registry, tools=offered, scope="a.one").text == "read"
    assert assemble(registry, tools=offered, scope="a.none").text == ""
