"""Service, page and command are one path: whatever the text, they give the same."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from prompts_app import registry, services
from prompts_app.testing import override_prompts
from tests.commanding import run

FRAGMENTS = sorted(registry)
SCENARIOS = list(registry.view().scenarios.values())
ODD = """\
Hello {{user_name}}, {{{user_name}}}, {{ user_name }}.
{"name": "{{user_name}}", "args": {"a": [{}, {"b": "{{lb}}x}}"}]}, "{{nobody}}": "$1"}
{% if x %}\\1 {{user_name:>99999999}} {{a.b}} ^{{Ω}rel }{% endif %}
<!-- detailed -->
Coaching for {{user_name}}.
<!-- /detailed -->
"""
NAME = "<i>{{today}}</i> \\g<0> $&"

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(client, editor):
    """Return a function that gives the text the page's preview shows."""
    client.force_login(editor)
    address = reverse("admin:prompts_app_override_changelist")

    def page(**query):
        return client.get(address, query).context["preview"].text

    return page


def _command(*arguments):
    return json.loads(run("render", "--json", *arguments)[0])["prompt"]


def _blank_but(values):
    names = registry.view().variables.keys() - {"lb", "tool_names"}
    return {**dict.fromkeys(names, ""), **values}


@pytest.mark.case(92)
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.key)
def test_a_scenario_is_the_same_by_every_way(page, scenario):
    """What an editor is shown is what a caller gets who offers the same."""
    with override_prompts({"core.style": ODD, "task.title": ODD, "core.honesty": ""}):
        service = services.assemble(
            include=scenario.include,
            variables=_blank_but(scenario.variables),
            tools=scenario.tools,
        ).join(scenario.authored)

        assert page(scenario=scenario.key) == service
        assert _command("--scenario", scenario.key) == service


@pytest.mark.case(2, 18, 92)
@pytest.mark.parametrize("key", FRAGMENTS)
@pytest.mark.parametrize("level", ["lean", "detailed"])
def test_a_fragment_is_the_same_by_every_way(key, level):
    """One parser reads every text, and nothing needs an escape for the others' sake."""
    scenario = next(one for one in SCENARIOS if one.key == "agent_rewound")
    values = {**scenario.variables, "user_name": NAME}
    told = ("--scenario", scenario.key, "--include", key, "--level", level)
    with override_prompts({key: ODD}):
        service = services.render(
            key, _blank_but(values), tools=scenario.tools, level=level
        )

        assert _command(*told, "--set", f"user_name={NAME}") == service
