"""Steps that walks through the page of fragments have in common."""

from __future__ import annotations

import json
from urllib.parse import urlencode

from django.utils.timezone import now

PLACE = "/admin/prompts_app/override/"
READY = "html[data-prompts-ready]"
REVIEW = f"{READY} #prompts-review"
WIDE = {"width": 1400, "height": 900}
NARROW = {"width": 390, "height": 844}
CARET = """box => {
    const isBehind = box.matches(".prompts-behind");
    const field = isBehind ? box.nextElementSibling : box;
    return [field.selectionStart, field.selectionEnd];
}"""
DAY = 24 * 60 * 60 * 1000
"""Milliseconds, as the browser counts them."""


def visit(page, place=PLACE, **query):
    """Open the page as a link with *query* shows it, scripts and all."""
    page.goto(f"{place}?{urlencode(query)}" if query else place)
    ready(page)
    return page


def ready(page):
    """Wait until the page's scripts have begun."""
    page.wait_for_selector(READY, state="attached")


def box(page, key):
    """Return the text area of a fragment."""
    return page.locator(f'[data-editor="{key}"] textarea[data-saved]')


def row(page, key):
    """Return the line of a fragment in the list."""
    return page.locator(f'[data-row="{key}"]')


def editor(page, key):
    """Return all that is said of a fragment."""
    return page.locator(f'[data-editor="{key}"]')


def choose(page, key):
    """Open the editor of a fragment from the list."""
    row(page, key).locator("> [data-key]").click()
    page.wait_for_selector(f'[data-editor="{key}"][data-current]')


def write(page, key, text):
    """Put *text* into the box of the fragment in view, and wait for the preview."""
    with page.expect_response("**/preview/"):
        box(page, key).fill(text)


def to_review(page):
    """Press the button that leads to the review."""
    page.locator("[data-review]").click()
    page.wait_for_selector(REVIEW)


def save(page):
    """Press the button of the review that saves, and wait for the page."""
    page.locator("[data-save]").click()
    ready(page)


def kept_drafts(page):
    """Return the drafts that the browser keeps, by key of the fragment."""
    kept = page.evaluate("() => ({...localStorage})")
    return {
        name.rpartition(":")[2]: json.loads(draft)
        for name, draft in kept.items()
        if name.count(":") > 1
    }


def wait_for_draft(page, key, text):
    """Wait until the browser keeps *text* as the draft of a fragment."""
    page.wait_for_function(
        """([key, text]) => Object.entries(localStorage).some(
            ([name, draft]) =>
                name.endsWith(`:${key}`) && JSON.parse(draft).text === text
        )""",
        arg=[key, text],
    )


def keep_draft(page, user, key, *, text, etag, days_ago=0):
    """Leave a draft of a fragment in the browser, as a crash would."""
    at = now().timestamp() * 1000 - days_ago * DAY
    page.evaluate(
        "([name, draft]) => localStorage.setItem(name, draft)",
        [
            f"prompts_app:{PLACE}:{user.pk}::{key}",
            json.dumps({"text": text, "etag": etag, "at": at}),
        ],
    )


def crash(page):
    """Close a page at once, without asking it; return an empty one beside it."""
    beside = page.context.new_page()
    page.close(run_before_unload=False)
    return beside


def field(page, key):
    """Return where a fragment is typed, which must have the focus: the text editor."""
    in_text(page, key)
    return editor(page, key).locator("prompts-text")


def in_text(page, key):
    """Wait until the focus is in the text of a fragment, in the text editor over it."""
    has_focus(page, f"[data-editor='{key}'] prompts-text")


def caret(page, key):
    """Return where the selection in a fragment's text begins and ends."""
    return box(page, key).evaluate(CARET)


def select(page, key, start, end):
    """Select a piece of a fragment's text."""
    box(page, key).focus()
    between = "(field, ends) => field.setSelectionRange(...ends)"
    field(page, key).evaluate(between, [start, end])


def put_caret(page, key, place):
    """Put the caret of a fragment's text at *place*."""
    select(page, key, place, place)


def has_focus(page, selector):
    """Wait until the element that *selector* describes has the focus."""
    page.wait_for_function(
        "selector => document.activeElement?.matches(selector)", arg=selector
    )
