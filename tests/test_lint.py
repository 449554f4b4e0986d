"""Which lines a lean text adds to the detailed one, and what a tool's schema lacks."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from prompts_app.declarations import Tool, object_schema
from prompts_app.lint import added_lines, schema_faults

lines = st.lists(st.sampled_from(["a", " a", "b\t", "", "  ", "c"]), max_size=8)
texts = lines.map("\n".join)


@pytest.mark.covers("A17")
@pytest.mark.parametrize(
    ("detailed", "lean", "added"),
    [
        ("a\nb\nc", "a\nc", []),
        ("a", "  a\t", []),
        ("a", "a\n\n \n", []),
        ("a\nb", "b\na", []),
        ("a", "a\na", ["a"]),
        ("a\na", "a\na\na", ["a"]),
        ("", "x\ny\nx", ["x", "y", "x"]),
        ("ab", "a", ["a"]),
        ("a\r\nb", "a\nb", []),
    ],
)
def test_lines_are_counted_trimmed_and_in_leans_order(detailed, lean, added):
    """A line that stands more often than in the detailed text is one too many."""
    assert added_lines(detailed, lean) == added


@pytest.mark.covers("A16", "A17")
def test_a_line_with_an_allowed_text_is_not_reported():
    """It still takes up one of its kind, and others are reported."""
    assert added_lines("a", "work alone, always\nb", ["work alone", "zz"]) == ["b"]


def test_the_allowed_texts_are_a_collection():
    """One text instead would allow every letter of it."""
    with pytest.raises(TypeError, match="allow has to be a collection"):
        added_lines("a", "b", "b")


@given(texts, texts)
@pytest.mark.covers("A17")
def test_nothing_is_reported_if_and_only_if_lean_is_a_part(detailed, lean):
    """What is reported is the difference of the two bags of lines."""
    bags = [
        Counter(line.strip() for line in text.split("\n") if line.strip())
        for text in (lean, detailed)
    ]

    assert Counter(added_lines(detailed, lean)) == bags[0] - bags[1]


def strict(parameters, description="Does it.", **options):
    """Return a tool with these parameters."""
    return Tool("go", description=description, parameters=parameters, **options)


def described(**fields):
    """Return a property that says what it is."""
    return {"description": "Which.", **fields}


SOUND = object_schema(
    {
        "day": described(type=["string", "null"]),
        "where": described(
            anyOf=[object_schema({"city": described(type="string")}), {"type": "null"}]
        ),
        "steps": described(
            type="array", items=object_schema({"$ref": described(type="number")})
        ),
        "node": {"$ref": "#/$defs/node"},
        "again": described(**{"$ref": "#"}),
        "first": {"$ref": "#/properties/where/anyOf/0/properties/city"},
    }
) | {"$defs": {"node": described(**object_schema({}))}}


@pytest.mark.covers("O7")
def test_a_sound_schema_has_no_faults():
    """Optional is null, a definition describes, and names are not taken for words."""
    assert schema_faults(strict(SOUND)) == []
    assert schema_faults(strict(object_schema({}))) == []


@pytest.mark.covers("O7")
@pytest.mark.parametrize(
    ("parameters", "faults"),
    [
        ({}, ["parameters: not an object"]),
        ({"type": "string"}, ["parameters: not an object"]),
        ({"type": "object"}, ["parameters: allows other properties"]),
        (
            {"type": "object", "additionalProperties": described(type="string")},
            ["parameters: allows other properties"],
        ),
        (
            {"type": ["object", "null"], "additionalProperties": False},
            ["parameters: not an object"],
        ),
        (
            object_schema({"a": described(), "b": described()}) | {"required": ["b"]},
            ["parameters.properties.a: not required"],
        ),
        (
            object_schema({"a": described()}) | {"required": "a"},
            ["parameters.properties.a: not required"],
        ),
        (
            object_schema({}) | {"required": ["z"]},
            ["parameters: requires z, which it does not have"],
        ),
        (
            object_schema({"a": {"type": "string"}, "b": {"description": "\n"}}),
            [
                "parameters.properties.a: no description",
                "parameters.properties.b: no description",
            ],
        ),
        (object_schema({"a": True}), ["parameters.properties.a: no description"]),
        (
            object_schema({}) | {"properties": ["a"]},
            [],
        ),
    ],
)
def test_each_fault_of_an_object_is_found(parameters, faults):
    """Place and fault, outer first."""
    assert schema_faults(strict(parameters)) == faults


@pytest.mark.parametrize(
    "place",
    [
        ("properties", "x"),
        ("patternProperties", "x"),
        ("$defs", "x"),
        ("definitions", "x"),
        ("anyOf", 0),
        ("oneOf", 0),
        ("allOf", 0),
        ("prefixItems", 0),
        ("items",),
        ("not",),
        ("additionalProperties",),
    ],
)
def test_no_depth_hides_a_fault(place):
    """Wherever a schema can hold one, and two levels down."""
    inner = described(properties={"a": described()}, required=["a"])
    for step in (*reversed(place), *reversed(place)):
        inner = [inner] if step == 0 else {step: inner}
        inner = described(**inner) if isinstance(inner, dict) else inner

    found = schema_faults(strict(object_schema({"top": inner})))

    path = ".".join(map(str, ("parameters.properties.top", *place, *place)))
    assert f"{path}: allows other properties" in found


@pytest.mark.parametrize(
    "reference",
    ["#/$defs/none", "#/$defs/node/none", "#/properties/a/anyOf/9", "x.json", "#x", 7],
)
def test_a_reference_that_leads_nowhere_is_a_fault(reference):
    """It describes nothing either."""
    one = {"anyOf": [{"type": "string"}], "$ref": reference}
    schema = object_schema({"a": one}) | {"$defs": {"node": "text"}}

    assert schema_faults(strict(schema)) == [
        "parameters.properties.a: no description",
        f"parameters.properties.a: refers to {reference}, which is not in it",
    ]


def test_a_reference_may_spell_what_a_pointer_keeps_to_itself():
    """A slash and a tilde in a name are written otherwise in a pointer."""
    schema = object_schema({"a": {"$ref": "#/$defs/m~1~0n"}})

    assert schema_faults(strict(schema | {"$defs": {"m/~n": described()}})) == []


def test_a_tool_has_to_say_what_it_does():
    """A blank description is none."""
    assert schema_faults(strict(SOUND, description=" ")) == ["description: missing"]


def test_a_tool_that_is_not_strict_has_no_faults():
    """Nobody holds the model to its schema."""
    assert schema_faults(strict({}, description="", strict=False)) == []
