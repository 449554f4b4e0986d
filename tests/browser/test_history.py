"""The history in a browser: readable for everybody, under a strict policy, one way back."""

from __future__ import annotations

import pytest

from prompts_app import services
from tests import middleware
from tests.browser.steps import NARROW, WIDE, visit
from tests.browser.test_policy import OF_ADMIN, WATCH

PLACE = "/admin/prompts_app/revision/"


def saves(user):
    """Save twice, with a text that changed, one that was off, and a scope."""
    confirm = [("task.title", name) for name in ("question", "answer")]
    services.save({"core.style": "Be brief.", "core.identity": ""}, author=user)
    texts = {"core.style": "Be kind.", "task.title": "Title it."}
    services.save(texts, author=user, comment="Kinder", confirm=confirm)
    services.reset(["task.title", "core.identity"], author=user)
    services.save({"core.style": "Near."}, scope="profile.reviewer")


def listed(page):
    """Show the list of saves."""
    page.goto(PLACE)


def opened(page):
    """Show one save."""
    page.goto(PLACE)
    page.locator("#result_list a").nth(2).click()
    page.wait_for_selector(".prompts-save")


def restoring(page):
    """Show the review before texts come back, with a loss."""
    page.goto(f"{PLACE}restore/?moment=2")


def refused(page):
    """Show the same after it was refused for want of a tick."""
    restoring(page)
    page.get_by_role("button", name="Restore").click()
    page.wait_for_selector(".errornote")


def then(page):
    """Show the prompt as it was beside today's."""
    page.goto(f"{PLACE}prompt/?moment=1")


WALKS = [listed, opened, restoring, refused, then]


@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk.__name__)
def test_axe_finds_nothing_in_the_history(browse, editor, violations, walk):
    """On no page, light or dark, wide or narrow."""
    saves(editor)
    page = browse(editor, viewport=WIDE)
    walk(page)

    assert violations(page) == []


@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk.__name__)
def test_a_phone_scrolls_in_one_direction(browse, editor, walk):
    """Nothing is wider than the window."""
    saves(editor)
    page = browse(editor, viewport=NARROW)
    walk(page)

    width = page.evaluate("document.documentElement.scrollWidth")
    assert width == NARROW["width"]


def test_the_way_back_breaks_no_rule_and_needs_no_script(
    browse, editor, faults, monkeypatch
):
    """From the page to the list, to a save, to the review, to a text in force."""
    monkeypatch.setattr(middleware, "POLICY", "default-src 'self'")
    saves(editor)
    page = browse(editor)
    page.add_init_script(WATCH)

    visit(page)
    page.get_by_role("link", name="History").click()
    page.locator("[name=kind]").select_option("save")
    page.locator(".prompts-narrow button").first.click()
    page.locator("#result_list a").last.click()
    page.get_by_role("link", name="See the prompt as of then").click()
    page.locator("#prompts-scenario").select_option("")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**&scenario=&**")
    page.locator(".prompts-past p a").first.click()
    page.get_by_role("link", name="Restore this text Writing style").click()
    page.locator("#prompts-comment").fill("Brief again")
    page.get_by_role("button", name="Restore").click()
    page.wait_for_selector(".messagelist .success")

    assert services.resolve("core.style") == "Be brief."
    kept = page.evaluate('JSON.parse(sessionStorage.getItem("violations") ?? "[]")')
    assert [told for told in kept if told[1] != OF_ADMIN] == []
    faults.clear()


def test_the_way_back_works_with_scripts_switched_off(browse, editor):
    """Links and forms are enough."""
    saves(editor)
    page = browse(editor, java_script_enabled=False)

    page.goto(f"{PLACE}restore/?undo=1")
    page.locator("[name=comment]").fill("Undone")
    page.locator("[name=comment]").press("Enter")
    page.wait_for_load_state()
    assert services.resolve("core.style") == "Be kind."
    assert page.locator("[name=comment]").input_value() == "Undone"
    page.get_by_role("button", name="Restore").click()

    assert page.locator(".messagelist .success").count() == 1
    assert "Be brief." not in services.resolve("core.style")
