"""The page under a policy that allows nothing but its own files."""

from __future__ import annotations

import pytest

from prompts_app import Fragment, Group, Scenario, Variable, services
from tests import middleware
from tests.browser.steps import (
    REVIEW,
    box,
    choose,
    crash,
    editor as editor_of,
    save,
    visit,
    wait_for_draft,
    write,
)
from tests.factories import UserFactory

WATCH = """
document.addEventListener("securitypolicyviolation", event => {
    const told = [event.effectiveDirective, event.blockedURI, event.sourceFile];
    const kept = JSON.parse(sessionStorage.getItem("violations") ?? "[]");
    sessionStorage.setItem("violations", JSON.stringify([...kept, told]));
});
"""
# Styles of Django's own admin draw arrows and ticks with these.
OF_ADMIN = "data"


@pytest.mark.case(83)
def test_a_whole_walk_breaks_no_rule(browse, expect, editor, faults, monkeypatch):
    """Find, edit, insert, preview, decide, review and save: none of ours is stopped."""
    monkeypatch.setattr(middleware, "POLICY", "default-src 'self'")
    page = browse(editor)
    page.add_init_script(WATCH)
    visit(page)

    with page.expect_response("**/preview/"):
        page.locator("#prompts-q").fill("style")
    choose(page, "core.style")
    write(page, "core.style", "<img src=x onerror=alert(1)> <style>*{}</style>")
    page.keyboard.type("{{us")
    page.wait_for_selector("[role=option]")
    page.keyboard.press("ArrowDown")
    with page.expect_response("**/preview/"):
        page.keyboard.press("Enter")
    page.locator("#prompts-variables > summary").click()
    with page.expect_response("**/preview/"):
        page.locator('#prompts-variables [data-insert="today"]').click()
    editor_of(page, "core.style").locator("[data-comparison] > summary").click()
    page.locator("#prompts-samples summary").first.click()
    with page.expect_response("**/preview/"):
        page.locator("#prompts-scenario").select_option("agent_chat")
    services.save({"core.style": "Theirs."})
    page.locator("[data-review]").click()
    page.wait_for_selector("#prompts-decide")
    page.locator("[name=choice][value=theirs]").check()
    page.locator("[name=choice][value=mine]").check()
    page.get_by_role("button", name="Continue to review").click()
    page.wait_for_selector(REVIEW)
    page.locator("#prompts-review details summary").first.click()
    save(page)

    expect(box(page, "core.style")).to_be_visible()
    told = page.evaluate(
        "() => JSON.parse(sessionStorage.getItem('violations') ?? '[]')"
    )
    ours = [one for one in told if one[1] != OF_ADMIN]
    assert ours == []
    assert all("data:" in fault for fault in faults)
    faults.clear()


HOSTILE = "<img src=x onerror=alert(1)></textarea><script>alert(2)</script>"
BRACES = "{0} {x} {{y}}"


@pytest.fixture
def hostile(registry):
    """Register fragments whose every word is made to break a page."""
    name = f"{HOSTILE} {BRACES}"
    registry.register(
        Group("bad", label=name, order=1, role="preamble", description=name),
        Variable("who", label=name, description=name, example=name),
        Scenario("one", label=name, variables={"who": name}),
        Fragment(
            "bad.one", label=name, hint=name, group="bad", default=f"{name} {{{{who}}}}"
        ),
        Fragment("bad.two", label=name, hint=name, group="bad", default="Second."),
    )


@pytest.mark.case(83, 84)
def test_hostile_words_are_only_words(browse, expect, hostile):
    """In names, hints, texts and values, wherever page and scripts put them."""
    typed = f"{HOSTILE} {{{{who}}}} {BRACES}"
    author = UserFactory(username="mallory", last_name=HOSTILE, is_superuser=True)
    services.save({"bad.two": HOSTILE}, author=author, comment=f"{HOSTILE} {BRACES}")
    page = browse(author)
    alarms = []
    page.on("dialog", lambda dialog: (alarms.append(dialog.message), dialog.dismiss()))
    visit(page)
    expect(page.locator(".prompts-latest")).to_contain_text(f"{HOSTILE} {BRACES}")
    with page.expect_response("**/preview/"):
        page.locator("#prompts-q").fill("onerror")
    choose(page, "bad.one")
    write(page, "bad.one", typed)
    expect(page.locator(".prompts-unsaved")).to_contain_text(HOSTILE)
    page.locator("[data-discard]").click()
    expect(page.locator("#prompts-discard [data-names]")).to_contain_text(HOSTILE)
    page.get_by_role("button", name="Keep editing").click()
    wait_for_draft(page, "bad.one", typed)
    page = visit(crash(page))
    expect(page.locator(".prompts-notice [data-names]")).to_contain_text(HOSTILE)
    page.locator("[data-back]").click()
    services.save({"bad.one": f"{HOSTILE} other"}, author=author)
    page.locator("[data-review]").click()
    page.wait_for_selector("#prompts-decide")
    page.get_by_role("button", name="Continue to review").click()
    page.wait_for_selector(REVIEW)
    page.locator("#prompts-review details > summary").first.click()
    save(page)

    assert alarms == []
    assert page.locator("img[src=x], img[onerror]").count() == 0
    assert services.stored().texts["", "bad.one"].startswith(HOSTILE)
