"""The text language: references, what they leave, and what is only text."""

from __future__ import annotations

import datetime as dt
import decimal
import json

import pytest
from django.utils.functional import lazystr
from django.utils.safestring import mark_safe

from prompts_app.syntax import substitute, variables_in

SAMPLE = json.dumps(
    {f"step_{n}": {"when": {"a": [{"b": {"c": n}}]}} for n in range(60)},
    separators=(",", ":"),
)


@pytest.mark.covers("L10")
@pytest.mark.parametrize("name", ["x", "x1", "a_b", "a__", "long_name_2"])
def test_a_reference_is_a_name_in_double_braces(name):
    """Lower-case letters, digits and underscores after a first letter are a name."""
    assert substitute(f"<{{{{{name}}}}}>", {name: "v"}) == "<v>"


@pytest.mark.covers("L11")
@pytest.mark.case(15)
@pytest.mark.parametrize(
    "space",
    ["", " ", "   ", "\t", "\r", "\u00a0", "\u3000", "\u2028", "\x85", "\x0b", "\x1f"],
    ids=ascii,
)
def test_unicode_white_space_may_stand_inside_the_braces(space):
    """Any white space but a line feed counts, on both sides, and the name is one."""
    text = f"{{{{{space}name{space}}}}} {{{{name}}}}"

    assert substitute(text, {"name": "v"}) == "v v"
    assert variables_in(text) == ("name",)


@pytest.mark.covers("L11")
@pytest.mark.parametrize("invisible", ["\u200b", "\u2060", "\ufeff"], ids=ascii)
def test_an_invisible_character_makes_it_no_reference(invisible):
    """What is not white space stays text, even if nobody sees it."""
    text = f"{{{{{invisible}x}}}}"

    assert substitute(text, {"x": "v"}) == text


@pytest.mark.covers("L12", "W9")
@pytest.mark.parametrize("text", ["{{\nx}}", "{{x\n}}", "{{ \n x }}", "{\n{x}}"])
def test_a_line_feed_makes_it_no_reference(text):
    """A reference stands on one line, for filling and for listing alike."""
    assert substitute(text, {"x": "v"}) == text
    assert variables_in(text) == ()


NO_REFERENCES = [
    *("{{X}}", "{{xY}}", "{{1x}}", "{{1st}}", "{{_x}}", "{{x-y}}", "{{x.y}}", "{{}}"),
    *("{{x()}}", "{{x|upper}}", "{{x!r}}", "{{x[0]}}", "{{#if x}}", "{{/if}}"),
    *("{{> x}}", "{{x y}}", "{x}", "${x}", "$x", "%(x)s", "{% if x %}", "{# x #}"),
    *("{{größe}}", "{{имя}}", "{{質問}}", "{{x\u0663}}", "\uff5b\uff5bx\uff5d\uff5d"),
    *("{{ ''.__class__.__mro__ }}", "{{x:>99999999}}", "{x:>99999999}", "^{{Ω}rel }"),
]


@pytest.mark.covers("L13", "L25", "L29", "W40")
@pytest.mark.case(5, 7, 9, 10, 24, 51, 52)
@pytest.mark.parametrize("text", NO_REFERENCES)
def test_what_is_no_name_is_text(text):
    """Other languages' syntax is neither filled, nor evaluated, nor listed."""
    values = {"x": "v", "y": "w", "1x": "no", "_x": "no", "X": "no", "größe": "no"}

    assert substitute(text, values) == text
    assert variables_in(text) == ()


@pytest.mark.case(10)
def test_a_width_in_braces_takes_no_memory():
    """A format that would pad to a hundred megabytes is text like any other."""
    text = "{{name:>99999999}} of {{name}}"

    assert substitute(text, {"name": "v"}) == "{{name:>99999999}} of v"


@pytest.mark.covers("L14")
def test_an_unknown_name_stays_as_typed():
    """Braces, white space and all are left for the reader of the prompt to see."""
    text = "{{ nope\t}} and {{constructor}}"

    assert substitute(text, {"x": "v"}) == text


@pytest.mark.covers("L15", "L27", "W11")
@pytest.mark.parametrize("value", ["", None, False])
def test_a_known_name_without_value_leaves_nothing(value):
    """An empty text, None and False are filled in as nothing."""
    assert substitute("a{{x}}b", {"x": value}) == "ab"


@pytest.mark.covers("L27", "W11")
@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0, "0"),
        (2.5, "2.5"),
        (True, "True"),
        (decimal.Decimal("1.10"), "1.10"),
        (dt.date(2026, 3, 1), "2026-03-01"),
        (lazystr("late"), "late"),
        (mark_safe("<b>"), "<b>"),
    ],
    ids=repr,
)
def test_numbers_dates_and_lazy_texts_are_written(value, written):
    """A value with one obvious spelling is put in as a plain text."""
    filled = substitute("a{{x}}", {"x": value})

    assert filled == f"a{written}"
    assert type(filled) is str


@pytest.mark.covers("L27")
@pytest.mark.parametrize(
    "value",
    [
        *([], ["a"], (), {}, {"a": 1}, {"a"}, frozenset(), b"a", bytearray(b"a")),
        *(memoryview(b"a"), iter("ab"), (c for c in "ab"), str, len),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_with_no_one_spelling_is_refused_by_its_name(value):
    """A collection, bytes or callable raises with the variable, never the value."""
    with pytest.raises(TypeError, match=r"^The value of variable 'plan' is a \w+,"):
        substitute("{{plan}}", {"plan": value})


def test_a_value_that_is_not_needed_is_not_looked_at():
    """A list under a name that no reference uses does no harm."""
    assert substitute("{{x}}", {"x": "v", "rows": []}) == "v"


@pytest.mark.covers("L16", "O4")
@pytest.mark.case(19, 20, 21, 22)
@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("{{a}}", {"a": "{{b}}", "b": "SECRET"}, "{{b}}"),
        ("{{a}}", {"b": "SECRET", "a": "{{b}}"}, "{{b}}"),
        ("{{a}}", {"a": "{{a}}"}, "{{a}}"),
        ("{{a}}{{b}}", {"a": "{{", "b": "a}}"}, "{{a}}"),
        ("{{{a}}b}}", {"a": "{", "b": "x"}, "{{b}}"),
        ("{{c}} {{q}}", {"c": "see {{q}}", "q": "why?"}, "see {{q}} why?"),
        ("{{a}}\n{{b}}", {"a": "", "b": "{{a}}"}, "{{a}}"),
    ],
)
def test_a_value_is_never_looked_at_again(text, values, expected):
    """References in a value, or made of two values, stay as they are."""
    assert substitute(text, values) == expected


@pytest.mark.covers("L17")
@pytest.mark.case(4, 14, 16)
@pytest.mark.parametrize(
    "value",
    [
        *("\\1 \\g<0> $1 %s %(x)s", "<b>\"Tom\" & 'Ann'</b>", "a\0b", "\\frac{a}{b}"),
        *("{# x", "{% raw %}", "<!-- -->", "<!-- detailed -->", "costs $10, ${x}"),
    ],
)
def test_a_value_goes_in_as_it_is(value):
    """No backslash, percent, entity or tag of a value means anything."""
    assert substitute("[{{x}}]", {"x": value}) == f"[{value}]"


@pytest.mark.covers("L18")
@pytest.mark.case(17, 18)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{{x}}}", "{v}"),
        ("{{{{x}}}}", "{{v}}"),
        ("{{{ x }}", "{v"),
        ("open {{ a and {{x}}", "open {{ a and v"),
        ("{{x {{x}}", "{{x v"),
        ("{{x}}}}{{", "v}}{{"),
        ("{ {x}} {{x} }", "{ {x}} {{x} }"),
    ],
)
def test_spare_braces_are_text(text, expected):
    """Braces round a reference, or without a partner, disturb nothing."""
    assert substitute(text, {"x": "v", "a": "no"}) == expected


@pytest.mark.covers("L26")
def test_code_is_text_like_any_other():
    """A reference in a code fence or in inline code is filled."""
    text = "```\n{{x}}\n```\n`{{x}}` <pre>{{x}}</pre>"

    assert substitute(text, {"x": "v"}) == "```\nv\n```\n`v` <pre>v</pre>"


@pytest.mark.covers("W31")
@pytest.mark.case(1, 2, 6)
@pytest.mark.parametrize("sample", [SAMPLE, json.dumps(json.loads(SAMPLE), indent=1)])
def test_json_needs_no_escape_and_invents_no_variable(sample):
    """A long nested sample survives byte for byte beside a reference."""
    assert len(sample) > 2000

    text = f'Answer as {{"name": "{{{{user}}}}"}} or\n{sample}'

    assert substitute(text, {"user": "Ada"}) == (
        f'Answer as {{"name": "Ada"}} or\n{sample}'
    )
    assert variables_in(text) == ("user",)


@pytest.mark.case(3)
def test_a_ruler_and_braces_without_a_name_survive():
    """Nothing in such a text means anything, so nothing changes."""
    text = "---\n{{ not a var }}\n}}\n---"

    assert substitute(text, {"not": "v"}) == text


@pytest.mark.covers("W23", "D66")
def test_a_known_reference_can_be_written_literally():
    """A variable that holds two braces writes them, and nothing reads them."""
    text = "{{lb}}today}} is {{today}}"

    assert substitute(text, {"lb": "{{", "today": "Monday"}) == "{{today}} is Monday"


@pytest.mark.covers("L28")
def test_variables_are_listed_in_order_of_first_use():
    """Each name that can expand is named once, whatever else looks like one."""
    text = "{{b}} {{ a }} {{{c}}}\n{{b}} {{no\npe}} {{No}}\n{{a}}"

    assert variables_in(text) == ("b", "a", "c")
