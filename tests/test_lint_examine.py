"""Lint as a whole: any text, its places, its cost, and catalogues without fault."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, strategies as st

from prompts_app import registry
from prompts_app.lint import (
    ERROR,
    NOTE,
    SEVERITIES,
    WARNING,
    Problem,
    examine,
    in_utf16,
    refusals,
)
from prompts_app.lint.subject import Subject
from prompts_app.syntax import fold_line_breaks, variables_in
from tests.assembling import fragment
from tests.linting import VIEW, codes, problems

PIECES = (
    *(
        "{",
        "}",
        "{{",
        "}}",
        "name",
        "day",
        " ",
        "\n",
        "\r\n",
        "\r",
        "\t",
        "A",
        "-",
        "#",
    ),
    *("```", "`", "~~~", "$", "%", "{%", "%}", "<!--", "-->", "detailed", "/", "\\"),
    *("{{name}}", "{{question}}", "{{ day }}", "- {{day}}", "# Day", "😀", "é", "\0"),
    *(
        "\ud800",
        "\u200b",
        "\u202e",
        "\ufe0f",
        "\U000e0041",
        "\U0001f3f4",
        "\x85",
        "\x1c",
    ),
    *("<!-- detailed -->", "<!-- /detailed -->", "{{lb}}", "1.", ">", "[x]"),
)
WORDS = (
    "Plain",
    "words,",
    "é😀",
    "(so",
    "far)",
    "1.5",
    '{"a":',
    "1}",
    "[b]",
    "{}",
    "$5",
)
FILLED = ("{{name}}", "{{product}}", "{{{day}}}", "{{lb}}x}}", "{{note}}")

hostile = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
lines = st.lists(st.sampled_from((*WORDS, *FILLED)), min_size=1, max_size=6).map(
    lambda words: f"So {' '.join(words)}"
)
clean = st.lists(lines, min_size=1, max_size=5).map("\n".join)


@given(st.one_of(hostile, st.text()))
def test_any_text_has_problems_with_places_in_it(text):
    """Nothing raises, and each place is a piece of the text with folded line breaks."""
    folded = fold_line_breaks(text)

    for found in problems(text, limit=30, must_mention=("day",)):
        assert found.code in SEVERITIES
        assert 0 <= found.start <= found.start + found.length <= len(folded)


@given(clean)
def test_a_text_of_the_language_has_no_problem(text):
    """References to what is there, words, JSON and lone braces."""
    assert codes(text) == []


@given(st.one_of(hostile, st.text()))
def test_references_are_those_that_are_filled(text):
    """What the rules go by is what the language says."""
    subject = Subject(text, fragment(), VIEW)

    assert subject.used == variables_in(text)


@given(st.one_of(hostile, st.text()))
def test_errors_are_what_a_save_refuses(text):
    """Both come from the same place, in the same figures."""
    folded = fold_line_breaks(text)
    errors = [one for one in problems(text, limit=9) if one.severity == ERROR]

    refused = list(refusals(folded, 9)) if folded.strip() else []
    assert sorted(errors, key=lambda one: one.code) == sorted(
        refused, key=lambda one: one.code
    )


@given(hostile)
def test_places_in_utf16_are_those_of_a_browser(text):
    """As many units before them as the text up to there has."""
    offsets = range(len(text) + 1)

    assert in_utf16(text, offsets) == {
        offset: len(text[:offset].encode("utf-16-le", "surrogatepass")) // 2
        for offset in offsets
    }


def test_a_place_behind_an_emoji_counts_one_character_for_it():
    """And two units in UTF-16, where it has a pair."""
    (found,) = problems("😀\r\n👩‍👩‍👧 {{nmae}}", before="{{nmae}}")

    assert (found.start, found.length) == (8, 8)
    assert in_utf16("😀\n👩‍👩‍👧 {{nmae}}", [8, 16, 8]) == {8: 12, 16: 20}


def test_refusals_have_their_places():
    """What is over the limit, and the first character of each kind."""
    found = problems("ab\nc\0d\ud800\0", limit=4)

    assert [(one.code, one.start, one.length) for one in found] == [
        ("too_long", 4, 4),
        ("nul", 4, 1),
        ("surrogate", 6, 1),
    ]
    by_code = {one.code: dict(one.params) for one in found}
    assert by_code == {
        "too_long": {"length": 8, "limit": 4, "over": 4},
        "nul": {"line": 2},
        "surrogate": {"line": 2},
    }


def test_a_text_of_the_allowed_length_is_not_too_long():
    """And without a limit none is."""
    assert problems("abcd", limit=4) == ()
    assert problems("a" * 900) == ()


def test_a_blank_text_has_no_problem():
    """It switches its fragment off, which is a decision."""
    assert problems(" \n\u2028\t", must_mention=("day",)) == ()


def test_problems_come_by_place_and_the_worst_of_a_place_first():
    """Those of the whole text before all others."""
    text = "{{nmae}} {{ day }} \u200b"

    assert codes(text, must_mention=("name",)) == [
        *("must_mention", "unknown_variable", "space_in_reference"),
        "invisible_character",
    ]
    assert [one.code for one in problems("{{nmae}}")] == [
        *("unknown_variable", "leaves_prefix")
    ]


@pytest.mark.parametrize(
    ("piece", "code"),
    [
        ("{{nmae}} ", "unknown_variable"),
        ("{{{{name}} ", "unclosed_reference"),
        ("{{A}}", "malformed_reference"),
        ("- {{day}}\n", "stranded_line"),
    ],
)
def test_the_first_twenty_places_of_a_code_are_told(piece, code):
    """The others say nothing new."""
    assert codes(piece * 20).count(code) == 20
    told = problems(piece * 25, before=piece)
    assert [one.code for one in told].count(code) == 20
    starts = [one.start for one in told if one.code == code]
    assert starts == sorted(starts)
    assert starts[-1] == 19 * len(piece)


def test_a_code_has_one_severity():
    """Errors block, warnings do not, notes only tell."""
    assert {SEVERITIES[code] for code in SEVERITIES} == {ERROR, WARNING, NOTE}
    assert Problem("nul").severity == "error"
    assert Problem("stranded_line").severity == "warning"
    assert Problem("much_longer").severity == "note"


def test_a_problem_does_not_show_the_text():
    """Neither in its repr nor in that of what rules look at."""
    assert "nmae" not in repr(problems("{{nmae}}"))
    assert "secret" not in repr(Subject("secret", fragment(), VIEW, "secret"))


def test_the_chat_catalogue_has_no_warning():
    """Nor has anything else that these tests install."""
    view = registry.view()

    told = [
        (layered.key, found.code)
        for layered in view.fragments
        for found in examine(layered.fragment.default, layered.fragment, view)
        if found.severity != NOTE
    ]

    assert {one.value.key for one in registry.records("fragment")} >= CHAT
    assert told == []


CHAT = {"core.today", "tool.agent", "task.title", "seam.authored_lead"}
HOSTILE = {
    "opening braces": "{",
    "pairs": "{{",
    "closing braces": "}}",
    "groups": "{{A}}",
    "unclosed names": "{{ abc ",
    "references": "{{name}}\n",
    "spaces in braces": "{ ",
    "single braces": "{x} ",
    "tags": "{%",
    "comments": "<!-- detailed",
    "markers on one line": "<!-- detailed --> ",
    "markers": "<!-- detailed -->\n",
    "pairs of markers": "<!-- detailed -->\na\n<!-- /detailed -->\n",
    "backticks": "`",
    "fences": "```\n",
    "spans": "`a",
    "line feeds": "\n",
    "headings": "# a\n",
    "headings over variables": "# a\n{{day}}\n",
    "bullets": "- {{day}}\n",
    "repeated values": "{{question}}",
    "zero width spaces": "\u200b",
    "tag characters": "\U000e0041",
    "half flags": "\U0001f3f4\U000e0067",
    "selectors": "\ufe0f",
    "surrogates": "\ud800",
    "blanks": " ",
    "words": "All sorts of words.\n",
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_the_work_grows_as_the_text_does(piece):
    """Ten times the text is nowhere near a hundred times the work."""
    short = piece * (20_000 // len(piece))

    once, tenfold = (spent_on(f"a{short * times}b}}}}") for times in (1, 10))

    assert tenfold < 40 * once


def spent_on(text):
    """Return the least processor time of a few runs, in seconds."""
    spent = []
    for _ in range(3):
        start = time.process_time()
        problems(text, limit=8_000)
        spent.append(time.process_time() - start)
    return min(spent)
