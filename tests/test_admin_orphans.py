"""Texts whose fragment is gone: read, given to another key, or taken away."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from prompts_app import services
from prompts_app.declarations import Group, Scope
from prompts_app.models import Override
from prompts_app.overrides import orphans
from tests.assembling import CORE, fragment, variable
from tests.factories import OverrideFactory, UserFactory
from tests.pages import Visitor, address
from tests.storing import everything, history, rows, written_over

pytestmark = pytest.mark.django_db

SEE, CHANGE, PRUNE = (
    f"prompts_app.{name}_override" for name in ("view", "change", "delete")
)


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare fragments of which some may adopt a text and others may not."""
    registry.register(
        CORE,
        Group("guarded", label="Guarded", order=9, permission="auth.add_group"),
        Scope("tenant.acme", label="Acme", permission="auth.add_user"),
        variable("question"),
        fragment("core.plain", "Plain", label="Plain", order=1),
        fragment("core.memory", "Remember.", label="Memory", order=2),
        fragment("core.taken", "Taken", label="Taken", order=3),
        fragment("core.fixed", "Fixed", label="Fixed", order=4, locked=True),
        fragment("core.guarded", "G", label="Guarded", group="guarded"),
        fragment(
            "core.asks", "On {{question}}", label="Asks", must_mention=["question"]
        ),
    )
    services.save({"core.taken": "Mine"})
    return registry


@pytest.fixture
def keeper(db):
    """Return somebody who may change texts and take them away for good."""
    return UserFactory(username="keeper", permissions=[SEE, CHANGE, PRUNE])


@pytest.fixture
def visitor(keeper):
    """Return that person on the page."""
    return Visitor(keeper)


@pytest.fixture
def orphan(keeper):
    """Store a text of a fragment that is gone."""
    return OverrideFactory(
        key="core.memori", text="Forget.", default_text="Recall.", updated_by=keeper
    )


def opened(visitor, **query):
    """Return the page with the orphaned text in view."""
    page = visitor.open(fragment="core.memori", **query)
    assert page.one("article", id="prompts-orphan")
    return page


def offered(page):
    """Return the keys that may adopt the text, by the words above them."""
    return {
        group.attributes["label"]: [
            one.attributes["value"] for one in page.all("option", group)
        ]
        for group in page.all("optgroup")
    }


def ask(visitor, verb, **fields):
    """Return the page that asks about the orphaned text."""
    return visitor.send(opened(visitor), fields, (f"_{verb}", "core.memori"))


def test_the_text_is_shown_with_when_and_by_whom(visitor, orphan):
    """It can be read, and nothing of it is a field of the form."""
    page = opened(visitor)

    box = page.one("textarea", aria_label="core.memori")
    assert box.raw == "Forget."
    assert "readonly" in box.attributes
    assert "text:core.memori" not in page.fields()
    assert " by keeper" in page.one("article", id="prompts-orphan").text


def test_who_saved_it_may_not_be_known(visitor, orphan):
    """Then the date stands alone."""
    Override.objects.filter(pk=orphan.pk).update(updated_by=None)

    text = opened(visitor).one("article", id="prompts-orphan").text

    assert "Last saved on " in text
    assert " by " not in text


def test_near_misses_come_first_among_the_keys(visitor, orphan):
    """Offered is what may be changed and has no text of its own."""
    assert offered(opened(visitor)) == {
        "Similar keys": ["core.memory"],
        "Fragments without a text of their own": ["core.asks", "core.plain"],
    }


def test_where_nothing_looks_alike_all_stand_in_one_list(visitor):
    """The order is the page's."""
    OverrideFactory(key="zz.unlike")

    page = visitor.open(fragment="zz.unlike")

    assert set(offered(page)) == {"Fragments without a text of their own"}


def test_adopting_is_asked_about_with_both_texts(visitor, orphan):
    """Nothing is written until the question is answered."""
    before = everything()

    page = ask(visitor, "adopt", adopts="core.memory")

    assert page.one("h1").text == "Adopt core.memori as “Memory”?"
    now, adopted = page.all("pre")
    assert now.raw == "Remember."
    assert [one.raw for one in page.all("ins", adopted)] == ["Forget"]
    assert everything() == before


def test_a_text_is_adopted(visitor, keeper, orphan):
    """One revision by its author; the default of then stays, so it has drifted."""
    page = ask(visitor, "adopt", adopts="core.memory")

    page = visitor.send(page, press="Adopt the text")

    assert page.one("li", class_="success").text == (
        "The text of core.memori is that of core.memory now."
    )
    assert page.chosen("fragment") == "core.memory"
    assert page.box("core.memory").raw == "Forget."
    assert page.row("core.memory").text == "Memory Drifted"
    assert rows() == {("", "core.taken"): "Mine", ("", "core.memory"): "Forget."}
    assert written_over()["", "core.memory"] == "Recall."
    assert history()[-1] == {
        ("", "core.memori"): ("Forget.", None),
        ("", "core.memory"): (None, "Forget."),
    }


def test_a_text_is_removed_and_stays_in_the_history(visitor, orphan):
    """After a question, in one revision."""
    before = everything()
    page = ask(visitor, "remove")
    asked = everything()

    page = visitor.send(page, press="Remove the text")

    assert asked == before
    assert page.one("li", class_="success").text == (
        "The text of core.memori was removed. It stays in the history."
    )
    assert rows() == {("", "core.taken"): "Mine"}
    assert history()[-1] == {("", "core.memori"): ("Forget.", None)}


@pytest.mark.parametrize("verb", ["adopt", "remove"])
@pytest.mark.parametrize("sure", [True, False])
def test_typed_texts_are_kept_on_the_way(visitor, orphan, verb, sure):
    """Whatever is answered, what was typed before is in the form afterwards."""
    fields = {"adopts": "core.memory"}
    page = visitor.open(fragment="core.plain")
    page = visitor.send(page, {"text:core.plain": "Typed"}, ("fragment", "core.memori"))
    page = visitor.send(page, fields, (f"_{verb}", "core.memori"))

    page = visitor.send(page, press=f"{verb.title()} the text" if sure else "Leave it")

    assert page.box("core.plain").raw == "Typed"
    assert page.one("span", role="status").text == "1 unsaved change"
    assert (("", "core.memori") in rows()) is not sure


@pytest.mark.parametrize(
    ("verb", "button"), [("adopt", "Adopt the text"), ("remove", "Remove the text")]
)
def test_a_text_that_changed_since_is_asked_about_again(visitor, orphan, verb, button):
    """The answer was about another one."""
    page = ask(visitor, verb, adopts="core.memory")
    Override.objects.filter(pk=orphan.pk).update(text="Changed")
    before = everything()

    again = visitor.send(page, press=button)

    assert again.one("p", class_="errornote").text == (
        "It has changed since you were asked. Nothing was done; look again."
    )
    assert "Changed" in [one.raw for one in again.all("pre")][-1]
    assert everything() == before


def test_a_text_that_is_gone_is_neither_adopted_nor_removed(visitor, orphan):
    """Somebody was quicker; the page says so."""
    pages = ask(visitor, "adopt", adopts="core.memory"), ask(visitor, "remove")
    services.prune(["core.memori"])

    adopted = visitor.send(pages[0], press="Adopt the text")
    removed = visitor.send(pages[1], press="Remove the text")

    assert adopted.one("li", class_="error").text.startswith("Choose a fragment")
    assert removed.one("li", class_="info").text == "There is no such text any more."


@pytest.mark.parametrize("new", ["core.taken", "core.nobody", ""])
def test_a_key_that_cannot_have_it_is_refused(visitor, orphan, new):
    """One with a text of its own, and one that nobody declares."""
    before = everything()
    fields = {"_adopt": "core.memori", "adopts": new, "scope": ""}

    answer = visitor.post(fields, "adopt")

    assert "Choose a fragment that has no text of its own." in answer.content.decode()
    assert everything() == before


def test_a_fault_of_the_text_is_said_by_name(visitor, orphan, settings):
    """The key that may not have it, and why."""
    page = ask(visitor, "adopt", adopts="core.asks")
    settings.PROMPTS_APP_MAX_FRAGMENT_CHARS = 3
    before = everything()

    page = visitor.send(page, press="Adopt the text")

    said = page.one("p", class_="errornote").text
    assert said == ("core.asks: 7 characters; at most 3 are allowed. Shorten it by 4.")
    assert everything() == before


def test_a_lost_mention_takes_a_tick(visitor, orphan):
    """As in every review; without it nothing is done, and the place is marked."""
    page = ask(visitor, "adopt", adopts="core.asks")
    before = everything()
    tick = {"confirm:core.asks": "question"}

    refused = visitor.send(page, press="Adopt the text")

    assert "The text no longer mentions {{question}}." in page.html
    assert "aria-invalid" not in page.one("input", name="confirm:core.asks").attributes
    assert refused.one("p", class_="errornote").text == (
        "Nothing was saved: something below needs a tick."
    )
    box = refused.one("input", name="confirm:core.asks")
    assert box.attributes["aria-invalid"] == "true"
    assert everything() == before
    visitor.send(refused, tick, "Adopt the text")
    assert rows()["", "core.asks"] == "Forget."


def test_a_mention_that_is_kept_takes_none(visitor, orphan):
    """Nothing is asked without need."""
    page = ask(visitor, "adopt", adopts="core.memory")

    assert not page.has("input", type="checkbox")


def test_who_is_quicker_between_look_and_write_is_told_of(visitor, orphan, monkeypatch):
    """The writer looks once more under the lock, and its refusal is shown."""
    page = ask(visitor, "adopt", adopts="core.memory")
    original = orphans.locked

    def locked():
        OverrideFactory(key="core.memory", text="Quicker")
        return original()

    monkeypatch.setattr(orphans, "locked", locked)

    page = visitor.send(page, press="Adopt the text")

    assert page.one("li", class_="error").text.startswith("Choose a fragment")
    assert rows()["", "core.memori"] == "Forget."


@pytest.mark.parametrize(
    ("permissions", "adopts", "removes"),
    [
        ([SEE], False, False),
        ([SEE, CHANGE], True, False),
        ([SEE, PRUNE], False, True),
        ([SEE, CHANGE, PRUNE], True, True),
    ],
)
def test_each_button_takes_its_right(orphan, permissions, adopts, removes):
    """Who lacks it sees no button, and a form of one's own is refused."""
    visitor = Visitor(UserFactory(permissions=permissions))
    before = everything()
    page = opened(visitor)
    fields = {"adopts": "core.memory", "scope": "", "fragment": "core.memori"}

    statuses = [
        visitor.post({**fields, f"_{verb}": "core.memori"}, verb).status_code
        for verb in ("adopt", "remove")
    ]

    assert page.has("button", name="_adopt") is adopts
    assert page.has("button", name="_remove") is removes
    assert statuses == [200 if adopts else 403, 200 if removes else 403]
    assert everything() == before


def test_groups_and_scopes_guard_their_own(visitor, orphan):
    """A guarded group adopts nothing from somebody else, nor does a guarded scope."""
    OverrideFactory(scope="tenant.acme", key="core.memori")
    before = everything()

    statuses = [
        visitor.post(
            {"_adopted": "core.memori", "_removed": "core.memori", **fields}, verb
        ).status_code
        for verb, fields in [
            ("adopt", {"adopts": "core.guarded", "scope": ""}),
            ("adopt", {"adopts": "core.memory", "scope": "tenant.acme"}),
            ("remove", {"scope": "tenant.acme"}),
        ]
    ]

    assert statuses == [403, 403, 403]
    assert everything() == before


@pytest.mark.parametrize("site", ["admin", "ops"])
@pytest.mark.parametrize(("method", "status"), [("get", 302), ("put", 405)])
def test_removing_comes_by_post_alone(keeper, orphan, site, method, status):
    """A link takes nothing away."""
    before = everything()
    client = Client()
    client.force_login(keeper)

    answer = getattr(client, method)(address("remove", site))

    assert answer.status_code == status
    assert everything() == before


def test_a_post_from_elsewhere_is_refused(keeper, orphan):
    """A forged form removes nothing."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(keeper)
    fields = {"_removed": "core.memori", "scope": ""}

    answer = client.post(address("remove"), fields)

    assert answer.status_code == 403
    assert ("", "core.memori") in rows()


def test_it_works_in_a_scope_on_a_second_site(superuser):
    """Only that scope's text goes, and the answers stay on that site."""
    OverrideFactory(key="core.memori", text="All")
    OverrideFactory(scope="tenant.acme", key="core.memori", text="Acme")
    visitor = Visitor(superuser, "ops")
    page = opened(visitor, scope="tenant.acme")
    page = visitor.send(page, {"adopts": "core.memory"}, ("_adopt", "core.memori"))

    page = visitor.send(page, press="Adopt the text")

    assert rows()["tenant.acme", "core.memory"] == "Acme"
    assert rows()["", "core.memori"] == "All"
    assert page.form.attributes["action"] == address(site="ops")


def test_ten_thousand_are_listed_in_part(visitor, django_assert_max_num_queries):
    """The first hundred and the one in view; the search reaches the others."""
    Override.objects.bulk_create(
        Override(scope="", key=f"gone.n{number:05}", text=f"Kept {number}.")
        for number in range(10_000)
    )
    services.stored()
    visitor.open()

    with django_assert_max_num_queries(9):
        page = visitor.open()
    with django_assert_max_num_queries(9):
        far = visitor.open(fragment="gone.n09999", state="orphaned")
    found = visitor.open(q="gone.n0777")

    listed = [one.attributes["data-row"] for one in far.all("li", data_row=None)]
    assert listed == ["gone.n09999", *(f"gone.n{number:05}" for number in range(99))]
    assert "The first 100 are listed. Search for the others." in far.html
    assert far.one("button", data_filter="orphaned").text == "Orphaned10,000"
    decisions = page.all("p", class_="prompts-decision")
    assert len(decisions) == 11
    assert decisions[-1].text == "10,000 texts are no longer declared. List them"
    assert visitor.send(page, press="List them").chosen("state") == "orphaned"
    keys = [one.attributes["data-row"] for one in found.all("li", data_row=None)]
    assert keys == [f"gone.n0777{number}" for number in range(10)]
    assert "Search for the others" not in found.html


def test_the_statements_are_as_many_for_one_as_for_many(visitor):
    """List, start view and orphan view read rows once."""

    def count(**query):
        with CaptureQueriesContext(connection) as caught:
            visitor.open(**query)
        return len(caught)

    OverrideFactory(key="gone.n0")
    services.stored()
    visitor.open()
    few = count(), count(fragment="gone.n0")
    Override.objects.bulk_create(
        Override(scope="", key=f"gone.m{number}", text="Kept") for number in range(300)
    )
    services.stored()

    assert (count(), count(fragment="gone.n0")) == few
