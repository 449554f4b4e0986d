"""A default has moved: the decision in a browser, scripts and all."""

from __future__ import annotations

import pytest

from prompts_app import registry
from prompts_app.models import Override
from tests.browser.steps import REVIEW, box, choose, ready, save, to_review, visit
from tests.factories import OverrideFactory

KEY = "core.style"


@pytest.fixture
def drifted(transactional_db):
    """Store a text over a default that a later release has shortened."""
    default = registry[KEY].default
    return OverrideFactory(
        key=KEY, text=f"First. {default}", default_text=f"{default} Last."
    )


def decide(page):
    """Lead from the editor to the three texts."""
    page.locator("[data-current] button[name=_drift]").click()
    page.wait_for_selector("#prompts-decide")


def go_on(page):
    """Press the button that leads from the decision to the review."""
    page.get_by_role("button", name="Continue to review").click()
    page.wait_for_selector(REVIEW)


def test_a_card_fills_the_result(browse, editor, drifted, expect):
    """The merged text first, and whichever is chosen."""
    page = visit(browse(editor), fragment=KEY)
    decide(page)
    result = page.locator("#prompts-result")
    default = registry[KEY].default
    expect(result).to_have_value(f"First. {default}")

    page.get_by_label("Take the new default").check()
    expect(result).to_have_value(default)
    go_on(page)
    save(page)

    assert not Override.objects.exists()


def test_a_kept_text_is_a_change_though_it_reads_the_same(
    browse, editor, drifted, expect
):
    """Scripts leave untouched fields at home, but not one that is decided."""
    page = visit(browse(editor), fragment=KEY)
    decide(page)
    page.get_by_label("Keep my text").check()
    go_on(page)
    page.get_by_role("button", name="Back to editing").click()
    ready(page)
    expect(page.locator(".prompts-changes")).to_have_text("1 unsaved change")
    expect(box(page, KEY)).to_have_value(drifted.text)
    choose(page, "core.honesty")

    to_review(page)
    save(page)

    drifted.refresh_from_db()
    assert drifted.text == f"First. {registry[KEY].default}"
    assert drifted.default_text == registry[KEY].default


def test_a_decision_that_types_nothing_leaves_no_draft(browse, editor, drifted, expect):
    """Who comes back later is offered no text that was never typed."""
    page = visit(browse(editor), fragment=KEY)
    decide(page)
    page.get_by_label("Keep my text").check()
    go_on(page)
    page.get_by_role("button", name="Back to editing").click()
    ready(page)
    page.wait_for_timeout(600)

    page = visit(page)

    expect(page.locator(".prompts-notice[data-drafts]")).to_be_hidden()
