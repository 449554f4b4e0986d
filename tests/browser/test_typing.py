"""While somebody types: box, caret and undo are theirs, whatever the server says."""

from __future__ import annotations

import pytest

from tests.browser.steps import (
    box,
    caret,
    choose,
    editor as editor_of,
    in_text,
    put_caret,
    row,
    select,
    visit,
    write,
)
from tests.storing import everything

# Keeps the first answer from an address back, even if the page took its question back.
HOLD = """part => {
    const real = window.fetch;
    let isFirst = true;
    window.fetch = async (address, given) => {
        const isMine = address.includes(part) && isFirst;
        isFirst = isFirst && !isMine;
        const answer = await real(address, {...given, signal: undefined});
        if (isMine) {
            await new Promise((go) => { window.letGo = go; });
        }
        return answer;
    };
}"""
LONG = "\n".join(f"Line {number} of a text that is scrolled." for number in range(60))
MIDDLE = LONG.index("Line 30")


@pytest.fixture
def typing(browse, editor):
    """Return the page with a long text in the box of today's date."""
    page = visit(browse(editor), fragment="core.today")
    write(page, "core.today", LONG)
    return page


def insert(page, name):
    """Press the button of a variable in the legend of the fragment in view."""
    legend = editor_of(page, "core.today").locator("[data-legend]")
    with page.expect_response("**/preview/"):
        legend.locator(f'[data-insert="{name}"]').click()


@pytest.mark.case(87)
def test_a_variable_goes_in_at_the_caret_and_one_undo_takes_it_back(typing, expect):
    """Focus and caret stay in the text, behind what was inserted."""
    page = typing
    put_caret(page, "core.today", MIDDLE)

    insert(page, "today")

    inserted = f"{LONG[:MIDDLE]}{{{{today}}}}{LONG[MIDDLE:]}"
    expect(box(page, "core.today")).to_have_value(inserted)
    behind = MIDDLE + len("{{today}}")
    assert caret(page, "core.today") == [behind, behind]
    in_text(page, "core.today")

    page.keyboard.press("Control+z")

    expect(box(page, "core.today")).to_have_value(LONG)
    assert caret(page, "core.today") == [MIDDLE, MIDDLE]


def test_a_variable_takes_the_place_of_what_is_selected(typing, expect):
    """As typing it would."""
    page = typing
    select(page, "core.today", 0, 4)

    insert(page, "today")

    expect(box(page, "core.today")).to_have_value(f"{{{{today}}}}{LONG[4:]}")


def test_a_variable_can_be_chosen_with_the_keyboard(typing, expect):
    """It goes where the caret was; the next letter follows it."""
    page = typing
    put_caret(page, "core.today", MIDDLE)
    page.locator("#prompts-variables > summary").click()

    button = page.locator("#prompts-variables [data-insert=user_name]")
    button.focus()
    page.keyboard.press("Enter")
    page.keyboard.type("!")

    expect(box(page, "core.today")).to_have_value(
        f"{LONG[:MIDDLE]}{{{{user_name}}}}!{LONG[MIDDLE:]}"
    )


def test_restore_and_switch_off_can_be_undone(typing, expect):
    """Both go through the browser's undo; no question is asked."""
    page = typing
    buttons = editor_of(page, "core.today")

    buttons.get_by_role("button", name="Switch off").click()
    expect(box(page, "core.today")).to_have_value("")
    page.keyboard.press("Control+z")
    expect(box(page, "core.today")).to_have_value(LONG)
    buttons.get_by_role("button", name="Restore default").click()
    expect(page.locator("[data-review]")).to_be_disabled()
    page.keyboard.press("Control+z")
    expect(box(page, "core.today")).to_have_value(LONG)


@pytest.mark.case(86)
def test_late_answers_are_dropped_and_touch_nothing(browse, expect, editor):
    """The first answer comes after the second one; the text typed since stands."""
    page = visit(browse(editor), fragment="core.heading")
    page.evaluate(HOLD, "/preview/")
    box(page, "core.heading").fill("## First")
    page.wait_for_function("() => window.letGo")
    box(page, "core.heading").fill("## Second")
    passage = page.locator('[data-passage-of="core.heading"]')
    expect(passage).to_contain_text("Second")
    put_caret(page, "core.heading", 4)

    page.evaluate("() => window.letGo()")
    # By the time another group has come, the late answer has come too.
    choose(page, "task.title")

    expect(passage).to_contain_text("Second")
    expect(box(page, "core.heading")).to_have_value("## Second")
    assert caret(page, "core.heading") == [4, 4]


def test_an_answer_moves_neither_caret_nor_focus(browse, expect, editor):
    """The preview is worked out while the next word is typed."""
    page = visit(browse(editor), fragment="core.heading")
    write(page, "core.heading", "## One two three")
    put_caret(page, "core.heading", 6)

    with page.expect_response("**/preview/"):
        page.keyboard.type("x")
    expect(page.locator('[data-passage-of="core.heading"]')).to_contain_text("Onex")
    page.keyboard.type("yz")

    expect(box(page, "core.heading")).to_have_value("## Onexyz two three")
    assert caret(page, "core.heading") == [9, 9]
    in_text(page, "core.heading")


def test_a_preview_that_fails_says_so_and_can_be_asked_again(
    browse, expect, faults, editor
):
    """The text is safe, the old preview stays, and one press brings the new one."""
    page = visit(browse(editor), fragment="core.heading")
    page.route("**/preview/", lambda route: route.fulfill(status=500))
    late = page.locator("[data-late]")
    expect(late).to_be_hidden()

    write(page, "core.heading", "## Mine")

    expect(late).to_contain_text("The preview could not be updated. Your text is safe.")
    expect(box(page, "core.heading")).to_have_value("## Mine")
    passage = page.locator('[data-passage-of="core.heading"]')
    expect(passage).to_contain_text("How to work")

    page.unroute("**/preview/")
    late.get_by_role("button", name="Try again").click()

    expect(passage).to_contain_text("Mine")
    expect(late).to_be_hidden()
    assert all("500" in fault for fault in faults)
    faults.clear()


@pytest.mark.case(49)
def test_the_editor_counts_as_the_server_does(browse, expect, editor):
    """Characters, not code units, with the difference to what is saved."""
    before = everything()
    page = visit(browse(editor), fragment="core.heading")
    size = editor_of(page, "core.heading").locator("[id='size:core.heading']")
    expect(size).to_have_text("27 characters · about 7 tokens")

    write(page, "core.heading", "é\n👩\u200d💻")

    expect(size).to_contain_text("5 characters · about 4 tokens")
    expect(size).to_contain_text("\N{MINUS SIGN}22 against saved")
    assert everything() == before


def test_typed_text_stays_when_another_fragment_is_opened(browse, expect, editor):
    """Of the same group or another one; rows and bar go on counting it."""
    page = visit(browse(editor), fragment="core.heading")
    write(page, "core.heading", "## Mine")

    choose(page, "core.style")
    expect(box(page, "core.heading")).to_be_hidden()
    choose(page, "tool.project_files")
    expect(box(page, "tool.project_files")).to_be_visible()
    expect(page.locator(".prompts-changes")).to_have_text("1 unsaved change")
    expect(row(page, "core.heading")).to_contain_text("Unsaved")
    passage = page.locator('[data-passage-of="core.heading"]')
    expect(passage).to_contain_text("Mine")
    choose(page, "core.heading")

    expect(box(page, "core.heading")).to_have_value("## Mine")
    assert "fragment=core.heading#core.heading" in page.url


def test_a_slow_editor_does_not_overtake_a_later_choice(browse, expect, editor):
    """Whoever chooses twice sees what was chosen last."""
    page = visit(browse(editor), fragment="core.heading")
    page.evaluate(HOLD, "/editors/")
    row(page, "task.title").locator("> [data-key]").click()
    page.wait_for_function("() => window.letGo")
    choose(page, "core.style")

    page.evaluate("() => window.letGo()")

    expect(box(page, "task.title")).to_be_attached()
    expect(box(page, "task.title")).to_be_hidden()
    expect(box(page, "core.style")).to_be_visible()


def test_a_fragment_that_cannot_be_fetched_costs_nothing(
    browse, expect, faults, editor
):
    """What is in view stays there, with its text."""
    page = visit(browse(editor), fragment="core.heading")
    write(page, "core.heading", "## Mine")
    page.route("**/editors/", lambda route: route.fulfill(status=502))

    with page.expect_response("**/editors/"):
        row(page, "task.title").locator("> [data-key]").click()

    expect(page.locator("[data-late]")).to_be_visible()
    expect(box(page, "core.heading")).to_be_visible()
    expect(box(page, "core.heading")).to_have_value("## Mine")
    assert page.locator("input[name=fragment]").input_value() == "core.heading"
    faults.clear()
