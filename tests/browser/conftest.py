"""Fixtures for the tests in a real browser."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import expect as playwright_expect, sync_playwright

from tests.browser.driver import Thread
from tests.browser.steps import NARROW, WIDE

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Milliseconds: long for a page, short for a test that has gone wrong.
PATIENCE = 10_000
SETTLED = "() => document.getAnimations().forEach(one => one.finish())"


def pytest_collection_modifyitems(items):
    """Mark every test of this folder."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


def or_skip(path):
    """Return *path*, the place of a browser, or skip the test that needs one."""
    if path is None:
        # Who has no browser can run all the others; .ci/test says that these were not.
        pytest.skip(f"no browser: CHROMIUM names none, and none of {NAMES} is here")
    return path


@pytest.fixture(scope="session")
def chromium_path():
    """Return the path of the system's Chromium, or skip the test."""
    names = filter(None, [os.environ.get("CHROMIUM"), *NAMES])
    return or_skip(next(filter(None, map(shutil.which, names)), None))


@pytest.fixture(scope="session")
def browser_thread(chromium_path):
    """Yield the thread in which Playwright runs."""
    thread = Thread()
    yield thread
    thread.close()


@pytest.fixture(scope="session")
def browser(browser_thread, chromium_path):
    """Yield one running Chromium for all tests of a process."""
    playwright = browser_thread.call(sync_playwright().start)
    chromium = playwright.chromium.launch(executable_path=chromium_path, args=FLAGS)
    yield chromium
    chromium.close()
    playwright.stop()


@pytest.fixture
def expect(browser_thread):
    """Return Playwright's *expect*, which waits for what it asserts."""

    def expect(target, message=None):
        return browser_thread.call(playwright_expect, target, message)

    return expect


@pytest.fixture
def faults():
    """
    Yield what the browser complains of, and fail if any of it is left.

    A test that provokes a complaint takes it out of this list.
    """
    complaints = []
    yield complaints
    assert complaints == []


@pytest.fixture
def browse(browser, faults, live_server, transactional_db):
    """
    Yield a function that opens a page, signed in as the user given.

    Further arguments are options of a new browser context, such as
    ``java_script_enabled`` or ``viewport``.
    """
    contexts = []

    def browse(user=None, **options):
        context = browser.new_context(base_url=live_server.url, **options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        if user is not None:
            context.add_cookies([session_cookie(user, live_server.url)])
        page = context.new_page()
        collect(page, faults)
        return page

    yield browse
    for context in contexts:
        context.close()


def session_cookie(user, url):
    """Return the cookie of a session in which *user* is signed in."""
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    return {"name": name, "value": client.cookies[name].value, "url": url}


def collect(page, faults):
    """Note errors of scripts, of requests and of the content policy."""

    def console(message):
        if message.type == "error":
            faults.append(message.text)

    def failed(request):
        # A page that is left, and a newer preview, abort what is under way.
        if request.failure != "net::ERR_ABORTED":
            faults.append(f"{request.method} {request.url}: {request.failure}")

    page.on("console", console)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("requestfailed", failed)


@pytest.fixture
def violations(browser_thread):
    """
    Return a function that tells what axe finds on a page, wide and narrow.

    What is dark has the same parts as what is light, so there the colours suffice.
    """
    axe = Axe()

    def examine(page, scheme, **options):
        page.emulate_media(color_scheme=scheme)
        page.evaluate(SETTLED)
        options["resultTypes"] = ["violations"]
        found = browser_thread.call(axe.run, page, None, options).response
        return [
            (one["id"], node["html"][:200], node["failureSummary"])
            for one in found["violations"]
            for node in one["nodes"]
        ]

    def violations(page):
        found = []
        for size in (WIDE, NARROW):
            page.set_viewport_size(size)
            found += examine(page, "dark", runOnly=["color-contrast"])
            found += examine(page, "light")
        return found

    return violations
