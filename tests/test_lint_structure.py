"""Lint: markers of a level, lines that a blank value strands, and stability."""

from __future__ import annotations

import pytest

from prompts_app.declarations import Lifetime
from prompts_app.lint import has_fence
from tests.assembling import assemble, fragment, registry_of
from tests.linting import CATALOGUE, codes, params, places, problems

FENCED = "<!-- detailed -->\nSay {{name}}.\n<!-- /detailed -->"


@pytest.mark.parametrize(
    "marker",
    [
        *(
            "<!--detailed-->",
            "<!-- Detailed -->",
            "<!--  detailed -->",
            "<!-- lean -->",
        ),
        *("<!-- / detailed -->", "<!-- end detailed -->", "<!-- details -->"),
        *("<!-- detail -->", "<!-- End Lean -->", "<!--\tdetailed/ -->"),
    ],
)
def test_a_mistyped_marker_is_told(marker):
    """It would be sent, and the text is the same at both levels."""
    text = f"One.\n  {marker}\nTwo."

    assert codes(text) == ["mistyped_fence"]
    assert places(text) == [marker]
    assert params(text) == {"snippet": marker}


@pytest.mark.parametrize(
    "text",
    [
        *(
            "<!-- detailed -->\na\n<!-- /detailed -->",
            "  <!-- detailed -->\t\n<!-- /detailed -->",
        ),
        *(
            "<!-- details of the plan -->",
            "<!-- -->",
            "<!-- detailed",
            "`<!--detailed-->`",
        ),
        *(
            "```\n<!--detailed-->\n```",
            "<!-- <detailed -->",
            "<!-- " + " " * 40 + "lean -->",
        ),
    ],
)
def test_a_marker_or_another_comment_is_none(text):
    """Only what could have been meant as a marker is told."""
    assert codes(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "a <!-- detailed -->",
        "<!-- detailed --> a",
        "<!-- /detailed --> <!-- /detailed -->",
    ],
)
def test_a_marker_that_shares_its_line_is_none(text):
    """It has to stand alone, white space aside."""
    assert set(codes(text)) == {"mistyped_fence"}


def test_an_unbalanced_marker_is_an_error_with_its_line():
    """The line is the place, and the params say whether it opens."""
    (opened,) = problems("a\n  <!-- detailed --> \nb", before="a")
    (closed,) = problems("<!-- /detailed -->", before="a")

    assert (opened.code, opened.severity) == ("unbalanced_fence", "error")
    assert (opened.start, opened.length) == (2, 20)
    assert opened.params == {"line": 2, "opened": True}
    assert (closed.start, closed.length) == (0, 18)
    assert closed.params == {"line": 1, "opened": False}


@pytest.mark.covers("W10")
@pytest.mark.parametrize(
    ("text", "place", "left"),
    [
        *(
            (f"One.\n{mark} {{{{day}}}}\nTwo.", f"{mark} {{{{day}}}}", mark)
            for mark in ("-", "*", "+", "•", "–", ">", "1.", "12)", "- [ ]", "* [x]")
        ),
        *(
            (f"{mark} {{{{day}}}}", f"{mark} {{{{day}}}}", mark)
            for mark in ("#", "######")
        ),
        ("  - {{day}} {{name}}", "  - {{day}} {{name}}", "-"),
        ("### {{ day }}\n\nText.", "### {{ day }}", "###"),
        ("# Day\n{{day}}", "# Day", "# Day"),
        ("Intro.\n\n## Day\n\n{{day}}\n\n{{name}}\n# End\nText.", "## Day", "## Day"),
        ("# One\nText.\n# Day\n{{day}}", "# Day", "# Day"),
        ("# Day\n<!-- detailed -->\n{{day}}\n<!-- /detailed -->", "# Day", "# Day"),
    ],
)
def test_what_a_blank_value_strands_is_told(text, place, left):
    """A bullet or heading mark without words, a heading with nothing under it."""
    told = [one for one in problems(text, before=text) if one.code == "stranded_line"]

    assert [text[one.start : one.start + one.length] for one in told] == [place]
    assert told[0].params["snippet"] == left
    assert told[0].params["variables"][0] == "day"


@pytest.mark.covers("W10")
@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("- Today: {{day}}", {}),
        ("- {{day}}", {"requires": ("day",)}),
        ("- {{day}}{{name}}", {"requires": ("name",)}),
        ("- {{day}}", {"optional_lines": True}),
        ("- {{lb}}", {}),
        ("- {{tool_names}}", {"when_tools": True}),
        ("- {{nobody}}", {}),
        ("{{day}}", {}),
        ("####### {{day}}", {}),
        ("# Day", {}),
        ("# Day\n\n# Next\nText.", {}),
        ("# Day\n{{day}}\nText.", {}),
        ("# Day\nText.\n{{day}}", {}),
        ("# Day\n{{day}}.", {}),
        ("# Day\n{{day}}", {"requires": ("day",)}),
        ("# Day\n- {{day}}", {"requires": ("day",)}),
        ("```\n# Day\n{{day}}\n```", {}),
        ("```\n# Day\n{{day}}", {}),
        ("#Day\n{{day}}", {}),
        ("{{day}}\n# Day", {}),
    ],
)
def test_what_is_never_left_alone_is_not_reported(text, options):
    """Words stand beside it, the variable is required, or the line goes."""
    assert "stranded_line" not in codes(text, **options)


def test_a_heading_over_lines_that_go_is_stranded_by_them():
    """With optional lines a whole line goes with its variable, whatever stands on it."""
    text = "# Day\n- It is {{day}}.\n- And {{name}}."

    assert codes(text) == []
    assert places(text, optional_lines=True) == ["# Day"]
    assert params(text, optional_lines=True)["variables"] == ("day", "name")


def test_a_line_that_is_stranded_names_each_variable_once():
    """In the order in which they stand there."""
    assert params("- {{name}}{{day}}{{name}}") == {
        "variables": ("name", "day"),
        "snippet": "-",
    }


@pytest.mark.parametrize(
    ("length", "default", "found"),
    [
        (1_501, "a" * 300, 1),
        (1_300, "a" * 300, 0),
        (1_301, "a" * 300, 1),
        (1_200, "a" * 300, 0),
        (4_000, "a" * 1_000, 0),
        (4_001, "a" * 1_000, 1),
        (9_000, " \n", 0),
    ],
)
def test_a_text_far_longer_than_its_default_is_noted(length, default, found):
    """More than four times as long, and by more than a thousand characters."""
    assert codes("b" * length, default) == ["much_longer"] * found


def test_how_much_longer_is_told_in_figures():
    """Of the text and of its default, outer white space aside."""
    assert params("b" * 2_000, " aa\n") == {"length": 2_000, "default": 2}


@pytest.mark.parametrize(
    ("text", "options", "found"),
    [
        (FENCED, {}, True),
        (FENCED.replace("name", "day"), {}, True),
        (FENCED.replace("name", "product"), {}, False),
        (FENCED.replace("name", "question"), {}, False),
        ("Say {{name}}.", {}, False),
        (FENCED.replace("name", "product"), {"requires": ("name",)}, True),
        (FENCED.replace("name", "product"), {"lifetime": Lifetime.TURN}, True),
        (FENCED.replace("name", "product"), {"unless": ("day",)}, True),
    ],
)
def test_a_level_fence_in_what_a_chat_keeps_is_told(text, options, found):
    """What is cached for a chat cannot follow a change of level."""
    told = codes(f"Hi.\n{text}", **options)

    assert told == ["cached_fence"] * found
    assert places(f"Hi.\n{text}", **options) == ["<!-- detailed -->"] * found


def test_a_text_without_whole_fences_has_none():
    """One that is unbalanced is sent as it is, at every level."""
    assert has_fence(FENCED)
    assert not has_fence("<!-- detailed -->\na")
    assert not has_fence("a")


@pytest.mark.parametrize(
    ("before", "text", "names", "lanes"),
    [
        ("a", "b {{name}}", ("name",), ("FIXED", "CONVERSATION")),
        ("{{name}}", "{{name}} {{day}}", ("day",), ("CONVERSATION", "TURN")),
        ("a", "{{name}} {{nobody}}", ("nobody",), ("FIXED", "CALL")),
        ("a", "Do it{{note}}.", ("note",), ("FIXED", "TURN")),
        ("a", "{{day}}{{note}}", ("day", "note"), ("FIXED", "TURN")),
    ],
)
def test_what_leaves_the_cached_prefix_is_noted(before, text, names, lanes):
    """With the names that do it, at the first of them."""
    found = [
        one for one in problems(text, before=before) if one.code == "leaves_prefix"
    ]

    assert [one.params["variables"] for one in found] == [names]
    assert (found[0].params["before"].name, found[0].params["lane"].name) == lanes
    at = text[found[0].start : found[0].start + found[0].length]
    assert at == f"{{{{{names[0]}}}}}"


@pytest.mark.parametrize(
    ("before", "text", "options"),
    [
        ("a {{name}}", "b {{name}}", {}),
        ("{{day}}", "{{name}}", {}),
        ("a", "{{day}}", {"lifetime": Lifetime.TURN}),
        ("a", "{{day}}", {"requires": ("day",)}),
        (" ", "{{day}}", {}),
    ],
)
def test_what_is_as_stable_as_before_is_not_reported(before, text, options):
    """Gates and a promised lifetime count on both sides; what was off had no place."""
    assert codes(text, before=before, **options) == []


def test_without_a_text_before_it_the_default_is_compared():
    """That is what stands beneath."""
    assert [one.code for one in problems("{{day}}", "A")] == ["leaves_prefix"]
    assert problems("{{day}}", "{{day}}") == ()


def test_clauses_have_their_saved_texts():
    """How stable a clause is follows from what is in force of it."""
    assert codes("{{note}}", before="a", texts={"core.z": "Always."}) == []


def test_lanes_are_those_that_an_assembly_reports():
    """Of a saved text, with a saved clause in it."""
    one = fragment("core.a", "A")
    texts = {"core.a": "{{note}}", "core.z": "{{name}}"}

    traced = assemble(registry_of(*CATALOGUE, one), overrides=texts).trace
    (found,) = problems("{{note}}", "A", texts=texts)

    assert [entry.lane for entry in traced if entry.key == "core.a"] == [
        found.params["lane"]
    ]
