"""The page on a phone."""

from __future__ import annotations

import pytest

from tests.browser.steps import (
    NARROW,
    REVIEW,
    box,
    choose,
    editor as editor_of,
    visit,
    write,
)

PARTS = {
    "list": "#prompts-list",
    "editor": "#prompts-editor",
    "preview": "#prompts-preview",
}
COVERED = """() => {
    const stop = document.activeElement;
    const {left, right, top, bottom} = stop.getBoundingClientRect();
    const middle = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const there = document.elementFromPoint((left + right) / 2, middle);
    return stop.contains(there) ? "" : stop.outerHTML;
}"""
AT_THE_END = "() => document.activeElement === document.body"


def part(page, name):
    """Return the link to one part of the page."""
    return page.locator(f".prompts-jumps [data-part={name}]")


def fits(page):
    """Return whether nothing is wider than the window."""
    return page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture
def page(browse, editor):
    """Return the page as a phone shows it."""
    return visit(browse(editor, viewport=NARROW))


def test_one_part_is_shown_at_a_time(page, expect):
    """The links change between the three, and say which is shown."""
    for shown in PARTS:
        part(page, shown).click()

        expect(part(page, shown)).to_have_attribute("data-shown", "")
        for name, place in PARTS.items():
            expect(page.locator(place)).to_be_visible(visible=name == shown)


def test_choosing_a_fragment_shows_its_text(page, expect):
    """And the link from there to its passage shows the prompt."""
    choose(page, "core.style")
    expect(box(page, "core.style")).to_be_visible()

    editor_of(page, "core.style").locator("a[href^='#passage:']").click()

    expect(page.locator("#prompts-preview")).to_be_visible()
    expect(page.locator('[data-passage-of="core.style"]')).to_be_in_viewport()


def test_back_leads_from_the_text_to_the_list(page, expect):
    """As a phone's own button is expected to."""
    choose(page, "core.style")

    page.go_back()

    expect(page.locator("#prompts-list")).to_be_visible()
    expect(page.locator("#prompts-editor")).to_be_hidden()


@pytest.mark.parametrize("name", PARTS)
def test_nothing_scrolls_sideways(page, name):
    """Not even with long words in a text."""
    choose(page, "core.style")
    write(page, "core.style", f"{'long' * 60} {{{{user_name}}}}")

    part(page, name).click()

    assert fits(page)


def test_the_save_bar_is_in_view(page, expect):
    """It stands at the foot of each part, however far one has scrolled."""
    choose(page, "core.style")
    write(page, "core.style", "Be brief.")

    for name in PARTS:
        part(page, name).click()
        expect(page.locator("[data-review]")).to_be_in_viewport(ratio=1)


def test_nothing_covers_the_field_that_has_the_focus(page):
    """Going through the page with the Tab key, each stop can be seen."""
    choose(page, "core.style")
    write(page, "core.style", "Line\n" * 30)
    page.locator("[data-editor][data-current] h2").focus()
    covered = []

    page.keyboard.press("Tab")
    while not page.evaluate(AT_THE_END) and len(covered) < 40:
        covered.append(page.evaluate(COVERED))
        page.keyboard.press("Tab")

    assert 8 < len(covered) < 40
    assert [one for one in covered if one] == []


def test_texts_are_large_enough_for_a_phone(page):
    """Below 16 pixels a phone zooms in when a field gets the focus."""
    choose(page, "core.style")
    sizes = """fields => fields
        .filter(field => !field.matches('[type=hidden], [type=checkbox]'))
        .map(field => parseFloat(getComputedStyle(field).fontSize))"""

    fields = page.locator("#content :is(input, select, textarea)")

    assert min(fields.evaluate_all(sizes)) >= 16


def test_a_change_is_reviewed_and_saved(page, expect):
    """The review fits too, and the reason has a line of its own."""
    choose(page, "core.style")
    write(page, "core.style", f"Be brief. {'long' * 60}")
    page.locator("[data-review]").click()
    page.wait_for_selector(REVIEW)
    assert fits(page)
    reason = page.locator("#prompts-comment").bounding_box()
    button = page.locator("[data-save]").bounding_box()
    assert reason["y"] >= button["y"] + button["height"]

    page.locator("[data-save]").click()

    expect(page.locator(".messagelist")).to_contain_text("1 change saved.")
    assert fits(page)


def test_a_decision_fits_too(browse, expect, editor):
    """The three texts stand one under another."""
    page = visit(browse(editor, viewport=NARROW), fragment="core.style")
    write(page, "core.style", "Mine.")
    page.locator('input[name="etag:core.style"]').evaluate("one => one.value = 'old'")

    page.locator("[data-review]").click()
    page.wait_for_selector("#prompts-decide")

    first, second, _ = page.locator(".prompts-three section").all()
    assert first.bounding_box()["x"] == second.bounding_box()["x"]
    assert fits(page)


def test_it_works_without_scripts(browse, expect, editor):
    """The parts stand one under another, and the links lead to them."""
    page = browse(editor, viewport=NARROW, java_script_enabled=False)

    page.goto("/admin/prompts_app/override/?fragment=core.style")
    page.locator(".prompts-jumps a[href='#prompts-preview']").click()

    for place in PARTS.values():
        expect(page.locator(place)).to_be_visible()
    expect(page.locator("#prompts-preview h2")).to_be_in_viewport()
