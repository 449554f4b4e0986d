"""A session that ends while somebody types."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache

from prompts_app.models import Override
from tests.browser.steps import (
    PLACE,
    box,
    crash,
    save,
    to_review,
    visit,
    wait_for_draft,
    write,
)
from tests.factories import PASSWORD

SAID = "You have been signed out. Your texts are still here."


@pytest.fixture(autouse=True)
def _only_refusals(faults):
    """Let the browser say that it was refused, and nothing else."""
    yield
    refused = [fault for fault in faults if "403 (Forbidden)" in fault]
    for fault in refused:
        faults.remove(fault)


def end_sessions():
    """End every session on the server, as time would."""
    Session.objects.all().delete()
    cache.clear()


def sign_in_beside(page, name):
    """Sign in again in another tab of the same browser."""
    tab = page.context.new_page()
    tab.goto(f"/admin/login/?next={PLACE}")
    tab.locator("#id_username").fill(name)
    tab.locator("#id_password").fill(PASSWORD)
    tab.locator("[type=submit]").click()
    tab.wait_for_url(f"**{PLACE}")
    return tab


@pytest.fixture
def signed_out(browse, expect, editor):
    """Return a page with a typed text whose session ended before the review."""
    page = visit(browse(editor), fragment="core.style")
    write(page, "core.style", "Be brief.")
    wait_for_draft(page, "core.style", "Be brief.")
    end_sessions()
    page.locator("[data-review]").click()
    expect(page.locator("[data-signed-out]")).to_be_visible()
    return page


def test_the_text_stays_where_the_session_ended(signed_out, expect):
    """The page says what happened and what to do, and the text is in its box."""
    expect(signed_out.locator("[data-signed-out]")).to_contain_text(SAID)
    expect(signed_out.locator("[data-late]")).to_be_hidden()
    expect(box(signed_out, "core.style")).to_have_value("Be brief.")


def test_after_signing_in_beside_the_same_button_works(signed_out, editor, expect):
    """Also with the token that the new session brought."""
    old = signed_out.locator("#prompts-form [name=csrfmiddlewaretoken]").input_value()
    sign_in_beside(signed_out, "editor")

    to_review(signed_out)
    save(signed_out)

    assert Override.objects.get().text == "Be brief."
    fresh = signed_out.locator("#prompts-form [name=csrfmiddlewaretoken]").input_value()
    assert fresh != old


def test_the_preview_comes_back_after_signing_in(signed_out, editor, expect):
    """Typing on is enough; the notice goes by itself."""
    sign_in_beside(signed_out, "editor")

    box(signed_out, "core.style").fill("Be very brief.")

    expect(signed_out.locator("#prompts-output")).to_contain_text("Be very brief.")
    expect(signed_out.locator("[data-signed-out]")).to_be_hidden()


def test_typing_without_a_session_is_said_too(browse, expect, editor):
    """The next preview notices, long before anything is to be saved."""
    page = visit(browse(editor), fragment="core.style")
    end_sessions()

    box(page, "core.style").fill("Be brief.")

    expect(page.locator("[data-signed-out]")).to_contain_text(SAID)


def test_a_session_that_ends_on_the_review_loses_nothing(browse, expect, editor):
    """The texts are shown, and the drafts are offered after signing in."""
    page = visit(browse(editor), fragment="core.style")
    write(page, "core.style", "Be brief.")
    wait_for_draft(page, "core.style", "Be brief.")
    to_review(page)
    end_sessions()

    page.locator("[data-save]").click()

    expect(page.locator("h1", has_text="signed out")).to_be_visible()
    expect(page.locator("textarea[readonly]")).to_have_value("Be brief.")
    assert not Override.objects.exists()
    tab = sign_in_beside(page, "editor")
    tab.locator("[data-back]").click()
    expect(box(tab, "core.style")).to_have_value("Be brief.")


def test_the_draft_outlives_the_session(signed_out, expect):
    """A page that crashed while signed out is offered to the same person later."""
    tab = sign_in_beside(crash(signed_out), "editor")

    expect(tab.locator(".prompts-notice[data-drafts]")).to_contain_text(
        "was never saved"
    )
