"""From right to left: a language of our own making, in Arabic letters."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from prompts_app import services
from prompts_app.admin import speaking
from prompts_app.contrib.chat.offer import ALL_TOOLS
from tests.browser.steps import NARROW, WIDE, row, to_review, visit, write
from tests.catalogues import GERMAN, PLACEHOLDER, Message, Said, read, write as compiled
from tests.factories import OverrideFactory

LATIN = "abcdefghijklmnopqrstuvwxyz"
LETTERS = str.maketrans(
    LATIN + LATIN.upper() + "→", "ابتثجحخدذرزسشصضطظعغفقكلمنه" * 2 + "←"
)
KEPT = re.compile(rf"({PLACEHOLDER.pattern}|</?\w+>)")
FAMILIES = "|".join({tool.family for tool in ALL_TOOLS})
# What stays as it is in every language; a text for scripts is no word at all.
NAMES = re.compile(rf"\{{\{{\w+\}}\}}|\bcore\.gone\b|\b({FAMILIES})\b|^\{{\".*")
ARABIC = (
    "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 :"
    " n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);"
)


def foreign(text):
    """Return *text* in foreign letters, with placeholders and tags as they were."""
    pieces = KEPT.split(text)
    return "".join(
        piece if number % 2 else piece.translate(LETTERS)
        for number, piece in enumerate(pieces)
    )


def translated(message):
    """Return *message* in foreign letters; a plural form ends in its number."""
    if message.plural:
        forms = [foreign(message.id), *[foreign(message.plural)] * 5]
        texts = tuple(f"{text} #{number}" for number, text in enumerate(forms))
    else:
        texts = (foreign(message.id),)
    return Message(message.id, message.plural, message.context, texts)


@pytest.fixture
def arabic(browse, editor, settings, tmp_path):
    """Return a function that opens a browser whose language runs the other way."""
    messages = map(translated, read(GERMAN))
    compiled(tmp_path / "ar/LC_MESSAGES/django.mo", ARABIC, messages)
    settings.LOCALE_PATHS = [tmp_path]
    speaking._script_words.cache_clear()
    yield lambda viewport=WIDE: browse(editor, locale="ar", viewport=viewport)
    speaking._script_words.cache_clear()


def start(page):
    """Show the start view."""
    OverrideFactory(key="core.today", text="Now.", default_text="Before.")
    OverrideFactory(key="core.gone", text="Kept.")
    services.save({"core.style": "Write briefly."})
    visit(page)


def choose(page, key):
    """Open an editor from the list, which a phone may not show at the time."""
    row(page, key).locator("> [data-key]").evaluate("link => link.click()")
    page.wait_for_selector(f'[data-editor="{key}"][data-current]')


def editing(page):
    """Show an editor with two changes, one of which switches its fragment off."""
    visit(page, fragment="core.honesty", scenario="agent_chat")
    write(page, "core.honesty", "")
    choose(page, "core.style")
    write(page, "core.style", "Address {{user_name}} and {{nobody}}.")


def review(page):
    """Show the review of a loss and of what is switched off."""
    editing(page)
    choose(page, "task.title")
    write(page, "task.title", "A title for {{answer}}.")
    to_review(page)
    page.locator("#prompts-review details > summary").first.click()


def decide(page):
    """Show three texts."""
    editing(page)
    services.save({"core.style": "Theirs."})
    page.locator("[data-review]").click()
    page.wait_for_selector("#prompts-decide")


def sides(page):
    """Show two prompts side by side, of two scenarios."""
    editing(page)
    page.locator("[data-compare]").evaluate("button => button.click()")
    page.wait_for_selector("#prompts-compare")
    page.locator("#second-scenario").select_option("title_request")
    page.locator(".prompts-ways button").first.click()
    page.wait_for_selector("[data-pair='task.title']")


@pytest.mark.parametrize("show", [start, editing, review, decide, sides])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_the_page_runs_from_right_to_left(arabic, browser_thread, show, size):
    """It fits the window, holds no English, keeps code apart, and axe finds nothing."""
    page = arabic(size)

    show(page)

    assert page.locator("html").get_attribute("dir") == "rtl"
    width, room = page.evaluate(
        "() => [document.documentElement.scrollWidth, window.innerWidth]"
    )
    assert width <= room
    words = Said(page.content(), "content-start").words
    assert [one for one in words if re.search("[A-Za-z]{2}", NAMES.sub("", one))] == []
    assert directions(page, "code, kbd, .prompts-variable") <= {"isolate"}
    assert directions(page, "textarea.prompts-text, pre") <= {"plaintext"}
    assert violations(browser_thread, page) == []


def directions(page, selector):
    """Return how the elements that *selector* describes are kept apart."""
    bidi = "all => all.map(one => getComputedStyle(one).unicodeBidi)"
    return set(page.locator(selector).evaluate_all(bidi))


def violations(browser_thread, page):
    """Return what axe finds on a page."""
    found = browser_thread.call(Axe().run, page).response["violations"]
    return [(one["id"], node["html"]) for one in found for node in one["nodes"]]


def left_of(page, selector):
    """Return the left edge of the first element that *selector* describes."""
    return page.locator(selector).first.bounding_box()["x"]


def test_the_parts_stand_in_the_order_of_reading(arabic):
    """List, text and prompt follow each other from the right."""
    page = arabic()

    editing(page)

    parts = ("#prompts-list", "#prompts-editor", "#prompts-preview")
    edges = [left_of(page, part) for part in parts]
    assert edges == sorted(edges, reverse=True)
    current = page.locator(".prompts-row:has([aria-current])")
    bar = "row => getComputedStyle(row).borderRightWidth"
    assert current.evaluate(bar) == "3px"


def test_arrows_point_the_other_way(arabic):
    """What comes next is on the left."""
    page = arabic()

    editing(page)

    step = '[data-editor="core.style"] [data-step={}]'
    assert left_of(page, step.format("previous")) > left_of(page, step.format("next"))
    arrow = row(page, "core.honesty").locator(".prompts-arrow")
    mirrored = "arrow => new DOMMatrix(getComputedStyle(arrow).transform).a"
    assert arrow.evaluate(mirrored) == -1


def test_scripts_choose_among_six_plural_forms(arabic):
    """One, two and many changes are three different words, and so are lengths."""
    page = arabic()
    said = page.locator(".prompts-changes")

    visit(page, fragment="core.style")
    forms = []
    for key in ("core.style", "core.honesty", "core.today"):
        choose(page, key)
        write(page, key, "x" * 111)
        forms.append(said.text_content()[-2:])

    assert forms == ["#1", "#2", "#3"]
    length = page.locator("[id='size:core.today'] [data-length]")
    assert length.text_content().endswith("#4")


def test_arrow_keys_fold_towards_the_reading_direction(arabic):
    """Right folds a group, left unfolds it."""
    page = arabic()
    visit(page, fragment="core.style")
    link = row(page, "core.style").locator("> [data-key]")
    group = page.locator("#prompts-listing details:has([data-row='core.style'])")

    link.focus()
    page.keyboard.press("ArrowRight")
    folded = group.get_attribute("open")
    page.keyboard.press("ArrowLeft")

    assert folded is None
    assert group.get_attribute("open") is not None
