"""Two prompts side by side: any two of saved, unsaved, levels and scenarios."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from prompts_app import services
from prompts_app.assembly import DraftSection
from prompts_app.declarations import Scenario, Scope
from tests.assembling import CORE, SEAM, TASKS, fragment, hooked, variable
from tests.factories import OverrideFactory
from tests.pages import Page, Visitor, address
from tests.storing import everything

pytestmark = pytest.mark.django_db
LEVELLED = "Facts.\n<!-- detailed -->\nCoaching.\n<!-- /detailed -->"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare texts, scenarios and a scope."""
    registry.register(
        CORE,
        SEAM,
        TASKS,
        Scope("tenant.acme", label="Acme"),
        variable("name"),
        fragment("core.a", LEVELLED, label="Facts", order=1),
        fragment("core.b", "Hello {{name}}.", label="Greeting", order=2),
        fragment("seam.lead", "Then:", label="Lead", group="seam", order=0),
        fragment("task.t", "Title for {{name}}.", label="Title", group="tasks"),
        Scenario("plain", label="Plain", variables={"name": "Ada"}),
        Scenario(
            "own", label="Own", variables={"name": "Bo"}, authored="Written <here>."
        ),
        Scenario("task", label="Task", include=("task.t",), variables={"name": "Cy"}),
        Scenario("small", label="Small", variables={}, level="lean"),
        Scenario("broken", label="Broken", include=("core.gone",)),
        Scenario("empty", label="Empty", include=("no_group",)),
    )
    return registry


@pytest.fixture
def visitor(viewer):
    """Return somebody who may look at the page and change nothing."""
    return Visitor(viewer)


def link(visitor, site="admin", **query):
    """Return the page that a link asks for."""
    answer = visitor.client.get(address("compare", site), query)
    assert answer.status_code == 200, answer.status_code
    return Page(answer.content.decode())


def pairs(page):
    """Return each passage by name: first, second, and what was added."""
    return {
        page.one("h2", row).text: (
            *(
                page.all("pre", part)[0].raw if page.all("pre", part) else None
                for part in page.all("div", row)
            ),
            [one.text for one in page.all("ins", row)],
        )
        for row in page.all("div", data_pair=None)
    }


def said(page):
    """Return the sentence above both prompts."""
    return page.one("p", role="status").text


def heads(page):
    """Return what each side is made from."""
    head = page.one("div", class_="prompts-both-head")
    return [one.text for one in page.all("b", head)]


def test_at_first_lean_and_detailed_stand_side_by_side(visitor):
    """With the words that only one of them has marked, and both sizes."""
    page = link(visitor)

    assert heads(page) == [
        "Saved texts · Plain · Lean",
        "Saved texts · Plain · Detailed",
    ]
    first, second, added = pairs(page)["Facts"]
    assert (first, second) == ("Facts.", "Facts.\nCoaching.")
    assert added == ["Coaching."]
    assert pairs(page)["Greeting"] == ("Hello Ada.", "Hello Ada.", [])
    assert said(page) == "1 passage differs. 18 → 28 characters (+10)"


def test_the_pages_scenario_is_taken_along(visitor):
    """And with it its authored prompt and what leads over to it."""
    page = link(visitor, scenario="own")

    assert heads(page)[0] == "Saved texts · Own · Lean"
    assert list(pairs(page)) == ["Facts", "Greeting", "Lead", "Authored prompt"]
    own = "Written <here>."
    assert pairs(page)["Authored prompt"] == (own, own, [])


def test_defaults_and_saved_texts_can_be_compared(visitor):
    """At the level of the page, since texts were asked for."""
    OverrideFactory(key="core.b", text="Dear {{name}}.")

    page = link(visitor, first_texts="defaults", second_texts="saved")

    assert heads(page) == [
        "Defaults of the software · Plain · Detailed",
        "Saved texts · Plain · Detailed",
    ]
    assert pairs(page)["Greeting"] == ("Hello Ada.", "Dear Ada.", ["Dear"])
    assert said(page) == "1 passage differs. 28 → 27 characters (\N{MINUS SIGN}1)"


def test_two_scenarios_can_be_compared(visitor):
    """What one of them leaves out is left out on its side."""
    page = link(visitor, first_scenario="own", second_scenario="task")

    assert pairs(page) == {
        "Title": (None, "Title for Cy.", ["Title for Cy."]),
        "Facts": ("Facts.\nCoaching.", None, []),
        "Greeting": ("Hello Bo.", None, []),
        "Lead": ("Then:", None, []),
        "Authored prompt": ("Written <here>.", None, []),
    }


def test_a_scenario_is_played_at_its_own_level_unless_asked_otherwise(visitor):
    """As in the preview."""
    shown = {"first_scenario": "small", "second_scenario": "plain"}

    assert heads(link(visitor, **shown)) == [
        "Saved texts · Small · Lean",
        "Saved texts · Plain · Detailed",
    ]
    assert heads(link(visitor, **shown, level="lean"))[1].endswith("Lean")
    assert heads(link(visitor, **shown, first_level="detailed"))[0].endswith("Detailed")


@pytest.mark.parametrize(
    "query",
    [
        {"first_texts": "saved"},
        {"first_texts": "unsaved", "second_texts": "\0"},
        {"first_level": "extreme"},
        {"second_scenario": "plain"},
    ],
)
def test_equal_sides_are_said_to_be_equal(visitor, query):
    """What is no choice is passed over, and a link has nothing unsaved."""
    assert said(link(visitor, **query)) == "Both read the same. 28 → 28 characters"


def test_examples_can_be_compared(visitor):
    """By a blank scenario, or by one that is not there any more."""
    page = link(visitor, first_scenario="", second_scenario="gone")

    assert heads(page)[0] == "Saved texts · Every variable’s example · Detailed"
    assert said(page).startswith("Both read the same.")


@pytest.mark.parametrize("side", ["first", "second"])
def test_a_scenario_that_cannot_be_assembled_is_told(visitor, side):
    """With the side it is on, and the choices to leave it."""
    page = link(visitor, **{f"{side}_scenario": "broken"})

    told = page.one("p", class_="errornote").text
    assert told.startswith(
        "The prompt could not be assembled: Saved texts · Broken · Detailed."
    )
    assert "core.gone" in told
    assert pairs(page) == {}
    assert page.chosen(f"{side}_scenario") == "broken"


def test_a_hook_that_raises_is_told_with_its_cause(visitor, declared):
    """In the words of the error."""
    hooked(declared, lambda draft: 1 / 0)

    assert "division by zero" in link(visitor).one("p", class_="errornote").text


def test_two_empty_prompts_are_said_to_be_so(visitor):
    """Nothing would be sent on either side."""
    page = link(visitor, first_scenario="empty", second_scenario="empty")

    assert "Nothing would be sent in this scenario." in page.html
    assert said(page) == "Both read the same. 0 → 0 characters"


TYPED = {"text:core.b": "Dear {{name}}!", "fragment": "core.b", "scenario": "plain"}


@pytest.fixture
def typed(editor):
    """Return an editor, and the page that a text and a value were typed in."""
    visitor = Visitor(editor)
    page = visitor.open(fragment="core.b", scenario="plain", show="request", q="Dear")
    fields = {"text:core.b": TYPED["text:core.b"], "value:name": "Zoë"}
    return visitor, visitor.send(page, fields, "Side by side")


def test_what_is_saved_and_what_is_unsaved_stand_side_by_side(typed):
    """If anything is unsaved, with the edited sample values in both."""
    page = typed[1]

    assert heads(page) == [
        "Saved texts · Plain · Detailed",
        "Texts with what is unsaved · Plain · Detailed",
    ]
    assert pairs(page)["Greeting"][:2] == ("Hello Zoë.", "Dear Zoë!")
    assert "What you typed is kept, and not saved yet." in page.html


def test_sample_values_belong_to_the_scenario_they_were_edited_for(typed):
    """Another scenario has its own."""
    visitor, page = typed

    page = visitor.send(page, {"second_scenario": "own"}, "Show")

    assert pairs(page)["Greeting"][:2] == ("Hello Zoë.", "Dear Bo!")


def test_an_edited_sample_value_alone_is_kept(visitor):
    """It is in both prompts, and comes back with the page."""
    page = visitor.open(scenario="plain")

    page = visitor.send(page, {"value:name": "Zoë"}, "Side by side")

    assert page.form.attributes["method"] == "post"
    assert heads(page)[1] == "Saved texts · Plain · Detailed"
    assert pairs(page)["Greeting"] == ("Hello Zoë.", "Hello Zoë.", [])
    back = visitor.send(page, press="Back to editing")
    assert back.fields()["value:name"] == ["Zoë"]


def test_nothing_typed_is_lost_on_the_way_back(typed):
    """Text, value, choices of the page and place all come back."""
    visitor, page = typed
    page = visitor.send(page, {"first_level": "lean"}, "Show")

    back = visitor.send(page, press="Back to editing")

    assert back.box("core.b").raw == "Dear {{name}}!"
    assert back.fields()["value:name"] == ["Zoë"]
    chosen = [back.chosen(name) for name in ("scenario", "show", "q", "fragment")]
    assert chosen == ["plain", "request", "Dear", "core.b"]
    assert visitor.save(back).one("li", class_="success").text.startswith("1 change")


def test_a_passage_leads_to_its_fragment_with_what_is_typed(typed):
    """By a button of the same form."""
    visitor, page = typed

    page = visitor.send(page, press=("fragment", "core.a"))

    assert page.editor("core.a").attributes.get("data-current") is not None
    assert page.box("core.b").raw == "Dear {{name}}!"


def test_a_text_whose_fragment_is_gone_is_kept_too(editor):
    """There is nothing to compare it with, and it comes back."""
    visitor = Visitor(editor)
    visitor.post({"text:core.gone": "Mine"}, "compare")
    page = Page(visitor.answer.content.decode())

    assert heads(page)[1] == "Saved texts · Plain · Detailed"
    back = visitor.send(page, press="Back to editing")
    assert back.box("core.gone").raw == "Mine"


def test_with_nothing_typed_the_form_leads_to_a_link(visitor):
    """It can be kept and sent on; passages and the way back are links too."""
    page = visitor.open(fragment="core.b", scenario="own", show="markdown")

    page = visitor.send(page, press="Side by side")

    ((target, status),) = visitor.answer.redirect_chain
    assert status == 302
    assert target == (
        f"{address('compare')}?fragment=core.b&scenario=own&level=detailed&show=markdown"
    )
    place = f"{address()}?fragment=core.{{}}&scenario=own&level=detailed&show=markdown"
    links = [one.attributes["href"] for one in page.all("a", href=None)]
    for key in "ab":
        assert f"{place.format(key)}#core.{key}" in links
    assert page.form.attributes["method"] == "get"
    assert page.fields()["show"] == ["markdown"]


def test_a_form_that_only_chooses_leads_to_a_link_with_its_choices(visitor):
    """A text that was typed and taken back leaves nothing to keep."""
    visitor.post({"second_texts": "defaults", "scope": "tenant.acme"}, "compare")

    target = visitor.answer.redirect_chain[0][0]
    assert target == (f"{address('compare')}?scope=tenant.acme&second_texts=defaults")


def test_the_texts_of_the_scope_are_compared(visitor):
    """Those of the defaults are of the same scope."""
    services.save({"core.b": "Acme greets {{name}}."}, scope="tenant.acme")

    page = link(visitor, scope="tenant.acme", first_texts="defaults")

    assert pairs(page)["Greeting"][:2] == ("Hello Ada.", "Acme greets Ada.")
    assert page.one("h1").text == "Side by side for Acme"


def test_a_passage_of_a_hook_has_no_fragment_to_lead_to(visitor, declared):
    """It goes by its key."""
    hooked(
        declared,
        lambda draft: draft.sections.append(
            DraftSection("hook.own", "<Added>", 9, "core")
        ),
    )

    page = link(visitor)

    row = page.one("div", data_pair="hook.own")
    assert pairs(page)["hook.own"][:2] == ("<Added>", "<Added>")
    assert page.all("a", row) == []


@pytest.mark.parametrize("scenario", ["plain", "own", "task", "small", ""])
@pytest.mark.parametrize("level", ["lean", "detailed"])
def test_each_side_is_what_the_service_assembles(visitor, declared, scenario, level):
    """To the byte, whatever is chosen for it."""
    text = "Be {{name}}, {{{name}}}, {{nobody}}.\n<!-- detailed -->\nMore.\n"
    services.save({"core.b": f"{text}<!-- /detailed -->"})
    played = declared.view().scenarios.get(scenario)

    page = link(
        visitor,
        first_texts="defaults",
        second_scenario=scenario,
        second_level=level,
    )

    given = played.variables if played else {}
    assembly = services.assemble(
        include=played and played.include,
        variables={"name": "", **given},
        level=level,
    )
    shown = {one.key: one.text for one in assembly.sections}
    labels = {key: str(declared[key].label) for key in shown}
    found = {name: second for name, (_, second, _) in pairs(page).items()}
    assert {key: found[labels[key]] for key in shown} == shown
    authored = played.authored if played else ""
    _, _, after = said(page).partition(" → ")
    assert after.split()[0] == str(len(assembly.join(authored)))


@pytest.mark.parametrize("method", ["get", "post"])
def test_nothing_is_written_and_nothing_kept_by_a_cache(visitor, method):
    """Reading never writes, whatever is sent along."""
    visitor.open()
    before = everything()
    with CaptureQueriesContext(connection) as caught:
        answer = getattr(visitor.client, method)(
            address("compare"), {**TYPED, "_save": "", "comment": "x"}
        )

    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]
    assert everything() == before
    assert {query["sql"].split()[0] for query in caught} == {"SELECT"}


def test_it_takes_as_many_queries_for_many_texts_as_for_few(visitor, declared):
    """However many of them are saved or typed."""

    def asked():
        with CaptureQueriesContext(connection) as caught:
            visitor.post({**TYPED, "text:core.a": "x"}, "compare")
        return len(caught)

    visitor.open()
    few = asked()
    for number in range(40):
        declared.register(fragment(f"core.n{number}", "x", order=number))
        OverrideFactory(key=f"core.n{number}", text="y")
    visitor.open()

    assert asked() == few


@pytest.mark.parametrize("method", ["put", "delete", "patch", "options"])
def test_it_is_read_by_link_or_form(visitor, method):
    """Nothing else is answered."""
    answer = getattr(visitor.client, method)(address("compare"))

    assert answer.status_code == 405
    assert answer.headers["Allow"] == "GET, HEAD, POST"


def test_a_form_from_elsewhere_is_refused(viewer):
    """It would show texts that the person did not type."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(viewer)

    assert client.post(address("compare"), TYPED).status_code == 403


@pytest.mark.parametrize("site", ["admin", "ops"])
def test_every_link_stays_on_its_site(viewer, site):
    """That of the page, of its passages and of its form."""
    visitor = Visitor(viewer, site)

    page = link(visitor, site)

    other = {"admin": "ops", "ops": "admin"}[site]
    assert address(site=site) in page.html
    assert f'"/{other}/' not in page.html
    assert page.form.attributes["action"] == address("compare", site)


@pytest.mark.parametrize("scope", ["acme", "tenant.\0"])
def test_what_is_no_scope_is_a_bad_request(visitor, scope):
    """Guessing another would show the texts of the wrong layer."""
    client = visitor.client

    assert client.get(address("compare"), {"scope": scope}).status_code == 400
    assert client.post(address("compare"), {"scope": scope}).status_code == 400


def test_texts_of_somebody_who_was_signed_out_are_shown(editor):
    """As by every form that carries some."""
    answer = Client().post(address("compare"), TYPED)

    assert answer.status_code == 403
    assert "Dear {{name}}!" in answer.content.decode()
