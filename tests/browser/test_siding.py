"""Two prompts side by side, reached from the page and left with all that is typed."""

from __future__ import annotations

import pytest

from prompts_app import services
from tests import middleware
from tests.browser.steps import PLACE, READY, WIDE, box, ready, visit, write
from tests.browser.test_policy import HOSTILE, OF_ADMIN, WATCH
from tests.browser.test_preview import select

MINE = 'Mine, "quoted" & <b>.\n\n  Indented.\n<!-- detailed -->\nMore.\n'
FENCED = f"{MINE}<!-- /detailed -->"


def to_sides(page):
    """Press the button that lays two prompts beside each other."""
    page.get_by_role("button", name="Side by side").click()
    page.wait_for_selector("#prompts-compare")


def pair(page, key):
    """Return one passage of both."""
    return page.locator(f'[data-pair="{key}"]')


def back(page):
    """Go back to the page."""
    page.get_by_role("button", name="Back to editing").click()
    ready(page)


def test_what_is_typed_is_laid_beside_what_is_saved(browse, expect, editor):
    """And comes back to its box, unsaved as it was, with the choices of the page."""
    page = visit(browse(editor), fragment="core.style")
    select(page, "scenario", "agent_chat")
    select(page, "show", "markdown")
    write(page, "core.style", FENCED)

    to_sides(page)

    style = pair(page, "core.style")
    expect(style.locator("pre").first).to_contain_text("already the answer")
    expect(style.locator("pre").last).to_contain_text("  Indented.")
    expect(style.locator("ins").first).to_be_visible()
    expect(pair(page, "core.heading").locator("ins, del")).to_have_count(0)
    expect(page.locator("[role=status]")).to_contain_text("1 passage differs.")
    back(page)

    expect(box(page, "core.style")).to_have_value(FENCED)
    expect(page.locator(".prompts-changes")).to_have_text("1 unsaved change")
    expect(page.locator("#prompts-scenario")).to_have_value("agent_chat")
    expect(page.locator("#prompts-show")).to_have_value("markdown")
    assert services.stored().texts == {}


def test_lean_and_detailed_side_by_side(browse, expect, viewer):
    """Also for who may only look; the address is a link to it."""
    page = visit(browse(viewer), fragment="core.style")

    to_sides(page)

    head = page.locator(".prompts-both-head b")
    expect(head.first).to_contain_text("Lean")
    expect(head.last).to_contain_text("Detailed")
    page.reload()
    expect(page.locator(".is-changed").first).to_be_visible()
    page.get_by_role("link", name="Back to editing").click()
    ready(page)
    expect(box(page, "core.style")).to_be_visible()


def test_two_scenarios_side_by_side(browse, expect, editor):
    """What one lacks is said to be left out; equal sides are said to be equal."""
    page = visit(browse(editor), fragment="core.style")
    write(page, "core.style", "Mine.")
    to_sides(page)

    page.locator("#second-scenario").select_option("agent_chat")
    page.get_by_role("button", name="Show", exact=True).click()

    plan = pair(page, "context.plan")
    expect(plan.locator("div").first).to_contain_text("Left out")
    expect(plan.locator("ins").first).to_contain_text("The plan")
    page.locator("#first-scenario").select_option("agent_chat")
    page.locator("#first-texts").select_option("unsaved")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator("[role=status]")).to_contain_text("Both read the same.")


def test_a_passage_opens_its_fragment_with_what_is_typed(browse, expect, editor):
    """From both forms of the page: with texts to keep, and by a link."""
    page = visit(browse(editor), fragment="core.style")
    write(page, "core.style", "Mine.")
    to_sides(page)

    pair(page, "core.today").get_by_role("button").click()
    ready(page)

    expect(box(page, "core.today")).to_be_visible()
    expect(box(page, "core.style")).to_have_value("Mine.")
    page.goto(f"{PLACE}compare/")
    pair(page, "core.heading").get_by_role("link").click()
    ready(page)
    expect(box(page, "core.heading")).to_be_visible()


def test_it_works_without_scripts(browse, expect, editor):
    """On a phone too; nothing typed is lost."""
    size = {"width": 390, "height": 844}
    page = browse(editor, java_script_enabled=False, viewport=size)
    page.goto(f"{PLACE}?fragment=core.style")
    page.locator('textarea[name="text:core.style"]').fill("Mine.")

    to_sides(page)
    expect(pair(page, "core.style").locator("ins")).to_contain_text("Mine")
    page.locator("#first-texts").select_option("defaults")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator("#first-texts")).to_have_value("defaults")
    page.get_by_role("button", name="Back to editing").click()

    style = page.locator('textarea[name="text:core.style"]')
    expect(style).to_have_value("Mine.")


def test_nobody_who_was_signed_out_loses_a_text(browse, expect, editor, faults):
    """The page asks before it is left, and stays where it is."""
    page = visit(browse(editor), fragment="core.style")
    write(page, "core.style", "Mine.")
    page.context.clear_cookies()

    page.get_by_role("button", name="Side by side").click()

    expect(page.locator("[data-signed-out]")).to_be_visible()
    expect(box(page, "core.style")).to_have_value("Mine.")
    assert all("403 (Forbidden)" in fault for fault in faults)
    faults.clear()


def test_hostile_texts_stay_texts(browse, expect, editor, faults, monkeypatch):
    """Under the strictest policy nothing of the page is stopped."""
    monkeypatch.setattr(middleware, "POLICY", "default-src 'self'")
    page = browse(editor)
    page.add_init_script(WATCH)
    alarms = []
    page.on("dialog", lambda dialog: alarms.append(dialog.message))
    visit(page, fragment="core.style")
    write(page, "core.style", HOSTILE)

    to_sides(page)

    expect(pair(page, "core.style").locator("pre").last).to_contain_text(HOSTILE)
    back(page)
    expect(box(page, "core.style")).to_have_value(HOSTILE)
    told = page.evaluate(
        "() => JSON.parse(sessionStorage.getItem('violations') ?? '[]')"
    )
    assert [one for one in told if one[1] != OF_ADMIN] == []
    assert alarms == []
    assert all("data:" in fault for fault in faults)
    faults.clear()


def test_axe_finds_nothing(browse, editor, violations):
    """With differences, with something left out, and by a link."""
    page = visit(browse(editor, viewport=WIDE), fragment="core.style")
    write(page, "core.style", "Mine.")
    to_sides(page)
    page.locator("#second-scenario").select_option("agent_chat")
    page.get_by_role("button", name="Show", exact=True).click()
    page.wait_for_selector("[data-pair='context.plan']")
    found = violations(page)
    page.goto(f"{PLACE}compare/")

    assert found + violations(page) == []


@pytest.mark.parametrize("width", [320, 390, 768, 1400])
def test_nothing_has_to_be_scrolled_sideways(browse, editor, width):
    """At any width, with the longest word there is."""
    page = browse(editor, viewport={"width": width, "height": 800})
    page.goto(f"{PLACE}?fragment=core.style&show=markdown")
    page.wait_for_selector(READY, state="attached")
    write(page, "core.style", f"`{'x' * 400}`\n\n| {'y' * 200} | b |\n|-|-|\n| c | d |")
    page.locator(".prompts-jumps [data-part=preview]").evaluate("one => one.click()")
    wide = "() => document.documentElement.scrollWidth - innerWidth"
    assert page.evaluate(wide) <= 0

    to_sides(page)

    assert page.evaluate(wide) <= 0
