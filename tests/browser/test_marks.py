"""What the page says of a change while it is typed."""

from __future__ import annotations

from prompts_app import services
from tests.browser.steps import box, editor as editor_of, in_text, row, visit, write

BEFORE = "Answer briefly. Use short paragraphs."
AFTER = "Answer briefly. Use very short sentences."


def passage(page, key):
    """Return the passage of a fragment in the prompt."""
    return page.locator(f'[data-passage-of="{key}"]')


def test_changes_are_marked_against_what_is_saved(browse, expect, editor):
    """Insertions and deletions stand in the passage, which carries the pencil."""
    services.save({"core.style": BEFORE})
    page = visit(browse(editor), fragment="core.style")
    style = passage(page, "core.style")
    expect(style.locator("ins, del")).to_have_count(0)

    write(page, "core.style", AFTER)

    expect(style.locator("del")).to_have_text("short paragraphs")
    expect(style.locator("ins")).to_have_text("very short sentences")
    expect(style.locator(".prompts-name")).to_contain_text("Unsaved")
    expect(page.locator(".prompts-size")).to_contain_text("+4 against saved")


def test_marks_of_changes_can_be_switched_off(browse, expect, editor):
    """Then the prompt reads as the model would read it."""
    services.save({"core.style": BEFORE})
    page = visit(browse(editor), fragment="core.style")
    write(page, "core.style", AFTER)
    switch = page.get_by_label("Mark changes")
    expect(passage(page, "core.style").locator("del")).to_be_visible()

    switch.uncheck()

    expect(passage(page, "core.style").locator("del")).to_be_hidden()
    read = passage(page, "core.style").locator("pre").inner_text()
    assert read.removesuffix("\n") == AFTER
    switch.check()
    expect(passage(page, "core.style").locator("del")).to_be_visible()


def test_names_of_fragments_can_be_switched_off(browse, expect, editor):
    """The passages then have the whole width, also after the next preview."""
    page = visit(browse(editor), fragment="core.style")

    page.get_by_label("Fragment names").uncheck()
    write(page, "core.style", AFTER)

    expect(page.locator(".prompts-name").first).to_be_hidden()
    page.get_by_label("Fragment names").check()
    expect(page.locator(".prompts-name").first).to_be_visible()


def test_a_change_of_lane_is_said(browse, expect, editor):
    """A variable takes a text out of what is the same in every chat, and back."""
    page = visit(browse(editor), fragment="core.style")
    note = editor_of(page, "core.style").locator("[data-note]")
    expect(note).to_be_empty()

    write(page, "core.style", "Address {{user_name}} formally.")
    expect(note).to_contain_text("{{user_name}}")
    expect(note).to_contain_text("It was the same in every chat, and could be cached.")
    write(page, "core.style", "Address people formally.")

    expect(note).to_be_empty()


def test_the_legend_follows_the_typing(browse, expect, editor):
    """It names what the text uses, how often, and what nobody declares."""
    page = visit(browse(editor), fragment="core.style")
    legend = editor_of(page, "core.style").locator("[data-legend]")
    expect(legend).to_contain_text("This text uses no variables.")

    write(page, "core.style", "{{user_name}}, {{user_name}} and {{nobody}}")

    rows = legend.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("used 2 times")
    expect(rows.nth(0)).to_contain_text("Ines Varga")
    expect(rows.nth(0)).to_contain_text("untrusted")
    expect(rows.nth(1)).to_contain_text("No variable of this name is declared.")


def test_the_comparison_follows_the_typing(browse, expect, editor):
    """It stays unfolded while one types."""
    page = visit(browse(editor), fragment="core.style")
    comparison = editor_of(page, "core.style").locator("[data-comparison]")
    comparison.locator("summary").click()
    expect(comparison.locator("summary")).to_contain_text("no difference")

    write(page, "core.style", "Write.")

    expect(comparison.locator("summary")).to_contain_text("words added:")
    expect(comparison.locator("del").first).to_be_visible()


def test_what_a_save_leads_to_is_in_the_list(browse, expect, editor):
    """Switching off and restoring the default are announced beside the name."""
    services.save({"core.style": BEFORE})
    page = visit(browse(editor), fragment="core.style")
    becomes = row(page, "core.style").locator("[data-becomes]")
    style = editor_of(page, "core.style")

    style.get_by_role("button", name="Switch off").click()
    expect(becomes).to_have_text("→ Off")
    expect(style.locator("[data-off-notice]")).to_contain_text("Off once you save.")
    expect(style.get_by_role("button", name="Switch off")).to_be_disabled()
    style.get_by_role("button", name="Restore default").click()

    expect(becomes).to_have_text("→ Built-in")
    expect(style.get_by_role("button", name="Restore default")).to_be_disabled()
    expect(style.locator("[data-off-notice]")).to_be_hidden()


def test_a_mistake_is_told_while_typing(browse, expect, editor):
    """Sentence, badge, mark and count come with it and go with it."""
    page = visit(browse(editor), fragment="core.style")
    style = editor_of(page, "core.style")

    write(page, "core.style", "One\n<!-- detailed -->\nTwo")
    expect(style.locator(".prompts-problem.is-error")).to_contain_text("line 2")
    expect(style.locator("[data-badge-error]")).to_be_visible()
    expect(row(page, "core.style").locator("[data-mark-error]")).to_be_visible()
    expect(page.locator("[data-count=problems]")).to_have_text("1")
    page.locator("[data-filter=problems]").click()
    expect(page.locator("[data-row]")).to_have_count(1)
    write(page, "core.style", "One\n<!-- detailed -->\nTwo\n<!-- /detailed -->")

    expect(style.locator(".prompts-problem.is-error")).to_have_count(0)
    expect(style.locator("[data-badge-error]")).to_be_hidden()
    expect(page.locator("[data-count=problems]")).to_have_text("0")


def test_a_warning_is_told_while_typing_and_leads_to_its_place(browse, expect, editor):
    """It marks nothing as faulty; its button selects the very words."""
    page = visit(browse(editor), fragment="core.style")
    style = editor_of(page, "core.style")

    write(page, "core.style", "😀 One\nHi {{usr_name}}, hello")
    warning = style.locator(".prompts-problem.is-warning")
    expect(warning).to_contain_text("Did you mean {{user_name}}?")
    expect(warning).to_contain_text("unknown_variable")
    expect(style.locator("[data-badge-error]")).to_be_hidden()
    expect(page.locator("[data-count=problems]")).to_have_text("0")
    warning.get_by_role("button", name="Go to line 2").click()

    assert page.evaluate("getSelection().toString()") == "{{usr_name}}"


def test_the_review_opens_the_first_faulty_text(browse, expect, editor):
    """With a mistake it is not the review that comes, but the text to correct."""
    page = visit(browse(editor), fragment="core.style")
    write(page, "core.style", "One\n<!-- detailed -->\nTwo")

    page.locator("[data-review]").click()

    said = "1 text has to be corrected before it can be saved."
    expect(page.locator(".errornote")).to_have_text(said)
    expect(box(page, "core.style")).to_have_value("One\n<!-- detailed -->\nTwo")
    in_text(page, "core.style")
