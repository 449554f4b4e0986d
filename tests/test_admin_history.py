"""The list of saves: what a row says, by what it is narrowed, who may see it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from prompts_app import services
from prompts_app.declarations import Scope
from prompts_app.models import Change, Revision
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory, UserFactory
from tests.pages import Page, Visitor

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a few fragments and a scope."""
    registry.register(
        CORE,
        Scope("tenant.acme", label="Acme"),
        *(fragment(f"core.f{n}", f"Text {n}", label=f"Label {n}") for n in range(8)),
    )
    return registry


def get(user, verb="changelist", *arguments, site="admin", **query):
    """Return the answer of one page of the history."""
    client = Client()
    client.force_login(user)
    place = reverse(f"{site}:prompts_app_revision_{verb}", args=arguments)
    return client.get(place, query)


def listed(user, site="admin", **query):
    """Return the list as a page."""
    answer = get(user, site=site, **query)
    assert answer.status_code == 200, answer.status_code
    return Page(answer.content.decode())


def told(page):
    """Return what each row says: who, why, what, states and characters."""
    rows = page.all("tr", page.one("table", id="result_list"))[1:]
    return [
        (
            page.one("span", page.one("th", row, class_="field-when")).text,
            page.one("span", row, class_="prompts-why").text,
            page.all("span", page.one("td", row, class_="field-why"))[-1].text,
            page.one("td", row, class_="field-state_after").text,
            page.one("td", row, class_="field-characters").text,
        )
        for row in rows
    ]


def options(page, name):
    """Return value and words of each option of one filter."""
    chosen = page.all("option", page.one("select", name=name))
    return [(one.attributes["value"], one.text) for one in chosen]


def whys(page):
    """Return the comments of the rows."""
    return [why for _, why, *_ in told(page)]


def test_rows_say_who_why_what_and_what_came_of_it(viewer, editor):
    """Newest first; a save without a comment says so."""
    services.save({"core.f1": "Longer 1"}, author=editor, comment="For a test")
    services.save({"core.f2": "", "core.f3": "Text three"}, author=editor)
    services.save({"core.f1": "Near"}, scope="tenant.acme")
    services.reset(["core.f1"], author=editor, comment="Back")

    assert told(listed(viewer)) == [
        ("editor", "Back", "Default restored: Label 1", "Built-in", "\u22122"),
        ("–", "No comment", "Saved: Label 1 (Acme)", "Changed", "\u22122"),
        ("editor", "No comment", "Saved: Label 2, Label 3", "Changed Off", "\u22122"),
        ("editor", "For a test", "Saved: Label 1", "Changed", "+2"),
    ]


def test_a_text_of_white_space_is_off(viewer):
    """As nothing is sent for it; as long as before it makes no difference."""
    services.save({"core.f1": " \t  \t "})

    ((*_, state, characters),) = told(listed(viewer))

    assert (state, characters) == ("Off", "0")


def test_a_row_names_five_texts_and_counts_the_rest(viewer):
    """A save of everything does not fill the page."""
    services.save({f"core.f{n}": "New" for n in range(7)})

    ((_, _, texts, *_),) = told(listed(viewer))

    assert texts == "Saved: Label 0, Label 1, Label 2, Label 3, Label 4 and 2 more"


def test_who_is_gone_keeps_the_name(viewer):
    """In the list and among the people to choose from."""
    gone = UserFactory(username="gone", is_superuser=True)
    services.save({"core.f1": "One"}, author=gone)
    services.save({"core.f1": "Two"})
    gone.delete()

    page = listed(viewer)

    assert told(page)[1][0] == "gone (account removed)"
    assert options(page, "person") == [
        ("", "Everybody"),
        (":code", "The software itself"),
        ("gone", "gone (account removed)"),
    ]
    assert len(told(listed(viewer, person=":code"))) == 1
    assert told(listed(viewer, person="gone"))[0][0] == "gone (account removed)"


def test_an_empty_history_says_that_the_defaults_are_in_force(viewer):
    """There is no table without rows."""
    page = listed(viewer)

    assert page.one("p", class_="prompts-none").text == (
        "Nobody has changed a text yet. The defaults are in force."
    )
    assert not page.has("table", id="result_list")
    assert not page.has("select", name="scope")


def test_fragment_and_scope_narrow_to_one_and_the_same_text(viewer):
    """A save of the text elsewhere, and of another text there, is not meant."""
    services.save({"core.f1": "One"}, comment="whole")
    services.save({"core.f1": "Near"}, scope="tenant.acme", comment="near")
    services.save({"core.f2": "Near"}, scope="tenant.acme", comment="other")
    page = listed(viewer)

    assert options(page, "key") == [
        ("", "All fragments"),
        ("core.f1", "Label 1 · core.f1"),
        ("core.f2", "Label 2 · core.f2"),
    ]
    assert options(page, "scope") == [
        ("", "All scopes"),
        ("global", "The whole installation"),
        ("tenant.acme", "Acme"),
    ]
    assert whys(listed(viewer, key="core.f1")) == ["near", "whole"]
    assert whys(listed(viewer, scope="global")) == ["whole"]
    assert whys(listed(viewer, key="core.f1", scope="tenant.acme")) == ["near"]
    assert whys(listed(viewer, key="", scope="", person="", kind="")) == whys(page)


def test_the_whole_installation_goes_by_its_name_where_it_stands_alone(viewer):
    """Not by the word that stands for it in an address."""
    services.save({"core.f1": "One"})

    words = dict(options(listed(viewer, scope="global"), "scope"))

    assert words["global"] == "The whole installation"


def test_kinds_and_words_narrow_it(viewer):
    """The search looks into comments and keys."""
    services.save({"core.f1": "One"}, comment="Curt")
    services.reset(["core.f1"], comment="Long")
    services.restore(1, comment="Curt again")

    assert whys(listed(viewer, kind="restore")) == ["Curt again"]
    assert whys(listed(viewer, q="curt")) == ["Curt again", "Curt"]
    assert len(whys(listed(viewer, q="core.f1"))) == 3
    page = listed(viewer, q="curt", kind="save")
    assert whys(page) == ["Curt"]
    assert page.one("input", name="q").attributes["value"] == "curt"


def test_a_link_may_name_what_nobody_knows(viewer):
    """It is shown as chosen, so that it can be taken back."""
    services.save({"core.f1": "One"})

    page = listed(viewer, key="core.never")

    chosen = page.one("option", page.one("select", name="key"), selected=None)
    assert chosen.attributes["value"] == "core.never"
    assert "0 revisions" in page.html


def test_a_year_narrows_it(viewer):
    """The dates above the list are those of the saves."""
    services.save({"core.f1": "One"}, comment="Old")
    Revision.objects.update(created_at=datetime(2020, 3, 1, 9, tzinfo=UTC))
    services.save({"core.f1": "Two"}, comment="New")

    page = listed(viewer, created_at__year="2020")

    assert whys(page) == ["Old"]
    kept = page.one("input", name="created_at__year")
    assert kept.attributes["value"] == "2020"
    assert kept.inside(page.one("select", name="kind").parent.parent)


def test_only_the_right_to_see_revisions_opens_it(stranger, editor):
    """Who may only read texts may not read who changed them."""
    services.save({"core.f1": "One"})
    (revision,) = Revision.objects.all()
    reader = UserFactory(permissions=["prompts_app.view_override"])

    for user in (stranger, reader):
        assert get(user).status_code == 403
        assert get(user, "change", revision.pk).status_code == 403
        assert get(user, "prompt", moment=1).status_code == 403
    assert get(editor).status_code == 200


def test_nothing_is_added_changed_or_deleted(superuser):
    """Not even by who holds every right."""
    services.save({"core.f1": "One"})
    (revision,) = Revision.objects.all()

    assert get(superuser, "add").status_code == 403
    assert get(superuser, "delete", revision.pk).status_code == 403
    client = Client()
    client.force_login(superuser)
    place = reverse("admin:prompts_app_revision_changelist")
    client.post(place, {"action": "delete_selected", "_selected_action": revision.pk})
    assert Revision.objects.count() == 1


@pytest.mark.case(83, 84)
def test_labels_with_braces_and_markup_are_text(viewer, registry):
    """Whatever a label, comment or name holds."""
    registry.register(fragment("core.odd", "Odd", label="{0} <b>{x}</b>"))
    services.save({"core.odd": "New"}, comment="<script>{1}</script>")

    ((_, why, texts, *_),) = told(listed(viewer))

    assert why == "<script>{1}</script>"
    assert texts == "Saved: {0} <b>{x}</b>"


def test_ten_thousand_saves_cost_as_many_queries_as_ten(viewer):
    """The list is paged, and what it reads does not grow."""
    for number in range(10):
        services.save({"core.f1": f"Text {number}", "core.f2": f"{number}"})
    client = Client()
    client.force_login(viewer)
    place = reverse("admin:prompts_app_revision_changelist")
    client.get(place)
    with CaptureQueriesContext(connection) as few:
        client.get(place)
    made = Revision.objects.bulk_create(
        Revision(number=n, kind="save", author_name=f"user{n % 30}", comment="Why")
        for n in range(11, 10_001)
    )
    Change.objects.bulk_create(
        Change(revision=one, key=f"core.f{one.number % 8}", after="New") for one in made
    )

    with CaptureQueriesContext(connection) as many:
        page = Page(client.get(place).content.decode())

    assert len(many) <= len(few)
    assert len(told(page)) == 50
    assert "10000 revisions" in page.html.replace(",", "")


def test_a_second_site_lists_them_under_its_own_address(viewer):
    """Links stay on it."""
    services.save({"core.f1": "One"}, comment="Why")

    page = listed(viewer, site="ops")

    links = [one.attributes["href"] for one in page.all("a", href=None)]
    assert whys(page) == ["Why"]
    assert not [link for link in links if link.startswith("/admin/")]


@pytest.mark.parametrize("site", ["admin", "ops"])
def test_the_page_leads_to_the_history(editor, site):
    """From its top line, from the latest saves and from each text."""
    services.save({"core.f1": "One"}, author=editor)
    services.save({"core.f1": "Two"}, author=editor)
    (revision,) = Revision.objects.filter(number=2)
    visitor = Visitor(editor, site)
    start = visitor.open()
    place = reverse(f"{site}:prompts_app_revision_changelist")

    links = [one.attributes["href"] for one in start.all("a", href=None)]
    opened = visitor.open(fragment="core.f1")
    fold = opened.one("details", opened.editor("core.f1"), data_past=None)

    assert place in links
    assert f"{place}{revision.pk}/change/" in links
    assert opened.one("summary", fold).text.startswith("History 2 saves, last on ")
    assert opened.one("summary", fold).text.endswith(" by editor")
    link = opened.one("a", fold).attributes["href"]
    assert link == f"{place}?key=core.f1&scope=global"
    answer = visitor.client.get(link)
    assert len(told(Page(answer.content.decode()))) == 2


def test_a_text_tells_of_the_saves_in_the_pages_scope(viewer):
    """Code has no name, and what was never saved has no link."""
    services.save({"core.f1": "Near"}, scope="tenant.acme")
    page = Visitor(viewer).open(scope="tenant.acme", fragment="core.f1")
    other = Visitor(viewer).open(fragment="core.f1")

    fold = page.one("details", page.editor("core.f1"), data_past=None)
    never = other.one("details", other.editor("core.f1"), data_past=None)

    assert page.one("summary", fold).text.startswith("History 1 save, last on ")
    assert " by " not in page.one("summary", fold).text
    assert page.one("a", fold).attributes["href"].endswith("scope=tenant.acme")
    assert never.text == "History never saved"


def test_a_text_remembers_the_saves_under_its_earlier_keys(viewer, registry):
    """A save that moved it from the one to the other counts once."""
    with registry.register(fragment("core.was", "Was")):
        services.save({"core.was": "One"}, comment="Before")
    registry.register(fragment("core.is", "Was", former_keys=("core.was",)))
    services.save({"core.is": "Two"}, comment="After")
    services.save({"core.f1": "Other"}, comment="Other")
    visitor = Visitor(viewer)

    page = visitor.open(fragment="core.is")
    fold = page.one("details", page.editor("core.is"), data_past=None)

    assert page.one("summary", fold).text.startswith("History 2 saves")
    answer = visitor.client.get(page.one("a", fold).attributes["href"])
    assert whys(Page(answer.content.decode())) == ["After", "Before"]


def test_without_the_right_the_page_says_nothing_of_history():
    """Neither a tool nor a fold."""
    services.save({"core.f1": "One"})
    reader = UserFactory(permissions=["prompts_app.view_override"])

    page = Visitor(reader).open(fragment="core.f1")

    assert not page.has("details", data_past=None)
    assert "History" not in page.html


def test_the_latest_saves_name_who_is_gone(viewer):
    """As the history does."""
    gone = UserFactory(username="gone", is_superuser=True)
    services.save({"core.f1": "One"}, author=gone)
    gone.delete()

    assert "gone (account removed)" in Visitor(viewer).open().html


def test_a_save_of_the_page_is_logged_without_its_texts(editor):
    """The admin's recent actions lead to the save."""
    visitor = Visitor(editor)
    page = visitor.open(fragment="core.f1")

    visitor.save(page, {"text:core.f1": "Canary"}, comment="Canary")

    (entry,) = LogEntry.objects.all()
    (revision,) = Revision.objects.all()
    assert entry.get_edited_object() == revision
    assert entry.user == editor
    assert entry.get_change_message() == "Changed text for fragment “core.f1”."
    assert "Canary" not in entry.change_message


@pytest.mark.parametrize("site", ["admin", "ops"])
def test_a_save_of_the_page_can_be_undone_at_once(editor, site):
    """The message leads to the review that does it."""
    visitor = Visitor(editor, site)
    page = visitor.open(fragment="core.f1")

    saved = visitor.save(page, {"text:core.f1": "New"})

    link = saved.one("a", saved.one("li", class_="success"))
    assert link.text == "Undo"
    assert link.attributes["href"] == f"/{site}/prompts_app/revision/restore/?undo=1"
    assert "Undo save 1" in visitor.client.get(link.attributes["href"]).content.decode()


def test_who_may_not_see_history_is_offered_no_undo():
    """The link would lead nowhere."""
    rights = ["prompts_app.view_override", "prompts_app.change_override"]
    visitor = Visitor(UserFactory(permissions=rights))
    page = visitor.open(fragment="core.f1")

    saved = visitor.save(page, {"text:core.f1": "New"})

    assert not saved.all("a", saved.one("li", class_="success"))


def test_what_changed_nothing_is_not_logged(editor):
    """A text that is what stands beneath it makes no save."""
    OverrideFactory(key="core.f1", text="Kept")
    visitor = Visitor(editor)
    page = visitor.open(fragment="core.f1")

    visitor.save(page, {"text:core.f1": "New"}, take=[])

    assert not LogEntry.objects.exists()
