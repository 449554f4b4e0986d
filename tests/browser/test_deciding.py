"""Two people change one text."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.models import Override
from tests.browser.steps import (
    REVIEW,
    box,
    choose,
    crash,
    kept_drafts,
    ready,
    save,
    to_review,
    visit,
    wait_for_draft,
    write,
)
from tests.factories import UserFactory

BEFORE = "Answer briefly. Use short paragraphs. Name the sources."
MINE = "Answer briefly. Use very short paragraphs. Name the sources."
THEIRS = "Answer briefly. Use short paragraphs. Name all the sources."
BOTH = "Answer briefly. Use very short paragraphs. Name all the sources."
CLASH = "Answer briefly. Use long paragraphs. Name the sources."


@pytest.fixture
def other(db):
    """Return a second editor."""
    rights = ("prompts_app.view_override", "prompts_app.change_override")
    return UserFactory(username="jonas", first_name="Jonas", permissions=rights)


@pytest.fixture
def deciding(browse, editor, other):
    """Return a function that leads two browsers into a conflict over core.style."""
    services.save({"core.style": BEFORE})

    def deciding(theirs):
        mine = visit(browse(editor), fragment="core.style")
        write(mine, "core.style", MINE)
        second = visit(browse(other), fragment="core.style")
        write(second, "core.style", theirs)
        to_review(second)
        save(second)
        mine.locator("[data-review]").click()
        mine.wait_for_selector("#prompts-decide")
        return mine

    return deciding


def text():
    """Return the stored text."""
    return Override.objects.get().text


def result(page):
    """Return the box that holds what is to be in force."""
    return page.locator("#prompts-result")


def go_on(page):
    """Press the button that leads from the decision to the review."""
    page.get_by_role("button", name="Continue to review").click()
    page.wait_for_selector(REVIEW)


def test_two_changes_of_different_words_are_merged(deciding, expect):
    """Both are proposed in one text, and saved when that is chosen."""
    page = deciding(THEIRS)
    notice = page.locator(".prompts-notice")
    expect(notice).to_contain_text("saved this text at")
    expect(notice).to_contain_text(
        "Nothing of yours is lost and nothing has been saved."
    )
    expect(page.get_by_label("Both changes, merged")).to_be_checked()
    expect(result(page)).to_have_value(BOTH)

    go_on(page)
    save(page)

    assert text() == BOTH


def test_a_decision_in_the_making_outlives_the_browser(deciding, expect):
    """What is written as the result is offered again, and is over what was decided."""
    page = deciding(THEIRS)
    result(page).fill("Written here.")
    wait_for_draft(page, "core.style", "Written here.")

    page = visit(crash(page))
    page.locator(".prompts-notice[data-drafts]").get_by_role(
        "button", name="Bring back"
    ).click()
    expect(box(page, "core.style")).to_have_value("Written here.")
    to_review(page)
    save(page)

    assert text() == "Written here."
    assert kept_drafts(page) == {}


QUICK = """document.addEventListener("readystatechange", () => {
    const result = document.getElementById("prompts-result");
    if (document.readyState === "interactive" && result) result.value = "Quick.";
});"""
"""Writes a result before any module of the page has begun."""


def test_what_is_written_before_the_script_came_is_kept_too(deciding):
    """As a slow line has it, or a quick hand."""
    page = deciding(THEIRS)
    page.add_init_script(QUICK)

    page.reload()

    wait_for_draft(page, "core.style", "Quick.")


def test_a_decided_text_outlives_the_browser_on_its_review(deciding, expect):
    """As one that was typed, until it is saved."""
    page = deciding(THEIRS)
    go_on(page)
    wait_for_draft(page, "core.style", BOTH)

    page = visit(crash(page))
    offer = page.locator(".prompts-notice[data-drafts]")
    expect(offer).to_contain_text("1 text that you typed on")
    offer.get_by_role("button", name="Bring back").click()
    expect(box(page, "core.style")).to_have_value(BOTH)
    to_review(page)
    save(page)

    assert text() == BOTH
    assert kept_drafts(page) == {}


def test_the_three_texts_stand_side_by_side(deciding, expect):
    """What each changed is marked against what both began with."""
    page = deciding(THEIRS)

    before, mine, theirs = page.locator(".prompts-three section").all()

    expect(before.locator("pre")).to_have_text(BEFORE)
    expect(mine.locator("ins")).to_have_text("very")
    expect(theirs.locator("ins")).to_have_text("all")


@pytest.mark.parametrize(
    ("card", "chosen"), [("merged", BOTH), ("mine", MINE), ("theirs", THEIRS)]
)
def test_a_card_fills_the_result_and_one_undo_takes_it_back(
    deciding, expect, card, chosen
):
    """Whatever stood there comes back with one undo."""
    page = deciding(THEIRS)
    start = "theirs" if card == "mine" else "mine"
    page.locator(f"[name=choice][value={start}]").check()
    held = result(page).input_value()

    page.locator(f"[name=choice][value={card}]").check()
    expect(result(page)).to_have_value(chosen)
    result(page).press("Control+z")

    expect(result(page)).to_have_value(held)
    assert held != chosen


def test_their_text_can_be_kept(deciding, expect):
    """Then nothing of mine is left to be reviewed."""
    page = deciding(THEIRS)

    page.locator("[name=choice][value=theirs]").check()
    page.get_by_role("button", name="Continue to review").click()
    ready(page)

    expect(page.locator(".messagelist")).to_contain_text("Nothing changed yet.")
    expect(box(page, "core.style")).to_have_value(THEIRS)
    assert text() == THEIRS


def test_the_same_words_have_to_be_joined_by_hand(deciding, expect):
    """No merge is proposed; mine is chosen, and what is written counts."""
    page = deciding(CLASH)
    expect(page.locator("[name=choice][value=merged]")).to_have_count(0)
    expect(page.locator("[name=choice][value=mine]")).to_be_checked()
    expect(page.locator(".prompts-cards")).to_contain_text("join them by hand")

    result(page).fill("Answer briefly. Use paragraphs.")
    go_on(page)
    save(page)

    assert text() == "Answer briefly. Use paragraphs."


def test_back_to_editing_keeps_what_was_written(deciding, expect):
    """The result goes into the box, and can be decided about again."""
    page = deciding(CLASH)
    result(page).fill("Use paragraphs.")

    page.get_by_role("button", name="Back to editing").click()
    ready(page)

    expect(box(page, "core.style")).to_have_value("Use paragraphs.")
    assert text() == CLASH


def test_the_keyboard_leads_on_from_the_decision(deciding, expect):
    """Control and S go to the review, which saves nothing yet."""
    page = deciding(THEIRS)

    result(page).press("Control+s")
    page.wait_for_selector(REVIEW)

    assert text() == THEIRS


def test_saved_once_more_while_deciding(deciding, expect):
    """The choice is asked for again, over the newest text."""
    page = deciding(THEIRS)
    services.save({"core.style": CLASH})

    page.get_by_role("button", name="Continue to review").click()

    expect(page.locator(".errornote")).to_contain_text("It was saved once more")
    expect(page.locator(".prompts-three")).to_contain_text("long")
    assert text() == CLASH


def test_a_save_meets_a_conflict_on_the_review_too(browse, expect, editor):
    """Who is saved over between review and save decides, and loses no other text."""
    page = visit(browse(editor), fragment="core.style")
    write(page, "core.style", MINE)
    choose(page, "core.honesty")
    write(page, "core.honesty", "Say so.")
    to_review(page)
    services.save({"core.style": THEIRS})

    page.locator("[data-save]").click()
    page.wait_for_selector("#prompts-decide")

    expect(page.locator(".prompts-notice")).to_contain_text("Your other change waits")
    page.locator("[name=choice][value=mine]").check()
    go_on(page)
    expect(page.locator(".prompts-change")).to_have_count(2)
    save(page)
    assert dict(Override.objects.values_list("key", "text")) == {
        "core.style": MINE,
        "core.honesty": "Say so.",
    }


def test_a_save_elsewhere_is_noticed_while_typing(browse, expect, editor):
    """The editor warns, and goes on working."""
    services.save({"core.style": BEFORE})
    page = visit(browse(editor), fragment="core.style")
    stale = page.locator('[data-editor="core.style"] [data-stale]')
    write(page, "core.style", MINE)
    expect(stale).to_be_hidden()
    services.save({"core.style": THEIRS})

    write(page, "core.style", f"{MINE} Always.")

    expect(stale).to_be_visible()
    expect(box(page, "core.style")).to_have_value(f"{MINE} Always.")
