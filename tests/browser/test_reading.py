"""The prompt read in other forms, and what is switched off beside it."""

from __future__ import annotations

import json
import re

import pytest

from tests import middleware
from tests.browser.steps import PLACE, WIDE, box, in_text, visit, write
from tests.browser.test_policy import OF_ADMIN, WATCH
from tests.browser.test_preview import passage, select

HOSTILE = """# <script>alert(1)</script>

<img src=x onerror=alert(2)> ![x](https://x.test/i.png) [x](javascript:alert(3))
<style>*{display:none}</style> [ok](https://x.test "t")

| <b onclick=alert(4)> | |
|---:|-|
| 1 | 2 |
"""
MINE = "## Mine\n\nSay *less*.\n"


def test_markdown_follows_the_typing(browse, expect, editor):
    """It is rendered anew with every answer, and each name still leads to its text."""
    page = visit(browse(editor), fragment="core.style")

    select(page, "show", "markdown")
    write(page, "core.style", MINE)

    style = passage(page, "core.style")
    expect(style.locator(".is-h2")).to_have_text("Mine")
    expect(style.locator("em")).to_have_text("less")
    expect(style.locator("pre, ins, del")).to_have_count(0)
    passage(page, "core.today").get_by_role("button").click()
    in_text(page, "core.today")
    expect(passage(page, "core.today").locator(".prompts-markdown")).to_be_visible()


def test_the_requests_follow_the_typing(browse, expect, editor):
    """Each of the three as JSON with what is typed in it."""
    page = visit(browse(editor), fragment="core.style")

    page.locator(".prompts-prompt").evaluate("one => one.scrollTo(0, 300)")
    select(page, "show", "request")
    assert page.locator(".prompts-prompt").evaluate("one => one.scrollTop") == 0
    write(page, "core.style", 'Größer – "so"\n\tist\'s.')

    bodies = page.locator(".prompts-body")
    expect(bodies).to_have_count(3)
    for body in bodies.all():
        expect(body.locator("pre")).to_contain_text('Größer – \\"so\\"\\n\\tist\'s.')
        assert json.loads(body.locator("pre").inner_text())["model"]
        expect(body.locator("mark").first).to_be_visible()


def test_the_address_leads_back_to_the_form(browse, expect, editor):
    """A link to the page keeps it, and so does the next visit by it."""
    page = visit(browse(editor), fragment="core.style")
    select(page, "show", "request")

    assert "show=request" in page.url
    page.reload()

    expect(page.locator("#prompts-show")).to_have_value("request")
    expect(page.locator(".prompts-body")).to_have_count(3)


def test_copying_gives_the_prompt_whatever_is_shown(browse, expect, editor):
    """The very characters, neither rendered nor wrapped in JSON."""
    page = browse(editor, permissions=["clipboard-read", "clipboard-write"])
    visit(page, fragment="core.heading", show="markdown")
    write(page, "core.heading", MINE)

    for form in ("markdown", "request"):
        visit(page, fragment="core.heading", show=form)
        page.get_by_role("button", name="Copy", exact=True).click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()

        copied = page.evaluate("() => navigator.clipboard.readText()")
        assert copied.startswith("## How to work in this chat\n\nToday is ")


def test_without_scripts_the_form_is_chosen_by_a_button(browse, expect, editor):
    """With what is typed still in its box; the switches need a script."""
    page = browse(editor, java_script_enabled=False)
    page.goto(f"{PLACE}?fragment=core.style")
    page.locator('textarea[name="text:core.style"]').fill(MINE)
    expect(page.get_by_label("Mark changes")).to_be_hidden()

    page.locator("#prompts-show").select_option("markdown")
    page.get_by_role("button", name="Update the preview").click()

    expect(passage(page, "core.style").locator(".is-h2")).to_have_text("Mine")
    expect(page.locator('textarea[name="text:core.style"]')).to_have_value(MINE)
    page.locator("#prompts-show").select_option("request")
    page.get_by_role("button", name="Update the preview").click()
    expect(page.locator(".prompts-body")).to_have_count(3)


def test_what_was_switched_off_stays_off(browse, expect, editor):
    """Marks and names alike, on the next visit too, until they are switched on."""
    page = visit(browse(editor, viewport=WIDE), fragment="core.style")
    page.get_by_label("Fragment names").uncheck()
    page.get_by_label("Mark changes").uncheck()

    visit(page, fragment="core.style")

    expect(page.get_by_label("Fragment names")).not_to_be_checked()
    expect(page.locator(".prompts-name").first).to_be_hidden()
    write(page, "core.style", "Mine.")
    expect(passage(page, "core.style").locator("ins")).to_have_text("Mine")
    expect(passage(page, "core.style").locator("del")).to_be_hidden()
    page.get_by_label("Fragment names").check()
    visit(page, fragment="core.style")
    expect(page.get_by_label("Mark changes")).not_to_be_checked()
    expect(page.locator(".prompts-name").first).to_be_visible()


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_click_into_a_passage_opens_its_fragment(browse, expect, editor, form):
    """Also where the names are switched off; the prompt stays where it was."""
    page = visit(browse(editor, viewport=WIDE), fragment="core.style", show=form)
    page.get_by_label("Fragment names").uncheck()
    prompt = page.locator(".prompts-prompt")
    honesty = passage(page, "core.honesty").locator("pre, .prompts-markdown")
    honesty.scroll_into_view_if_needed()
    top = prompt.evaluate("one => one.scrollTop")

    honesty.click(position={"x": 20, "y": 10})

    in_text(page, "core.honesty")
    expect(passage(page, "core.honesty")).to_have_class(re.compile("is-current"))
    assert prompt.evaluate("one => one.scrollTop") == top


def test_words_of_a_passage_can_be_selected(browse, expect, editor):
    """Whoever drags over them wants to copy them, not to go anywhere."""
    page = visit(browse(editor, viewport=WIDE), fragment="core.style")
    today = passage(page, "core.today").locator("pre")
    today.scroll_into_view_if_needed()
    place = today.bounding_box()

    page.mouse.move(place["x"] + 5, place["y"] + 8)
    page.mouse.down()
    page.mouse.move(place["x"] + 100, place["y"] + 8)
    page.mouse.up()

    selected = page.evaluate("() => getSelection().toString()")
    assert selected in today.inner_text()
    assert len(selected) > 3
    expect(box(page, "core.style")).to_be_visible()
    expect(box(page, "core.today")).to_be_hidden()


def test_switches_that_would_do_nothing_are_not_there(browse, expect, editor):
    """A rendered text has no marks, and a request has no names either."""
    page = visit(browse(editor), fragment="core.style")

    select(page, "show", "markdown")
    expect(page.get_by_label("Mark changes")).to_be_hidden()
    expect(page.get_by_label("Fragment names")).to_be_visible()
    select(page, "show", "request")

    expect(page.get_by_label("Fragment names")).to_be_hidden()


def test_hostile_markdown_loads_and_runs_nothing(
    browse, expect, editor, faults, monkeypatch
):
    """Under the strictest policy not even an attempt is stopped."""
    monkeypatch.setattr(middleware, "POLICY", "default-src 'self'")
    page = browse(editor)
    page.add_init_script(WATCH)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    visit(page, fragment="core.style", show="markdown")

    write(page, "core.style", HOSTILE)

    style = passage(page, "core.style").locator(".prompts-markdown")
    expect(style.locator(".is-h1")).to_have_text("<script>alert(1)</script>")
    expect(style).to_contain_text("ok (https://x.test t)")
    assert style.locator("a, img, script, style, [style], [onclick]").count() == 0
    assert all("x.test" not in one and "alert" not in one for one in asked)
    told = page.evaluate(
        "() => JSON.parse(sessionStorage.getItem('violations') ?? '[]')"
    )
    assert [one for one in told if one[1] != OF_ADMIN] == []
    assert all("data:" in fault for fault in faults)
    faults.clear()


@pytest.mark.parametrize("form", ["markdown", "request"])
def test_axe_finds_nothing_in_any_form(browse, editor, violations, form):
    """Headings, empty cells and lists of a text are none of the page's."""
    page = visit(browse(editor, viewport=WIDE), fragment="core.style", show=form)
    write(page, "core.style", f"#### Deep\n\n# High\n\n> q\n\n{HOSTILE}")
    page.locator(".prompts-jumps [data-part=preview]").evaluate("one => one.click()")

    assert violations(page) == []
