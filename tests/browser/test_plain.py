"""The page with scripts switched off, wide and on a phone."""

from __future__ import annotations

import pytest

from prompts_app import services
from tests.browser.steps import NARROW, PLACE, WIDE
from tests.browser.test_saving import HEADING, assembled_elsewhere
from tests.storing import everything, history, rows

pytestmark = [
    pytest.mark.whole_way,
    pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "phone"]),
]


@pytest.fixture
def plain(browse, editor, viewport):
    """Return the page of the heading in a browser without scripts."""
    page = browse(editor, java_script_enabled=False, viewport=viewport)
    page.goto(f"{PLACE}?fragment=core.heading")
    return page


def box(page, key):
    """Return the text area of a fragment."""
    return page.locator(f"textarea[id='text:{key}']")


def press(page, name):
    """Press the button of that name that can be seen, and wait for the answer."""
    page.get_by_role("button", name=name, exact=True).locator(
        "visible=true"
    ).first.click()
    page.wait_for_load_state()


def press_at(page, key, name):
    """Press a button beside the text of one fragment."""
    page.locator(f"[data-editor='{key}']").get_by_role("button", name=name).click()
    page.wait_for_load_state()


def save(page):
    """Go through the review to the save."""
    press(page, "Review and save")
    page.locator("[data-save]").click()
    page.wait_for_load_state()


@pytest.mark.case(36)
def test_a_change_is_previewed_saved_and_sent(plain, expect, process_environ):
    """Each step is a button, and the next process sends the text."""
    page = plain
    box(page, "core.heading").fill("## Mine")

    press(page, "Update the preview")

    expect(page.locator("[id='passage:core.heading'] ins")).to_have_text("Mine")
    assert rows() == {}
    expect(box(page, "core.heading")).to_have_value("## Mine")
    expect(page.locator(".prompts-changes")).to_have_text("1 unsaved change")

    save(page)

    assert rows() == {("", "core.heading"): "## Mine"}
    assert assembled_elsewhere(process_environ) == "## Mine"
    expect(page.locator(".messagelist")).to_contain_text("1 change saved.")


def test_enter_in_a_field_changes_no_scope(plain, expect):
    """The first button of the page is the one that only updates it."""
    services.save({"core.style": "Near."}, scope="profile.reviewer")
    page = plain
    page.reload()
    box(page, "core.heading").fill("## Mine")

    page.locator("[name=q]").locator("visible=true").first.press("Enter")
    page.wait_for_load_state()

    assert page.locator("[name=to_scope]").count() == 1
    expect(box(page, "core.heading")).to_have_value("## Mine")
    expect(page.locator(".prompts-changes")).to_have_text("1 unsaved change")
    assert set(rows()) == {("profile.reviewer", "core.style")}


def test_a_save_comes_back_to_its_text(plain, expect):
    """The editors of a group stand one under another, and this one is far down."""
    plain.goto(f"{PLACE}?fragment=core.attachments")
    box(plain, "core.attachments").fill("Attached: {{document_names}}")

    save(plain)

    assert plain.url.endswith("#core.attachments")
    expect(box(plain, "core.attachments")).to_be_in_viewport()


@pytest.mark.case(44)
def test_open_and_save_without_a_change_stores_nothing(plain, expect):
    """Every box of the group is sent, with CRLF, and none of them counts."""
    before = everything()

    press(plain, "Review and save")

    expect(plain.locator(".messagelist")).to_contain_text("Nothing changed yet.")
    assert everything() == before


@pytest.mark.case(40)
def test_the_default_comes_back(plain, expect):
    """The button fills the box; saving that empties the table."""
    services.save({"core.today": "Mine"})
    plain.reload()

    press_at(plain, "core.today", "Restore default")
    assert rows() != {}
    save(plain)

    assert rows() == {}
    assert history()[-1] == {("", "core.today"): ("Mine", None)}


@pytest.mark.case(37)
def test_a_text_is_switched_off(plain, expect):
    """By its button, and the page says so before and after the save."""
    press_at(plain, "core.today", "Switch off")
    expect(box(plain, "core.today")).to_have_value("")
    expect(plain.locator("[data-editor='core.today']")).to_contain_text(
        "Off once you save."
    )

    save(plain)

    assert rows() == {("", "core.today"): ""}
    expect(plain.locator("[data-row='core.today']")).to_contain_text("Off")


def test_texts_of_other_groups_travel_along(plain, expect):
    """Other groups and pages are reached by buttons that keep every text."""
    page = plain
    box(page, "core.heading").fill("\n\n## Two lines down")
    page.locator("[data-row='task.compact_ack'] button").click()
    page.wait_for_load_state()
    expect(box(page, "core.heading")).to_have_count(0)
    box(page, "task.compact_ack").fill("Two.")

    save(page)

    assert rows() == {
        ("", "core.heading"): "## Two lines down",
        ("", "task.compact_ack"): "Two.",
    }
    assert len(history()) == 1


def test_a_fault_is_shown_beside_its_text(plain, expect):
    """The text is kept and nothing is saved."""
    box(plain, "core.honesty").fill("One\n<!-- detailed -->")

    press(plain, "Review and save")

    editor = plain.locator("[data-editor='core.honesty']")
    expect(editor).to_contain_text("The level marker in line 2 has no partner.")
    expect(box(plain, "core.honesty")).to_have_value("One\n<!-- detailed -->")
    assert rows() == {}


def test_changes_are_discarded_after_a_question(plain, expect):
    """The page that asks names them; keeping on brings them back."""
    box(plain, "core.heading").fill("## Mine")
    press(plain, "Discard changes…")
    expect(plain.locator("h1")).to_contain_text("Discard 1 change?")
    press(plain, "Keep editing")
    expect(box(plain, "core.heading")).to_have_value("## Mine")

    press(plain, "Discard changes…")
    plain.get_by_role("link", name="Discard 1 change").click()

    expect(box(plain, "core.heading")).to_have_value(HEADING)
    assert rows() == {}


def test_sample_values_and_scenario_change_the_prompt(plain, expect):
    """Both are fields of the one form."""
    page = plain
    page.locator("#prompts-samples summary").first.click()
    page.locator("[id='value:user_name']").fill("Rosa")
    press(page, "Update the preview")
    expect(page.locator("[id='passage:core.identity']")).to_contain_text("Rosa")

    page.locator("#prompts-scenario").select_option("agent_chat")
    press(page, "Update the preview")

    expect(page.locator("[id='passage:context.plan']")).to_contain_text("The plan")


def test_enter_in_a_field_only_updates(plain, expect):
    """The form's first button is the harmless one."""
    box(plain, "core.heading").fill("## Mine")

    plain.locator("#prompts-q").fill("heading")
    plain.locator("#prompts-q").press("Enter")
    plain.wait_for_load_state()

    expect(plain.locator("#prompts-form")).to_be_visible()
    expect(box(plain, "core.heading")).to_have_value("## Mine")
    assert rows() == {}


def test_nothing_is_offered_that_needs_a_script(plain, expect):
    """A button that does nothing would make one hesitate."""
    buttons = plain.locator("button[type=button]")
    words = plain.get_by_text("choose one to insert it at the cursor")

    expect(buttons.locator("visible=true")).to_have_count(0)
    expect(words.locator("visible=true")).to_have_count(0)
    assert words.count() > 0


@pytest.mark.parametrize("fragment", ["", "core.style", "context.agent_instructions"])
def test_nothing_runs_out_of_the_window(plain, fragment, viewport):
    """The page scrolls up and down at most."""
    plain.goto(f"{PLACE}?fragment={fragment}&scenario=agent_chat")

    width = plain.evaluate("() => document.documentElement.scrollWidth")

    assert width <= viewport["width"]


@pytest.mark.case(74)
def test_a_viewer_reads_and_changes_nothing(browse, expect, viewer, viewport):
    """The same plain page, read-only."""
    page = browse(viewer, java_script_enabled=False, viewport=viewport)

    page.goto(f"{PLACE}?fragment=core.heading")

    expect(box(page, "core.heading")).not_to_be_editable()
    expect(page.locator(".prompts-bar")).to_have_count(0)
    page.locator("#prompts-scenario").select_option("agent_chat")
    press(page, "Update the preview")
    expect(page.locator("[id='passage:context.plan']")).to_contain_text("The plan")
