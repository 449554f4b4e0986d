"""The text editor over a text area: when it comes, and what it leaves as it was."""

from __future__ import annotations

import re

import pytest

from prompts_app import Fragment, Group
from tests.browser.steps import (
    box,
    caret,
    choose,
    has_focus,
    in_text,
    put_caret,
    to_review,
    visit,
    write,
)

BUILT = "**/prompts_app/editor*.js"
LOAD = "() => import(document.getElementById('prompts-form').dataset.textEditor)"
OVERWRITE = """(box, text) => {
    box.value = text;
    box.dispatchEvent(new Event("input", {bubbles: true}));
}"""


@pytest.fixture
def page(browse, editor):
    """Return the page with a fragment in view."""
    return visit(browse(editor), fragment="core.style")


@pytest.fixture
def let_come(page, browser_thread):
    """Keep the file back that a text asks for; return a function that lets it come."""
    kept = []
    page.route(BUILT, lambda route: kept.insert(0, route))
    with page.expect_request(BUILT):
        box(page, "core.style").focus()

    def let_come():
        with page.expect_response(BUILT):
            browser_thread.call(kept.pop().continue_)
        page.evaluate(LOAD)

    return let_come


def test_it_comes_when_a_text_has_the_focus(browse, expect, editor):
    """Who only looks fetches nothing of it; who types has it in one text at a time."""
    page = browse(editor)
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))
    visit(page, fragment="core.style")
    page.locator("#prompts-q").focus()
    assert [url for url in fetched if "editor" in url.rpartition("/")[2]] == []
    assert page.locator("prompts-text").count() == 0

    box(page, "core.style").focus()

    in_text(page, "core.style")
    expect(page.locator("prompts-text")).to_have_count(1)
    assert len([url for url in fetched if url.endswith("/prompts_app/editor.js")]) == 1


def test_the_area_stays_the_field_of_the_form(page, expect):
    """It has the name, what is typed at once, and neither tab stop nor voice."""
    write(page, "core.style", "Be brief.")

    area = box(page, "core.style")
    expect(area).to_have_attribute("name", "text:core.style")
    expect(area).to_have_attribute("aria-hidden", "true")
    expect(area).to_have_attribute("tabindex", "-1")
    expect(area).to_have_value("Be brief.")
    to_review(page)
    expect(page.locator("#prompts-review")).to_contain_text("Be brief.")


def test_a_screen_reader_hears_of_one_text_with_its_name(page, expect):
    """Named and described as the area is, and called invalid when it is."""
    write(page, "core.style", "Be brief.")
    text = page.get_by_role("textbox", name="Text of Writing style", exact=True)
    expect(text).to_have_count(1)
    expect(text).to_have_accessible_description(re.compile("language, form and length"))
    expect(text).to_have_accessible_description(re.compile("9 characters"))
    expect(text).not_to_have_attribute("aria-invalid", "true")
    expect(text).to_have_attribute("aria-multiline", "true")

    write(page, "core.style", "One\n<!-- detailed -->\nTwo")

    expect(text).to_have_attribute("aria-invalid", "true")
    expect(text).to_have_accessible_description(re.compile("line 2"))


def test_the_browser_checks_the_spelling(page, expect):
    """And helps as it does in a text area."""
    box(page, "core.style").focus()
    in_text(page, "core.style")

    text = page.locator("prompts-text [role=textbox]")
    expect(text).to_have_attribute("spellcheck", "true")
    expect(text).to_have_attribute("autocorrect", "on")
    expect(text).to_have_attribute("translate", "no")


def test_no_style_leaks_either_way(page):
    """What the page says of lines and lists ends at the editor, and the reverse."""
    rule = ".cm-line, li { font-size: 40px !important; }"
    page.evaluate("rule => document.styleSheets[0].insertRule(rule)", rule)
    before = page.evaluate("() => document.styleSheets.length")
    box(page, "core.style").focus()
    in_text(page, "core.style")

    size = page.locator("prompts-text .cm-line").first.evaluate(
        "line => getComputedStyle(line).fontSize"
    )
    assert size == "13px"
    assert page.evaluate("() => document.styleSheets.length") == before
    assert page.evaluate("() => document.adoptedStyleSheets.length") == 0


def test_a_click_puts_the_caret_where_it_was(page):
    """Also where the editor is at hand, before the browser has put a caret."""
    page.evaluate(LOAD)
    text = box(page, "core.style").input_value()

    box(page, "core.style").click(position={"x": 300, "y": 60})

    in_text(page, "core.style")
    start, end = caret(page, "core.style")
    assert 0 < start == end < len(text)


def test_what_is_typed_before_it_comes_is_in_it(page, expect, let_come):
    """With the caret behind it, and to be undone like anything else."""
    text = box(page, "core.style").input_value()
    page.keyboard.press("Control+Home")
    page.keyboard.type("Early. ")

    let_come()

    in_text(page, "core.style")
    page.keyboard.type("Late. ")
    expect(box(page, "core.style")).to_have_value(f"Early. Late. {text}")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect(box(page, "core.style")).to_have_value(text)


def test_who_has_gone_on_is_not_called_back(page, expect, let_come):
    """The editor comes too late, and takes no focus."""
    page.locator("#prompts-q").focus()

    let_come()

    expect(page.locator("#prompts-q")).to_be_focused()
    expect(page.locator("prompts-text")).to_have_count(0)


def test_without_its_file_the_area_does_everything(page, expect, faults):
    """Nothing is said, and nothing is missing but the marks."""
    page.route(BUILT, lambda route: route.abort())
    with page.expect_event("requestfailed"):
        box(page, "core.style").focus()

    write(page, "core.style", "Be brief.")

    expect(page.locator("prompts-text")).to_have_count(0)
    expect(page.locator(".prompts-changes")).to_have_text("1 unsaved change")
    faults.clear()


def test_what_others_write_into_the_area_is_in_the_editor(page, expect):
    """As an extension of the browser does; one undo takes it back."""
    write(page, "core.style", "Mine.")

    box(page, "core.style").evaluate(OVERWRITE, "Mine, and theirs.")

    expect(page.locator("prompts-text .cm-content")).to_have_text("Mine, and theirs.")
    page.keyboard.press("Control+z")
    expect(box(page, "core.style")).to_have_value("Mine.")


def test_discarding_empties_the_editor_too(page, expect):
    """The text that is saved stands in both, and an undo has the other one."""
    saved = box(page, "core.style").input_value()
    write(page, "core.style", "Mine.")

    page.locator("[data-discard]").click()
    page.locator("#prompts-discard .is-danger").click()

    expect(box(page, "core.style")).to_have_value(saved)
    expect(page.locator(".prompts-changes")).to_have_text("Nothing changed yet.")
    put_caret(page, "core.style", 0)
    page.keyboard.type("x")
    expect(box(page, "core.style")).to_have_value(f"x{saved}")


def test_each_text_has_an_editor_of_its_own(page, expect):
    """With its caret and its undo, which are there on coming back."""
    write(page, "core.style", "First.")
    put_caret(page, "core.style", 2)
    choose(page, "core.honesty")
    in_text(page, "core.honesty")
    write(page, "core.honesty", "Second.")

    choose(page, "core.style")

    in_text(page, "core.style")
    assert caret(page, "core.style") == [2, 2]
    page.keyboard.press("Control+z")
    expect(box(page, "core.style")).not_to_have_value("First.")
    expect(box(page, "core.honesty")).to_have_value("Second.")


def test_keys_of_the_page_act_in_it(page, expect):
    """Escape leads out, Alt steps on, and Ctrl+S leads to the review."""
    write(page, "core.style", "Be brief.")
    page.keyboard.press("Alt+PageDown")
    in_text(page, "core.honesty")
    page.keyboard.press("Alt+PageUp")
    in_text(page, "core.style")
    page.keyboard.press("Escape")
    has_focus(page, "[data-editor='core.style'] h2")
    page.keyboard.press("e")
    in_text(page, "core.style")

    page.keyboard.press("Control+s")

    page.wait_for_selector("#prompts-review")


def test_viewers_have_plain_boxes(browse, viewer, expect):
    """There is nothing to type, so there is no editor and no switch."""
    page = visit(browse(viewer), fragment="core.style")

    box(page, "core.style").focus()
    page.evaluate(LOAD)

    expect(box(page, "core.style")).to_be_focused()
    expect(page.locator("prompts-text")).to_have_count(0)
    expect(page.locator("[data-plain]")).to_have_count(0)


def test_a_locked_text_has_a_plain_box(browse, expect, editor, registry):
    """It can be read there as before."""
    registry.register(
        Group("one", label="One", order=1, role="preamble"),
        Fragment("one.a", label="A", group="one", default="Text.", locked=True),
    )
    page = visit(browse(editor), fragment="one.a")

    box(page, "one.a").focus()
    page.evaluate(LOAD)

    expect(box(page, "one.a")).to_be_focused()
    expect(page.locator("prompts-text")).to_have_count(0)
