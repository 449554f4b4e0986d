"""The browser fixtures themselves."""

from __future__ import annotations

import pytest

from tests.browser.conftest import or_skip
from tests.browser.driver import Thread


def test_without_a_browser_a_test_is_skipped():
    """The reason says what was looked for."""
    # What pytest.skip() raises, caught here, so that this test itself is not skipped.
    with pytest.raises(pytest.skip.Exception, match="CHROMIUM"):
        or_skip(None)


def test_a_page_is_opened_signed_in(browse, expect, superuser):
    """A page opened for a user carries that user's session."""
    page = browse(superuser)

    page.goto("/admin/")

    expect(page.locator("#user-tools")).to_contain_text("superuser")


def test_a_page_is_opened_for_nobody(browse, expect):
    """A page opened without a user is asked to sign in."""
    page = browse()

    page.goto("/ops/")

    expect(page.locator("#id_username")).to_be_visible()


def test_what_the_page_answers_comes_back_as_plain_values(browse, superuser):
    """Lists and mappings of a page arrive as such, methods as callables."""
    page = browse(superuser, java_script_enabled=True)

    page.goto("/admin/")

    assert page.evaluate("() => ({'seen': [1, 'two', null]})") == {
        "seen": [1, "two", None]
    }
    assert page.evaluate("given => given.name", {"name": "three"}) == "three"
    assert [link.is_visible() for link in page.locator("#site-name").all()] == [True]
    assert "Frame" in repr(page.main_frame)


def test_a_block_waits_in_the_browser(browse, superuser):
    """A block around an action gives the event that the action caused."""
    page = browse(superuser)
    page.goto("/admin/")

    with page.expect_response("**/admin/password_change/") as caught:
        page.locator("#user-tools a[href*=password_change]").click()

    assert caught.value.status == 200


def test_inline_script_is_a_fault(browse, faults, superuser):
    """The test site's policy stops inline script, and the test hears of it."""
    page = browse(superuser)
    page.goto("/admin/")

    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.body.append(script);
        }"""
    )

    assert page.evaluate("() => window.ran") is None
    (fault,) = faults
    assert "Content Security Policy" in fault
    faults.clear()


def test_errors_of_scripts_and_requests_are_faults(browse, faults, superuser):
    """An error that no script catches and a refused request are both noted."""
    page = browse(superuser)
    page.goto("/admin/")

    with page.expect_event("pageerror"):
        page.evaluate("() => setTimeout(() => { throw new Error('unforeseen') })")
    page.route("**/refused/", lambda route: route.abort("connectionrefused"))
    with page.expect_event("requestfailed"), page.expect_console_message():
        page.evaluate("() => { fetch('/refused/').catch(() => null) }")

    assert "unforeseen" in faults
    assert any("/refused/: net::ERR_CONNECTION_REFUSED" in fault for fault in faults)
    faults.clear()


def test_an_aborted_request_is_no_fault(browse, faults, superuser):
    """A request that the page itself takes back is nothing to complain of."""
    page = browse(superuser)
    page.goto("/admin/")

    with page.expect_event("requestfailed"):
        page.evaluate(
            """() => {
                const stop = new AbortController();
                fetch("/admin/", {signal: stop.signal}).catch(() => null);
                stop.abort();
            }"""
        )

    assert faults == []


def test_a_scripts_own_warning_is_no_fault(browse, faults, superuser):
    """Only errors on the console count."""
    page = browse(superuser)
    page.goto("/admin/")

    with page.expect_console_message():
        page.evaluate("() => console.warn('worth a look')")

    assert faults == []


def test_an_error_in_the_thread_reaches_the_test():
    """What goes wrong in the browser's thread is raised where it was called."""
    thread = Thread()

    with pytest.raises(ValueError, match="no number"):
        thread.call(int, "no number")

    thread.close()
