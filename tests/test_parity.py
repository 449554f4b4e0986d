"""Every way to a prompt is one path: whatever the text, they give the same."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest
from asgiref.sync import async_to_sync
from django.template import Context, Template

from prompts_app import Level, registry, services
from prompts_app.assembly import Snapshot, weld
from prompts_app.preview import situation_of
from prompts_app.testing import override_prompts
from tests.commanding import run
from tests.pages import Visitor

FRAGMENTS = sorted(registry)
SCENARIOS = registry.view().scenarios
ODD = """\
Hello {{user_name}}, {{{user_name}}}, {{ user_name }}.
{"name": "{{user_name}}", "args": {"a": [{}, {"b": "{{lb}}x}}"}]}, "{{nobody}}": "$1"}
{% if x %}\\1 {{user_name:>99999999}} {{a.b}} ^{{Ω}rel }{% endif %}
<!-- detailed -->
Coaching for {{user_name}}.
<!-- /detailed -->
"""
NAME = "<i>{{today}}</i> \\g<0> $&"
TEXTS = {"core.style": ODD, "task.title": ODD, "core.honesty": "", "core.rounds": ""}
TAG = """\
{% load prompts %}{% autoescape off %}{% prompt key variables=values tools=tools \
level=level %}{% endautoescape %}"""

pytestmark = pytest.mark.django_db


class Sent(NamedTuple):
    """What would be sent, and what became of each fragment, with the reason's code."""

    text: str
    trace: dict[str, tuple[str, str | None]]


class Asked(NamedTuple):
    """What one way is asked for."""

    scenario: str
    level: str
    visitor: Visitor

    @property
    def arguments(self):
        """Return what a caller gives who has exactly the scenario's values."""
        scenario = SCENARIOS[self.scenario]
        return {
            "include": scenario.include,
            "variables": blank_but(scenario.variables),
            "tools": scenario.tools,
            "level": self.level,
        }


def blank_but(values):
    """Return a value for each variable, blank for those that *values* lacks."""
    names = registry.view().variables.keys() - {"lb", "tool_names"}
    return {**dict.fromkeys(names, ""), **values}


def sent(asked, assembly):
    """Return what an assembly comes to in the scenario that was asked for."""
    return Sent(
        assembly.join(SCENARIOS[asked.scenario].authored),
        {e.key: (e.outcome, e.reason and e.reason.code) for e in assembly.trace},
    )


def by_service(asked):
    """Ask as an app does."""
    return sent(asked, services.assemble(**asked.arguments))


def by_twin(asked):
    """Ask as an app does that has to wait."""

    async def wait():
        return await services.aassemble(**asked.arguments)

    return sent(asked, async_to_sync(wait)())


def by_situation(asked):
    """Ask as proofs and the tests of other apps do."""
    return sent(asked, situation_of(asked.scenario).assemble(level=asked.level))


def by_page(asked):
    """Look at the page."""
    page = asked.visitor.open(scenario=asked.scenario, level=asked.level)
    return _shown(asked, page)


def by_script(asked):
    """Let a script ask for the preview, with the same texts typed and not saved."""
    fields = {f"text:{key}": text for key, text in TEXTS.items()}
    fields |= {"scenario": asked.scenario, "level": asked.level}
    with override_prompts(Snapshot()):
        return _shown(asked, asked.visitor.preview(fields))


def _shown(asked, page):
    raw = json.loads(page.one("script", id="prompts-raw").raw)
    preview = asked.visitor.answer.context["preview"]
    assert preview.text == raw
    return Sent(raw, sent(asked, preview.assembly).trace)


def by_command(asked):
    """Type the command."""
    told = document("--scenario", asked.scenario, "--level", asked.level)
    reasons = {one["key"]: one["reason"] for one in told["trace"]}
    trace = {
        one["key"]: (one["outcome"], reasons[one["key"]] and one["reason"]["code"])
        for one in told["trace"]
    }
    return Sent(told["prompt"], trace)


def by_tag(asked):
    """Put every fragment into a template, and join what that gives."""
    trace = by_service(asked).trace
    texts = {key: tagged(key, asked) for key in trace}
    out = {key for key, (_, reason) in trace.items() if reason}
    assert {key for key, text in texts.items() if not text} == out
    # The seam is kept apart, as in every assembly.
    seam = {key for key, (outcome, _) in trace.items() if outcome == "seam"}
    parts = [weld([t for key, t in texts.items() if t and key not in seam])]
    if authored := SCENARIOS[asked.scenario].authored:
        parts += [*(texts[key] for key in seam), authored]
    return Sent("\n\n".join(filter(None, parts)), trace)


def tagged(key, asked):
    """Return the text that the template tag gives for one fragment."""
    given = asked.arguments
    names = {"values": given["variables"], "tools": given["tools"]}
    context = Context({"key": key, "level": asked.level, **names})
    return Template(TAG).render(context)


def document(*arguments):
    """Return all that the command has to say, as another program reads it."""
    return json.loads(run("render", "--json", *arguments)[0])


WAYS = [by_twin, by_situation, by_page, by_script, by_command, by_tag]


@pytest.mark.covers("O6")
@pytest.mark.case(92)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scenario_is_the_same_by_every_way(viewer, scenario, level, way):
    """The same text to the byte, and the same reason for all that is left out."""
    asked = Asked(scenario, level.value, Visitor(viewer))

    with override_prompts(TEXTS):
        found = way(asked)

        assert found == by_service(asked)


@pytest.mark.parametrize("level", list(Level))
def test_the_table_has_what_is_worth_comparing(viewer, level):
    """Texts with odd characters, some that are off, and many reasons."""
    reasons, texts = set(), []
    with override_prompts(TEXTS):
        for scenario in SCENARIOS:
            found = by_service(Asked(scenario, level.value, Visitor(viewer)))
            reasons.update(reason for _, reason in found.trace.values())
            texts.append(found.text)

    assert {None, "off", "when_tools", "families", "requires"} <= reasons
    assert sum("{{user_name:>99999999}}" in text for text in texts) == 7
    assert any("Coaching for" in text for text in texts) is (level is Level.DETAILED)


@pytest.mark.case(2, 18, 92)
@pytest.mark.parametrize("key", FRAGMENTS)
@pytest.mark.parametrize("level", list(Level))
def test_a_fragment_is_the_same_by_every_way(viewer, key, level):
    """One parser reads every text, and nothing needs an escape for the others' sake."""
    scenario = SCENARIOS["agent_rewound"]
    values = blank_but({**scenario.variables, "user_name": NAME})
    told = ("--scenario", scenario.key, "--include", key, "--level", level)
    with override_prompts({key: ODD}):
        service = services.render(key, values, tools=scenario.tools, level=level)
        names = {"key": key, "values": values, "tools": scenario.tools, "level": level}

        assert document(*told, "--set", f"user_name={NAME}")["prompt"] == service
        assert Template(TAG).render(Context(names)) == service
