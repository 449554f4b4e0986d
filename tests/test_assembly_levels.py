"""What an assembly makes of levels, and of a fence without partner."""

from __future__ import annotations

import pytest

from prompts_app.declarations import Level
from prompts_app.exceptions import UnbalancedFence
from prompts_app.lint import added_lines
from tests.assembling import assemble, entry, fragment, registry_of, text_of

FENCED = "Fact.\n<!-- detailed -->\n{{how}}\n<!-- /detailed -->\nEnd."
BROKEN = "a\n<!-- detailed -->\nb {{x}}"


@pytest.mark.covers("A10", "A13")
@pytest.mark.parametrize(
    ("level", "told", "text"),
    [
        ("lean", Level.LEAN, "Fact.\nEnd."),
        (Level.LEAN, Level.LEAN, "Fact.\nEnd."),
        ("detailed", Level.DETAILED, "Fact.\nSo.\nEnd."),
        (None, Level.DETAILED, "Fact.\nSo.\nEnd."),
        ("loud", Level.DETAILED, "Fact.\nSo.\nEnd."),
    ],
)
def test_coaching_is_in_unless_the_level_is_lean(level, told, text):
    """The assembly says which level it was made at."""
    registry = registry_of(fragment(default=FENCED))
    built = assemble(registry, level=level, variables={"how": "So."})

    assert (built.text, built.level) == (text, told)


@pytest.mark.covers("A12")
def test_a_fragment_that_is_all_coaching_is_empty_at_lean():
    """Nothing is left of it, no gap either."""
    all_of_it = fragment(default="<!-- detailed -->\nx\n<!-- /detailed -->")
    registry = registry_of(all_of_it, fragment("core.b", "B"))
    built = assemble(registry, level="lean")

    assert built.text == "B"
    assert entry(built, "core.a").outcome == "empty"


@pytest.mark.parametrize("level", Level)
def test_a_fence_without_partner_leaves_the_text_whole(level):
    """Marker lines included, values put in, and the trace says which line it is."""
    registry = registry_of(fragment())
    overrides = {"core.a": BROKEN}
    built = assemble(registry, overrides=overrides, variables={"x": "1"}, level=level)

    assert built.text == "a\n<!-- detailed -->\nb 1"
    (note,) = entry(built, "core.a").notes
    assert (note.code, note.names) == ("unbalanced_fence", ("2",))
    assert str(note) == "A level marker in line 2 has no partner"


def test_strict_refuses_a_fence_without_partner():
    """By fragment and line."""
    with pytest.raises(UnbalancedFence, match=r"^core\.a: the level marker") as caught:
        text_of(fragment(default=BROKEN), strict=True)

    assert (caught.value.fragment, caught.value.line) == ("core.a", 2)
    assert caught.value.opened


@pytest.mark.covers("A17")
def test_the_lean_prompt_is_a_part_of_the_detailed_one():
    """It adds no line, is no longer, and differs."""
    registry = registry_of(
        fragment("core.a", FENCED), fragment("core.b", level="detailed")
    )
    given = {"how": "1. one\n2. two"}

    detailed = assemble(registry, variables=given).text
    lean = assemble(registry, variables=given, level="lean").text

    assert added_lines(detailed, lean) == []
    assert len(lean) < len(detailed)


@pytest.mark.covers("A16")
def test_what_only_lean_has_is_found():
    """A lean-only fragment adds lines, which is why it has to give its reason."""
    registry = registry_of(
        fragment("core.a"), fragment("core.b", "B", level="lean", lean_reason="Damped.")
    )

    detailed = assemble(registry).text
    lean = assemble(registry, level="lean").text

    assert added_lines(detailed, lean) == ["B"]
    assert added_lines(detailed, lean, allow=["B"]) == []
