"""From one scope to another, with and without unsaved texts."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.declarations import Scope
from prompts_app.registry import register
from tests.browser.steps import (
    NARROW,
    WIDE,
    box,
    kept_drafts,
    ready,
    visit,
    wait_for_draft,
    write,
)


@pytest.fixture(autouse=True)
def scope():
    """Declare a scope for the time of a test."""
    with register(Scope("agent.clerk", label="the clerk")):
        yield


def go(page, scope):
    """Choose a scope and press the button beside it."""
    page.locator("#prompts-scope").select_option(scope)
    page.locator("[name=_scope][value=chosen]").click()


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_another_scope_is_shown(browse, expect, editor, viewport, scripts):
    """The same fragment, with the text that counts there."""
    services.save({"core.style": "As the clerk does."}, scope="agent.clerk")
    page = browse(editor, viewport=viewport, java_script_enabled=scripts)
    page.goto("/admin/prompts_app/override/?fragment=core.style#core.style")

    go(page, "agent.clerk")

    expect(box(page, "core.style")).to_have_value("As the clerk does.")
    expect(page.locator("#prompts-scope")).to_have_value("agent.clerk")


def test_what_is_discarded_on_the_way_is_not_offered_again(browse, expect, editor):
    """And what is kept is."""
    page = visit(browse(editor), fragment="core.style")
    write(page, "core.style", "Mine.")
    wait_for_draft(page, "core.style", "Mine.")

    go(page, "agent.clerk")
    page.get_by_role("button", name="Keep editing").click()
    ready(page)
    expect(box(page, "core.style")).to_have_value("Mine.")
    wait_for_draft(page, "core.style", "Mine.")
    go(page, "agent.clerk")
    page.locator("[data-discard]").click()
    ready(page)

    expect(page.locator("#prompts-scope")).to_have_value("agent.clerk")
    assert kept_drafts(page) == {}


def test_a_draft_belongs_to_its_scope(browse, expect, editor):
    """It is offered there and nowhere else."""
    page = visit(browse(editor), fragment="core.style", scope="agent.clerk")
    write(page, "core.style", "Mine.")
    wait_for_draft(page, "core.style", "Mine.")
    beside = page.context.new_page()
    page.close(run_before_unload=False)

    visit(beside)
    expect(beside.locator("div[data-drafts]")).to_be_hidden()
    visit(beside, scope="agent.clerk")
    expect(beside.locator("div[data-drafts]")).to_be_visible()
