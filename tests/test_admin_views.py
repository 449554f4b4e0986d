"""The page in the admin: its address, its links, its banners."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.test import Client, override_settings
from django.urls import reverse

from prompts_app import services
from prompts_app.assembly import Snapshot
from prompts_app.models import Override
from prompts_app.testing import override_prompts
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory
from tests.pages import Visitor, address
from tests.storing import everything, rows

pytestmark = pytest.mark.django_db

SITES = ("admin", "ops")
IGNORED = (
    "Saved texts are ignored (PROMPTS_APP_IGNORE_OVERRIDES). The defaults are in force; "
    "nothing was deleted."
)
DEGRADED = "The database did not answer. These are the last known texts."


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def banners(page):
    """Return the admin's messages above the page."""
    return [one.text for one in page.all("li", class_="warning")]


@pytest.mark.parametrize("site", SITES)
def test_the_admins_start_page_links_the_page(site, viewer):
    """Under the app's name, as the list of its model; nothing can be added there."""
    client = Client()
    client.force_login(viewer)

    html = client.get(reverse(f"{site}:index")).content.decode()

    assert f'href="{address(site=site)}"' in html
    assert address("add", site) not in html
    assert "Prompts" in html
    assert "Fragments" in html


def test_the_page_belongs_to_a_real_model(superuser):
    """It is registered as any model is, and the admin's own checks have no word."""
    model_admin = admin.site.get_model_admin(Override)

    assert model_admin.check() == []


@pytest.mark.parametrize("site", SITES)
def test_every_link_of_the_page_stays_on_its_site(site, editor):
    """Forms, buttons, links and what the script asks for all know the site."""
    page = Visitor(editor, site).open(fragment="core.today")

    form = page.one("form", id="prompts-form").attributes
    targets = [form["action"], form["data-preview"], form["data-editors"]]
    targets += [
        one.attributes["formaction"] for one in page.all("button", formaction=None)
    ]
    targets += [
        one.attributes["href"]
        for one in page.all("a", href=None)
        if not one.attributes["href"].startswith(("#", "/static/"))
    ]
    inside = address(site=site).removesuffix("prompts_app/override/")
    assert len(targets) > 40
    assert [one for one in targets if not one.startswith(inside) and one != "/"] == []


@pytest.mark.parametrize("site", SITES)
def test_a_script_gets_links_of_the_same_site(site, viewer):
    """What is put into the page later leads to where the page came from."""
    output = Visitor(viewer, site).preview({"fragment": "core.today"}).html

    other = {"admin": "/ops/", "ops": "/admin/"}[site]
    assert address(site=site) in output
    assert other not in output


@pytest.mark.parametrize("site", SITES)
def test_the_address_of_a_row_leads_to_its_place(site, viewer):
    """So does every link that Django makes to a row."""
    row = OverrideFactory(key="core.today", scope="tenant.acme")
    visitor = Visitor(viewer, site)

    answer = visitor.client.get(address("change", site, row.pk))

    assert answer.status_code == 302
    assert answer.url == (
        f"{address(site=site)}?scope=tenant.acme&fragment=core.today#core.today"
    )
    assert visitor.client.get(answer.url).status_code == 200


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "x", "9" * 30, "٣", "review"])
def test_the_address_of_no_row_is_not_found(viewer, number):
    """Whatever stands in the place of its number."""
    client = Client()
    client.force_login(viewer)

    assert client.get(address("change", "admin", number)).status_code == 404


@pytest.mark.parametrize(
    "query",
    [
        {"fragment": "core.none"},
        {"fragment": "'; DROP TABLE"},
        {"fragment": "core.today\0"},
        {"fragment": "", "scope": ""},
        {"q": "x", "state": "off", "p": "0", "o": "1", "e": "1", "_popup": "1"},
    ],
)
def test_a_link_to_no_fragment_shows_the_start_view(visitor, query):
    """Old links go on working, and parameters that mean nothing here do no harm."""
    page = visitor.open(**query)

    assert "Where would you like to begin?" in page.html
    assert page.edited() == []
    assert page.chosen("fragment") == ""


def test_a_link_may_name_everything_at_once(visitor):
    """It gives the view that the form of the same fields gives."""
    query = {
        "scope": "tenant.acme",
        "fragment": "core.style",
        "scenario": "agent_chat",
        "level": "lean",
    }

    page = visitor.open(**query)

    assert {name: page.chosen(name) for name in query} == query
    assert "coaching" not in page.passages()["core.style"]


@pytest.mark.parametrize(
    ("query", "scenario", "level"),
    [
        ({}, "plain_chat", "detailed"),
        ({"scenario": "none_such"}, "", "detailed"),
        ({"level": "extreme"}, "plain_chat", "detailed"),
        ({"scenario": "", "level": "lean"}, "", "lean"),
    ],
)
def test_what_a_link_names_wrongly_falls_back(visitor, query, scenario, level):
    """An unknown scenario shows the examples, an unknown level the usual one."""
    page = visitor.open(fragment="core.style", **query)

    assert (page.chosen("scenario"), page.chosen("level")) == (scenario, level)


def test_looking_at_the_page_writes_nothing(visitor):
    """Reading never writes, on any view of it."""
    OverrideFactory(key="core.today", text="Mine")
    before = everything()

    for key in ("", "core.today", "task.title"):
        visitor.open(fragment=key)

    assert everything() == before


@pytest.mark.parametrize(
    "key", ["core.add", "core.preview", "core.history", "core.export", "core.0"]
)
@pytest.mark.case(53, 54)
def test_keys_that_look_like_addresses_open_their_own_editor(registry, visitor, key):
    """A key stands in the query alone, so no route can be mistaken for it."""
    registry.register(CORE, fragment(key, "Alpha"))

    page = visitor.open(fragment=key)
    page = visitor.send(page, {f"text:{key}": "Mine"}, ("_restore", key))
    assert page.box(key).raw == "Alpha"
    page = visitor.save(page, {f"text:{key}": "Mine"})

    assert page.edited() == [key]
    assert rows() == {("", key): "Mine"}
    row = Override.objects.get()
    followed = visitor.client.get(address("change", "admin", row.pk), follow=True)
    assert f'id="text:{key}"' in followed.content.decode()


@pytest.mark.case(35)
@override_settings(PROMPTS_APP_IGNORE_OVERRIDES=True)
def test_ignored_overrides_are_shown_as_stored_and_previewed_as_in_force(visitor):
    """The banner says that the defaults are sent; the editors show what is kept."""
    OverrideFactory(key="core.heading", text="## Mine", default_text="Was")

    page = visitor.open(fragment="core.heading")

    assert banners(page) == [IGNORED]
    assert page.box("core.heading").raw == "## Mine"
    assert "Drifted" in page.row("core.heading").text
    assert page.passages()["core.heading"] == "## How to work in this chat"


@pytest.mark.case(35)
@override_settings(PROMPTS_APP_IGNORE_OVERRIDES=True)
def test_ignored_overrides_can_be_saved_all_the_same(visitor):
    """Nothing is deleted, and nobody meets a conflict with a text of their own."""
    services.save({"core.heading": "## Mine", "core.style": "Mine"})
    page = visitor.open(fragment="core.heading")

    visitor.save(page, {"text:core.heading": "## Better"})

    assert rows() == {("", "core.heading"): "## Better", ("", "core.style"): "Mine"}
    assert services.assemble().text.startswith("## How to work in this chat")


def test_without_trouble_there_is_no_banner(visitor):
    """Exceptions speak, the rule is silent."""
    assert banners(visitor.open()) == []


def test_last_known_texts_are_announced(visitor):
    """Somebody who edits has to know that the database did not answer."""
    known = Snapshot({("", "core.heading"): "## Known"}, degraded=True)

    with override_prompts(known):
        page = visitor.open()

    assert banners(page) == [DEGRADED]
    assert page.passages()["core.heading"] == "## Known"


def test_a_project_may_add_to_the_pages_context(rf, editor):
    """As with every view of a model's admin."""
    model_admin = admin.site.get_model_admin(Override)
    request = rf.get("/")
    request.user = editor

    answer = model_admin.changelist_view(request, {"title": "Texts of the assistant"})

    assert "<h1>Texts of the assistant" in answer.render().content.decode()
