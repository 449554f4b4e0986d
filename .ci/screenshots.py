"""
Makes the pictures of the README and the tour: ``make screenshots``.

It starts the demo site with a database of its own, walks through the page as the
tour does, and leaves a picture of each step in ``docs/images``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
PORT = 8917
SITE = f"http://127.0.0.1:{PORT}"
PAGE = f"{SITE}/admin/prompts_app/override/"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
READY = "html[data-prompts-ready]"
WIDE, NARROW = {"width": 1400, "height": 900}, {"width": 390, "height": 844}


def main() -> int:
    """Make every picture; return the exit status."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not chromium:
        sys.stderr.write("No Chromium: set CHROMIUM to the path of one.\n")
        return 1
    IMAGES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        site(Path(folder)) as passwords,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        walk(browser, passwords)
        browser.close()
    return 0


@contextmanager
def site(folder: Path) -> Iterator[dict[str, str]]:
    """Run the demo site on a database in *folder*; give the accounts' passwords."""
    environ = {**os.environ, "DEMO_DIR": str(folder)}
    environ.pop("DATABASE_URL", None)
    manage = [sys.executable, str(ROOT / "manage.py")]
    quiet = {"env": environ, "stdout": subprocess.DEVNULL}
    subprocess.run([*manage, "migrate", "--verbosity", "0"], check=True, **quiet)
    subprocess.run([*manage, "demo"], check=True, **quiet)
    address = f"127.0.0.1:{PORT}"
    server = subprocess.Popen(
        [*manage, "runserver", "--noreload", address],
        stderr=subprocess.DEVNULL,
        **quiet,
    )
    try:
        wait_for_site()
        yield json.loads((folder / "sign_in.json").read_text())
    finally:
        server.terminate()
        server.wait()


def wait_for_site() -> None:
    """Return when the site answers; give up after half a minute."""
    for _ in range(60):
        try:
            urlopen(SITE).close()
        except URLError:
            time.sleep(0.5)
        else:
            return
    raise TimeoutError("The demo site did not start.")


def sign_in(browser: Browser, name: str, password: str, **options: object) -> Page:
    """Return a page of a browser in which the account *name* is signed in."""
    page = browser.new_context(locale="en", **options).new_page()
    page.goto(f"{SITE}/admin/login/?next=/admin/prompts_app/override/")
    page.fill("#id_username", name)
    page.fill("#id_password", password)
    page.click("[type=submit]")
    page.wait_for_selector(READY, state="attached")
    return page


def take(page: Page, name: str, *, whole: bool = False) -> None:
    """Take the picture called *name*; *whole*: of all that can be scrolled to."""
    if whole:
        height = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": WIDE["width"], "height": height})
    page.screenshot(path=IMAGES / f"{name}.png")
    if whole:
        page.set_viewport_size(WIDE)


def choose(page: Page, key: str) -> None:
    """Open the editor of a fragment from the list."""
    page.click(f'[data-row="{key}"] > [data-key]')
    page.wait_for_selector(f'[data-current][data-editor="{key}"]')


def write(page: Page, text: str) -> None:
    """Put *text* into the box in view and wait for the preview."""
    with page.expect_response("**/preview/"):
        page.fill("[data-current] textarea[data-saved]", text)
    page.wait_for_timeout(200)


def text_of(page: Page) -> str:
    """Return what the box in view holds."""
    return page.input_value("[data-current] textarea[data-saved]")


def walk(browser: Browser, passwords: dict[str, str]) -> None:
    """Take the steps of docs/tour.md."""
    page = sign_in(browser, "editor", passwords["editor"], viewport=WIDE)
    take(page, "start")
    edit(page)
    somebody_else(browser, passwords)
    review(page)
    other_looks(browser, passwords)


def edit(page: Page) -> None:
    """Take the steps that change texts, up to finding a word in all of them."""
    with page.expect_response("**/preview/"):
        page.select_option("#prompts-scenario", "tools_chat")
    choose(page, "core.style")
    take(page, "choose")
    style = text_of(page).replace("short paragraphs", "very short paragraphs")
    write(page, f"{style}\nAddress {{{{user_name}}}} formally.")
    take(page, "page")
    choose(page, "core.no_replay")
    page.click("[data-current] [name=_off]")
    choose(page, "task.title")
    write(page, "Give this exchange a title of four words.\n\n{{answer}}")
    page.fill("#prompts-q", "restate")
    page.wait_for_selector(".prompts-hit")
    take(page, "find")


def review(page: Page) -> None:
    """Take the steps from deciding between two edits to what is saved."""
    page.click("[data-review]")
    page.wait_for_selector("#prompts-decide")
    take(page, "decide", whole=True)
    page.click("[name=_decided]")
    page.wait_for_selector("#prompts-review")
    page.click("#prompts-review details > summary >> nth=0")
    take(page, "review", whole=True)
    page.check('[name="confirm:task.title"]')
    page.fill("#prompts-comment", "Shorter, and formal")
    page.click("[data-save]")
    page.wait_for_selector(".messagelist")
    take(page, "saved")


def somebody_else(browser: Browser, passwords: dict[str, str]) -> None:
    """Save another edit of the same text under another account."""
    page = sign_in(browser, "admin", passwords["admin"], viewport=WIDE)
    choose(page, "core.style")
    write(page, text_of(page).replace("Neither restate", "Never restate"))
    page.click("[data-review]")
    page.wait_for_selector("#prompts-review")
    page.fill("#prompts-comment", "Stricter")
    page.click("[data-save]")
    page.wait_for_selector(".messagelist")
    page.context.close()


def other_looks(browser: Browser, passwords: dict[str, str]) -> None:
    """Take the dark page, the narrow one and the one without scripts."""
    password = passwords["editor"]
    dark = sign_in(browser, "editor", password, viewport=WIDE, color_scheme="dark")
    choose(dark, "core.honesty")
    take(dark, "page-dark")
    narrow = sign_in(browser, "editor", password, viewport=NARROW)
    take(narrow, "narrow-list")
    choose(narrow, "core.honesty")
    take(narrow, "narrow-text")
    narrow.click("[data-part=preview]")
    take(narrow, "narrow-prompt")


if __name__ == "__main__":
    sys.exit(main())
