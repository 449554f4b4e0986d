"""The review between typing and saving."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.models import Override
from tests.browser.steps import (
    REVIEW,
    box,
    choose,
    editor as editor_of,
    has_focus,
    ready,
    row,
    save,
    to_review,
    visit,
    write,
)


def stored():
    """Return the stored texts by key."""
    return dict(Override.objects.values_list("key", "text"))


def tick(page, key):
    """Return the box that takes a change into the save."""
    return page.locator(f'[name=take][value="{key}"]')


@pytest.fixture
def page(browse, editor):
    """Return the page with two unsaved changes."""
    page = visit(browse(editor), fragment="core.style")
    write(page, "core.style", "Be brief.")
    choose(page, "core.honesty")
    write(page, "core.honesty", "Say what you do not know.")
    return page


def test_nothing_is_saved_before_the_review(page, expect):
    """The review says so, names the changes, and leaves the store alone."""
    to_review(page)

    expect(page.locator("h1")).to_have_text(
        "Review 2 changes for the whole installation"
    )
    expect(page.locator(".prompts-aside").first).to_contain_text(
        "Nothing is saved yet."
    )
    expect(page.locator(".prompts-change")).to_have_count(2)
    assert stored() == {}


def test_a_change_is_shown_word_by_word(page, expect):
    """State, size and words before and after stand in one place."""
    services.save({"core.style": "Be very brief."})
    visit(page, fragment="core.style")
    write(page, "core.style", "Be rather brief.")

    to_review(page)

    change = page.locator(".prompts-change")
    expect(change.locator("del")).to_have_text("very")
    expect(change.locator("ins")).to_have_text("rather")
    expect(change.locator(".prompts-steps")).to_contain_text("14 → 16 characters")
    expect(change.locator(".prompts-badge")).to_have_text(["Changed", "Changed"])


def test_the_button_counts_the_ticks(page, expect):
    """It says how many changes it saves, and rests when there is none."""
    to_review(page)
    button = page.locator("[data-save]")
    expect(button).to_have_text("Save 2 changes")

    tick(page, "core.style").uncheck()
    expect(button).to_have_text("Save 1 change")
    tick(page, "core.honesty").uncheck()
    expect(button).to_be_disabled()
    tick(page, "core.honesty").check()

    expect(button).to_be_enabled()
    expect(button).to_have_text("Save 1 change")


def test_what_is_not_ticked_comes_back_unsaved(page, expect):
    """The other change is stored; this one is on the page as it was typed."""
    to_review(page)
    tick(page, "core.style").uncheck()

    save(page)

    expect(page.locator(".messagelist")).to_contain_text("1 change saved.")
    expect(page.locator(".prompts-changes")).to_have_text("1 unsaved change")
    choose(page, "core.style")
    expect(box(page, "core.style")).to_have_value("Be brief.")
    assert stored() == {"core.honesty": "Say what you do not know."}


def test_the_way_back_keeps_everything(page, expect):
    """Texts, scenario, level, search and sample values are as they were."""
    page.locator("#prompts-q").fill("core.")
    with page.expect_response("**/preview/"):
        page.locator("#prompts-level").select_option("lean")
    page.locator(".prompts-samples summary").first.click()
    with page.expect_response("**/preview/"):
        page.locator('[name="value:user_name"]').fill("Wilma")
    to_review(page)

    page.get_by_role("button", name="Back to editing").click()
    ready(page)

    expect(box(page, "core.honesty")).to_have_value("Say what you do not know.")
    expect(box(page, "core.style")).to_have_value("Be brief.")
    expect(page.locator("#prompts-level")).to_have_value("lean")
    expect(page.locator("#prompts-q")).to_have_value("core.")
    expect(page.locator('[name="value:user_name"]')).to_have_value("Wilma")
    expect(page.locator(".prompts-changes")).to_have_text("2 unsaved changes")


def test_the_keyboard_goes_through_the_review(page, expect):
    """Control and S review, and on the review save."""
    box(page, "core.honesty").press("Control+s")
    page.wait_for_selector(REVIEW)

    page.keyboard.press("Control+s")
    page.wait_for_selector(".messagelist")

    assert set(stored()) == {"core.style", "core.honesty"}


def test_without_a_tick_the_keyboard_saves_nothing(page, expect):
    """The keys do what the button does, and it rests."""
    to_review(page)
    tick(page, "core.style").uncheck()
    tick(page, "core.honesty").uncheck()

    page.keyboard.press("Control+s")

    expect(page.locator("[data-save]")).to_be_disabled()
    assert stored() == {}


def test_enter_in_the_reason_saves_nothing(page, expect):
    """A reason can be typed to its end without saving by accident."""
    to_review(page)

    page.locator("#prompts-comment").fill("Shorter")
    page.locator("#prompts-comment").press("Enter")

    expect(page.locator("#prompts-comment")).to_have_value("Shorter")
    has_focus(page, "#prompts-comment")
    assert stored() == {}


def test_a_change_leads_back_to_its_text(page, expect):
    """Edit opens that fragment, with every typed text still there."""
    to_review(page)

    page.get_by_role("button", name="Edit Writing style").click()
    ready(page)

    expect(box(page, "core.style")).to_be_visible()
    expect(box(page, "core.style")).to_have_value("Be brief.")
    expect(page.locator(".prompts-changes")).to_have_text("2 unsaved changes")


def test_what_is_lost_needs_a_tick(browse, expect, editor):
    """Without it nothing is stored and the sentence says what to do."""
    page = visit(browse(editor), fragment="task.title")
    write(page, "task.title", "Give it a title: {{answer}}")
    to_review(page)
    expect(page.locator(".prompts-problem")).to_contain_text("{{question}}")
    page.locator("[data-save]").click()

    expect(page.locator(".errornote")).to_contain_text("something below needs a tick")
    assert stored() == {}
    page.get_by_label("Save it without {{question}}").check()
    save(page)

    assert stored() == {"task.title": "Give it a title: {{answer}}"}


def test_what_needs_a_tick_comes_first_and_what_goes_second(page, expect):
    """Losses, then what is switched off, then the rest."""
    choose(page, "task.title")
    write(page, "task.title", "Give it a title: {{answer}}")
    choose(page, "core.no_replay")
    with page.expect_response("**/preview/"):
        editor_of(page, "core.no_replay").get_by_role(
            "button", name="Switch off"
        ).click()
    expect(row(page, "core.no_replay").locator("[data-becomes]")).to_have_text("→ Off")

    to_review(page)

    keys = page.locator("[name=take]").evaluate_all("all => all.map(one => one.value)")
    assert keys[:2] == ["task.title", "core.no_replay"]
    assert set(keys[2:]) == {"core.style", "core.honesty"}
    expect(page.get_by_text("Nothing is sent for it any more.")).to_be_visible()


def test_each_scenario_that_changes_is_shown(page, expect):
    """Opened it shows the changed passages; the others are named."""
    to_review(page)
    where = page.get_by_role("region", name="Where it shows")

    where.locator("summary").first.click()

    expect(where.locator("details").first.locator("h3")).to_have_text(
        ["Writing style", "Honesty"]
    )
    expect(where.locator("details").first.locator("ins").first).to_be_visible()
    expect(where).to_contain_text("No difference: Title request")


@pytest.mark.case(90)
def test_saving_changes_the_text_and_nothing_else(page, expect):
    """Order, group, gates and variables of a fragment are those of the code."""
    view = services.view_of((), services.stored())
    before = view.by_key["core.style"].fragment

    to_review(page)
    save(page)

    after = services.view_of((), services.stored()).by_key["core.style"].fragment
    assert after is before
    assert services.resolve("core.style") == "Be brief."
