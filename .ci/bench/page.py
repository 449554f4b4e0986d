"""
Measures the page with a huge catalogue beside a change list of as many rows.

``make bench ONLY=page`` runs it, and it writes ``docs/benchmarks/page.md``. Both pages
come from one server and are opened by one Chromium in turn, in an order that changes
from round to round; what counts are the ratios of each round.
"""

from __future__ import annotations

import os
import platform
import random
import shutil
import statistics
import sys

from bench.ground import ROOT
from bench.page_site import (
    FRAGMENTS,
    GROUPS,
    OVERRIDES,
    PASSWORD,
    SIGN_IN,
    SITE,
    server,
)

REPORT = ROOT / "docs" / "benchmarks" / "page.md"
ROUNDS = 15
LIST = "/admin/auth/user/?all="
PAGES = {
    "a text of 200 000 characters": "?fragment=many0.f0",
    "a short text": "?fragment=many1.f40",
}
PLACE = "/admin/prompts_app/override/"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    # Memory is told at once instead of after a while.
    "--enable-blink-features=ForceEagerMeasureMemory",
]
TYPE = """(selector) => new Promise((resolve) => {
    const type = () => {
        const field = document.querySelector(selector);
        if (!field) { return setTimeout(type, 1); }
        field.focus();
        document.execCommand("insertText", false, "x");
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    type();
})"""
FIRST_BYTE = """() => {
    const [told] = performance.getEntriesByType("navigation");
    return told.responseStart - told.requestStart;
}"""
MEMORY = "async () => (await performance.measureUserAgentSpecificMemory()).bytes"


def measured(context, place: str, selector: str) -> dict[str, float]:
    """Open a page; return first byte and first key in milliseconds, and bytes held."""
    page = context.new_page()
    page.goto(f"{SITE}{place}", wait_until="commit")
    key = page.evaluate(TYPE, selector)
    page.wait_for_load_state("networkidle")
    found = {
        "first byte": page.evaluate(FIRST_BYTE),
        "first key stroke shown": key,
        "memory": page.evaluate(MEMORY),
    }
    page.close(run_before_unload=False)
    return found


def rounds(context) -> list[dict[str, dict[str, float]]]:
    """Return what each round measured, by page."""
    pages = {"the change list": (LIST, "#searchbar")}
    box = "[data-current] textarea[data-saved]"
    pages |= {name: (PLACE + query, box) for name, query in PAGES.items()}
    for place, selector in pages.values():
        measured(context, place, selector)
    found = []
    for _ in range(ROUNDS):
        order = random.sample(list(pages), len(pages))
        found.append({name: measured(context, *pages[name]) for name in order})
    return found


def main() -> int:
    """Measure and write the report; return the exit status."""
    from playwright.sync_api import sync_playwright

    # The headless shell does not tell how much memory a page holds.
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not chromium:
        sys.stderr.write("No whole Chromium: set CHROMIUM to the path of one.\n")
        return 1
    with server(), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        context = browser.new_context(viewport={"width": 1400, "height": 900})
        page = context.new_page()
        page.goto(SIGN_IN)
        page.fill("#id_username", "root")
        page.fill("#id_password", PASSWORD)
        page.click("[type=submit]")
        page.wait_for_load_state()
        text = report(rounds(context), browser.version)
        browser.close()
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(text, encoding="utf-8")
    sys.stdout.write(text)
    return 0


def report(found: list[dict[str, dict[str, float]]], version: str) -> str:
    """Return the page of the documentation that tells the figures."""
    lines = [
        "| of the page with | | the change list | the page | ratio | least | most |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for name in PAGES:
        for what, unit in UNITS.items():
            ratios = sorted(
                one[name][what] / one["the change list"][what] for one in found
            )
            lists = statistics.median(one["the change list"][what] for one in found)
            own = statistics.median(one[name][what] for one in found)
            figures = [unit(lists), unit(own), times(statistics.median(ratios))]
            spread = [times(ratios[0]), times(ratios[-1])]
            lines.append(f"| {name} | {what} | {' | '.join(figures + spread)} |")
    return PREAMBLE.format(
        fragments=FRAGMENTS,
        groups=GROUPS,
        overrides=OVERRIDES,
        rounds=ROUNDS,
        chromium=version,
        python=platform.python_version(),
        table="\n".join(lines),
    )


def milliseconds(value: float) -> str:
    """Return a time as the report writes it."""
    return f"{value:.0f} ms"


def megabytes(value: float) -> str:
    """Return a size as the report writes it."""
    return f"{value / 1e6:.1f} MB"


def times(value: float) -> str:
    """Return a ratio as the report writes it."""
    return f"{value:.2f} ×"


UNITS = {
    "first byte": milliseconds,
    "first key stroke shown": milliseconds,
    "memory": megabytes,
}
PREAMBLE = """# The page with a huge catalogue

{fragments} fragments in {groups} groups, {overrides} of them changed, one to a text of 200 000
characters (the limits raised); beside it Django's own list of {fragments} users on one
page. Both come from one server and are opened by one Chromium in turn, {rounds} rounds in
an order that changes; the ratios are those of each round, their median, least and most.

*First byte* is from request to response. *First key stroke shown* is from the start of
the navigation to the frame after a key in the first field that one types into: the search
box of the list, the text of the page. *Memory* is what the browser counts for the page
once it has loaded and the key was typed.

Aimed at: first byte and first key stroke at most 2 ×, memory at most 3 ×.

{table}

Python {python}, Chromium {chromium}. `make bench` measures anew and writes this page.
"""
