"""The live preview: choices beside it, ways into it and out of it."""

from __future__ import annotations

import pytest

from prompts_app import services
from tests.browser.steps import (
    WIDE,
    box,
    choose,
    editor as editor_of,
    in_text,
    row,
    visit,
    write,
)
from tests.storing import everything

SECRET = "<b>\"Tom\" & 'Ann'</b>"


def passage(page, key):
    """Return the passage of a fragment in the prompt."""
    return page.locator(f'[data-passage-of="{key}"]')


def select(page, name, value):
    """Choose a scenario or level, and wait for its prompt."""
    with page.expect_response("**/preview/"):
        page.locator(f"#prompts-{name}").select_option(value)


def test_scenario_and_level_change_the_prompt(browse, expect, editor):
    """Both at once, without a save and without losing what is typed."""
    before = everything()
    page = visit(browse(editor), fragment="core.style")
    expect(passage(page, "core.style")).to_contain_text("already the answer")
    expect(passage(page, "context.plan")).to_have_count(0)
    write(page, "core.style", "Mine.\n<!-- detailed -->\nMore.\n<!-- /detailed -->")

    select(page, "scenario", "agent_chat")

    expect(passage(page, "context.plan")).to_contain_text("The plan")
    expect(passage(page, "core.style")).to_contain_text("More.")

    select(page, "level", "lean")

    expect(passage(page, "core.style")).not_to_contain_text("More.")
    expect(passage(page, "core.style")).to_contain_text("Mine.")
    expect(box(page, "core.style")).to_be_visible()
    assert everything() == before


def test_a_sample_value_changes_the_prompt_alone(browse, expect, editor):
    """It opens the gates that ask for it, and is stored nowhere."""
    before = everything()
    page = visit(browse(editor), fragment="core.identity")
    page.locator("#prompts-samples summary").first.click()

    with page.expect_response("**/preview/"):
        page.locator("[id='value:user_name']").fill("Rosa")

    expect(passage(page, "core.identity")).to_contain_text("talking to is Rosa.")
    legend = editor_of(page, "core.identity").locator("[data-legend]")
    expect(legend).to_contain_text("Rosa")

    with page.expect_response("**/preview/"):
        page.locator("[id='value:user_name']").fill("")

    expect(passage(page, "core.identity")).to_have_count(0)
    out = page.locator(".prompts-out")
    expect(out).to_contain_text("Who is talking user_name")
    expect(editor_of(page, "core.identity")).to_contain_text("left out here")
    assert everything() == before


def test_sizes_follow_the_typing_and_stay_open(browse, expect, editor):
    """Under the text, above the prompt, and part by part."""
    page = visit(browse(editor), fragment="core.heading")
    fold = page.locator(".prompts-sizes")
    under = page.locator("[id='size:core.heading']")
    page.locator(".prompts-sizes > summary").click()
    expect(under).to_contain_text("about 7 tokens")

    write(page, "core.heading", "## Mine")

    expect(under).to_have_text(
        "7 characters · about 2 tokens \N{MINUS SIGN}20 against saved"
    )
    expect(page.locator(".prompts-size")).to_contain_text(
        "tokens \N{MINUS SIGN}20 against saved"
    )
    expect(fold).to_have_attribute("open", "")
    expect(fold.locator("tr", has_text="Heading")).to_have_text(
        "Heading 7 \N{MINUS SIGN}20 2 \N{MINUS SIGN}5"
    )


def test_enter_in_a_field_asks_for_the_preview_and_saves_nothing(
    browse, expect, editor
):
    """A form would otherwise press its first button."""
    page = visit(browse(editor), fragment="core.heading")
    write(page, "core.heading", "## Mine")
    page.locator("#prompts-samples summary").first.click()

    with page.expect_response("**/preview/"):
        page.locator("[id='value:user_name']").press("Enter")

    expect(box(page, "core.heading")).to_have_value("## Mine")
    assert "review" not in page.url


def test_a_passage_opens_its_fragment(browse, expect, editor):
    """The editor comes into view and its passage is marked."""
    page = visit(browse(editor))

    passage(page, "core.today").get_by_role("button").click()

    expect(box(page, "core.today")).to_be_visible()
    in_text(page, "core.today")
    assert "is-current" in passage(page, "core.today").get_attribute("class")
    expect(row(page, "core.today").locator("[aria-current]")).to_have_count(1)
    expect(page.locator("#prompts-start")).to_be_hidden()


def test_what_is_left_out_opens_its_fragment_too(browse, expect, editor):
    """Also one of another group; the editor says where it is in."""
    page = visit(browse(editor, viewport=WIDE), fragment="core.heading")

    page.locator(".prompts-out").get_by_role("button", name="Plan", exact=True).click()

    expect(box(page, "context.plan")).to_be_visible()
    said = editor_of(page, "context.plan").locator("[data-passage]")
    expect(said).to_contain_text("left out here")

    with page.expect_response("**/preview/"):
        said.get_by_role("button").click()

    expect(said).to_contain_text("passage")
    assert page.locator("#prompts-scenario").input_value() == "agent_chat"
    expect(passage(page, "context.plan")).to_be_visible()


def test_choosing_a_fragment_scrolls_the_prompt_to_it(browse, expect, editor):
    """As the link in the editor does."""
    page = visit(browse(editor, viewport={"width": 1400, "height": 700}))
    select(page, "scenario", "agent_rewound")

    choose(page, "tool.agent_rewound")

    expect(passage(page, "tool.agent_rewound")).to_be_in_viewport()
    expect(passage(page, "core.heading")).not_to_be_in_viewport()
    editor_of(page, "tool.agent_rewound").locator("[data-passage] a").click()
    expect(passage(page, "tool.agent_rewound")).to_be_in_viewport()


def test_an_empty_prompt_says_so(browse, expect, editor):
    """A task that is switched off sends nothing."""
    services.save({"task.title": ""})
    page = visit(browse(editor))

    select(page, "scenario", "title_request")

    expect(page.locator("#prompts-output")).to_contain_text(
        "Nothing would be sent in this scenario."
    )


@pytest.mark.case(16)
def test_copying_gives_the_prompt_as_it_is_sent(browse, expect, editor):
    """The page shows markup as text; the clipboard holds the very characters."""
    page = browse(editor, permissions=["clipboard-read", "clipboard-write"])
    visit(page, fragment="core.heading")
    write(page, "core.heading", SECRET)
    expect(passage(page, "core.heading")).to_contain_text(SECRET)
    assert "&lt;b&gt;" in passage(page, "core.heading").locator("pre").inner_html()

    page.get_by_role("button", name="Copy", exact=True).click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied.startswith(f"{SECRET}\n\nToday is ")
    expect(page.get_by_role("button", name="Copy", exact=True)).to_be_visible()


@pytest.mark.case(16)
def test_a_value_is_shown_as_text_too(browse, expect, editor):
    """Quotes and angle brackets reach the model as they were given."""
    page = browse(editor, permissions=["clipboard-read", "clipboard-write"])
    visit(page, fragment="core.identity")
    page.locator("#prompts-samples summary").first.click()

    with page.expect_response("**/preview/"):
        page.locator("[id='value:user_name']").fill(SECRET)

    expect(passage(page, "core.identity")).to_contain_text(f"talking to is {SECRET}.")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert SECRET in page.evaluate("() => navigator.clipboard.readText()")


def test_a_prompt_that_cannot_be_assembled_copies_as_nothing(
    registry, browse, expect, editor
):
    """The reason is shown in its place, and no script fails."""
    registry.register_hook(fail)
    page = browse(editor, permissions=["clipboard-read", "clipboard-write"])
    visit(page)
    expect(page.locator("#prompts-output .errornote")).to_contain_text("out of order")

    page.get_by_role("button", name="Copy", exact=True).click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()") == ""


def fail(draft, context):
    """Raise, as a hook with a fault does."""
    raise RuntimeError("out of order")
