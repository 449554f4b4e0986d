"""Fragments and variables: what they keep, and what they refuse."""

from __future__ import annotations

import dataclasses

import pytest
from django.utils.functional import lazy

from prompts_app.declarations import (
    Fragment,
    Group,
    Level,
    Lifetime,
    Scenario,
    Scope,
    ToolSet,
    Variable,
)
from prompts_app.exceptions import InvalidDeclaration
from tests.assembling import fragment, tool, variable

DECLARATIONS = [
    fragment(families=["web"], requires=["who"]),
    variable("who", len),
    Group("core", label="Core", order=1),
    Scope("tenant.acme", label="Acme"),
    Scenario("chat", label="Chat", variables={"rows": "a"}, tools=[tool("read")]),
    tool("read"),
    ToolSet([tool("read")]),
]
kinds = pytest.mark.parametrize(
    "declaration", DECLARATIONS, ids=lambda one: type(one).__name__
)


@kinds
@pytest.mark.covers("L1", "D4")
def test_a_declaration_is_a_frozen_value(declaration):
    """It can be compared and hashed, and no field of it can be set."""
    twin = dataclasses.replace(declaration)

    assert declaration == twin
    assert hash(declaration) == hash(twin)
    for field in dataclasses.fields(declaration):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(declaration, field.name, None)


@kinds
def test_a_declaration_has_no_room_for_anything_else(declaration):
    """It is slotted, so a misspelt attribute is no quiet success."""
    assert not hasattr(declaration, "__dict__")


@pytest.mark.covers("D4", "W12")
@pytest.mark.parametrize(
    "field", ["families", "requires", "unless", "must_mention", "variables"]
)
def test_what_was_given_can_change_afterwards(field):
    """A declaration keeps a tuple of its own, in the order given."""
    names = ["who", "place"]
    kept = fragment(**{field: names})

    names.append("now")

    assert getattr(kept, field) == ("who", "place")
    assert getattr(fragment(**{field: iter(["b", "a"])}), field) == ("b", "a")


@pytest.mark.covers("D5")
@pytest.mark.parametrize(
    "field",
    ["families", "requires", "unless", "must_mention", "variables", "former_keys"],
)
def test_one_text_is_no_collection(field):
    """The field is named, since its letters would be taken for names."""
    with pytest.raises(TypeError, match=f"^{field} has to be a collection"):
        fragment(**{field: "who"})


@pytest.mark.covers("D3", "D5", "L4", "L9")
@pytest.mark.parametrize(
    "wrong",
    [
        *({"key": "core"}, {"key": "Core.a"}, {"key": "core.a\n"}, {"key": None}),
        *({"key": "core." + "a" * 96}, {"group": "Core"}, {"group": ""}),
        *({"label": ""}, {"label": " "}, {"label": None}),
        *({"default": None}, {"default": b"a"}, {"default": lambda: "a"}),
        *({"order": "1"}, {"order": float("nan")}, {"order": None}, {"order": True}),
        *({"priority": 0.5}, {"priority": True}, {"priority": None}),
        *({"families": ["Web"]}, {"requires": ["a.b"]}, {"unless": [""]}),
        *({"must_mention": ["a\n"]}, {"variables": ["1a"]}, {"former_keys": ["core"]}),
        *({"when_tools": "yes"}, {"when_tools": 2}, {"when_tools": 1}),
        *({"level": "loud"}, {"level": True}, {"level": "lean"}, {"level": ""}),
        *({"lifetime": 4}, {"lifetime": "turn"}, {"lifetime": True}),
        *({"provides": "Clause"}, {"provides": "a.b"}),
        *({"provides": "lb"}, {"provides": "tool_names"}),
        *({"former_keys": ["core.b", "core.a"]},),
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_fragment_that_cannot_be_right_is_refused(wrong):
    """As it is made, with its key and the field at fault."""
    field = next(iter(wrong))
    given = {"key": "core.a", "label": "A", "group": "core", "default": ""} | wrong

    with pytest.raises(InvalidDeclaration) as caught:
        Fragment(given.pop("key"), **given)

    assert "Fragment" in str(caught.value)
    assert field in str(caught.value) or "lean_reason" in str(caught.value)


@pytest.mark.covers("L9")
def test_there_is_no_switch_beside_the_blank_text():
    """No field enables a fragment."""
    names = {field.name for field in dataclasses.fields(Fragment)}

    assert not {"enabled", "active", "disabled", "is_active"} & names


def test_everything_after_the_key_is_named():
    """A call cannot mix up label and group."""
    with pytest.raises(TypeError):
        Fragment("core.a", "A", "core", "text")


@pytest.mark.covers("A16")
def test_a_lean_only_fragment_gives_its_reason():
    """It may add text that the detailed prompt lacks, so somebody has to say why."""
    for reason in ("", "  "):
        with pytest.raises(InvalidDeclaration, match="lean_reason"):
            fragment(level=Level.LEAN, lean_reason=reason)

    assert fragment(level="lean", lean_reason="Damped.").level is Level.LEAN
    assert fragment(level="detailed").level is Level.DETAILED


def test_a_key_of_a_hundred_characters_is_the_longest():
    """The column that stores it is as wide."""
    key = "core." + "a" * 95

    assert fragment(key).key == key
    with pytest.raises(InvalidDeclaration, match="has 101 characters; at most 100"):
        fragment(key + "a")


@pytest.mark.covers("L5")
def test_the_prefix_of_a_key_is_not_its_group():
    """A key may stay what it was when its fragment moves on the page."""
    moved = fragment("tool.rewound", group="context")

    assert (moved.key, moved.group) == ("tool.rewound", "context")


@pytest.mark.covers("L7")
def test_documented_variables_are_the_defaults_unless_given():
    """The legend lists them, and nothing else follows from them."""
    text = "{{b}} {{a}} {{b}}"

    assert fragment(default=text).documented == ("b", "a")
    assert fragment(default=text, variables=["free"]).documented == ("free",)
    assert fragment(default=text, variables=[]).documented == ()


def test_a_lazy_label_is_not_evaluated():
    """Declarations are made before translations can be looked up."""
    asked = []
    label = lazy(lambda: asked.append(1) or "Label", str)()

    fragment(label=label, hint=label)
    Variable("who", label=label, description=label)
    Group("core", label=label, order=1, description=label)
    Scope("tenant.acme", label=label)
    Scenario("chat", label=label)

    assert not asked


@pytest.mark.covers("D7")
@pytest.mark.case(51, 52)
@pytest.mark.parametrize(
    "wrong",
    [
        *({"name": "Who"}, {"name": "1st"}, {"name": "a-b"}, {"name": "who\n"}),
        *({"name": "質問"}, {"name": "größe"}, {"name": ""}, {"name": None}),
        *({"name": "a" * 101}, {"label": ""}, {"example": None}, {"example": 1}),
        *({"provider": "text"}, {"provider": 1}, {"lifetime": None}, {"lifetime": 9}),
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_variable_that_cannot_be_right_is_refused(wrong):
    """What no text could refer to is refused when it is declared."""
    given = {"name": "who", "label": "Who"} | wrong

    with pytest.raises(InvalidDeclaration, match="Variable"):
        Variable(given.pop("name"), **given)


def test_a_variable_lives_for_a_turn_unless_it_says_otherwise():
    """Lifetimes are ordered, the most stable first, and may be given by number."""
    assert variable("who").lifetime is Lifetime.TURN
    assert variable("who", lifetime=0).lifetime is Lifetime.FIXED
    assert list(Lifetime) == sorted(Lifetime)
    assert [one.name for one in Lifetime] == ["FIXED", "CONVERSATION", "TURN", "CALL"]
