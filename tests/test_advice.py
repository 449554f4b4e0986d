"""What an editor is told of a text, in words."""

from __future__ import annotations

import pytest
from django.utils import translation

from prompts_app.advice import problem_text, severity_text
from prompts_app.declarations import Lifetime
from prompts_app.lint import SEVERITIES, Problem

FOUND = {"codepoint": "U+200B", "name": "ZERO WIDTH SPACE"}
SENTENCES = [
    (
        "too_long",
        {"length": 8412, "limit": 8000, "over": 412},
        "8,412 characters; at most 8,000 are allowed. Shorten it by 412.",
    ),
    (
        "nul",
        {"line": 3},
        "This text holds a character that cannot be stored (NUL, line 3).",
    ),
    (
        "surrogate",
        {"line": 1},
        "This text holds a character that cannot be stored (lone surrogate, line 1).",
    ),
    (
        "unbalanced_fence",
        {"line": 2, "opened": True},
        "The level marker in line 2 has no partner.",
    ),
    (
        "unknown_variable",
        {"snippet": "{{nmae}}", "near": "name"},
        "{{nmae}} names no variable, and is sent as typed. Did you mean {{name}}?",
    ),
    (
        "unknown_variable",
        {"snippet": "{{zzz}}", "near": ""},
        "{{zzz}} names no variable, and is sent as typed.",
    ),
    (
        "malformed_reference",
        {"snippet": "{{ Name }}", "near": "name"},
        "{{ Name }} is no reference, and is sent as typed. Did you mean {{name}}?",
    ),
    (
        "malformed_reference",
        {"snippet": "{{1 %}}", "near": ""},
        (
            "{{1 %}} is no reference, and is sent as typed."
            " Braces that are meant are written {{lb}}."
        ),
    ),
    (
        "unclosed_reference",
        {"snippet": "{{ a and"},
        "Two braces open here and never close: {{ a and",
    ),
    (
        "space_in_reference",
        {"snippet": "{{ name }}", "variable": "name"},
        "{{ name }} is filled here, but strict calls refuse it. Write {{name}}.",
    ),
    (
        "near_reference",
        {"snippet": "${name}", "variable": "name"},
        "${name} is sent as typed. The value is {{name}}.",
    ),
    (
        "template_tag",
        {"snippet": "{% if %}"},
        "{% if %} is sent as typed: texts have variables, but no tags.",
    ),
    (
        "clause_in_clause",
        {"variable": "note"},
        "{{note}} is sent as typed: a clause cannot hold a clause.",
    ),
    (
        "always_blank",
        {"variable": "day"},
        "{{day}} is always blank where this text is sent.",
    ),
    (
        "repeated_variable",
        {"variable": "day"},
        "{{day}} stands here again, so its value is sent more than once.",
    ),
    ("must_mention", {"variable": "day"}, "The text no longer mentions {{day}}."),
    (
        "mistyped_fence",
        {"snippet": "<!--lean-->"},
        (
            "<!--lean--> marks no level, and is sent. The markers are <!-- detailed -->"
            " and <!-- /detailed -->, each alone on its line."
        ),
    ),
    (
        "stranded_line",
        {"variables": ("day", "name"), "snippet": "-"},
        "Without a value for {{day}}, {{name}} this stands alone: -",
    ),
    (
        "cached_fence",
        {"lane": Lifetime.TURN},
        (
            "This text is cached (new every turn), so it should not differ between"
            " levels: what is cached does not follow a change of level."
        ),
    ),
    (
        "invisible_character",
        {**FOUND, "count": 1},
        "1 invisible character: ZERO WIDTH SPACE (U+200B)",
    ),
    (
        "invisible_character",
        {**FOUND, "count": 1_200},
        "1,200 invisible characters: ZERO WIDTH SPACE (U+200B)",
    ),
    (
        "bidirectional_control",
        {**FOUND, "count": 1},
        "1 invisible character that turns the direction: ZERO WIDTH SPACE (U+200B)",
    ),
    (
        "tag_character",
        {**FOUND, "count": 2},
        (
            "2 invisible letters that only models read, the first: ZERO WIDTH SPACE"
            " (U+200B)"
        ),
    ),
    (
        "direction_mark",
        {**FOUND, "count": 1},
        "1 invisible mark of direction: ZERO WIDTH SPACE (U+200B)",
    ),
    ("foreign_placeholder", {"snippet": "${HOME}"}, "${HOME} is sent as typed."),
    (
        "leaves_prefix",
        {"variables": ("day",), "before": Lifetime.FIXED, "lane": Lifetime.TURN},
        (
            "With {{day}} this text is new every turn."
            " It was the same in every chat, and could be cached."
        ),
    ),
    (
        "much_longer",
        {"length": 5000, "default": 20},
        "5,000 characters; the default has 20.",
    ),
]


@pytest.mark.parametrize(("code", "params", "sentence"), SENTENCES)
def test_a_problem_has_a_sentence(code, params, sentence):
    """With its names as references, and its figures as the language writes them."""
    with translation.override("en"):
        assert problem_text(Problem(code, params=params)) == sentence


def test_every_code_has_a_sentence_here():
    """None is told in its code alone."""
    assert {code for code, _, _ in SENTENCES} == set(SEVERITIES)


def test_a_severity_has_a_name():
    """For whoever does not see its glyph."""
    with translation.override("en"):
        named = {one: severity_text(one) for one in SEVERITIES.values()}

    assert named == {"error": "Error", "warning": "Warning", "note": "Note"}
