"""What holds for every text, however strange, and however long."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given, strategies as st

from prompts_app.assembly import weld
from prompts_app.exceptions import TextError, UnbalancedFence
from prompts_app.syntax import (
    ReferenceLine,
    at_level,
    clean_untrusted,
    normalise,
    parse,
    substitute,
    substitute_strict,
    variables_in,
)
from tests.reference_text import (
    at_level as slow_level,
    clean,
    cut,
    fill,
    names_in,
    weld as slow_weld,
)
from tests.strategies import texts as likely

MEGABYTE = 1_000_000
braces = st.text(alphabet="{} \nab_9A\t\r", max_size=60)
anything = st.one_of(st.text(max_size=60), braces, likely)
names = st.sampled_from(["a", "b", "ab", "who", "place", "note"])
values = st.dictionaries(names, st.one_of(st.text(max_size=9), braces, st.none()))


@given(anything, values, st.booleans())
@pytest.mark.covers("L29")
@pytest.mark.case(8)
def test_lenient_substitution_never_raises(text, known, optional):
    """Any text is filled, exactly as reading it character by character gives."""
    expected = fill(
        text, {name: value or "" for name, value in known.items()}, optional=optional
    )

    assert substitute(text, known, optional_lines=optional) == expected


def strictly(text, known):
    """Return the text that strict filling gives, or the fault."""
    try:
        return substitute_strict(text, known, name="core.a")
    except TextError as fault:
        return fault


@given(anything, values)
@pytest.mark.covers("D61")
def test_strict_substitution_fills_or_names_a_fault(text, known):
    """It gives the text with every reference filled, or points at two braces."""
    given_values = {name: value for name, value in known.items() if value is not None}

    result = strictly(text, known)

    if isinstance(result, TextError):
        assert result.fragment == "core.a"
        assert text.startswith("{{", result.position)
    else:
        lines = [
            "".join(given_values.get(name, typed) for typed, name in cut(line))
            for line in text.split("\n")
        ]
        assert result == "\n".join(lines)
        assert set(variables_in(text)) <= given_values.keys()


@given(anything)
@pytest.mark.covers("L28", "W9")
def test_what_is_listed_is_what_can_be_filled(text):
    """A name is listed if, and only if, giving it a value changes the text."""
    listed = variables_in(text)
    others = {"a", "b", "ab", "who", "place", "note", "A", "9a"}.difference(listed)

    assert listed == tuple(dict.fromkeys(names_in(text)))
    assert substitute(text, dict.fromkeys(others, "v")) == text
    for name in listed:
        assert substitute(text, {name: "\0"}) != text


@given(anything)
@pytest.mark.covers("L16")
@pytest.mark.case(19, 20)
def test_one_pass_is_all_there_is(text):
    """Values that are references to themselves give back what stood there."""
    known = {name: f"{{{{{name}}}}}" for name in variables_in(text)}
    plainly = "\n".join(
        "".join(known.get(name, typed) for typed, name in cut(line))
        for line in text.split("\n")
    )

    assert substitute(text, known) == plainly
    assert substitute(plainly, known) == plainly


@given(anything)
def test_parsing_loses_nothing(text):
    """Blocks and their parts, put together again, are the text."""
    blocks = [
        "".join(block.parts) if isinstance(block, ReferenceLine) else block
        for block in parse(text)
    ]

    assert "\n".join(blocks) == text


@given(anything)
@example("<!-- detailed -->\na\n<!-- /detailed -->")
@example("<!-- detailed -->")
@pytest.mark.covers("A10", "A17")
def test_lean_lines_are_among_the_detailed_ones(text):
    """Lean adds no line and is not longer; a broken fence is broken at both levels."""
    try:
        lean = at_level(text, "lean")
    except UnbalancedFence:
        with pytest.raises(UnbalancedFence):
            at_level(text, "detailed")
        assert slow_level(text, "lean") is None
        return
    detailed = at_level(text, "detailed")

    assert lean == slow_level(text, "lean")
    assert detailed == slow_level(text, "detailed")
    assert not Counter(lean.split("\n")) - Counter([*detailed.split("\n"), ""])
    assert len(lean) <= len(detailed)


@given(st.text(alphabet="`~\x00\ufeff\r\n a\u202e\U000e0041", max_size=30))
@pytest.mark.covers("W17")
def test_cleaning_is_what_reading_slowly_gives(value):
    """No run of fence characters and no hidden character is left."""
    cleaned = clean_untrusted(value)

    assert cleaned == clean(value)
    assert "```" not in cleaned
    assert "~~~" not in cleaned


@given(st.lists(st.text(alphabet="- a\n", min_size=1, max_size=6), max_size=6))
@pytest.mark.covers("L57")
def test_welding_adds_line_feeds_only(pieces):
    """Every piece is kept, one line feed or two apart from the next."""
    welded = weld(pieces)
    gaps = max(0, len(pieces) - 1)

    assert welded == slow_weld(pieces)
    assert gaps <= len(welded) - sum(map(len, pieces)) <= 2 * gaps


HOSTILE = {
    "opening braces": "{" * MEGABYTE,
    "braces in turn": "{{}" * (MEGABYTE // 3),
    "white space": "{{" + " " * MEGABYTE,
    "white space after a name": "{{a" + " " * MEGABYTE,
    "openings with white space": "{{ " * (MEGABYTE // 3),
    "a long name": "{{" + "a" * MEGABYTE,
    "openings with names": "{{a" * (MEGABYTE // 3),
    "references": "{{a}}" * (MEGABYTE // 5),
    "references on lines": ("{{a}} and so on, up to a hundred" * 3 + "\n") * 10_000,
    "lines": "\n" * MEGABYTE,
    "markers": "<!-- detailed -->\n" * (MEGABYTE // 18),
    "backticks": "`" * MEGABYTE,
    "backticks in pairs": "`` " * (MEGABYTE // 3),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.case(10)
def test_a_megabyte_of_anything_is_read_in_one_go(text):
    """Work grows with the text: what grew with its square would not end today."""
    filled = substitute(text, {"a": "v"})
    listed = variables_in(text)
    cleaned = clean_untrusted(text)

    assert len(filled) <= len(text)
    assert listed in ((), ("a",))
    assert len(cleaned) == len(text)


def leanly(text):
    """Return a text at level lean, or the fault."""
    try:
        return at_level(text, "lean")
    except UnbalancedFence as fault:
        return fault


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_megabyte_is_judged_in_one_go(text):
    """Strict filling and levels are as quick, whatever their verdict."""
    filled = strictly(text, {"a": "v"})
    lean = leanly(text)

    assert len(str(filled)) <= len(text) + 100
    assert len(str(lean)) <= len(text) + 100


@given(st.text(alphabet="a\r\n \u2028"))
def test_what_is_stored_is_stored_as_it_is(text):
    """An export that is imported again changes nothing."""
    stored = normalise(text)

    assert normalise(stored) == stored
    assert "\r\n" not in stored
    assert stored.count("\r") <= text.count("\r")
