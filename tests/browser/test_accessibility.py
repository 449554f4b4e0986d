"""What axe finds on the page, in every state: nothing."""

from __future__ import annotations

import pytest

from prompts_app import services
from tests.browser.steps import (
    PLACE,
    READY,
    REVIEW,
    WIDE,
    box,
    editor as editor_of,
    keep_draft,
    visit,
    write,
)

FAULTY = "One\n<!-- detailed -->\nTwo"


def show(page, part):
    """Show one part of the page, where not all are shown at once."""
    link = page.locator(f".prompts-jumps [data-part={part}]")
    link.evaluate("link => link.click()")


def start(page, user):
    """Show the start view."""
    visit(page)


def draft(page, user):
    """Show the start view with drafts on offer."""
    page.goto("/admin/")
    keep_draft(page, user, "core.style", text="Mine.", etag="0" * 16)
    visit(page)
    page.wait_for_selector("[data-drafts]:not([hidden])")


def no_hits(page, user):
    """Show the list of a search that finds nothing."""
    visit(page, q="xyzzy")


def changed(page, user):
    """Show an editor with a change, its comparison and its notes."""
    visit(page, fragment="core.style")
    write(page, "core.style", "Address {{user_name}} and {{nobody}}.")
    editor_of(page, "core.style").locator("[data-comparison] > summary").click()


def completing(page, user):
    """Show variables on offer in a text that has every kind of mark."""
    changed(page, user)
    box(page, "core.style").focus()
    page.keyboard.type("{{")
    page.wait_for_selector("[role=option]")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("[role=option][aria-selected]")


def off(page, user):
    """Show an editor whose text is off."""
    services.save({"core.style": ""})
    visit(page, fragment="core.style")


def error(page, user):
    """Show a text that was refused."""
    visit(page, fragment="core.style")
    write(page, "core.style", FAULTY)
    page.locator("[data-review]").click()
    page.wait_for_selector(".errornote")
    page.wait_for_selector(READY, state="attached")


def stale(page, user):
    """Show an editor whose text somebody else has saved meanwhile."""
    visit(page, fragment="core.style")
    services.save({"core.style": "Theirs."})
    write(page, "core.style", "Mine.")
    page.wait_for_selector("[data-stale]:not([hidden])")


def samples(page, user):
    """Show the sample values."""
    visit(page, fragment="core.style", scenario="agent_chat")
    show(page, "preview")
    page.locator("#prompts-samples summary").first.click()
    page.locator(".prompts-blank > summary").click()


def sizes(page, user):
    """Show the sizes of the prompt's parts, with one that changed."""
    changed(page, user)
    show(page, "preview")
    page.locator(".prompts-sizes > summary").click()


def prompt(page, user):
    """Show the prompt, which a phone shows alone."""
    visit(page, fragment="core.style")
    show(page, "preview")


def signed_out(page, user):
    """Show an editor whose session has ended."""
    changed(page, user)
    page.context.clear_cookies()
    page.locator("[data-review]").click()
    page.wait_for_selector("[data-signed-out]:not([hidden])")


def discarding(page, user):
    """Ask whether changes should go."""
    changed(page, user)
    page.locator("[data-discard]").click()


def keyboard(page, user):
    """Show the table of keys."""
    visit(page)
    page.locator("[data-keyboard]").click()


def review(page, user):
    """Show a review with a loss, something switched off, and the rest."""
    visit(page, fragment="task.title")
    write(page, "task.title", "A title for {{answer}}.")
    show(page, "list")
    page.locator("[data-row='core.style'] > [data-key]").click()
    write(page, "core.style", "")
    page.locator("[data-review]").click()
    page.wait_for_selector(REVIEW)
    page.locator("#prompts-review details > summary").first.click()


def missing_tick(page, user):
    """Show a review that needs a tick."""
    review(page, user)
    page.locator("[data-save]").click()
    page.wait_for_selector(".errornote")


def deciding(page, user):
    """Show three texts."""
    stale(page, user)
    page.locator("[data-review]").click()
    page.wait_for_selector("#prompts-decide")


WALKS = [
    start, draft, no_hits, changed, completing, off, error, stale, samples, sizes,
    prompt, signed_out, discarding, keyboard, review, missing_tick, deciding,
]  # fmt: skip


@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk.__name__)
def test_axe_finds_nothing(browse, editor, violations, faults, walk):
    """In no state, light or dark, wide or narrow."""
    page = browse(editor, viewport=WIDE)
    walk(page, editor)

    assert violations(page) == []
    # Who is signed out is refused, and the browser says so.
    assert all("403 (Forbidden)" in fault for fault in faults)
    faults.clear()


def test_axe_finds_nothing_for_viewers(browse, viewer, violations):
    """The texts can be read and the save bar is absent."""
    page = visit(browse(viewer), fragment="core.style")

    assert not box(page, "core.style").is_editable()
    assert violations(page) == []


def test_axe_finds_nothing_without_scripts(browse, editor, violations):
    """Axe is a script itself, so the page's own come empty."""
    page = browse(editor)
    empty = {"body": "", "content_type": "text/javascript"}
    page.route("**/prompts_app/*.js", lambda route: route.fulfill(**empty))
    page.goto(f"{PLACE}?fragment=core.style")
    found = violations(page)
    page.locator('textarea[name="text:core.style"]').fill("")
    page.locator("[data-review]").click()
    page.wait_for_selector("#prompts-review")
    found += violations(page)
    page.goto(f"{PLACE}?fragment=core.style")
    page.locator('textarea[name="text:core.style"]').fill(FAULTY)
    page.locator("[data-review]").click()
    page.wait_for_selector(".errornote")
    found += violations(page)
    page.locator("[data-discard]").click()
    page.wait_for_selector("a.is-danger")

    assert found + violations(page) == []
