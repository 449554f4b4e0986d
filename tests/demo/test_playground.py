"""The playground: a situation in, a prompt and its reasons out."""

from __future__ import annotations

import html
import json
import re

import pytest

from project.notes.models import Note
from project.playground.forms import LIVE
from project.playground.sending import SAID
from prompts_app import (
    Fragment,
    Lifetime,
    Scenario,
    Tool,
    Variable,
    messages,
    object_schema,
    registry as declared,
    services,
)
from prompts_app.preview import scenario_arguments
from prompts_app.testing import isolated_registry, override_prompts

SCENARIOS = list(declared.view().scenarios.values())

pytestmark = pytest.mark.django_db


@pytest.fixture
def show(signed_in):
    """Return a function that posts choices and gives the page's context and text."""

    def show(scenario="plain_chat", shown=None, level="", carrier="", **values):
        typed = {f"value-{name}": value for name, value in values.items()}
        response = signed_in.post(
            "/playground/",
            _fields(signed_in, scenario)
            | {"scenario": scenario, "level": level, "carrier": carrier}
            | {"shown": scenario if shown is None else shown}
            | typed,
        )
        assert response.status_code == 200
        return response

    return show


def _fields(client, scenario):
    """Return what a browser would post of the values it was shown."""
    samples = client.get("/playground/", {"scenario": scenario}).context["samples"]
    # A browser sends line breaks as two characters.
    return {
        field.html_name: str(field.value()).replace("\n", "\r\n") for field in samples
    }


@pytest.fixture
def catalogue():
    """Yield a registry of its own to add to."""
    with isolated_registry(empty=False) as registry:
        yield registry


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.key)
def test_a_scenario_shows_the_prompt_that_is_sent(show, scenario):
    """The page shows the very text that a caller would get, authored prompt included."""
    arguments = scenario_arguments(services.view_of(scenario.scope), scenario)
    expected = services.assemble(**arguments).join(scenario.authored)

    trial = show(scenario.key).context["trial"]

    assert trial.text == expected
    assert expected.startswith(trial.passages[0].text)
    assert all(row.text in expected for row in trial.passages)


def test_the_first_scenario_is_shown_at_first(signed_in):
    """A newcomer sees a prompt before choosing anything."""
    response = signed_in.get("/playground/")

    assert response.context["choice"] == SCENARIOS[0].key
    assert response.context["trial"].text


def test_an_address_leads_to_a_situation(signed_in):
    """Scenario and level may stand in a link."""
    response = signed_in.get("/playground/?scenario=agent_chat&level=lean")

    assert response.context["choice"] == "agent_chat"
    assert response.context["level"] == "Lean"


def test_levels_differ(show):
    """A choice of level reaches the assembly; without one, the usual one counts."""
    lean, detailed, usual = (
        show("agent_chat", level=level).context["trial"].text
        for level in ("lean", "detailed", "")
    )

    assert len(lean) < len(detailed)
    assert usual == detailed


def test_an_edited_value_is_in_the_prompt(show):
    """Typing counts, white space and markup and all, and the page says so."""
    response = show(user_name="<b>Kim</b> {{today}}")

    page = response.content.decode()
    assert "<b>Kim</b> {{today}}" in response.context["trial"].text
    assert "&lt;b&gt;Kim&lt;/b&gt; {{today}}" in page
    assert "<b>" not in page
    assert [field.name for field in response.context["edited"]] == ["user_name"]
    assert "?scenario=plain_chat&amp;level=" in page


def test_an_untouched_value_is_not_edited(show):
    """Line breaks as browsers send them are no change."""
    assert show("agent_rewound").context["edited"] == []


def test_values_of_another_scenario_are_left_behind(show):
    """Who chooses another scenario gets that one's values."""
    response = show("title_request", shown="plain_chat", user_name="Kim", question="Q")

    assert response.context["edited"] == []
    assert "berth" in response.context["trial"].text


def test_values_go_along_to_another_level(show):
    """Only the scenario says what the values are."""
    trial = show(level="lean", user_name="Kim").context["trial"]

    assert "Kim" in trial.text


def test_reasons_are_given_in_words(show):
    """Every fragment has a row that says what became of it."""
    response = show()

    page = html.unescape(response.content.decode())
    rows = {row.key: row for row in response.context["trial"].trace}
    assert rows["core.heading"].outcome == "In the prompt"
    assert rows["tool.agent"].reasons == ("No agent tools",)
    assert rows["core.attachments"].reasons == (
        "Variable is blank: {{document_names}}",
    )
    assert "Variable is blank: {{document_names}}" in page
    assert f"{len(response.context['trial'].left_out)} of {len(rows)} are left out" in (
        page
    )


def test_lanes_fill_the_bar(show):
    """Each piece begins where the last one ended, and the last ends with the bar."""
    response = show("agent_chat")

    drawn = re.findall(
        r'<rect class="lane-\d" x="(\d+)" width="(\d+)"', response.content.decode()
    )
    ends = [int(start) + int(width) for start, width in drawn]
    starts = [int(start) for start, _ in drawn]
    assert starts == [0, *ends[:-1]]
    assert ends[-1] == response.context["trial"].bar
    assert "same in every chat" in response.content.decode()


def test_a_saved_text_is_shown(show):
    """What an administrator changed or switched off is so here too."""
    with override_prompts({"core.style": "Rhyme.", "core.honesty": ""}):
        trial = show().context["trial"]

    rows = {row.key: row for row in trial.trace}
    assert "Rhyme." in trial.text
    assert rows["core.style"].origin == "Changed"
    assert rows["core.honesty"].reasons == ("Switched off",)


def test_nothing_to_send_is_said(show):
    """A task that is switched off gives no text."""
    with override_prompts({"task.title": ""}):
        page = show("title_request").content.decode()

    assert "Nothing would be sent in this situation." in page


def test_an_authored_prompt_alone_stands_alone(show, catalogue):
    """Where nothing goes before it, nothing leads over to it."""
    catalogue.register(Scenario("alone", label="Alone", include=(), authored="Mine."))

    trial = show("alone").context["trial"]

    assert trial.text == "Mine."
    assert [row.text for row in trial.passages] == ["Mine."]


def test_a_scenario_asks_nobody(show, catalogue):
    """Only the live situation lets providers and tool providers run."""
    asked = []
    catalogue.register(Variable("recent", label="Recent", provider=asked.append))
    catalogue.register(
        Fragment(
            "notes.more", label="More", group="notes", order=999, default="{{recent}}!"
        )
    )
    catalogue.register_tools(asked.append)

    shown = [show(choice).context["trial"].text for choice in ("plain_chat", "")]

    assert all(text.endswith("!") for text in shown)
    assert asked == []


def test_without_a_scenario_the_examples_stand(show):
    """Each variable is worth its own example."""
    trial = show("").context["trial"]

    assert "book the slipway before Friday" in trial.text


def test_the_live_situation_asks_for_the_visitor(show, visitor):
    """Providers run for who is signed in; what was typed beats them."""
    Note.objects.create(owner=visitor, title="Keys", body="In the office")

    live = show(LIVE)
    typed = show(LIVE, recent_notes="- none of yours")

    assert "Keys: In the office" in live.context["trial"].text
    assert "Values that were needed" in live.content.decode()
    assert "- none of yours" in typed.context["trial"].text


def test_a_scenario_for_a_scope_shows_that_scope(show, catalogue):
    """Its texts and its variables are those of its chain."""
    catalogue.register(
        Scenario("acme", label="Acme", variables={}, scope="tenant.acme")
    )
    with override_prompts({"core.style": "As Acme does."}, scope="tenant.acme"):
        response = show("acme")

    assert "As Acme does." in response.context["trial"].text
    assert "Changed for tenant.acme" in response.content.decode()


def test_a_hook_that_fails_is_shown(show, catalogue):
    """The page stays, says what happened, and keeps what was typed."""

    def fail(draft, context):
        raise RuntimeError("the hook gave up")

    catalogue.register_hook(fail)

    page = show(user_name="Kim").content.decode()

    assert "The prompt could not be assembled: the hook gave up" in page
    assert 'value="Kim"' in page


def test_an_unknown_scenario_is_refused(signed_in):
    """A link that is out of date says so and shows the examples."""
    response = signed_in.get("/playground/?scenario=gone")

    assert "gone is not one of the available choices" in response.content.decode()
    assert response.context["choice"] == ""


def test_a_value_with_nul_is_refused(show):
    """What no text may hold is said beside its field, and the rest goes on."""
    response = show(user_name="a\0b")

    assert "Null characters are not allowed." in response.content.decode()
    assert response.context["trial"].text


def folds(page, heading):
    """Return the texts of the folds under a heading, by their names."""
    section = re.search(
        rf'<section aria-labelledby="{heading}">(.*?)</section>', page, re.S
    )
    found = re.findall(
        r"<details class=\"fold\">\s*<summary>\s*<span>(.*?) <code>.*?</pre>",
        section[1] if section else "",
        re.S,
    )
    texts = re.findall(r"<pre[^>]*>(.*?)</pre>", section[1] if section else "", re.S)
    return dict(zip(found, map(html.unescape, texts), strict=True))


@pytest.mark.parametrize("carrier", ["", "message", "reminder", "prompt"])
def test_the_requests_are_those_of_the_clients(show, carrier):
    """What a caller would pass on stands there to the last character."""
    scenario = next(one for one in SCENARIOS if one.authored)
    arguments = scenario_arguments(services.view_of(scenario.scope), scenario)
    assembly = services.assemble(**arguments)
    options = {"carrier": carrier} if carrier else {}
    options |= {
        "messages": [{"role": "user", "content": SAID}],
        "authored": scenario.authored,
    }

    found = folds(show(scenario.key, carrier=carrier).content.decode(), "sent")

    assert {name: json.loads(text) for name, text in found.items()} == {
        "OpenAI, Responses": messages.openai(assembly, **options),
        "OpenAI, chat completions": messages.openai(assembly, api="chat", **options),
        "Anthropic, Messages": messages.anthropic(assembly, **options),
    }


def test_lanes_and_tools_are_shown(show):
    """Each lane that holds text with all of it, each tool with its schema."""
    response = show("tools_chat")
    assembly = response.context["trial"].assembly
    page = response.content.decode()

    lanes = [assembly.lanes[lane].text for lane in Lifetime]
    assert list(folds(page, "lanes").values()) == list(filter(None, lanes))
    assert {name: json.loads(text) for name, text in folds(page, "tools").items()} == {
        tool.name: tool.schema() for tool in assembly.tools
    }
    assert "Return the text of one page." in page


def test_without_tools_there_is_no_such_heading(show):
    """An empty list would say nothing."""
    page = show("plain_chat").content.decode()

    assert 'id="tools"' not in page
    assert 'id="sent"' in page


def test_markup_in_what_is_sent_is_shown(show):
    """In lanes, tools and requests alike it is text."""
    page = show(user_name="</pre><b>Kim</b>").content.decode()

    assert "<b>Kim" not in page
    assert page.count("&lt;/pre&gt;&lt;b&gt;Kim") >= 5


FAULTY = Tool("go", description="<i>Goes.</i>", parameters={"type": "object"})


def test_what_strict_apis_refuse_is_said(show, catalogue):
    """Beside the tool, before anybody calls an API with it."""
    catalogue.register(Scenario("going", label="Going", tools=[FAULTY]))

    page = show("going").content.decode()

    assert "<li>parameters: allows other properties</li>" in page
    assert "agent, strict" not in page
    assert "&lt;i&gt;Goes.&lt;/i&gt;" in page


def test_two_tools_of_one_name_are_no_request(show, catalogue):
    """The page says so, and still shows all the rest."""
    loose = Tool("go", description="", parameters=object_schema({}), strict=False)
    catalogue.register(Scenario("going", label="Going", tools=[FAULTY, loose]))

    response = show("going")

    page = html.unescape(response.content.decode())
    assert "Two tools are named 'go', and no API takes that." in page
    assert folds(page, "sent") == {}
    assert page.count("<span>go <code>") == 2
    assert response.context["trial"].text


def test_the_carrier_stays_chosen(show):
    """After showing the prompt, and in the link back to the usual values."""
    response = show(carrier="prompt", user_name="Kim")

    assert response.context["form"]["carrier"].value() == "prompt"
    assert "&amp;carrier=prompt" in response.content.decode()


def test_an_unknown_carrier_is_refused(signed_in):
    """A link that is out of date says so, and the page goes on without it."""
    response = signed_in.get("/playground/?scenario=plain_chat&carrier=pigeon")

    assert "pigeon is not one of the available choices" in response.content.decode()
    assert response.context["trial"].sending.requests
