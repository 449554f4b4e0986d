"""Every case of ``vectors.json``: texts, assemblies and saves."""

from __future__ import annotations

import pytest

from prompts_app import exceptions as errors, services
from prompts_app.assembly import Context, Snapshot, build, weld
from prompts_app.declarations import Fragment, object_schema
from prompts_app.lint import added_lines
from prompts_app.models import Override
from prompts_app.registry import Registry
from prompts_app.syntax import (
    at_level,
    substitute,
    substitute_strict,
    variables_in,
)
from prompts_app.testing import isolated_registry
from tests.storing import rows
from tests.vectors import VECTORS, arguments, refusal, vectors


def test_every_vector_is_of_a_kind_that_is_tested_here():
    """No case is passed over because its kind is unknown."""
    kinds = {vector["kind"] for vector in VECTORS}

    assert kinds == {
        *("substitute", "variables_in", "level", "strict_render", "weld"),
        *("assemble", "save", "tool_order", "protect", "layers"),
        *("object_schema", "subset"),
    }


@vectors("substitute")
def test_substitute(vector):
    """Lenient substitution gives exactly the expected text."""
    text, variables = vector["input"]["text"], vector["input"]["variables"]

    assert substitute(text, variables) == vector["expected"]


@vectors("variables_in")
def test_variables_in(vector):
    """The names that can expand are found in order of first use."""
    found = variables_in(vector["input"]["text"])

    assert list(found) == vector["expected"]


@vectors("level")
@pytest.mark.covers("A10", "A12", "A15")
def test_level(vector):
    """A text at a level loses its markers, and at lean what they enclose."""
    given = vector["input"]

    if error := refusal(vector):
        with pytest.raises(errors.UnbalancedFence) as caught:
            at_level(given["text"], given["level"])
        assert caught.value.opened is (error["code"] == "unclosed_fence")
        return
    text = at_level(given["text"], given["level"])
    if "variables" in given:
        text = substitute(text, given["variables"])
    assert text.rstrip("\n") == vector["expected"]["text"].rstrip("\n")


STRICT_ERRORS = {
    "unknown": errors.UnknownVariable,
    "no_value": errors.MissingValue,
    "malformed_group": errors.MalformedReference,
    "malformed_open": errors.MalformedReference,
}


def render_strictly(sections, variables):
    """Return *sections* strictly filled, empty ones left out, a blank line apart."""
    texts = [
        substitute_strict(section["text"], variables, name=section["name"])
        for section in sections
    ]
    return "\n\n".join(text for text in texts if text)


@vectors("strict_render")
@pytest.mark.covers("D60", "D61", "D62", "D63", "D64", "D66")
def test_strict_render(vector):
    """Strict substitution gives the text, or the fault with section and place."""
    given = vector["input"]

    if error := refusal(vector):
        with pytest.raises(STRICT_ERRORS[error["code"]]) as caught:
            render_strictly(given["sections"], given["variables"])
        fault = caught.value
        assert fault.fragment == error["section"]
        assert fault.reference == error.get("reference", fault.reference)
        assert fault.position == error.get("at", fault.position)
        return
    rendered = render_strictly(given["sections"], given["variables"])
    assert rendered == vector["expected"]["text"]


@vectors("weld")
@pytest.mark.covers("L57", "L58")
def test_weld(vector):
    """Pieces are joined by blank lines, list items by one line feed."""
    assert weld(vector["input"]["chunks"]) == vector["expected"]


def declared(given):
    """Return the fragments of a vector, labelled by their keys."""
    return [Fragment(**one, label=one["key"]) for one in given["fragments"]]


def assemble_purely(given):
    """Return the text that the pure function gives for a vector's input."""
    registry = Registry()
    registry.register(*declared(given))
    texts = {("", key): text for key, text in given.get("overrides", {}).items()}
    context = Context(
        include=tuple(given["groups"]), **arguments(given, "variables", "level")
    )
    gates = arguments(given, "families", "has_tools", "limit")
    return build(registry.view(), Snapshot(texts), context, **gates).text


def assemble_by_services(given):
    """Return the text that the public function gives for a vector's input."""
    with isolated_registry() as registry:
        registry.register(*declared(given))
        gates = arguments(given, "families", "has_tools", "limit")
        return services.assemble(
            include=given["groups"],
            overrides=given.get("overrides", {}),
            **arguments(given, "variables", "level"),
            **gates,
        ).text


@vectors("assemble")
@pytest.mark.parametrize("assemble", [assemble_purely, assemble_by_services])
@pytest.mark.covers("L50", "L51", "L52", "L53", "L54", "L55", "L56", "L57")
def test_assemble(vector, assemble):
    """The registered fragments give the expected text, or the refusal."""
    error = refusal(vector)

    if error is None:
        assert assemble(vector["input"]) == vector["expected"]
    elif error["code"] == "prompt_too_long":
        with pytest.raises(errors.PromptTooLong) as caught:
            assemble(vector["input"])
        assert caught.value.length == error["length"]
        assert caught.value.limit == error["limit"]
    else:
        with pytest.raises(ValueError, match="negative"):
            assemble(vector["input"])


SAVE_CODES = {
    "unknown_fragment": "unknown_fragment",
    "fragment_too_long": "too_long",
    "store_too_large": "total_too_long",
}


def save(given, settings):
    """Submit a vector's texts under its limits."""
    limits = {
        "max_fragment": "PROMPTS_APP_MAX_FRAGMENT_CHARS",
        "max_stored": "PROMPTS_APP_MAX_STORED_CHARS",
    }
    for name in limits.keys() & given.keys():
        setattr(settings, limits[name], given[name])
    services.save(given["submitted"])


@vectors("save")
@pytest.mark.django_db
@pytest.mark.covers("L40", "L42", "L44", "L45", "L46", "L49")
def test_save(vector, settings, registry):
    """A save leaves the expected rows, or is refused and leaves those it found."""
    given, error = vector["input"], refusal(vector)
    registry.register(
        *(
            Fragment(key, label=key, group="core", default=text)
            for key, text in given["fragments"].items()
        )
    )
    for key, text in given["stored"].items():
        Override.objects.create(key=key, text=text)

    if error is None:
        save(given, settings)
        left = vector["expected"]["overrides"]
    else:
        with pytest.raises(errors.SaveRefused) as caught:
            save(given, settings)
        (fault,) = caught.value.faults
        assert fault.code == SAVE_CODES[error["code"]]
        assert fault.key == error.get("key", "")
        expected = arguments(error, "length", "limit")
        assert arguments(fault.params, *expected) == expected
        left = given["stored"]
    assert rows() == {("", key): text for key, text in left.items()}


@vectors("object_schema")
@pytest.mark.covers("O7")
def test_object_schema(vector):
    """A schema requires every property, sorted, and allows no other."""
    assert object_schema(vector["input"]["properties"]) == vector["expected"]


@vectors("subset")
@pytest.mark.covers("A17")
def test_subset(vector):
    """Lines that only the lean text has are reported."""
    given = vector["input"]
    added = added_lines(given["detailed"], given["lean"], given.get("allow", ()))

    assert added == vector["expected"]
