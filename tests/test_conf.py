"""The settings: what each gives, what it refuses, and when it is read."""

from __future__ import annotations

import math

import pytest
from django.core.exceptions import ImproperlyConfigured

from prompts_app import REST, Level, conf

DEFAULTS = {
    "tool_order": None,
    "level": None,
    "user_level": None,
    "model_levels": (),
    "max_fragment_chars": 8_000,
    "max_stored_chars": 60_000,
    "ignore_overrides": False,
    "token_counter": None,
}

GOOD = [
    ("tool_order", [REST], (REST,)),
    ("tool_order", ("search", REST, "stop"), ("search", REST, "stop")),
    ("tool_order", None, None),
    ("level", "lean", Level.LEAN),
    ("level", Level.DETAILED, Level.DETAILED),
    ("level", None, None),
    ("user_level", max, max),
    ("user_level", "builtins.max", max),
    ("user_level", None, None),
    ("model_levels", {}, ()),
    (
        "model_levels",
        {"tiny-*": "lean", "*": "detailed"},
        (("tiny-*", Level.LEAN), ("*", Level.DETAILED)),
    ),
    ("model_levels", [("tiny-*", "lean")], (("tiny-*", Level.LEAN),)),
    ("max_fragment_chars", 1, 1),
    ("max_stored_chars", 10**9, 10**9),
    ("ignore_overrides", True, True),
    ("token_counter", "builtins.len", len),
    ("token_counter", len, len),
]

NO_LEVEL = "is no level; there are lean, detailed."
NO_COUNT = "is no positive whole number."
NO_PATTERNS = "It maps model patterns to levels."

BAD = [
    ("tool_order", [], "The tool order lacks '*'"),
    ("tool_order", ["search"], "The tool order lacks '*'"),
    ("tool_order", ["*", "search", "*"], "The tool order names twice: *."),
    ("tool_order", ["b", "a", "*", "a", "b"], "The tool order names twice: a, b."),
    ("tool_order", "*", "A tool order is a list of names, not a str."),
    ("tool_order", {"*"}, "A tool order is a list of names, not a set."),
    ("tool_order", ["*", 7], "A tool order holds names only, not 7."),
    ("level", "short", f"'short' {NO_LEVEL}"),
    ("level", "Lean", f"'Lean' {NO_LEVEL}"),
    ("level", "", f"'' {NO_LEVEL}"),
    ("level", 1, f"1 {NO_LEVEL}"),
    ("user_level", "lean", "lean doesn't look like a module path."),
    ("user_level", "tests.nowhere.level", "No module named 'tests.nowhere'."),
    ("user_level", "math.nothing", 'Module "math" does not define'),
    ("user_level", 3, "3 is neither callable nor a path to a callable."),
    ("user_level", "math.pi", "is neither callable nor a path"),
    ("model_levels", {"tiny-*": "short"}, f"'short' {NO_LEVEL}"),
    ("model_levels", {7: "lean"}, "7 is no model pattern."),
    ("model_levels", ["lean"], NO_PATTERNS),
    ("model_levels", 7, NO_PATTERNS),
    ("max_fragment_chars", 0, f"0 {NO_COUNT}"),
    ("max_fragment_chars", True, f"True {NO_COUNT}"),
    ("max_fragment_chars", "8000", f"'8000' {NO_COUNT}"),
    ("max_fragment_chars", None, f"None {NO_COUNT}"),
    ("max_stored_chars", -1, f"-1 {NO_COUNT}"),
    ("max_stored_chars", math.inf, f"inf {NO_COUNT}"),
    ("ignore_overrides", 1, "It is True or False."),
    ("ignore_overrides", "no", "It is True or False."),
    ("token_counter", b"len", "b'len' is neither callable nor a path"),
    ("token_counter", "", " doesn't look like a module path."),
]


def put(settings, name, value):
    """Give the setting that the function *name* reads a value."""
    setattr(settings, f"PROMPTS_APP_{name.upper()}", value)


@pytest.mark.parametrize(("name", "expected"), DEFAULTS.items())
def test_a_setting_that_is_absent_has_its_default(name, expected):
    """Nobody has to set anything."""
    assert getattr(conf, name)() == expected


@pytest.mark.parametrize(("name", "value", "expected"), GOOD)
def test_a_setting_is_read(settings, name, value, expected):
    """A usable value is given back in the form that callers expect."""
    put(settings, name, value)

    assert getattr(conf, name)() == expected


@pytest.mark.covers("D42", "W36")
@pytest.mark.parametrize(("name", "value", "fault"), BAD)
def test_a_setting_that_cannot_be_used_is_refused(settings, name, value, fault):
    """The error names the setting and what is wrong with it."""
    put(settings, name, value)

    with pytest.raises(ImproperlyConfigured) as caught:
        getattr(conf, name)()

    assert str(caught.value).startswith(f"PROMPTS_APP_{name.upper()}: ")
    assert fault in str(caught.value)


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_setting_is_read_at_every_call(settings, name):
    """Nothing is remembered from one call to the next."""
    read = getattr(conf, name)
    before = read()
    value = next(value for one, value, out in GOOD if one == name and out != before)

    put(settings, name, value)
    changed = read()
    delattr(settings, f"PROMPTS_APP_{name.upper()}")

    assert changed != before
    assert read() == before


def test_every_setting_has_a_reader_that_bears_its_name():
    """The check that reads them all misses none."""
    readers = {read.__name__: read for read in conf.READERS}

    assert readers.keys() == DEFAULTS.keys()
    assert all(getattr(conf, name) is read for name, read in readers.items())
