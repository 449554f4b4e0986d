"""Variables on offer while one types."""

from __future__ import annotations

import pytest

from prompts_app import Fragment, Group, Scenario, Variable
from tests.browser.steps import box, has_focus, in_text, put_caret, visit

ON_OFFER = "prompts-text [role=option]"


@pytest.fixture
def page(browse, editor):
    """Return the page with the focus in an empty text."""
    page = visit(browse(editor), fragment="core.style")
    with page.expect_response("**/preview/"):
        box(page, "core.style").fill("")
    in_text(page, "core.style")
    return page


def offer(page, words):
    """Type *words*, and wait for what is offered on that."""
    page.keyboard.type(words)
    page.wait_for_selector(ON_OFFER)
    return page.locator(ON_OFFER)


def test_two_braces_offer_what_is_known(page, expect):
    """Each with its meaning and with the value of the preview."""
    known = page.locator("#prompts-variables [data-insert]")
    names = known.evaluate_all("all => all.map(one => one.dataset.insert)")

    options = offer(page, "For {{")

    expect(options.locator(".cm-completionLabel")).to_have_text(sorted(names)[:5])
    page.keyboard.type("user_n")
    expect(options).to_have_count(1)
    expect(options).to_contain_text("The person in the chat")
    expect(options).to_contain_text("Ines Varga")


def test_arrows_lead_to_those_that_are_not_shown_yet(page, expect):
    """From the last back to the first, and round again."""
    known = page.locator("#prompts-variables [data-insert]")
    names = known.evaluate_all("all => all.map(one => one.dataset.insert)")
    offer(page, "{{")

    page.keyboard.press("ArrowUp")

    chosen = page.locator(f"{ON_OFFER}[aria-selected]")
    expect(chosen).to_contain_text(max(names))
    page.keyboard.press("ArrowDown")
    expect(chosen).to_contain_text(min(names))


def test_the_keyboard_completes(page, expect):
    """An arrow chooses, Enter puts the name in and closes it, one undo takes it back."""
    options = offer(page, "For {{user_n")
    expect(options).to_have_count(1)

    page.keyboard.press("ArrowDown")
    text = page.get_by_role("textbox", name="Text of Writing style", exact=True)
    chosen = text.get_attribute("aria-activedescendant")
    expect(options.first).to_have_attribute("id", chosen)
    expect(options.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")

    expect(box(page, "core.style")).to_have_value("For {{user_name}}")
    page.keyboard.press("Control+z")
    expect(box(page, "core.style")).to_have_value("For {{user_n")


def test_enter_is_a_line_feed_until_something_is_chosen(page, expect):
    """Who writes braces that mean something else gets what was typed."""
    offer(page, "{{")

    page.keyboard.press("Enter")
    page.keyboard.type("x")

    expect(box(page, "core.style")).to_have_value("{{\nx")


def test_a_press_completes_and_keeps_the_focus(page, expect):
    """The next letter follows what was put in."""
    offer(page, "{{toda").first.click()
    page.keyboard.type(".")

    expect(box(page, "core.style")).to_have_value("{{today}}.")
    in_text(page, "core.style")


def test_braces_that_are_there_are_not_doubled(page, expect):
    """The caret goes behind them."""
    page.keyboard.insert_text("On {{ }} we begin")
    put_caret(page, "core.style", len("On {{ "))
    offer(page, "toda")

    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.type("!")

    expect(box(page, "core.style")).to_have_value("On {{ today}}! we begin")


@pytest.mark.parametrize("text", ["On {{toda|x}} we", "On {{tod|ay}} we"])
def test_the_rest_of_a_name_goes_with_its_beginning(page, expect, text):
    """Whoever completes in the middle of one gets one name."""
    before, after = text.split("|")
    page.keyboard.insert_text(before + after)
    put_caret(page, "core.style", len(before))
    page.keyboard.press("Control+Space")
    page.wait_for_selector("[role=option]")

    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    expect(box(page, "core.style")).to_have_value("On {{today}} we")


def test_control_and_space_offer_them_anywhere(page, expect):
    """Braces and all."""
    page.keyboard.type("On ")

    page.keyboard.press("Control+ ")
    page.wait_for_selector(ON_OFFER)
    page.keyboard.type("toda")
    expect(page.locator(ON_OFFER)).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    expect(box(page, "core.style")).to_have_value("On {{today}}")


def test_escape_closes_what_is_offered_first(page, expect):
    """Only the second one leads out of the text."""
    options = offer(page, "{{")

    page.keyboard.press("Escape")
    expect(options).to_have_count(0)
    in_text(page, "core.style")
    page.keyboard.press("Escape")

    has_focus(page, "[data-editor='core.style'] h2")
    expect(box(page, "core.style")).to_have_value("{{")


def test_tab_moves_on_all_the_same(page, expect):
    """It chooses nothing."""
    options = offer(page, "{{user_n")

    page.keyboard.press("Tab")

    has_focus(page, "button[name=_restore]")
    expect(options).to_have_count(0)
    expect(box(page, "core.style")).to_have_value("{{user_n")


@pytest.fixture
def declared(registry):
    """Register a variable that is blank in the scenario, and a clause."""
    registry.register(
        Group("one", label="One", order=1, role="preamble"),
        Variable("who", label="Whom it is for", example="Rosa"),
        Scenario("plain", label="Plain", variables={}),
        Fragment("one.a", label="A", group="one", default="Text."),
        Fragment(
            "one.b", label="B <b>", group="one", default="a clause", provides="phrase"
        ),
    )


def test_a_blank_variable_shows_its_example(browse, expect, editor, declared):
    """What clauses provide is on offer as well, and names are only words."""
    page = visit(browse(editor), fragment="one.a", scenario="plain")
    box(page, "one.a").fill("")
    in_text(page, "one.a")

    options = offer(page, "{{")

    expect(options.filter(has_text="who")).to_contain_text("Rosa")
    expect(options.filter(has_text="phrase")).to_contain_text("B <b>")
    page.keyboard.type("phrase}}")
    expect(page.locator("prompts-text .is-known")).to_have_text("{{phrase}}")
