"""Texts and catalogues of a size that nobody plans for."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest

from prompts_app import Fragment, Group, services
from prompts_app.models import Override
from prompts_app.testing import isolated_registry
from tests.browser.steps import (
    box,
    caret,
    choose,
    editor as editor_of,
    in_text,
    keep_draft,
    put_caret,
    save,
    to_review,
    visit,
    write,
)
from tests.storing import rows

LINE = "Name the source of every figure, and say how old it is.\n"
FIVE_KEYS = """box => {
    const costs = [];
    for (const key of "abcde") {
        const begun = performance.now();
        document.execCommand("insertText", false, key);
        costs.push(performance.now() - begun);
    }
    return Math.max(...costs);
}"""
PASTE = """(box, text) => {
    box.value = text;
    box.dispatchEvent(new Event("input", {bubbles: true}));
}"""
HALF_A_SECOND = 500
"""Milliseconds; what a key may cost in the browser, on a slow machine too."""


@pytest.fixture
def roomy(settings):
    """Raise the limits, as an installation with long texts does."""
    settings.PROMPTS_APP_MAX_FRAGMENT_CHARS = 300_000
    settings.PROMPTS_APP_MAX_STORED_CHARS = 1_000_000


@pytest.fixture
def many():
    """Register two hundred further fragments in a group of their own."""
    with isolated_registry(empty=False) as registry:
        registry.register(Group("many", label="Many", order=900, role="preamble"))
        for number in range(200):
            registry.register(
                Fragment(
                    f"many.f{number}",
                    label=f"Text {number}",
                    group="many",
                    default=f"Text number {number}.",
                    order=1000 + number,
                )
            )
        yield registry


@pytest.fixture
def long_text(roomy):
    """Store a text of 20 000 characters, and return it."""
    text = (LINE * 400)[:20_000].strip()
    services.save({"core.style": text})
    return text


@pytest.mark.case(86)
def test_the_caret_stays_where_one_types(browse, expect, editor, long_text):
    """In the middle of a long text, while the preview is fetched and shown."""
    page = visit(browse(editor), fragment="core.style")
    middle = len(long_text) // 2
    put_caret(page, "core.style", middle)

    with page.expect_response("**/preview/"):
        page.keyboard.type("here")
    expect(page.locator("#prompts-output ins")).to_have_count(1)
    page.keyboard.type(" and there")

    assert caret(page, "core.style") == [middle + 14] * 2
    assert box(page, "core.style").input_value() == (
        f"{long_text[:middle]}here and there{long_text[middle:]}"
    )


@pytest.mark.case(86, 87)
def test_the_caret_stays_behind_an_insertion(browse, expect, editor, long_text):
    """A variable goes in at the caret, and one undo takes that back and no more."""
    page = visit(browse(editor), fragment="core.style")
    middle = len(long_text) // 2
    put_caret(page, "core.style", middle)
    page.locator("#prompts-variables").evaluate("fold => fold.open = true")
    page.keyboard.type("typed ")

    with page.expect_response("**/preview/"):
        page.locator('#prompts-variables [data-insert="today"]').click()
    assert caret(page, "core.style") == [middle + 6 + len("{{today}}")] * 2
    in_text(page, "core.style")
    page.keyboard.press("Control+z")

    assert box(page, "core.style").input_value() == (
        f"{long_text[:middle]}typed {long_text[middle:]}"
    )


@pytest.mark.case(88)
def test_a_huge_text_among_many_stays_usable(browse, expect, editor, roomy, many):
    """200 kB in a box and 200 fragments: a key costs little, and one preview comes."""
    text = LINE * 3_600
    assert len(text) > 200_000
    services.save({"many.f0": text})
    page = visit(browse(editor), fragment="many.f0")
    put_caret(page, "many.f0", 100_000)
    asked = []
    page.on(
        "request", lambda one: asked.append(one.url) if "/preview/" in one.url else 0
    )

    slowest = box(page, "many.f0").evaluate(FIVE_KEYS)
    expect(page.locator(".prompts-size")).to_contain_text(
        "+5 against saved", timeout=30_000
    )

    assert slowest < HALF_A_SECOND
    assert caret(page, "many.f0") == [100_005] * 2
    assert len(asked) == 1


@pytest.mark.case(88)
def test_a_long_list_begins_folded(browse, expect, editor, many):
    """Over sixty fragments only the current group is open; the others summarise."""
    services.save({"many.f0": "Other."})

    page = visit(browse(editor), fragment="core.style")

    opened = page.locator("#prompts-listing details[open] > summary .prompts-group")
    expect(opened).to_have_text("Core")
    summary = page.locator("#prompts-listing summary", has_text="Many")
    expect(summary.locator(".prompts-count")).to_have_text("200")
    expect(summary.locator(".prompts-changed")).to_have_text("1 changed")
    summary.click()
    choose(page, "many.f150")
    expect(editor_of(page, "many.f150")).to_be_visible()


@pytest.mark.case(88)
def test_what_changed_is_saved_in_one_form(browse, editor, many):
    """Texts of two groups go together, and none of the others goes with them."""
    page = visit(browse(editor), fragment="core.style")
    write(page, "core.style", "Mine.")
    page.locator("#prompts-listing summary", has_text="Many").click()
    choose(page, "many.f150")
    write(page, "many.f150", "Mine too.")
    posted = []
    page.on(
        "request",
        lambda one: posted.append(one.post_data) if "/review/" in one.url else 0,
    )

    to_review(page)
    save(page)

    (form,) = posted
    texts = {name for name in parse_qs(form) if name.startswith("text:")}
    assert texts == {"text:core.style", "text:many.f150"}
    assert rows() == {
        ("", "core.style"): "Mine.",
        ("", "many.f150"): "Mine too.",
    }


@pytest.mark.case(89)
def test_a_text_of_a_hundred_thousand_characters_is_kept_whole(
    browse, expect, editor, roomy
):
    """With the limit raised, what is typed is what is stored, shown and served."""
    text = (LINE * 1_800)[:100_000].strip()
    page = visit(browse(editor), fragment="core.style")
    with page.expect_response("**/preview/"):
        box(page, "core.style").evaluate(PASTE, text)

    to_review(page)
    save(page)

    assert Override.objects.get().text == text
    assert services.assemble().text.count(text) == 1
    assert box(page, "core.style").input_value() == text


@pytest.mark.case(88)
def test_a_long_draft_comes_back_at_once(browse, expect, editor, roomy):
    """Where the browser's undo would take half a minute, the box is simply filled."""
    text = (LINE * 1_800).strip()
    page = browse(editor)
    page.goto("/admin/")
    keep_draft(page, editor, "core.style", text=text, etag="0" * 16)
    visit(page)

    page.locator("[data-back]").click()

    expect(page.locator(".prompts-changes")).to_have_text("1 unsaved change")
    assert box(page, "core.style").input_value() == text


@pytest.mark.case(89)
def test_a_text_over_the_limit_is_told_by_how_much(browse, expect, editor):
    """Nothing is cut: the numbers are said, and the text is still there."""
    page = visit(browse(editor), fragment="core.style")

    write(page, "core.style", "x" * 8_412)

    said = editor_of(page, "core.style").locator(".prompts-problem.is-error")
    expect(said).to_contain_text("8,412 characters; at most 8,000 are allowed.")
    expect(said).to_contain_text("Shorten it by 412.")
    assert box(page, "core.style").input_value() == "x" * 8_412


@pytest.mark.case(89)
def test_more_than_the_server_takes_is_explained(
    browse, expect, editor, faults, settings
):
    """The page says what happened, and keeps the text."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 20_000
    page = visit(browse(editor), fragment="core.style")

    box(page, "core.style").fill("x" * 30_000)

    expect(page.locator("[data-too-much]")).to_contain_text("20,000 bytes")
    assert box(page, "core.style").input_value() == "x" * 30_000
    page.locator("[data-review]").click()
    expect(page.locator("[data-too-much]")).to_be_visible()
    assert box(page, "core.style").input_value() == "x" * 30_000
    box(page, "core.style").fill("x")
    expect(page.locator("[data-too-much]")).to_be_hidden()
    faults.clear()


@pytest.mark.case(89)
def test_more_than_the_server_takes_is_explained_without_scripts(
    browse, expect, editor, faults, settings
):
    """A page says so instead of a bare error; the browser's Back keeps the text."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 20_000
    page = browse(editor, java_script_enabled=False)
    page.goto("/admin/prompts_app/override/?fragment=core.style")
    page.locator('textarea[name="text:core.style"]').fill("x" * 30_000)

    page.locator("[data-review]").click()

    expect(page.locator("main")).to_contain_text("Nothing was saved.")
    expect(page.locator("main")).to_contain_text("20,000 bytes")
    assert not Override.objects.exists()
    faults.clear()
