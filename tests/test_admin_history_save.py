"""One save opened: what it did to each text, and the ways back from there."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from prompts_app import services
from prompts_app.declarations import Scope
from prompts_app.models import Revision
from tests.assembling import CORE, fragment
from tests.factories import UserFactory
from tests.pages import Page
from tests.test_admin_history import get

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a few fragments and a scope."""
    registry.register(
        CORE,
        Scope("tenant.acme", label="Acme"),
        fragment("core.a", "Be brief.", label="Length"),
        fragment("core.b", "Be kind.", label="Tone"),
    )
    return registry


def opened(user, number, site="admin"):
    """Return the page of one save."""
    revision = Revision.objects.get(number=number)
    answer = get(user, "change", revision.pk, site=site)
    assert answer.status_code == 200, answer.status_code
    return Page(answer.content.decode())


def ways(page):
    """Return where the buttons lead, by what stands on them."""
    return {
        one.text: one.attributes["href"].partition("?")[2]
        for one in page.all("a", class_="prompts-button")
    }


def test_each_text_is_shown_with_what_changed(viewer, editor):
    """Word by word, with state and length before and after, and for whom."""
    services.save({"core.a": "Be very brief.", "core.b": ""}, author=editor)
    services.save({"core.a": "Near."}, scope="tenant.acme", comment="For Acme")

    page = opened(viewer, 1)
    first, second = page.all("article")
    near = opened(viewer, 2)

    assert page.one("h2", first).text == "Length core.a"
    assert [one.text for one in page.all("ins", first)] == ["very"]
    assert page.one("p", first, class_="prompts-steps").text.startswith(
        "Built-in → Changed 9 → 14 characters"
    )
    assert [one.text for one in page.all("del", second)] == ["Be kind."]
    assert "Built-in → Off" in page.one("p", second, class_="prompts-steps").text
    assert page.one("p", class_="prompts-why").text == "No comment"
    assert near.one("h2", near.one("article")).text == "Length core.a for Acme"
    assert near.one("p", class_="prompts-why").text == "For Acme"


def test_what_is_in_force_is_not_offered(editor):
    """A text that is stored as it was after the save says so instead."""
    services.save({"core.a": "One", "core.b": "Uno"})
    services.save({"core.a": "Two"})
    services.reset(["core.b"])

    page = opened(editor, 1)
    length, tone = page.all("article")

    assert [one.text for one in page.all("a", length, href=None)] == [
        "Restore the text before Length",
        "Restore this text Length",
    ]
    assert [one.text for one in page.all("a", tone, href=None)] == [
        "Restore this text Tone"
    ]
    assert "in force now" not in page.html
    assert "in force now" in opened(editor, 2).one("article").text


def test_the_ways_back_name_moment_and_text(editor):
    """To undo a save is to go to the moment before it, with its texts."""
    services.save({"core.a": "One"}, scope="tenant.acme")
    services.save({"core.a": "Two"}, scope="tenant.acme")

    assert ways(opened(editor, 2)) == {
        "Undo this save…": "undo=2",
        "See the prompt as of then": "moment=2",
        "Restore everything as of then…": "moment=2",
        "Restore the text before Length": "moment=1&text=tenant.acme%3Acore.a",
    }


def test_who_may_not_change_texts_is_offered_no_restore(viewer):
    """Looking back takes another right than going back."""
    services.save({"core.a": "One"})

    assert ways(opened(viewer, 1)) == {"See the prompt as of then": "moment=1"}


def test_who_may_not_see_the_page_is_not_shown_the_prompt():
    """The right to see history alone opens the texts that changed, no others."""
    services.save({"core.a": "One"})
    historian = UserFactory(permissions=["prompts_app.view_revision"])

    page = opened(historian, 1)

    assert ways(page) == {}
    assert get(historian, "prompt", moment=1).status_code == 403
    assert not Page(get(historian).content.decode()).has("input", name="on")


def test_after_pruning_there_is_no_way_back_to_what_is_not_known(editor):
    """The save that stayed is shown, and why nothing is offered."""
    services.save({"core.a": "One"})
    services.save({"core.b": "Uno"})
    services.save({"core.b": "Due"})
    Revision.objects.filter(number=2).delete()

    page = opened(editor, 1)

    assert ways(page) == {}
    assert "later saves were removed" in page.html.lower()
    assert "Undo this save…" in ways(opened(editor, 3))


def test_a_restore_says_what_it_restored(viewer, editor):
    """With the number of the save, 0 included; kinds of later releases stay as is."""
    services.save({"core.a": "One"}, author=editor)
    services.restore(0, author=editor)
    services.save({"core.a": "Two"})
    Revision.objects.filter(number=3).update(kind="dreamt")

    assert "editor · Earlier texts restored: as of save 0" in (
        opened(viewer, 2).one("h1").parent.text
    )
    assert "– · dreamt" in opened(viewer, 3).one("h1").parent.text


def test_what_is_no_longer_declared_goes_by_its_key(viewer, registry):
    """Nobody knows its label any more."""
    with registry.register(fragment("core.gone", "Gone", label="Label")):
        services.save({"core.gone": "Kept"})

    page = opened(viewer, 1)

    assert page.one("h2", page.one("article")).text == "core.gone core.gone"


@pytest.mark.parametrize("place", ["0", "99", "core.a", "9" * 30, "9" * 5_000, "²"])
def test_a_save_that_never_was_is_not_found(viewer, place):
    """Whatever stands in the address."""
    assert get(viewer, "change", place).status_code == 404


def test_many_texts_cost_as_many_queries_as_one(viewer, registry):
    """One save of everything is read at once."""
    registry.register(*(fragment(f"core.n{n}", f"Text {n}") for n in range(60)))
    services.save({"core.a": "One"})
    services.save({f"core.n{n}": "New" for n in range(60)})
    opened(viewer, 1)

    counts = []
    for number in (1, 2):
        with CaptureQueriesContext(connection) as caught:
            opened(viewer, number)
        counts.append(len(caught))

    assert counts[0] == counts[1]


def test_the_second_site_keeps_to_itself(editor):
    """Every link of the page leads to the same site."""
    services.save({"core.a": "One"})

    page = opened(editor, 1, site="ops")

    links = [one.attributes["href"] for one in page.all("a", href=None)]
    assert "/ops/prompts_app/revision/restore/?undo=1" in links
    assert not [link for link in links if link.startswith("/admin/")]
