"""What a script asks the server for while somebody types."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext

from prompts_app import services
from prompts_app.assembly import DraftSection
from prompts_app.declarations import Scenario, Variable
from tests.assembling import CORE, TASKS, fragment, hooked
from tests.pages import Page, Visitor, address
from tests.storing import everything

pytestmark = pytest.mark.django_db

SCRIPT_VIEWS = ("preview", "editors")


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a prompt of two texts, and a task."""
    registry.register(
        CORE,
        TASKS,
        Variable("name", label="Name", example="Ines"),
        fragment("core.a", "Hello {{name}}.", order=1),
        fragment("core.b", "Beta", order=2),
        fragment("task.c", "Gamma", group="tasks"),
    )
    return registry


@pytest.fixture
def visitor(viewer):
    """Return somebody who may look at the page."""
    return Visitor(viewer)


@pytest.mark.parametrize("verb", SCRIPT_VIEWS)
@pytest.mark.parametrize("method", ["get", "head", "put", "delete", "options"])
def test_a_script_has_to_post(visitor, verb, method):
    """Texts do not belong into addresses, which end up in logs."""
    answer = getattr(visitor.client, method)(address(verb))

    assert answer.status_code == 405
    assert answer.headers["Allow"] == "POST"


@pytest.mark.parametrize("site", ["admin", "ops"])
@pytest.mark.parametrize("verb", [*SCRIPT_VIEWS, "changelist"])
def test_a_post_from_elsewhere_is_refused(viewer, verb, site):
    """Without the token of the page nothing is answered."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(viewer)

    assert client.post(address(verb, site), {"text:core.a": "x"}).status_code == 403


@pytest.mark.parametrize("site", ["admin", "ops"])
@pytest.mark.parametrize("verb", SCRIPT_VIEWS)
def test_a_post_with_the_token_of_the_page_is_answered(viewer, verb, site):
    """The form's own hidden field is enough."""
    visitor = Visitor(viewer, site, enforce_csrf_checks=True)
    token = visitor.open().fields()["csrfmiddlewaretoken"]

    answer = visitor.post({"csrfmiddlewaretoken": token, "fragment": "core.a"}, verb)

    assert answer.status_code == 200


@pytest.mark.parametrize("verb", SCRIPT_VIEWS)
def test_answers_are_not_kept_by_any_cache(visitor, verb):
    """Unsaved texts belong to one person."""
    assert "no-store" in visitor.post({}, verb).headers["Cache-Control"]


def test_the_page_itself_is_not_kept_either(visitor):
    """Nor does a browser keep what was typed for whoever sits down next."""
    visitor.open()

    assert "no-store" in visitor.answer.headers["Cache-Control"]


@pytest.mark.parametrize("verb", SCRIPT_VIEWS)
def test_nothing_is_written(visitor, verb):
    """Reading never writes, whatever is sent along."""
    services.save({"core.b": "Stored"})
    visitor.open()
    before = everything()

    with CaptureQueriesContext(connection) as caught:
        visitor.post({"text:core.a": "x", "_save": "", "comment": "x"}, verb)

    assert everything() == before
    assert {query["sql"].split()[0] for query in caught} == {"SELECT"}


def test_a_script_learns_the_place_of_each_passage(visitor):
    """Editors say which passage they are; the answer tells it for all at once."""
    fields = {"text:core.a": "", "fragment": "core.b", "parts": "output"}

    answer = visitor.post(fields, "preview").json()

    assert answer["places"] == {"core.b": 1}


def test_a_script_gets_the_legend_of_the_text_as_it_is_typed(visitor):
    """Of the one in view only, since only that one is looked at."""
    fields = {"text:core.b": "{{name}} {{nobody}}", "fragment": "core.b"}

    legend = visitor.ask("legend", fields)

    assert [one.text for one in legend.all("tr")][1:] == [
        "{{name}} Name Ines Every turn",
        "{{nobody}} No variable of this name is declared. blank",
    ]
    assert not legend.has("button")


def test_who_may_type_gets_a_legend_to_choose_from(editor):
    """The buttons insert at the caret."""
    fields = {"text:core.a": "{{name}}", "fragment": "core.a"}

    legend = Visitor(editor).ask("legend", fields)

    assert legend.one("button", data_insert="name").text == "{{name}}"


def test_without_a_fragment_in_view_there_is_no_legend(visitor):
    """The start view shows the prompt alone."""
    assert visitor.ask("legend", {}).one("p").text == "This text uses no variables."


def test_the_raw_prompt_comes_along_for_copying(visitor):
    """It is data, not markup, and holds the very characters."""
    page = visitor.preview({"text:core.a": "<b>\"Tom\" & 'Ann'</b></script>"})

    raw = page.one("script", id="prompts-raw")
    assert raw.attributes["type"] == "application/json"
    assert json.loads(raw.raw) == "<b>\"Tom\" & 'Ann'</b></script>\n\nBeta"


def test_a_hook_that_raises_is_shown(visitor, declared):
    """It names the hook, and the page stands."""

    def fail(draft):
        raise RuntimeError("the <hook> broke")

    hooked(declared, fail)

    page = visitor.preview({"text:core.a": "x"})
    said = page.one("p", class_="errornote").text

    assert said.startswith("The prompt could not be assembled. The hook ")
    assert said.endswith("raised an error: the <hook> broke")
    assert page.passages() == {}
    assert visitor.open(fragment="core.a").box("core.a").raw == "Hello {{name}}."


def test_a_hook_that_raises_hides_no_sample_value(visitor, declared):
    """A sample value may be what makes it raise."""
    hooked(declared, lambda draft: 1 / 0)

    page = visitor.open()

    assert page.has("input", name="value:name")


def test_a_passage_that_a_hook_adds_goes_by_its_own_key(visitor, declared):
    """There is no label for what nobody declared, and no editor to lead to."""

    def add(draft):
        draft.sections.append(DraftSection("hook.own", "Added", 9, "core"))

    hooked(declared, add)

    page = visitor.open()
    passage = page.one("div", data_passage_of="hook.own")

    assert passage.text == "hook.own Added"
    assert page.all("button", passage) == []


@override_settings(PROMPTS_APP_TOOL_ORDER=["not_in_this_scenario", "*"])
def test_a_scenario_need_not_offer_every_tool_of_the_order(visitor):
    """It plays one situation; the order speaks of all of them."""
    page = visitor.open(fragment="core.a")

    assert page.passages()["core.b"] == "Beta"


def test_a_scenario_with_a_value_that_cannot_be_written_is_shown(visitor, declared):
    """The fault is the scenario's, and no reason to lose the page."""
    declared.register(
        Scenario("fine", label="Fine"),
        Scenario("odd", label="Odd", variables={"name": ["a", "list"]}),
    )

    assert visitor.open(fragment="task.c").passages() != {}
    assert visitor.open(scenario="odd").has("p", class_="errornote")


def test_a_scenario_that_includes_what_is_gone_is_shown(visitor, declared):
    """So is one that names a fragment nobody declares any more."""
    declared.register(Scenario("odd", label="Odd", include=("core.gone",)))

    page = visitor.open(scenario="odd")

    assert "core.gone" in page.one("p", class_="errornote").text


GARBAGE = {
    "text:": "x",
    "text:core.a": "{{",
    "text:no such key": "x",
    "text:core.b\0": "\0",
    "etag:core.a": "zz",
    "shown:core.a": "\ud7ff",
    "value:": "x",
    "value:name": "\0",
    "level": "extreme",
    "scenario": "\0",
    "fragment": "../../etc",
    "confirm:core.a": "\0",
    "settle:core.a": "?",
    "_restore": "\0",
    "values_of": "?",
}


@pytest.mark.parametrize("verb", [*SCRIPT_VIEWS, "changelist"])
def test_garbage_is_no_error(visitor, verb):
    """Whatever is posted is answered, and what makes sense of it is used."""
    before = everything()

    answer = visitor.post(GARBAGE, verb)

    assert answer.status_code == 200
    assert everything() == before


@pytest.mark.parametrize("verb", [*SCRIPT_VIEWS, "changelist"])
@pytest.mark.parametrize("scope", ["acme", "../x", "tenant.\0"])
def test_what_is_no_scope_is_a_bad_request(visitor, verb, scope):
    """Guessing another would show the texts of the wrong layer."""
    assert visitor.post({"scope": scope}, verb).status_code == 400
    assert visitor.client.get(address(), {"scope": scope}).status_code == 400


def test_a_script_gets_the_editors_of_the_group_it_opens(visitor):
    """With the texts typed there, and those of other groups left out."""
    fields = {"fragment": "task.c", "text:task.c": "Mine", "text:core.a": "Yours"}

    page = Page(visitor.post(fields, "editors").content.decode())

    assert page.edited() == ["task.c"]
    assert page.box("task.c").raw == "Mine"


@pytest.mark.parametrize("key", ["", "core.gone"])
def test_a_script_that_opens_nothing_gets_nothing(visitor, key):
    """A fragment may have gone while the page was open."""
    assert visitor.post({"fragment": key}, "editors").content.strip() == b""
