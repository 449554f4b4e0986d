"""What is typed, pasted or composed is what is stored, to the byte."""

from __future__ import annotations

import re

import pytest

from prompts_app.models import Override
from tests.browser.steps import box, in_text, put_caret, save, to_review, visit
from tests.browser.test_editor import BUILT, LOAD

TEXTS = {
    "spaces": "a  b   c    d     \n  two\n    four  \n\n\n x",
    "tabs": "\ta\t\tb \t c\t\n\t\tindented\nnot\t.",
    "brackets": "{ [ ( \" ' ` < {{ {{{ }} <!-- -->\n  {\n}\n. x",
    "emoji": "👩\u200d💻 👨\u200d👩\u200d👧\u200d👦 🇩🇪 ✌🏽 ❤\ufe0f 🧑 ok",
    "right to left": "שלום  עולם {{user_name}} مرحبا 123, \u200fx\u200e\nabc שלום",
    "combining": "e\u0301 é n\u0303 \u1eaf a\u0306\u0301 \u212b Å d\u0323\u0307 ﬁ",
    "odd spaces": "a\u00a0b\u202fc\u2009d\u200be\u2060f\u3000g \u00a0 \u00ad\u2028h",
}
CLIPBOARD = ["clipboard-read", "clipboard-write"]


@pytest.fixture
def page(browse, editor):
    """Return the page with the focus in an empty text."""
    page = visit(browse(editor, permissions=CLIPBOARD), fragment="core.style")
    box(page, "core.style").fill("")
    in_text(page, "core.style")
    return page


def typed(page, text):
    """Type *text* key by key; the key of a tab leads on, so that comes otherwise."""
    for piece in re.split("(\t)", text):
        enter = page.keyboard.insert_text if piece == "\t" else page.keyboard.type
        enter(piece)


def inserted(page, text):
    """Put *text* in at once, as a keyboard on a screen does."""
    page.keyboard.insert_text(text)


def pasted(page, text):
    """Paste *text* from the clipboard."""
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")


@pytest.mark.parametrize("enter", [typed, inserted, pasted], ids=lambda e: e.__name__)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_byte_arrives(page, expect, enter, text):
    """No run of spaces is joined, nothing composed, indented, closed or turned."""
    enter(page, text)

    expect(box(page, "core.style")).to_have_value(text)
    to_review(page)
    save(page)
    assert Override.objects.get().text.encode() == text.encode()


def test_line_breaks_of_all_kinds_become_line_feeds(page, expect):
    """As in a text area."""
    page.evaluate("() => navigator.clipboard.writeText('one\\r\\ntwo\\rthree')")

    page.keyboard.press("Control+v")

    expect(box(page, "core.style")).to_have_value("one\ntwo\nthree")


def test_copying_takes_what_is_selected_and_no_more(page, expect):
    """All of it to the byte; and nothing, not a line, where nothing is selected."""
    text = TEXTS["spaces"] + TEXTS["tabs"]
    page.keyboard.insert_text(text)
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+c")
    assert page.evaluate("() => navigator.clipboard.readText()") == text
    put_caret(page, "core.style", 3)

    page.keyboard.press("Control+x")
    page.keyboard.press("Control+c")

    expect(box(page, "core.style")).to_have_value(text)
    assert page.evaluate("() => navigator.clipboard.readText()") == text


def test_typing_is_undone_and_done_again(page, expect):
    """Step by step through all that was typed, with both keys that do it again."""
    steps = ["", "one", "one\n", "one\ntwo 👩\u200d💻"]
    inserted(page, "one")
    page.keyboard.press("Enter")
    pasted(page, "two 👩\u200d💻")
    expect(box(page, "core.style")).to_have_value(steps[3])

    for step in (2, 1, 0):
        page.keyboard.press("Control+z")
        expect(box(page, "core.style")).to_have_value(steps[step])
    for step, key in ((1, "Control+y"), (2, "Control+Shift+Z"), (3, "Control+y")):
        page.keyboard.press(key)
        expect(box(page, "core.style")).to_have_value(steps[step])


def compose(client, *steps):
    """Compose a word as an input method does, each of *steps* in place of the last."""
    for step in steps:
        place = {"selectionStart": len(step), "selectionEnd": len(step)}
        client.send("Input.imeSetComposition", {"text": step, **place})


def test_a_composed_word_arrives(page, expect):
    """Step by step and in the middle of a text, while previews come."""
    page.keyboard.insert_text("{{user_name}} 。")
    put_caret(page, "core.style", len("{{user_name}} "))
    client = page.context.new_cdp_session(page)

    with page.expect_response("**/preview/"):
        compose(client, "に", "にほ", "にほん")
    compose(client, "日本")
    client.send("Input.insertText", {"text": "日本"})

    expect(box(page, "core.style")).to_have_value("{{user_name}} 日本。")
    page.keyboard.type("!")
    expect(box(page, "core.style")).to_have_value("{{user_name}} 日本!。")


def test_a_word_is_composed_where_it_was_begun(browse, expect, editor, browser_thread):
    """The editor waits until it is done, and has it then."""
    page = visit(browse(editor), fragment="core.style")
    client = page.context.new_cdp_session(page)
    kept = []
    page.route(BUILT, lambda route: kept.insert(0, route))
    with page.expect_request(BUILT):
        box(page, "core.style").fill("")
    compose(client, "に", "にほん")

    with page.expect_response(BUILT):
        browser_thread.call(kept.pop().continue_)
    page.evaluate(LOAD)
    expect(box(page, "core.style")).to_be_focused()
    client.send("Input.insertText", {"text": "日本"})

    in_text(page, "core.style")
    page.keyboard.type("!")
    expect(box(page, "core.style")).to_have_value("日本!")
