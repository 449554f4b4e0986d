"""Sample values: what the preview is filled with, and never saved."""

from __future__ import annotations

import json

import pytest

from prompts_app import services
from prompts_app.preview import scenario_arguments
from tests.browser.steps import REVIEW, box, ready, visit, write

NAME = '[name="value:user_name"]'


def edit(page, value, selector=NAME):
    """Put a sample value into its field and wait for the preview."""
    with page.expect_response("**/preview/"):
        page.locator(selector).fill(value)


def play(page, scenario):
    """Choose a scenario and wait until its sample values are there."""
    page.locator("#prompts-scenario").select_option(scenario)
    selector = f'#prompts-samples [name=values_of][value="{scenario}"]'
    page.wait_for_selector(selector, state="attached")


@pytest.fixture
def page(browse, editor):
    """Return the page with the sample values unfolded."""
    page = visit(browse(editor), fragment="core.identity")
    page.locator("#prompts-samples summary").first.click()
    return page


def test_a_long_value_has_a_text_area(page, expect):
    """Several lines can be read and written, and all of them reach the prompt."""
    play(page, "tools_chat")
    memories = page.locator('textarea[name="value:memories"]')
    expect(memories).to_be_visible()

    edit(page, "- one\n- two\n- <b>three</b>", 'textarea[name="value:memories"]')

    prompt = page.locator(".prompts-prompt")
    expect(prompt).to_contain_text("- one")
    expect(prompt).to_contain_text("- <b>three</b>")
    expect(memories).to_have_value("- one\n- two\n- <b>three</b>")


def test_values_belong_to_their_scenario(page, expect):
    """Another scenario has its own, and the edited ones are there on coming back."""
    edit(page, "Wilma Stone")

    play(page, "tools_chat")
    expect(page.locator(NAME)).to_have_value("Ines Varga")
    edit(page, "Otto Reed")
    play(page, "plain_chat")

    expect(page.locator(NAME)).to_have_value("Wilma Stone")
    expect(page.locator(".prompts-prompt")).to_contain_text("Wilma Stone")
    play(page, "tools_chat")
    expect(page.locator(NAME)).to_have_value("Otto Reed")
    expect(page.locator(".prompts-prompt")).to_contain_text("Otto Reed")


def test_the_scenarios_values_come_back(page, expect):
    """One press resets every edited value, blank ones too."""
    edit(page, "Wilma Stone")
    page.locator(".prompts-blank > summary").click()
    edit(page, "- a plan", '[name="value:plan"]')

    with page.expect_response("**/preview/"):
        page.locator("[data-samples]").click()

    expect(page.locator(NAME)).to_have_value("Ines Varga")
    expect(page.locator('[name="value:plan"]')).to_have_value("")
    expect(page.locator(".prompts-prompt")).to_contain_text("Ines Varga")


def test_a_value_keeps_its_first_line_feed(page, expect):
    """What a form would swallow after a text area begins is not swallowed."""
    play(page, "tools_chat")
    edit(page, "\n\n- late", 'textarea[name="value:memories"]')
    write(page, "core.identity", "You are {{instance_name}}.")
    page.locator("[data-review]").click()
    page.wait_for_selector(REVIEW)

    page.get_by_role("button", name="Back to editing").click()
    ready(page)

    memories = page.locator('textarea[name="value:memories"]')
    expect(memories).to_have_value("\n\n- late")
    expect(box(page, "core.identity")).to_have_value("You are {{instance_name}}.")


def test_one_fold_closes_the_other(page, expect):
    """Sample values and what is left out share a place, so that the prompt keeps room."""
    expect(page.locator(".prompts-out")).not_to_have_attribute("open", "")

    page.locator(".prompts-out > summary").click()

    expect(page.locator("#prompts-samples > details")).not_to_have_attribute("open", "")
    expect(page.locator(".prompts-out")).to_have_attribute("open", "")


@pytest.mark.case(92)
def test_the_page_shows_what_the_service_assembles(page, expect):
    """In every scenario the prompt to be copied is the service's, byte for byte."""
    view = services.view_of((), services.stored())
    shown, assembled = {}, {}

    for key, scenario in view.scenarios.items():
        play(page, key)
        raw = page.locator("#prompts-raw").text_content()
        shown[key] = json.loads(raw)
        prompt = services.assemble(**scenario_arguments(view, scenario))
        assembled[key] = prompt.join(scenario.authored)

    assert shown == assembled
