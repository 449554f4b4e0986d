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


def caret(page, key):
    """Return where the selection in a fragment's box begins and ends."""
    return box(page, key).evaluate("box => [box.selectionStart, box.selectionEnd]")


def put_caret(page, key, place):
    """Put the caret of a fragment's box at *place*."""
    at = "(box, place) => { box.focus(); box.setSelectionRange(place, place) }"
    box(page, key).evaluate(at, place)


def has_focus(page, selector):
    """Wait until the element that *selector* describes has the focus."""
    page.wait_for_function(
        "selector => document.activeElement?.matches(selector)", arg=selector
    )
