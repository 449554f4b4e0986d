"""People who may look and not touch."""

from __future__ import annotations

import pytest

from tests.browser.steps import PLACE, box, choose, row, visit
from tests.factories import OverrideFactory
from tests.storing import everything

FORGE = """async (address) => {
    const form = document.getElementById("prompts-form");
    const data = new FormData(form);
    data.set("text:core.heading", "Forged");
    data.set("_save", "");
    return (await fetch(address, {method: "POST", body: data})).status;
}"""


@pytest.fixture
def viewing(browse, viewer):
    """Return the page as a viewer sees it, one text saved by somebody else."""
    OverrideFactory(key="core.heading", text="## Theirs")
    return visit(browse(viewer), fragment="core.heading")


@pytest.mark.case(74)
def test_a_viewer_can_change_nothing(viewing, expect):
    """Boxes do not take a letter, and nothing is there to save with."""
    page = viewing
    before = everything()

    box(page, "core.heading").press_sequentially("x")

    expect(box(page, "core.heading")).to_have_value("## Theirs")
    expect(box(page, "core.heading")).not_to_be_editable()
    expect(page.locator(".prompts-bar")).to_have_count(0)
    expect(page.get_by_role("button", name="Restore default")).to_have_count(0)
    expect(page.get_by_role("button", name="Switch off")).to_have_count(0)
    expect(page.locator("[data-insert]")).to_have_count(0)
    expect(
        page.get_by_text("You can read these texts but not change them.")
    ).to_be_visible()
    assert everything() == before


@pytest.mark.case(74)
@pytest.mark.parametrize("verb", ["", "review/", "decide/", "discard/"])
def test_a_forged_request_of_a_viewer_is_refused(viewing, faults, verb):
    """The page's own token opens no way past the rights."""
    before = everything()

    assert viewing.evaluate(FORGE, f"{PLACE}{verb}") == 403

    assert everything() == before
    assert all("403" in fault for fault in faults)
    faults.clear()


def test_a_viewer_sees_the_prompt_in_every_scenario(viewing, expect):
    """Looking is what the right is for."""
    page = viewing

    with page.expect_response("**/preview/"):
        page.locator("#prompts-scenario").select_option("agent_chat")

    expect(page.locator('[data-passage-of="context.plan"]')).to_contain_text("The plan")
    choose(page, "task.title")
    expect(box(page, "task.title")).to_be_visible()
    expect(box(page, "task.title")).not_to_be_editable()


def test_a_viewer_leaves_without_a_question(viewing):
    """Nothing was typed, so nothing is lost."""
    asked = []
    viewing.on("dialog", lambda dialog: asked.append(dialog.message))

    viewing.goto("/admin/")

    assert asked == []


def test_a_text_without_a_fragment_is_shown_and_its_line_marked(browse, expect, editor):
    """It stands at the end of the list, where one would not look."""
    OverrideFactory(key="tool.gone", text="Kept.")
    page = visit(browse(editor), fragment="tool.gone")

    expect(page.locator("#prompts-orphan textarea")).to_have_value("Kept.")
    expect(page.locator("#prompts-orphan textarea")).not_to_be_editable()
    expect(row(page, "tool.gone").locator("[aria-current]")).to_be_in_viewport()

    choose(page, "core.heading")

    expect(page.locator("#prompts-orphan")).to_be_hidden()
    expect(box(page, "core.heading")).to_be_visible()
