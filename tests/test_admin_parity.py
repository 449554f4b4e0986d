"""What the page shows before a save is what is sent after it."""

from __future__ import annotations

import json

import pytest

from prompts_app import registry, services
from prompts_app.declarations import Scenario
from tests.pages import Visitor

pytestmark = pytest.mark.django_db

SCENARIOS = list(registry.view().scenarios.values())
TYPED = {
    "core.style": "Be {{user_name}}, {{{user_name}}}.\n<!-- detailed -->\nMore.\n"
    "<!-- /detailed -->\n{{lb}}x}} {{nobody}} {% if %} $1",
    "core.honesty": "",
    "task.title": "A title for {{question}}, please.",
}


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def sent(scenario):
    """Return what a caller gets who offers what *scenario* does."""
    names = registry.view().variables.keys() - {"lb", "tool_names"}
    assembly = services.assemble(
        include=scenario.include,
        variables={**dict.fromkeys(names, ""), **scenario.variables},
        tools=scenario.tools,
        level=scenario.level,
    )
    return assembly.join(scenario.authored)


@pytest.mark.case(92)
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.key)
def test_what_is_previewed_is_what_is_sent_after_the_save(visitor, scenario):
    """To the byte, in every scenario of the catalogue."""
    page = visitor.open(fragment="core.style", scenario=scenario.key)
    texts = {f"text:{key}": text for key, text in TYPED.items()}
    page = visitor.send(page, texts)
    previewed = json.loads(page.one("script", id="prompts-raw").raw)

    page = visitor.save(page)

    assert page.one("li", class_="success").text.startswith("3 changes saved.")
    assert previewed == sent(scenario)


@pytest.mark.case(92)
def test_the_review_counts_what_will_change(visitor):
    """By as many characters as the prompts then differ."""
    before = {str(one.label): len(sent(one)) for one in SCENARIOS}
    page = visitor.open(fragment="core.style")
    texts = {f"text:{key}": text for key, text in TYPED.items()}
    review = visitor.review(page, texts)

    visitor.send(review, press=("_save", ""))

    told = [one.text for one in review.all("summary")]
    for one in SCENARIOS:
        label, delta = str(one.label), len(sent(one)) - before[str(one.label)]
        sign = "+" if delta > 0 else "\N{MINUS SIGN}"
        said = f"{label} {sign}{abs(delta):,} characters"
        assert any(text.startswith(said) for text in told) is (delta != 0), label


@pytest.mark.case(94)
def test_a_scenario_that_names_no_fragment_is_told_the_nearest(visitor):
    """A letter is soon mistyped, and the page stands all the same."""
    odd = Scenario("odd", label="Odd", include=("core.stlye",), variables={})

    with registry.register(odd):
        page = visitor.open(scenario="odd", fragment="core.style")

    said = page.one("p", class_="errornote").text
    assert "core.stlye" in said
    assert "core.style" in said
    assert page.box("core.style").raw == registry["core.style"].default
