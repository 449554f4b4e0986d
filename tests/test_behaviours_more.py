"""Behaviours that show only when page, store and assembly are taken together."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.declarations import Group, Scenario, Scope, Variable
from tests.assembling import CORE, fragment
from tests.pages import Visitor
from tests.storing import rows

pytestmark = pytest.mark.django_db

MARKUP = (
    "<img src=x onerror=alert(1)>{0} {x}</textarea></pre></script>"
    "<script>alert(1)</script>&amp;"
)


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


@pytest.fixture
def marked_up(registry):
    """Declare markup wherever a declaration can hold any."""
    registry.register(
        Group("core", label=MARKUP, order=1, role="preamble", description=MARKUP),
        Scope("tenant.acme", label=MARKUP),
        Variable("name", label=MARKUP, description=MARKUP, example=MARKUP),
        fragment("core.a", "Ask {{name}}.", label=MARKUP, hint=MARKUP),
        fragment("core.b", MARKUP, label=MARKUP, hint=MARKUP),
        Scenario("chat", label=MARKUP, variables={"name": MARKUP}, authored=MARKUP),
    )


def is_harmless(page):
    """Return whether nothing on *page* came from markup in a text."""
    programs = (
        script
        for script in page.all("script")
        if script.attributes.get("type") != "application/json"
    )
    handlers = [e for e in page.elements if any(n[:2] == "on" for n in e.attributes)]
    return not handlers and not any("alert" in script.raw for script in programs)


@pytest.mark.case(83, 84)
def test_markup_is_shown_and_never_run(visitor, marked_up):
    """Page, preview, review and message show markup and braces as typed."""
    page = visitor.open(fragment="core.a", scenario="chat")
    typed = {"text:core.a": f"{MARKUP}!", "comment": MARKUP}

    preview = visitor.preview({**page.fields(), **typed})
    reviewed = visitor.review(page, typed)
    saved = visitor.save(page, typed)

    for shown in (page, preview, reviewed, saved):
        assert is_harmless(shown)
        assert MARKUP in "".join(element.raw for element in shown.elements)
    assert preview.passages()["core.b"] == MARKUP
    assert saved.box("core.a").raw == f"{MARKUP}!"
    assert services.render("core.a") == f"{MARKUP}!"


@pytest.mark.case(90)
def test_editing_changes_the_text_and_nothing_else(visitor, registry):
    """Gates, order, group and variables of a fragment are as declared after a save."""
    registry.register(
        CORE,
        Variable("name", label="Name"),
        fragment("core.a", "Ask {{name}}.", requires=("name",), order=2),
        fragment("core.b", order=1),
    )
    before = registry.view().fragments

    visitor.save(visitor.open(fragment="core.a"), {"text:core.a": "Ask somebody."})

    assert rows() == {("", "core.a"): "Ask somebody."}
    assert registry.view().fragments is before
    assert str(services.assemble().trace[1].reason) == "Blank: name"
    named = services.assemble(variables={"name": "Ada"})
    assert [section.key for section in named.sections] == ["core.b", "core.a"]


@pytest.mark.case(70)
def test_a_key_that_begins_like_another_is_another(registry):
    """Saving and resetting one leaves the longer one alone."""
    registry.register(CORE, fragment("core.a"), fragment("core.ab"))
    services.save({"core.a": "One", "core.ab": "Two"})

    services.reset(["core.a"])

    assert rows() == {("", "core.ab"): "Two"}
    assert services.resolve("core.ab") == "Two"


@pytest.mark.covers("W20")
@pytest.mark.parametrize(
    ("text", "state"), [("", "Off"), ("\t  ", "Off"), (".", "Changed")]
)
def test_the_page_says_what_is_off(visitor, registry, text, state):
    """A text without any visible character shows as off, another as changed."""
    registry.register(CORE, fragment("core.a"), fragment("core.b"))
    services.save({"core.a": text})

    page = visitor.open()

    assert state in page.row("core.a").text.split()
    assert "Built-in" in page.row("core.b").text.split()
    assert bool(services.assemble(include=["core.a"]).text) is (state == "Changed")


@pytest.mark.covers("D2", "D20")
def test_an_opener_and_a_persona_are_declarations_like_any_other(registry):
    """A locked text opens every prompt; a blank one waits for a scope to fill it."""
    identity = fragment("core.identity", "You are Quill.", order=-100, locked=True)
    registry.register(CORE, identity, fragment("core.persona", ""), fragment(order=9))
    registry.register(
        fragment("core.persona", "You help customers."), scope="agent.support"
    )
    overrides = {"core.identity": "You are nobody."}

    anyone = services.assemble(overrides=overrides)
    support = services.assemble(overrides=overrides, scope="agent.support")

    assert anyone.text == "You are Quill.\n\nA"
    assert support.text == "You are Quill.\n\nYou help customers.\n\nA"
