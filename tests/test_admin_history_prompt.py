"""The prompt as of a save, or of a day, beside today's."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import override_settings

from prompts_app import services
from prompts_app.assembly import DraftSection
from prompts_app.declarations import Scenario, Scope
from prompts_app.models import Revision
from tests.assembling import CORE, SEAM, fragment, variable
from tests.pages import Page
from tests.storing import Broken, everything
from tests.test_admin_history import get

pytestmark = pytest.mark.django_db
LEVELLED = "Facts.\n<!-- detailed -->\nCoaching.\n<!-- /detailed -->"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare texts, two scenarios and a scope."""
    registry.register(
        CORE,
        SEAM,
        Scope("tenant.acme", label="Acme"),
        variable("name"),
        fragment("core.a", "Be brief.", label="Length", order=1),
        fragment("core.b", "Hello {{name}}.", label="Greeting", order=2),
        fragment("core.lead", "Before:", label="Lead", group="seam", order=0),
        Scenario("plain", label="Plain", variables={"name": "Ada"}),
        Scenario(
            "own",
            label="Own prompt",
            variables={"name": "Bo"},
            authored="Written here.",
        ),
    )
    return registry


def prompt(user, site="admin", **query):
    """Return the page of both prompts."""
    answer = get(user, "prompt", site=site, **query)
    assert answer.status_code == 200, answer.status_code
    return Page(answer.content.decode())


def both(page):
    """Return each passage: name, as of then, today, and what was added."""
    return [
        (
            page.one("h2", row).text,
            *(
                page.all("pre", part)[0].raw if page.all("pre", part) else None
                for part in page.all("div", row)
            ),
            [one.text for one in page.all("ins", row)],
        )
        for row in page.all("div", data_pair=None)
    ]


def test_both_prompts_stand_side_by_side(viewer):
    """With values filled in, and what came since marked; nothing is written."""
    services.save({"core.a": "Be very brief."})
    services.save({"core.a": "Be very, very brief."})
    before = everything()

    page = prompt(viewer, moment="1")

    assert everything() == before
    assert both(page) == [
        ("Length", "Be very brief.", "Be very, very brief.", [", very"]),
        ("Greeting", "Hello Ada.", "Hello Ada.", []),
    ]
    assert page.one("h1").text == "The prompt as of save 1"
    assert page.one("p", role="status").text == (
        "1 passage reads differently today. 26 → 32 characters (+6)"
    )


def test_before_the_first_save_the_defaults_were_in_force(viewer):
    """What has been switched off since is left out today."""
    services.save({"core.a": ""})

    page = prompt(viewer, moment="0")

    assert both(page)[0] == ("Length", "Be brief.", None, [])
    assert page.one("h1").text == "The prompt before the first save"


def test_what_was_off_then_is_left_out_then(viewer):
    """In its place of today."""
    services.save({"core.a": ""})
    services.reset(["core.a"])

    assert both(prompt(viewer, moment="1")) == [
        ("Length", None, "Be brief.", ["Be brief."]),
        ("Greeting", "Hello Ada.", "Hello Ada.", []),
    ]


def test_nothing_changed_since(viewer):
    """The page says so in words."""
    services.save({"core.a": "One"})

    assert prompt(viewer, moment="1").one("p", role="status").text == (
        "It reads today as it did then. 15 → 15 characters"
    )


def test_scenario_scope_and_level_can_be_chosen(viewer, registry):
    """By a form that makes a link."""
    registry.register(fragment("core.levels", LEVELLED, label="Levels", order=3))
    services.save({"core.a": "Near"}, scope="tenant.acme")
    services.save({"core.a": "Nearer"}, scope="tenant.acme")

    page = prompt(viewer, moment="1", scope="tenant.acme", scenario="", level="lean")

    assert both(page) == [
        ("Length", "Near", "Nearer", ["Nearer"]),
        ("Greeting", "Hello .", "Hello .", []),
        ("Levels", "Facts.", "Facts.", []),
    ]
    chosen = [one.attributes["value"] for one in page.all("option", selected=None)]
    assert chosen == ["tenant.acme", "", "lean"]
    assert "Coaching." in prompt(viewer, moment="1", level="detailed").html
    assert page.one("form", class_="prompts-choices").attributes["method"] == "get"


def test_an_authored_prompt_stands_last_after_its_lead(viewer):
    """As it is sent."""
    services.save({"core.lead": "Then:"})

    assert both(prompt(viewer, moment="0", scenario="own"))[-2:] == [
        ("Lead", "Before:", "Then:", ["Then"]),
        ("Authored prompt", "Written here.", "Written here.", []),
    ]


def test_what_only_a_hook_knows_goes_by_its_key(viewer, registry):
    """And stands where it is today."""

    def add(draft, context):
        draft.sections.insert(0, DraftSection("hook.extra", "From a hook.", 0, "core"))

    registry.register_hook(add)
    services.save({"core.a": "One"})

    names = [name for name, *_ in both(prompt(viewer, moment="0"))]

    assert names == ["hook.extra", "Length", "Greeting"]


def test_a_hook_that_raises_is_shown(viewer, registry):
    """With its cause, and no page of error."""
    registry.register_hook(Broken(RuntimeError("No network")))
    services.save({"core.a": "One"})

    page = prompt(viewer, moment="1")

    assert "No network" in page.one("p", class_="errornote").text
    assert both(page) == []


def test_a_text_too_long_for_its_limit_is_shown_without_a_cause(viewer, registry):
    """Other faults have none."""
    registry.register(Scenario("odd", label="Odd", include=("core.never",)))
    services.save({"core.a": "One"})

    assert "core.never" in (
        prompt(viewer, moment="1", scenario="odd").one("p", class_="errornote").text
    )


def test_an_empty_prompt_is_announced(viewer):
    """Then and now."""
    services.save({"core.a": "", "core.b": ""})

    assert "Nothing would be sent" in prompt(viewer, moment="1").html


def test_one_can_go_from_save_to_save(viewer):
    """Until the first and the last of them."""
    services.save({"core.a": "One"}, comment="Why")
    services.save({"core.a": "Two"})

    def steps(moment):
        page = prompt(viewer, moment=moment)
        return [
            (one.text, one.attributes["value"])
            for one in page.all("button", name="moment")
        ]

    assert steps("0") == [("One save later", "1")]
    assert steps("1") == [("One save earlier", "0"), ("One save later", "2")]
    assert steps("2") == [("One save earlier", "1")]
    assert "Why" in prompt(viewer, moment="1").html


def test_a_day_stands_for_its_last_save(viewer):
    """Before the first day, for what was in force before the first save."""
    for number, day in enumerate((1, 1, 5), start=1):
        services.save({"core.a": f"Text {number}"})
        Revision.objects.filter(number=number).update(
            created_at=datetime(2026, 3, day, 12, tzinfo=UTC)
        )

    def heading(day):
        return prompt(viewer, on=day).one("h1").text

    assert heading("2026-02-28") == "The prompt before the first save"
    assert heading("2026-03-01") == "The prompt as of save 2"
    assert heading("2026-03-04") == "The prompt as of save 2"
    assert heading("2026-03-05") == "The prompt as of save 3"
    with override_settings(USE_TZ=False):
        assert heading("2026-03-05") == "The prompt as of save 3"


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"on": ""},
        {"on": "yesterday"},
        {"on": "2026-02-31"},
        {"on": "9999-12-31"},
        {"moment": "2"},
        {"moment": "x"},
    ],
)
def test_a_moment_that_never_was_is_not_found(viewer, query):
    """Nor is a day that is none."""
    services.save({"core.a": "One"})

    assert get(viewer, "prompt", **query).status_code == 404


def test_a_moment_that_was_forgotten_leads_back_to_the_list(viewer):
    """Where a message says why."""
    services.save({"core.a": "One"})
    services.save({"core.a": "Two"})
    Revision.objects.filter(number=2).delete()

    answer = get(viewer, "prompt", moment="1", site="ops")

    assert answer.status_code == 302
    assert answer.url == "/ops/prompts_app/revision/"


def test_the_page_keeps_out_of_caches_and_stays_on_its_site(viewer):
    """No script, no inline style, and links of the same site."""
    services.save({"core.a": "One"})

    answer = get(viewer, "prompt", moment="1", site="ops")
    page = Page(answer.content.decode())

    assert "no-store" in answer.headers["Cache-Control"]
    form = page.one("form", class_="prompts-choices")
    assert form.attributes["action"] == "/ops/prompts_app/revision/prompt/"
    assert not [one for one in page.all("script") if "src" not in one.attributes]
    assert not page.has("style")
    assert not [one for one in page.elements if "style" in one.attributes]
