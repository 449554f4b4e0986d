"""The switch back to plain text boxes, and what these do by themselves."""

from __future__ import annotations

import pytest

from tests.browser.steps import (
    box,
    caret,
    choose,
    has_focus,
    in_text,
    select,
    visit,
    write,
)

AREA = "[data-editor='core.style'] textarea"


@pytest.fixture
def page(browse, editor):
    """Return the page with a fragment in view."""
    return visit(browse(editor), fragment="core.style")


@pytest.fixture
def plain(page):
    """Return the page with plain text boxes and the focus in one."""
    page.get_by_role("button", name="Use plain text boxes").click()
    box(page, "core.style").focus()
    return page


def test_the_switch_is_for_good_and_goes_back(page, expect):
    """What was typed and selected stays; later visits keep to it until the next switch."""
    write(page, "core.style", "Be brief.")
    select(page, "core.style", 3, 8)

    page.get_by_role("button", name="Use plain text boxes").click()

    expect(page.locator("prompts-text")).to_have_count(0)
    expect(box(page, "core.style")).to_have_value("Be brief.")
    assert caret(page, "core.style") == [3, 8]
    box(page, "core.style").click()
    has_focus(page, AREA)
    assert box(page, "core.style").bounding_box()["height"] > 90

    fetched = []
    page.on("request", lambda request: fetched.append(request.url))
    page.on("dialog", lambda dialog: dialog.accept())
    visit(page, fragment="core.style")
    box(page, "core.style").focus()
    write(page, "core.style", "Once more.")
    has_focus(page, AREA)
    assert [url for url in fetched if url.endswith("/editor.js")] == []

    page.get_by_role("button", name="Use marks and completion").click()
    box(page, "core.style").focus()
    in_text(page, "core.style")
    expect(box(page, "core.style")).to_have_value("Once more.")


def test_a_variable_goes_in_at_the_caret(plain, expect):
    """Through the browser's own undo, as everything that buttons do there."""
    text = box(plain, "core.style").input_value()
    box(plain, "core.style").evaluate("box => box.setSelectionRange(5, 5)")
    plain.locator("#prompts-variables > summary").evaluate("one => one.click()")

    plain.locator('#prompts-variables [data-insert="today"]').click()

    expect(box(plain, "core.style")).to_have_value(f"{text[:5]}{{{{today}}}}{text[5:]}")
    has_focus(plain, AREA)
    plain.keyboard.press("Control+z")
    expect(box(plain, "core.style")).to_have_value(text)


def test_buttons_can_be_undone(plain, expect):
    """Switching off is one step of the browser's undo."""
    text = box(plain, "core.style").input_value()

    plain.get_by_role("button", name="Switch off").click()
    expect(box(plain, "core.style")).to_have_value("")
    plain.keyboard.press("Control+z")

    expect(box(plain, "core.style")).to_have_value(text)


def test_keys_of_the_page_act_in_it(plain):
    """Escape leads out, and Alt steps on to another plain box."""
    plain.keyboard.press("Escape")
    has_focus(plain, "[data-editor='core.style'] h2")
    plain.keyboard.press("e")
    has_focus(plain, AREA)

    plain.keyboard.press("Alt+PageDown")

    has_focus(plain, "[data-editor='core.honesty'] textarea")


def test_a_problem_leads_to_its_line(plain, expect):
    """Which is selected, here too."""
    write(plain, "core.style", "One\n<!-- detailed -->\nTwo")

    plain.get_by_role("button", name="Go to line 2").click()

    assert caret(plain, "core.style") == [4, 4 + len("<!-- detailed -->")]
    choose(plain, "core.honesty")
    has_focus(plain, "[data-editor='core.honesty'] textarea")


def test_a_screen_reader_hears_whether_the_text_is_refused(plain, expect):
    """As soon as it is, and no longer."""
    area = plain.locator(AREA)

    write(plain, "core.style", "<!-- detailed -->\nMore.")
    expect(area).to_have_attribute("aria-invalid", "true")
    write(plain, "core.style", "More.")

    expect(area).not_to_have_attribute("aria-invalid", "true")
