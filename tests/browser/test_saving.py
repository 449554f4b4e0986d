"""From signing in to another process that assembles the new text."""

from __future__ import annotations

import subprocess
import sys

import pytest

from prompts_app import services
from tests.browser.steps import (
    PLACE,
    box,
    caret,
    choose,
    editor as editor_of,
    ready,
    row,
    save,
    to_review,
    visit,
    write,
)
from tests.factories import PASSWORD, OverrideFactory
from tests.storing import everything, history, rows

pytestmark = pytest.mark.whole_way

HEADING = "## How to work in this chat"
ASSEMBLE = """
import django
django.setup()
from prompts_app import services
print(services.render("core.heading"))
"""


def assembled_elsewhere(environ):
    """Return the heading as a process of its own assembles it."""
    other = subprocess.run(
        [sys.executable, "-W", "error", "-c", ASSEMBLE],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert other.returncode == 0, other.stderr
    return other.stdout.removesuffix("\n")


def previews(page):
    """Return the list that grows by every request for a preview."""
    asked = []

    def note(request):
        if request.url.endswith("/preview/"):
            asked.append(request.url)

    page.on("request", note)
    return asked


@pytest.mark.case(36)
def test_a_change_is_seen_saved_and_sent(browse, expect, editor, process_environ):
    """Sign in, type, see it in the prompt, save; the next process sends it."""
    page = browse()
    page.goto(PLACE)
    page.locator("#id_username").fill(editor.username)
    page.locator("#id_password").fill(PASSWORD)
    page.locator("input[type=submit]").click()
    ready(page)
    choose(page, "core.heading")
    asked = previews(page)

    box(page, "core.heading").press("End")
    box(page, "core.heading").press_sequentially(", in fifteen ch", delay=20)

    passage = page.locator('[data-passage-of="core.heading"]')
    expect(passage).to_contain_text("chat, in fifteen ch")
    assert len(asked) == 1
    assert rows() == {}
    expect(row(page, "core.heading")).to_contain_text("Unsaved")
    expect(page.locator(".prompts-changes")).to_have_text("1 unsaved change")

    to_review(page)
    page.locator("#prompts-comment").fill("Because of a test.")
    save(page)

    text = f"{HEADING}, in fifteen ch"
    assert rows() == {("", "core.heading"): text}
    assert assembled_elsewhere(process_environ) == text
    expect(page.locator(".messagelist")).to_contain_text("1 change saved.")
    expect(row(page, "core.heading")).to_contain_text("Changed")
    expect(page.locator("[data-review]")).to_be_disabled()


@pytest.mark.case(40)
def test_the_default_comes_back(browse, expect, editor):
    """Restoring puts the text into the box; saving it empties the table."""
    services.save({"core.heading": "## Mine"})
    page = visit(browse(editor), fragment="core.heading")

    with page.expect_response("**/preview/"):
        page.get_by_role("button", name="Restore default").click()
    expect(box(page, "core.heading")).to_have_value(HEADING)
    expect(row(page, "core.heading")).to_contain_text("→ Built-in")
    assert rows() != {}
    to_review(page)
    save(page)

    assert rows() == {}
    assert history()[-1] == {("", "core.heading"): ("## Mine", None)}
    expect(page.get_by_role("button", name="Restore default")).to_be_disabled()


@pytest.mark.case(37)
def test_a_cleared_text_is_off(browse, expect, editor):
    """The page says what will happen before the save, and what is so after it."""
    page = visit(browse(editor), fragment="core.heading")
    notice = editor_of(page, "core.heading").locator("[data-off-notice]")
    expect(notice).to_be_hidden()

    write(page, "core.heading", "")
    expect(notice).to_contain_text("Off once you save.")
    expect(row(page, "core.heading")).to_contain_text("→ Off")
    expect(page.locator('[data-passage-of="core.heading"]')).to_have_count(0)
    to_review(page)
    save(page)

    assert rows() == {("", "core.heading"): ""}
    assert HEADING not in services.assemble().text
    expect(notice).to_contain_text("Off. Nothing is sent for this fragment.")
    expect(row(page, "core.heading").locator("[data-state]")).to_have_text("Off")
    expect(page.get_by_role("button", name="Switch off")).to_be_disabled()


@pytest.mark.case(44)
def test_without_a_change_there_is_nothing_to_save(browse, expect, editor):
    """Typing and taking it back is none either, and a form sent all the same is none."""
    before = everything()
    page = visit(browse(editor), fragment="core.style")
    expect(page.locator("[data-review]")).to_be_disabled()

    write(page, "core.style", "Something else")
    expect(page.locator("[data-review]")).to_be_enabled()
    box(page, "core.style").press("Control+z")

    expect(page.locator("[data-review]")).to_be_disabled()
    expect(page.locator(".prompts-changes")).to_have_text("Nothing changed yet.")

    page.evaluate("() => document.getElementById('prompts-form').submit()")
    page.wait_for_load_state()

    assert everything() == before


@pytest.mark.case(47)
def test_a_text_survives_the_browser_to_the_byte(browse, expect, editor):
    """Fences, tabs, trailing spaces, joiners and emoji are stored as typed."""
    text = "```sh\n\tls  \n```\n\n  \u00a0x\u200dy 👩\u200d💻\n{{user_name}} end"
    page = visit(browse(editor), fragment="core.style")

    write(page, "core.style", text)
    to_review(page)
    save(page)

    assert rows() == {("", "core.style"): text}
    expect(box(page, "core.style")).to_have_value(text)


@pytest.mark.case(48)
def test_a_first_line_feed_is_seen_and_is_no_change(browse, expect, editor):
    """HTML would eat it, and the untouched box would count as changed."""
    stored = "\n\n  Two lines down"
    OverrideFactory(key="core.heading", text=stored)
    page = visit(browse(editor), fragment="core.heading")

    expect(box(page, "core.heading")).to_have_value(stored)
    expect(page.locator(".prompts-changes")).to_have_text("Nothing changed yet.")


def test_texts_of_several_groups_are_saved_together(browse, expect, editor):
    """What is typed stays in the form, whichever group is looked at."""
    page = visit(browse(editor), fragment="core.heading")
    write(page, "core.heading", "## One")
    choose(page, "task.compact_ack")
    write(page, "task.compact_ack", "Two.")
    expect(page.locator(".prompts-changes")).to_have_text("2 unsaved changes")
    choose(page, "core.heading")
    expect(box(page, "core.heading")).to_have_value("## One")

    to_review(page)
    save(page)

    assert rows() == {("", "core.heading"): "## One", ("", "task.compact_ack"): "Two."}
    assert len(history()) == 1


def test_a_fault_leads_to_its_place(browse, expect, editor):
    """The text is kept, the first faulty one is opened, its line is selected."""
    page = visit(browse(editor), fragment="core.heading")
    text = "One\n<!-- detailed -->\nThree"
    write(page, "core.heading", text)
    choose(page, "task.compact_ack")
    write(page, "task.compact_ack", "Two.")

    page.locator("[data-review]").click()

    expect(page.locator("[role=alert].errornote")).to_have_text(
        "1 text has to be corrected before it can be saved."
    )
    ready(page)
    expect(box(page, "core.heading")).to_be_visible()
    expect(box(page, "core.heading")).to_have_value(text)
    expect(row(page, "core.heading")).to_contain_text("Error")
    page.get_by_role("button", name="Go to line 2").click()
    start, end = caret(page, "core.heading")
    assert text[start:end] == "<!-- detailed -->"
    assert rows() == {}

    write(page, "core.heading", "One\nThree")
    to_review(page)
    save(page)

    assert rows() == {
        ("", "core.heading"): "One\nThree",
        ("", "task.compact_ack"): "Two.",
    }
