"""
Five tasks by keyboard alone.

Each counts the strokes it takes beside what is typed: as many as the tour tells.
"""

from __future__ import annotations

import re

import pytest

from prompts_app import services
from tests.browser.steps import REVIEW, box, has_focus, in_text, row, visit, write
from tests.documents import read


def told(task):
    """Return how many strokes the tour tells of a task."""
    (strokes,) = re.findall(rf"^\| {task} \|.*\| (\d+) \|$", read("docs/tour.md"), re.M)
    return int(strokes)


class Keys:
    """Presses keys in a page, and counts the strokes."""

    def __init__(self, page):
        self.page = page
        self.strokes = 0

    def press(self, *keys):
        """Press each of *keys*, chords being one stroke."""
        for key in keys:
            self.page.keyboard.press(key)
            self.strokes += 1

    def type(self, words):
        """Type *words*, which are no strokes of the way there."""
        self.page.keyboard.type(words)


@pytest.fixture
def page(browse, editor):
    """Return the page with a fragment in view."""
    return visit(browse(editor), fragment="core.style")


def test_to_change_a_sentence(browse, expect, editor):
    """From the start view to a changed text: 2 strokes and the words looked for."""
    page = visit(browse(editor))
    keys = Keys(page)

    keys.press("/")
    with page.expect_response("**/preview/"):
        keys.type("restate")
    expect(page.locator("[data-row]")).to_have_count(1)
    keys.press("Enter")
    in_text(page, "core.style")
    keys.type("Be brief. ")

    expect(page.locator(".prompts-changes")).to_have_text("1 unsaved change")
    assert keys.strokes == told("Change a sentence")


def test_to_insert_a_variable(page, expect):
    """From the text to a variable that it does not use yet, and in it."""
    keys = Keys(page)
    box(page, "core.style").focus()

    keys.press("Control+End")
    keys.press(*["Tab"] * 5)
    has_focus(page, "#prompts-variables > summary")
    keys.press("Enter")
    keys.press("Tab")
    has_focus(page, "#prompts-variables [data-insert]")
    keys.press("Enter")

    in_text(page, "core.style")
    assert box(page, "core.style").input_value().rstrip().endswith("}}")
    assert keys.strokes == told("Insert a variable")


def test_to_switch_a_fragment_off(browse, expect, editor):
    """From the start view: find it, and press the button under the text."""
    page = visit(browse(editor))
    keys = Keys(page)

    keys.press("/")
    with page.expect_response("**/preview/"):
        keys.type("replay")
    expect(page.locator("[data-row]")).to_have_count(1)
    keys.press("Enter")
    in_text(page, "core.no_replay")
    keys.press("Tab")
    has_focus(page, "button[name=_off]")
    keys.press("Enter")

    expect(row(page, "core.no_replay").locator("[data-becomes]")).to_have_text("→ Off")
    assert keys.strokes == told("Switch a fragment off")


def test_to_see_the_effect_in_another_scenario(page, expect):
    """From the text to the prompt of the next scenario."""
    keys = Keys(page)
    box(page, "core.style").focus()
    before = page.locator("#prompts-scenario").input_value()

    keys.press("Escape", "p", *["Shift+Tab"] * 4)
    has_focus(page, "#prompts-scenario")
    with page.expect_response("**/preview/"):
        keys.press("ArrowDown")

    assert page.locator("#prompts-scenario").input_value() != before
    expect(page.locator('[data-passage-of="core.tools_preamble"]')).to_be_visible()
    assert keys.strokes == told("See the effect in another scenario")


def test_to_review_and_save(page, expect):
    """From a changed text to a stored one: 2 strokes."""
    keys = Keys(page)
    write(page, "core.style", "Be brief.")

    keys.press("Control+s")
    page.wait_for_selector(REVIEW)
    keys.press("Control+s")
    page.wait_for_selector(".messagelist")

    assert services.resolve("core.style") == "Be brief."
    assert keys.strokes == told("Review and save")
