"""Finding a fragment: search, filters, permalinks, and the keys of the list."""

from __future__ import annotations

import pytest

from prompts_app import services
from tests.browser.steps import box, choose, has_focus, row, visit, write
from tests.factories import OverrideFactory

STATES = ["built-in", "changed", "off", "drifted", "orphaned"]


def find(page, words):
    """Type *words* into the search and wait for the list."""
    with page.expect_response("**/preview/"):
        page.locator("#prompts-q").press_sequentially(words)


def shown(page):
    """Return the keys of the list's rows."""
    rows = "rows => rows.map(row => row.dataset.row)"
    return page.locator("[data-row]").evaluate_all(rows)


def counts(page):
    """Return the numbers beside the filters, by code."""
    numbers = "all => Object.fromEntries(all.map(c => [c.dataset.count, +c.innerText]))"
    return page.locator("[data-count]").evaluate_all(numbers)


def test_the_list_follows_what_is_typed(browse, expect, editor):
    """Rows, counts and the sentence are those of the words, with the hit marked."""
    page = visit(browse(editor))
    total = len(shown(page))

    find(page, "Restate")

    expect(page.locator(".prompts-hits")).to_have_text(
        f"1 of {total} contain “Restate”"
    )
    expect(page.locator("[data-row] mark")).to_have_text("restate")
    assert shown(page) == ["core.style"]
    assert counts(page)[""] == 1
    assert page.locator(".prompts-hits").get_attribute("role") == "status"


def test_names_and_keys_are_found_too(browse, expect, editor):
    """A label and a key lead to their fragment."""
    page = visit(browse(editor))

    find(page, "core.no_replay")

    expect(row(page, "core.no_replay").locator("mark")).to_have_text("core.no_replay")


def test_the_default_of_a_changed_text_is_found(browse, expect, editor):
    """What the software says is found although another text stands over it."""
    services.save({"core.style": "Be brief."})
    page = visit(browse(editor))

    find(page, "restate")

    expect(page.locator("[data-row]")).to_have_count(1)
    assert shown(page) == ["core.style"]


def test_an_unsaved_text_is_found(browse, expect, editor):
    """What is only typed counts as well."""
    page = visit(browse(editor), fragment="core.style")
    write(page, "core.style", "Answer like a lighthouse keeper.")

    find(page, "lighthouse")

    expect(row(page, "core.style").locator("mark")).to_have_text("lighthouse")
    assert shown(page) == ["core.style"]


def test_a_search_without_hits_can_be_cleared(browse, expect, editor):
    """The page says so, and one press brings everything back."""
    page = visit(browse(editor))
    total = len(shown(page))
    find(page, "xyzzy")
    expect(page.locator(".prompts-hits")).to_contain_text("Nothing contains “xyzzy”.")
    expect(page.locator("[data-row]")).to_have_count(0)

    page.locator("[data-clear]").click()

    expect(page.locator("[data-row]")).to_have_count(total)
    has_focus(page, "#prompts-q")
    expect(page.locator("#prompts-q")).to_have_value("")


def test_an_older_answer_does_not_replace_a_newer_one(browse, expect, faults, editor):
    """A slow answer to the first letters comes to nothing."""
    page = visit(browse(editor))
    page.evaluate(
        """() => {
            const real = window.fetch;
            let first = true;
            window.fetch = async (...given) => {
                const mine = first;
                first = false;
                const answer = await real(...given);
                if (mine) {
                    await new Promise((go) => { window.goOn = go; });
                }
                return answer;
            };
        }"""
    )
    page.locator("#prompts-q").fill("lean")
    page.wait_for_function("() => window.goOn")
    find(page, "xyz")
    expect(page.locator(".prompts-hits")).to_contain_text("Nothing contains")

    page.evaluate("() => window.goOn()")

    expect(page.locator(".prompts-hits")).to_contain_text("Nothing contains “leanxyz”")
    assert shown(page) == []


@pytest.mark.case(93)
def test_the_filters_partition_the_list(browse, expect, editor):
    """Each fragment is in exactly one of the five states, and the numbers add up."""
    services.save({"core.style": "Be brief.", "core.honesty": ""})
    OverrideFactory(key="core.today", text="It is {{today}}.", default_text="Before.")
    OverrideFactory(key="core.gone", text="Kept.")
    services.touch()
    page = visit(browse(editor))
    everything = sorted(shown(page))
    numbers = counts(page)

    narrowed = {}
    for state in STATES:
        with page.expect_response("**/preview/"):
            page.locator(f"[data-filter={state}]").click()
        pressed = page.locator(f"[data-filter={state}]")
        expect(pressed).to_have_attribute("aria-pressed", "true")
        narrowed[state] = shown(page)

    assert sorted(key for keys in narrowed.values() for key in keys) == everything
    assert {state: len(keys) for state, keys in narrowed.items()} == {
        state: numbers[state] for state in STATES
    }
    assert narrowed["off"] == ["core.honesty"]
    assert narrowed["drifted"] == ["core.today"]
    assert narrowed["orphaned"] == ["core.gone"]
    assert sum(numbers[state] for state in STATES) == numbers[""]


def test_the_counts_follow_the_search(browse, expect, editor):
    """With words in the search a filter counts only what contains them."""
    services.save({"core.style": "A lighthouse.", "core.honesty": "Say so."})
    page = visit(browse(editor))
    assert counts(page)["changed"] == 2

    find(page, "lighthouse")

    expect(page.locator("[data-count=changed]")).to_have_text("1")


def test_unsaved_texts_have_a_filter_that_counts_at_once(browse, expect, editor):
    """The number follows the typing, and the filter shows those alone."""
    page = visit(browse(editor), fragment="core.style")
    write(page, "core.style", "Be brief.")
    expect(page.locator("[data-count=unsaved]")).to_have_text("1")

    page.locator("[data-filter=unsaved]").click()

    expect(page.locator("[data-row]")).to_have_count(1)
    assert shown(page) == ["core.style"]


def test_a_pressed_filter_keeps_the_focus_and_is_let_go(browse, expect, editor):
    """A second press shows everything again."""
    page = visit(browse(editor))
    total = len(shown(page))

    page.locator("[data-filter=changed]").press("Enter")
    expect(page.locator("[data-row]")).to_have_count(0)
    has_focus(page, "[data-filter=changed][aria-pressed=true]")
    page.keyboard.press("Enter")

    expect(page.locator("[data-row]")).to_have_count(total)


def test_the_address_leads_back_to_the_view(browse, expect, editor):
    """Search, filter, scenario, level and fragment are all in the address."""
    page = visit(browse(editor))
    choose(page, "core.style")
    find(page, "style")
    page.locator("[data-filter=built-in]").click()
    with page.expect_response("**/preview/"):
        page.locator("#prompts-scenario").select_option("agent_chat")
    with page.expect_response("**/preview/"):
        page.locator("#prompts-level").select_option("lean")
    page.wait_for_function("() => location.search.includes('level=lean')")

    again = page.context.new_page()
    again.goto(page.url)

    expect(box(again, "core.style")).to_be_visible()
    expect(again.locator("#prompts-q")).to_have_value("style")
    expect(again.locator("[data-filter=built-in]")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(again.locator("#prompts-scenario")).to_have_value("agent_chat")
    expect(again.locator("#prompts-level")).to_have_value("lean")
    assert shown(again) == shown(page)


def test_a_row_is_a_link_to_its_fragment(browse, expect, editor):
    """The address of the fragment in view opens it, and the hash alone does too."""
    page = visit(browse(editor))
    choose(page, "core.style")
    assert page.url.endswith("?fragment=core.style#core.style")

    hashed = page.context.new_page()
    visit(hashed)
    hashed.goto("about:blank")
    hashed.goto("/admin/prompts_app/override/#core.honesty")

    expect(box(hashed, "core.honesty")).to_be_visible()


def test_the_list_is_one_tab_stop(browse, expect, editor):
    """Tab goes through the list once, whatever its length."""
    page = visit(browse(editor), fragment="core.style")

    stops = "stops => stops.filter(stop => stop.tabIndex === 0).length"
    inside = page.locator("#prompts-listing :is(summary, [data-row] > [data-key])")

    assert inside.evaluate_all(stops) == 1
    assert row(page, "core.style").locator("[tabindex='0']").count() == 1


def test_arrows_move_inside_the_list(browse, expect, editor):
    """Up, down, Home and End move; left and right fold and unfold a group."""
    page = visit(browse(editor), fragment="core.style")
    page.locator("[data-row='core.style'] > [data-key]").focus()

    page.keyboard.press("ArrowDown")
    has_focus(page, "[data-row='core.honesty'] > *")
    page.keyboard.press("ArrowUp")
    has_focus(page, "[data-row='core.style'] > *")
    page.keyboard.press("Home")
    has_focus(page, "summary")
    page.keyboard.press("End")
    has_focus(page, "[data-row] > *")
    page.keyboard.press("ArrowLeft")
    has_focus(page, "details:not([open]) > summary")
    page.keyboard.press("ArrowRight")
    has_focus(page, "details[open] > summary")


def test_arrows_do_not_step_out_of_the_list(browse, expect, editor):
    """At either end a further arrow changes nothing."""
    page = visit(browse(editor))
    page.locator("#prompts-listing summary").first.focus()

    page.keyboard.press("ArrowUp")
    has_focus(page, "details:first-child > summary")
    page.keyboard.press("End")
    page.keyboard.press("ArrowDown")

    has_focus(page, "details:last-child [data-row]:last-child > *")
