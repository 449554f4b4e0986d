"""Bringing earlier texts back: a review first, then a save like any other."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client, override_settings
from django.urls import reverse

from prompts_app import services
from prompts_app.declarations import Group, Scope
from prompts_app.models import Revision, StoredState
from tests.assembling import CORE, fragment, variable
from tests.factories import UserFactory
from tests.pages import Page
from tests.storing import everything, history, rows

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare texts, one of which has to mention a name, one for few people."""
    registry.register(
        CORE,
        Group("guarded", label="Guarded", order=2, permission="auth.add_group"),
        Scope("tenant.acme", label="Acme"),
        variable("name"),
        fragment("core.a", "Alpha", label="First"),
        fragment("core.b", "Beta", label="Second"),
        fragment("core.asks", "Ask {{name}}", label="Asks", must_mention=("name",)),
        fragment("core.guard", "Guard", label="Guard", group="guarded"),
    )
    return registry


class Historian:
    """Somebody who goes back in time, with scripts switched off."""

    def __init__(self, user, site="admin"):
        self.client = Client()
        self.client.force_login(user)
        self.place = reverse(f"{site}:prompts_app_revision_restore")
        self.answer = None

    def ask(self, **query):
        """Return the review that a link leads to."""
        self.answer = self.client.get(self.place, query)
        return self._page()

    def press(self, page, button="_restore", **changes):
        """Return what comes of pressing a button after *changes*."""
        (form,) = page.all("form", id="prompts-restore")
        fields = {}
        for tag in ("input", "textarea"):
            for one in page.all(tag, form, name=None):
                ticks = one.attributes.get("type") == "checkbox"
                if not ticks or "checked" in one.attributes:
                    value = one.raw if tag == "textarea" else one.attributes["value"]
                    fields.setdefault(one.attributes["name"], []).append(value)
        fields = {**fields, **changes, button: ""}
        self.answer = self.client.post(self.place, fields, follow=True)
        return self._page()

    def _page(self):
        return Page(self.answer.content.decode())


@pytest.fixture
def historian(editor):
    """Return an editor who goes back in time."""
    return Historian(editor)


def reviewed(page):
    """Return what the review says of each text: heading, steps, and differences."""
    return [
        (
            page.one("h2", one).text,
            page.one("p", one, class_="prompts-steps").text,
            [part.text for part in page.all("ins", one)],
            [part.text for part in page.all("del", one)],
        )
        for one in page.all("article")
    ]


def said(page):
    """Return the messages on top of a page."""
    return [one.text for one in page.all("li", page.one("ul", class_="messagelist"))]


@pytest.mark.case(40)
def test_a_save_is_undone_after_a_review(historian, editor):
    """Looking writes nothing; pressing makes one save with author and reason."""
    services.save({"core.a": "Alpha one", "core.b": ""})
    services.save({"core.a": "Alpha two", "core.b": "Beta"})
    before = everything()

    page = historian.ask(undo="2")

    assert everything() == before
    assert page.one("h1").text == "Undo save 2"
    assert reviewed(page) == [
        ("Second core.b", "Built-in → Off 4 → 0 characters", [], ["Beta"]),
        ("First core.a", "Changed → Changed 9 → 9 characters", ["one"], ["two"]),
    ]
    done = historian.press(page, comment="Too curt")
    assert rows() == {("", "core.a"): "Alpha one", ("", "core.b"): ""}
    assert said(done) == ["Restored as save 3. It is in use from the next request on."]
    assert done.one("h1").text == "Save 3"
    revision = Revision.objects.get(number=3)
    assert (revision.author, revision.comment) == (editor, "Too curt")
    assert (revision.kind, revision.restores) == ("restore", 1)


def test_one_text_comes_back(historian):
    """The others stay as they are, those of other scopes too."""
    services.save({"core.a": "One", "core.b": "Uno"})
    services.save({"core.a": "Two", "core.b": "Due"})
    services.save({"core.a": "Near"}, scope="tenant.acme")

    page = historian.ask(moment="1", text=":core.a")
    historian.press(page)

    assert page.one("h1").text == "Restore what was in force after save 1"
    assert not page.has("input", name="take")
    assert rows() == {
        ("", "core.a"): "One",
        ("", "core.b"): "Due",
        ("tenant.acme", "core.a"): "Near",
    }


def test_everything_comes_back_as_of_a_moment(historian):
    """0 is before the first save; texts that are left out by hand stay."""
    services.save({"core.a": "One", "core.b": "Uno"})
    services.save({"core.a": "Near"}, scope="tenant.acme")

    page = historian.ask(moment="0")
    historian.press(page, take=[":core.a", "tenant.acme:core.a"])

    assert page.one("h1").text == "Restore what was in force before the first save"
    assert [heading for heading, *_ in reviewed(page)] == [
        "First core.a",
        "Second core.b",
        "First core.a for Acme",
    ]
    assert rows() == {("", "core.b"): "Uno"}


def test_nothing_ticked_restores_nothing(historian):
    """And makes no save."""
    services.save({"core.a": "One", "core.b": "Uno"})
    before = everything()

    done = historian.press(historian.ask(undo="1"), take=[])

    assert everything() == before
    assert said(done) == ["Nothing was restored."]
    assert not LogEntry.objects.exists()


def test_what_is_in_force_already_offers_no_button(historian):
    """There is nothing to press."""
    services.save({"core.a": "One"})

    page = historian.ask(moment="1")

    assert "There is nothing to restore: all of it is in force now." in page.html
    assert not page.has("button", class_="default")


def test_a_text_saved_meanwhile_is_looked_at_again(historian):
    """Nobody's save goes unseen, and what was typed stays."""
    services.save({"core.a": "One"})
    services.save({"core.a": "Two"})
    page = historian.ask(undo="2")
    services.save({"core.a": "Three"})
    before = everything()

    again = historian.press(page, comment="Too curt")

    assert everything() == before
    assert historian.answer.status_code == 200
    assert again.one("p", class_="errornote").text.startswith(
        "Nothing was restored: others have saved meanwhile."
    )
    assert reviewed(again)[0][3] == ["Three"]
    comment = again.one("input", name="comment")
    assert comment.attributes["value"] == "Too curt"
    historian.press(again)
    assert rows() == {("", "core.a"): "One"}
    assert Revision.objects.get(number=4).comment == "Too curt"


def test_a_text_that_nobody_was_shown_is_a_conflict_too(historian):
    """Also where its override would only be taken away."""
    services.save({"core.a": "One"})
    page = historian.ask(moment="0")
    services.save({"core.b": "Uno"})

    again = historian.press(page)

    assert again.one("p", class_="errornote").text.startswith("Nothing was restored")
    assert [heading for heading, *_ in reviewed(again)] == [
        "First core.a",
        "Second core.b",
    ]
    assert len(history()) == 2


def test_a_form_without_what_was_shown_is_a_conflict(historian):
    """As any form is that no page would send."""
    services.save({"core.a": "One"})
    before = everything()

    again = historian.press(historian.ask(undo="1"), based_on="nonsense")

    assert again.one("p", class_="errornote").text.startswith("Nothing was restored")
    assert everything() == before


def test_a_lost_mention_takes_a_tick(historian):
    """As in the review of the page; the tick is kept with all the rest."""
    services.save({"core.asks": "Ask"}, confirm=[("core.asks", "name")])
    services.reset(["core.asks"])
    page = historian.ask(moment="1")

    refused = historian.press(page, comment="Shorter")

    assert "The text no longer mentions {{name}}." in page.html
    assert refused.one("p", class_="errornote").text == (
        "Nothing was restored: see what is said below."
    )
    assert refused.one("div", class_="is-error")
    assert rows() == {}
    historian.press(refused, **{"confirm:core.asks": "name"})
    assert rows() == {("", "core.asks"): "Ask"}
    assert Revision.objects.get(number=3).comment == "Shorter"


def test_a_tick_survives_a_refusal(historian):
    """What else stands in the way does not take it back."""
    services.save({"core.asks": "Ask"}, confirm=[("core.asks", "name")])
    services.reset(["core.asks"])
    page = historian.ask(moment="1")
    services.save({"core.asks": "Ask {{name}}, please"})

    again = historian.press(page, **{"confirm:core.asks": "name"})

    assert "checked" in again.one("input", name="confirm:core.asks").attributes


def test_faults_stand_beside_their_texts(historian):
    """What cannot come back is not ticked, so that the rest can."""
    services.save({"core.a": "A long text", "core.b": "Uno"})
    services.reset(["core.a", "core.b"])

    with override_settings(PROMPTS_APP_MAX_FRAGMENT_CHARS=5):
        page = historian.ask(moment="1")
        first, second = page.all("article")
        refused = historian.press(page, take=[":core.a", ":core.b"])
        historian.press(page)

    assert "at most 5 are allowed" in page.one("p", first, class_="is-error").text
    assert "checked" not in page.one("input", first, name="take").attributes
    assert "checked" in page.one("input", second, name="take").attributes
    assert "see what is said below" in refused.one("p", class_="errornote").text
    assert rows() == {("", "core.b"): "Uno"}


def test_a_fault_of_the_whole_stands_on_top(historian):
    """Too much text together is nobody's own fault."""
    services.save({"core.a": "A long text", "core.b": "Another text"})
    services.reset(["core.a", "core.b"])

    with override_settings(PROMPTS_APP_MAX_STORED_CHARS=15):
        page = historian.ask(moment="1")

    assert "All texts together would be 23 characters" in (
        page.one("p", class_="errornote").text
    )


def test_a_text_that_is_gone_is_named(historian, registry):
    """Nothing reads it, so it cannot come back."""
    with registry.register(fragment("core.gone", "Gone")):
        services.save({"core.gone": "Kept"})
        services.reset(["core.gone"])

    page = historian.ask(moment="1")

    assert "There is no fragment core.gone any more." in (
        page.one("p", page.one("article"), class_="is-error").text
    )
    assert not page.has("button", class_="default")


def test_a_text_of_an_earlier_key_comes_back_under_todays(historian, registry):
    """History has it under the key that it had."""
    with registry.register(fragment("core.was", "Was")):
        services.save({"core.was": "Mine", "core.a": "One"})
        services.reset(["core.was", "core.a"])
    registry.register(fragment("core.is", "Is", former_keys=("core.was",)))

    page = historian.ask(moment="1")
    historian.press(page, take=[":core.was"])

    assert [heading for heading, *_ in reviewed(page)] == [
        "First core.a",
        "core.is core.is",
    ]
    assert rows() == {("", "core.is"): "Mine"}


@pytest.mark.case(79)
def test_what_one_may_not_change_is_not_ticked(historian):
    """The review says so; a post that names it anyway is refused and keeps all."""
    services.save({"core.a": "One", "core.guard": "Mine"})
    page = historian.ask(undo="1")
    _, guarded = page.all("article")

    refused = historian.press(page, take=[":core.a", ":core.guard"], comment="Try")

    assert "You can read this text but not change it." in guarded.text
    assert "checked" not in page.one("input", guarded, name="take").attributes
    assert historian.answer.status_code == 403
    assert refused.one("input", name="comment").attributes["value"] == "Try"
    assert len(history()) == 1
    historian.press(page)
    assert rows() == {("", "core.guard"): "Mine"}


@pytest.mark.case(54)
def test_a_key_may_be_a_word_of_an_address(historian, registry):
    """Keys stand in the query only."""
    names = ("add", "restore", "prompt", "history", "0")
    registry.register(*(fragment(f"core.{name}", name) for name in names))
    services.save({f"core.{name}": f"My {name}" for name in names})

    for name in names:
        historian.press(historian.ask(moment="0", text=f":core.{name}"))

    assert rows() == {}


def test_two_rights_are_needed(viewer):
    """To see the history, and to change texts."""
    services.save({"core.a": "One"})
    changer = UserFactory(permissions=["prompts_app.change_override"])

    for user in (viewer, changer):
        blocked = Historian(user)
        blocked.ask(undo="1")
        assert blocked.answer.status_code == 403
        answer = blocked.client.post(blocked.place, {"undo": "1"})
        assert answer.status_code == 403
    assert len(history()) == 1


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"moment": "x"},
        {"moment": "-1"},
        {"moment": "7"},
        {"undo": "0"},
        {"undo": "7"},
        {"moment": "9" * 30},
        {"moment": "²"},
    ],
)
def test_a_moment_that_never_was_is_not_found(historian, query):
    """Whatever the link says."""
    services.save({"core.a": "One"})

    historian.ask(**query)

    assert historian.answer.status_code == 404


def test_enter_in_a_field_restores_nothing(historian):
    """The first button is pressed by it, and only shows the review again."""
    services.save({"core.a": "One"})
    page = historian.ask(undo="1")
    first, *_ = page.all("button", page.one("form", id="prompts-restore"))

    again = historian.press(page, first.attributes["name"], comment="Too curt")

    assert rows() == {("", "core.a"): "One"}
    assert again.one("h1").text == "Undo save 1"
    assert again.one("input", name="comment").attributes["value"] == "Too curt"


def test_numbers_in_addresses_have_no_separators(historian, settings):
    """Where the site writes a thousand as 1,000."""
    settings.USE_THOUSAND_SEPARATOR = True
    services.save({"core.a": "Zero"})
    StoredState.objects.update(revision=999)
    services.save({"core.a": "One"})

    page = historian.ask(undo="1000")
    historian.press(page)

    assert page.one("input", name="undo").attributes["value"] == "1000"
    assert rows() == {("", "core.a"): "Zero"}


def test_a_moment_that_was_forgotten_is_told(historian):
    """By a message on the list, for a link and for a form."""
    for text in ("One", "Two", "Three"):
        services.save({"core.a": text})
    page = historian.ask(undo="2")
    Revision.objects.filter(number=3).delete()

    historian.press(page)
    (told,) = said(Page(historian.answer.content.decode()))
    answer = historian.client.get(historian.place, {"moment": "1"}, follow=True)

    assert told.startswith("What was in force after save 1 is not known any more")
    assert said(Page(answer.content.decode())) == [told]


def test_a_comment_that_cannot_be_stored_is_a_bad_request(historian):
    """The field itself takes no more."""
    services.save({"core.a": "One"})

    historian.client.raise_request_exception = False
    answer = historian.client.post(
        historian.place, {"undo": "1", "comment": "x" * 1_001}
    )

    assert answer.status_code == 400
    assert len(history()) == 1


def test_a_restore_is_logged_without_its_texts(historian, editor):
    """Scope and key, in the admin's recent actions."""
    services.save({"core.a": "Canary"}, scope="tenant.acme")

    historian.press(historian.ask(undo="1"), comment="Canary")

    (entry,) = LogEntry.objects.all()
    assert entry.user == editor
    assert entry.get_edited_object().number == 2
    assert entry.get_change_message() == (
        "Changed text for fragment “tenant.acme core.a”."
    )
    assert "Canary" not in entry.change_message


def test_many_texts_come_back_together(historian, registry):
    """Where a form could not hold a box for each."""
    registry.register(*(fragment(f"core.n{n}", f"Text {n}") for n in range(201)))
    services.save({f"core.n{n}": f"New {n}" for n in range(201)})

    page = historian.ask(undo="1")
    historian.press(page)

    assert not page.has("input", name="take")
    assert rows() == {}


def test_saved_texts_that_are_ignored_are_announced(historian):
    """As on the page; the restore is possible all the same."""
    services.save({"core.a": "One"})

    with override_settings(PROMPTS_APP_IGNORE_OVERRIDES=True):
        page = historian.ask(undo="1")
        historian.press(page)

    assert said(page)[0].startswith("Saved texts are ignored")
    assert rows() == {}


def test_the_second_site_restores_too(editor):
    """And leads back to itself."""
    services.save({"core.a": "One"})
    there = Historian(editor, "ops")

    there.press(there.ask(undo="1"))

    assert rows() == {}
    assert there.answer.request["PATH_INFO"].startswith("/ops/")
