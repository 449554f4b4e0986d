"""Typed texts outlive the page: drafts that the browser keeps."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.models import Override
from tests.browser.steps import (
    PLACE,
    box,
    choose,
    crash,
    editor as editor_of,
    keep_draft,
    kept_drafts,
    save,
    to_review,
    visit,
    wait_for_draft,
    write,
)


def offer(page):
    """Return the notice that offers drafts."""
    return page.locator(".prompts-notice[data-drafts]")


def type_and_crash(page):
    """Type two texts, lose the page, and open it anew."""
    visit(page, fragment="core.style")
    write(page, "core.style", "Be brief.")
    choose(page, "task.title")
    write(page, "task.title", "A title for {{question}}")
    wait_for_draft(page, "core.style", "Be brief.")
    wait_for_draft(page, "task.title", "A title for {{question}}")
    return visit(crash(page))


def etag_of(page, key):
    """Return the etag that the box of a fragment carries."""
    return page.locator(f'input[name="etag:{key}"]').input_value()


def test_a_crash_costs_nothing(browse, expect, editor):
    """The next page names the texts, and brings them back into their boxes."""
    page = type_and_crash(browse(editor))
    expect(offer(page)).to_contain_text("2 texts that you typed on")
    expect(offer(page)).to_contain_text("were never saved.")
    expect(offer(page)).to_contain_text("Writing style")

    offer(page).get_by_role("button", name="Bring back").click()

    expect(page.locator(".prompts-changes")).to_have_text("2 unsaved changes")
    expect(box(page, "core.style")).to_have_value("Be brief.")
    expect(box(page, "task.title")).to_have_value("A title for {{question}}")
    expect(offer(page)).to_be_hidden()


def test_what_is_brought_back_can_be_undone(browse, expect, editor):
    """It goes into the box as typing does."""
    page = visit(browse(editor), fragment="core.style")
    saved = box(page, "core.style").input_value()
    write(page, "core.style", "Be brief.")
    wait_for_draft(page, "core.style", "Be brief.")
    page = visit(crash(page))
    offer(page).get_by_role("button", name="Bring back").click()
    expect(box(page, "core.style")).to_have_value("Be brief.")

    box(page, "core.style").press("Control+z")

    expect(box(page, "core.style")).to_have_value(saved)


def test_a_draft_remembers_over_what_it_was_typed(browse, expect, editor):
    """Saved over meanwhile, it leads to the decision instead of overwriting."""
    page = visit(browse(editor), fragment="core.style")
    write(page, "core.style", "Be brief.")
    wait_for_draft(page, "core.style", "Be brief.")
    before = etag_of(page, "core.style")
    services.save({"core.style": "Theirs."})
    page = visit(crash(page))
    offer(page).get_by_role("button", name="Bring back").click()
    expect(box(page, "core.style")).to_have_value("Be brief.")
    assert etag_of(page, "core.style") == before

    page.locator("[data-review]").click()
    page.wait_for_selector("#prompts-decide")

    expect(page.locator("#prompts-decide h1")).to_contain_text("core.style")
    assert Override.objects.get().text == "Theirs."


def test_a_draft_can_be_thrown_away(browse, expect, editor):
    """After a question it is gone, and is not offered again."""
    page = type_and_crash(browse(editor))

    offer(page).get_by_role("button", name="Throw away…").click()
    dialog = page.locator("#prompts-throw")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Throw away").click()

    expect(offer(page)).to_be_hidden()
    assert kept_drafts(page) == {}
    visit(page)
    expect(offer(page)).to_be_hidden()


@pytest.mark.parametrize("kept", ["5", "{}", '{"text": "Mine."}', "null", "{"])
def test_what_is_no_draft_is_not_offered(browse, expect, editor, kept):
    """Anything of this address may write where drafts are kept."""
    page = visit(browse(editor))
    keep_draft(page, editor, "core.style", text="Mine.", etag="0" * 16)
    page.evaluate(
        """kept => Object.keys(localStorage)
            .filter(name => name.endsWith(":core.style"))
            .forEach(name => localStorage.setItem(name, kept))""",
        kept,
    )

    visit(page)

    expect(offer(page)).to_be_hidden()


@pytest.mark.parametrize("way", ["button", "Escape"])
def test_throwing_away_can_be_declined(browse, expect, editor, way):
    """The drafts stay, and so does the offer."""
    page = type_and_crash(browse(editor))
    offer(page).get_by_role("button", name="Throw away…").click()

    if way == "button":
        page.get_by_role("button", name="Keep them").click()
    else:
        page.keyboard.press("Escape")

    expect(page.locator("#prompts-throw")).to_be_hidden()
    expect(offer(page)).to_be_visible()
    assert set(kept_drafts(page)) == {"core.style", "task.title"}


def test_a_save_removes_the_drafts_of_what_was_saved(browse, expect, editor):
    """The change that was left for later keeps its draft."""
    page = visit(browse(editor), fragment="core.style")
    write(page, "core.style", "Be brief.")
    choose(page, "core.honesty")
    write(page, "core.honesty", "Say so.")
    wait_for_draft(page, "core.honesty", "Say so.")
    to_review(page)
    page.locator('[name=take][value="core.honesty"]').uncheck()

    save(page)

    assert set(kept_drafts(page)) == {"core.honesty"}


def test_discarding_removes_the_drafts(browse, expect, editor):
    """The texts go back to what is saved, here and in the browser's memory."""
    page = visit(browse(editor), fragment="core.style")
    saved = box(page, "core.style").input_value()
    write(page, "core.style", "Be brief.")
    wait_for_draft(page, "core.style", "Be brief.")

    page.locator("[data-discard]").click()
    dialog = page.locator("#prompts-discard")
    expect(dialog).to_contain_text("Discard 1 change?")
    expect(dialog).to_contain_text("Writing style")
    dialog.get_by_role("button", name="Discard 1 change").click()

    expect(box(page, "core.style")).to_have_value(saved)
    expect(page.locator(".prompts-changes")).to_have_text("Nothing changed yet.")
    assert kept_drafts(page) == {}


def test_keeping_on_editing_keeps_the_texts(browse, expect, editor):
    """The question can be declined."""
    page = visit(browse(editor), fragment="core.style")
    write(page, "core.style", "Be brief.")

    page.locator("[data-discard]").click()
    page.get_by_role("button", name="Keep editing").click()

    expect(page.locator("#prompts-discard")).to_be_hidden()
    expect(box(page, "core.style")).to_have_value("Be brief.")


def test_typing_back_to_the_saved_text_removes_the_draft(browse, expect, editor):
    """There is nothing to come back to."""
    page = visit(browse(editor), fragment="core.style")
    saved = box(page, "core.style").input_value()
    write(page, "core.style", "Be brief.")
    wait_for_draft(page, "core.style", "Be brief.")

    box(page, "core.style").fill(saved)

    page.wait_for_function(
        "() => !Object.keys(localStorage).some(name => name.endsWith(':core.style'))"
    )


@pytest.mark.parametrize(("days", "offered"), [(6.9, True), (7.1, False)])
def test_a_draft_lasts_seven_days(browse, expect, editor, days, offered):
    """After that it is not offered, and not kept either."""
    page = browse(editor)
    page.goto("/admin/")
    keep_draft(page, editor, "core.style", text="Old.", etag="0" * 16, days_ago=days)

    visit(page)

    expect(offer(page)).to_be_visible(visible=offered)
    assert set(kept_drafts(page)) == ({"core.style"} if offered else set())


def test_a_draft_of_another_person_is_not_offered(browse, expect, editor, superuser):
    """Who shares a browser does not see what the other typed."""
    page = browse(editor)
    page.goto("/admin/")
    keep_draft(page, superuser, "core.style", text="Secret.", etag="0" * 16)

    visit(page)

    expect(offer(page)).to_be_hidden()
    assert set(kept_drafts(page)) == {"core.style"}


def test_the_offer_says_when_it_was_typed(browse, expect, editor):
    """The date is written as the page's language writes it."""
    page = browse(editor, locale="en")
    page.goto("/admin/")
    keep_draft(page, editor, "core.style", text="Mine.", etag="0" * 16)
    date = "new Date().toLocaleDateString('en', {dateStyle: 'long'})"

    visit(page)

    said = f"1 text that you typed on {page.evaluate(date)} was never saved."
    expect(offer(page)).to_contain_text(said)


def test_a_draft_of_a_saved_text_is_not_offered(browse, expect, editor):
    """What is stored by now, whoever stored it, needs no second look."""
    services.save({"core.style": "Same."})
    page = browse(editor)
    page.goto("/admin/")
    keep_draft(page, editor, "core.style", text="Same.", etag="0" * 16)

    visit(page, fragment="core.style")

    expect(offer(page)).to_be_hidden()
    assert kept_drafts(page) == {}


def test_a_garbled_draft_disturbs_nothing(browse, expect, editor):
    """What cannot be read is passed over."""
    page = browse(editor)
    page.goto("/admin/")
    page.evaluate(
        "name => localStorage.setItem(name, '{half')",
        f"prompts_app:{PLACE}:{editor.pk}::core.style",
    )

    visit(page)
    choose(page, "core.style")

    expect(offer(page)).to_be_hidden()
    expect(box(page, "core.style")).to_be_visible()


def test_the_page_works_where_the_browser_keeps_nothing(browse, expect, faults, editor):
    """Refused storage costs the drafts and nothing else."""
    page = browse(editor)
    page.add_init_script(
        """Object.defineProperty(window, "localStorage", {
            get() { throw new DOMException("refused", "SecurityError"); },
        })"""
    )
    visit(page, fragment="core.style")
    write(page, "core.style", "Be brief.")
    expect(editor_of(page, "core.style").locator("[data-delta]")).not_to_be_empty()

    to_review(page)
    save(page)

    assert Override.objects.get().text == "Be brief."
    # The admin's own scripts do complain.
    assert set(faults) <= {"refused"}
    faults.clear()


def test_full_storage_disturbs_nothing(browse, expect, faults, editor):
    """A browser without room for a draft still lets one type and save."""
    page = browse(editor)
    page.add_init_script(
        """Storage.prototype.setItem = () => {
            throw new DOMException("full", "QuotaExceededError");
        }"""
    )
    visit(page, fragment="core.style")
    write(page, "core.style", "Be brief.")

    to_review(page)

    expect(page.locator(".prompts-change")).to_have_count(1)
    assert set(faults) <= {"full"}
    faults.clear()


def test_leaving_with_unsaved_texts_is_asked_about(browse, expect, editor):
    """The browser asks before the page goes; without a change it does not."""
    page = visit(browse(editor), fragment="core.style")
    page.goto("/admin/")
    visit(page, fragment="core.style")
    box(page, "core.style").click()
    page.keyboard.type("x")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))

    page.goto("/admin/")

    assert asked == ["beforeunload"]
