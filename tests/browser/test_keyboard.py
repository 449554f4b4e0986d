"""The page by keyboard alone."""

from __future__ import annotations

import pytest

from tests.browser.steps import (
    box,
    choose,
    editor as editor_of,
    has_focus,
    in_text,
    row,
    visit,
    write,
)


@pytest.fixture
def page(browse, editor):
    """Return the page with a fragment in view."""
    return visit(browse(editor), fragment="core.style")


@pytest.fixture
def outside(page):
    """Return the page with the focus outside every field."""
    editor_of(page, "core.style").locator("h2").focus()
    return page


def test_a_slash_finds(outside, expect):
    """The hits are one arrow away, Enter opens the first, Escape clears."""
    outside.keyboard.press("/")
    has_focus(outside, "#prompts-q")
    with outside.expect_response("**/preview/"):
        outside.keyboard.type("replay")
    expect(outside.locator("[data-row]")).to_have_count(1)
    outside.keyboard.press("ArrowDown")
    has_focus(outside, "[data-row='core.no_replay'] > *")
    outside.keyboard.press("Enter")
    in_text(outside, "core.no_replay")
    outside.locator("#prompts-q").focus()

    outside.keyboard.press("Escape")

    expect(outside.locator("#prompts-q")).to_have_value("")
    expect(row(outside, "core.style")).to_be_visible()


def test_enter_in_the_search_opens_the_first_hit(page, expect):
    """Nothing is submitted by it."""
    with page.expect_response("**/preview/"):
        page.locator("#prompts-q").fill("replay")
    expect(page.locator("[data-row]")).to_have_count(1)

    page.locator("#prompts-q").press("Enter")

    in_text(page, "core.no_replay")


@pytest.mark.parametrize(
    ("letter", "place"),
    [
        ("l", "[data-row='core.style'] > *"),
        ("e", "[data-editor='core.style'] prompts-text"),
        ("p", ".prompts-prompt"),
    ],
)
def test_a_letter_leads_to_a_part(outside, letter, place):
    """The list, the text and the prompt are one stroke away."""
    outside.keyboard.press(letter)

    has_focus(outside, place)


def test_a_letter_folds_the_comparison(outside, expect):
    """And unfolds it again."""
    comparison = editor_of(outside, "core.style").locator("[data-comparison]")

    outside.keyboard.press("c")
    expect(comparison).to_have_attribute("open", "")
    outside.keyboard.press("c")

    expect(comparison).not_to_have_attribute("open", "")


def test_a_question_mark_shows_the_keys(outside, expect):
    """Escape closes the table, and the focus is where it was."""
    outside.keyboard.press("?")
    expect(outside.locator("#prompts-keyboard")).to_be_visible()
    expect(outside.locator("#prompts-keyboard")).to_contain_text("find; arrow down")

    outside.keyboard.press("Escape")

    expect(outside.locator("#prompts-keyboard")).to_be_hidden()
    has_focus(outside, "[data-editor='core.style'] h2")


def test_the_table_of_keys_has_a_link_too(page, expect):
    """It needs no key to be found."""
    page.locator("[data-keyboard]").click()

    expect(page.locator("#prompts-keyboard")).to_be_visible()


def test_letters_are_text_inside_a_field(page, expect):
    """Nothing but the typing happens there."""
    box(page, "core.style").fill("")

    page.keyboard.type("/lepc?")

    expect(box(page, "core.style")).to_have_value("/lepc?")
    in_text(page, "core.style")
    expect(page.locator("#prompts-keyboard")).to_be_hidden()


def test_letters_can_be_switched_off(outside, expect):
    """For good, and the keys that are no single letters go on working."""
    outside.keyboard.press("?")
    outside.get_by_label("Single letters act outside text fields").uncheck()
    outside.keyboard.press("Escape")

    visit(outside, fragment="core.style")
    editor_of(outside, "core.style").locator("h2").focus()
    outside.keyboard.press("l")
    outside.keyboard.press("?")

    has_focus(outside, "[data-editor='core.style'] h2")
    expect(outside.locator("#prompts-keyboard")).to_be_hidden()
    outside.keyboard.press("Alt+PageDown")
    in_text(outside, "core.honesty")


def test_pages_step_through_the_fragments(page, expect):
    """With Alt, in the text too, and not beyond either end of the group."""
    box(page, "core.style").focus()

    page.keyboard.press("Alt+PageDown")
    in_text(page, "core.honesty")
    page.keyboard.press("Alt+PageUp")
    page.keyboard.press("Alt+PageUp")
    in_text(page, "core.identity")
    choose(page, "core.heading")
    page.keyboard.press("Alt+PageUp")

    in_text(page, "core.heading")


def test_escape_leads_out_of_the_text(page):
    """To its heading, from where letters act."""
    box(page, "core.style").focus()

    page.keyboard.press("Escape")

    has_focus(page, "[data-editor='core.style'] h2")


def test_tab_leads_on_from_the_text(page, expect):
    """It types nothing, there as anywhere."""
    text = box(page, "core.style").input_value()
    box(page, "core.style").focus()

    page.keyboard.press("Tab")

    has_focus(page, "button[name=_off]")
    expect(box(page, "core.style")).to_have_value(text)


def test_saving_keys_rest_while_nothing_changed(page, expect):
    """There is nothing to be reviewed."""
    box(page, "core.style").press("Control+s")

    expect(page.locator("[data-review]")).to_be_disabled()
    expect(box(page, "core.style")).to_be_visible()


def test_the_tab_order_is_the_reading_order(page):
    """List, text, prompt and save bar follow each other."""
    write(page, "core.style", "Be brief.")
    order = """() => [...document.querySelectorAll(
        "#prompts-form :is(a, button, input, select, textarea, summary, [tabindex='0'])"
    )].filter(one => one.tabIndex >= 0 && one.checkVisibility())
      .map(one => one.closest(".prompts-list, .prompts-editor, .prompts-preview, "
        + ".prompts-bar").className.split(" ")[0])"""

    parts = page.evaluate(order)

    seen = list(dict.fromkeys(parts))
    assert seen == ["prompts-list", "prompts-editor", "prompts-preview", "prompts-bar"]
    assert parts == sorted(parts, key=seen.index)
    ahead = page.evaluate(
        "() => document.querySelectorAll('[tabindex]:not("
        '[tabindex="0"], [tabindex="-1"])\').length'
    )
    assert ahead == 0
