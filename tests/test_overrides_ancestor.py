"""What history knows: the text somebody was shown, and the latest saves."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from prompts_app import services
from prompts_app.overrides.history import ancestor, latest, saves_of
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    return registry


def redeclare(registry, *fragments):
    """Let the next release declare *fragments* and nothing else."""
    registry._registry = {}
    registry.register(CORE, *fragments)


def shown(key="core.a", scope=""):
    """Return the etag that an editor is shown now."""
    return services.etag(scope, key)


@pytest.mark.parametrize("text", ["One", "Two", "", "Alpha"])
def test_any_text_of_the_history_is_found_by_its_etag(text):
    """However many saves have come since."""
    etags = {"Alpha": shown()}
    for save in ("One", "Two", "", "Three", "Four"):
        services.save({"core.a": save})
        etags[save] = shown()

    assert ancestor("", ["core.a"], etags[text], "Alpha") == text


def test_a_text_that_was_taken_back_is_found():
    """The override is gone from the table and still in the history."""
    services.save({"core.a": "Mine"})
    etag = shown()
    services.reset(["core.a"])

    assert ancestor("", ["core.a"], etag, "Alpha") == "Mine"


def test_a_text_that_no_save_made_is_found_once_it_was_changed():
    """An earlier release may have left it; the first save notes what was before."""
    OverrideFactory(key="core.a", text="Old", default_text="Alpha")
    etag = shown()
    services.save({"core.a": "One"})
    services.save({"core.a": "Two"})

    assert ancestor("", ["core.a"], etag, "Alpha") == "Old"


def test_a_text_is_found_after_its_default_has_moved(declared):
    """The default of its time stands beside each change."""
    services.save({"core.a": "One"})
    etag = shown()
    redeclare(declared, fragment("core.a", "New default"))
    services.save({"core.a": "Two"})

    assert ancestor("", ["core.a"], etag, "New default") == "One"


def test_a_text_that_was_shown_over_the_new_default_is_found(declared):
    """It was written over the old one, and looked at beside the new."""
    services.save({"core.a": "One"})
    redeclare(declared, fragment("core.a", "New default"))
    etag = shown()
    services.save({"core.a": "Two"})

    assert ancestor("", ["core.a"], etag, "New default") == "One"


def test_where_there_was_no_override_it_is_the_default():
    """The editor was shown what the code declares."""
    etag = shown()
    services.save({"core.a": "Theirs"})

    assert ancestor("", ["core.a"], etag, "Alpha") == "Alpha"


@pytest.mark.parametrize("etag", ["", "0" * 16, "no etag"])
def test_what_history_does_not_know_is_the_default(etag):
    """An etag may be older than the history, or made up."""
    services.save({"core.a": "Theirs"})

    assert ancestor("", ["core.a"], etag, "Alpha") == "Alpha"


def test_a_text_that_was_saved_under_a_former_key_is_found(declared):
    """The fragment was renamed while it was edited, and then saved by another."""
    services.save({"core.a": "One"})
    redeclare(declared, fragment("core.c", "Alpha", former_keys=("core.a",)))
    etag = shown("core.c")
    services.save({"core.c": "Two"})

    assert ancestor("", ["core.c", "core.a"], etag, "Alpha") == "One"


def test_scopes_and_keys_have_histories_of_their_own():
    """The same text of another address is not what was shown."""
    services.save({"core.b": "One"})
    services.save({"core.a": "One"}, scope="tenant.x")
    etag = shown(scope="tenant.x")

    assert ancestor("tenant.x", ["core.a"], etag, "Alpha") == "One"
    assert ancestor("", ["core.a"], etag, "Alpha") == "Alpha"


def test_the_history_of_a_text_is_read_at_once():
    """One statement, however long it is."""
    for number in range(20):
        services.save({"core.a": f"Text {number}"})

    with CaptureQueriesContext(connection) as caught:
        ancestor("", ["core.a"], "0" * 16, "Alpha")

    assert len(caught) == 1


def test_the_latest_saves_come_newest_first(editor):
    """Each with who, when, why, and which texts it changed, by scope and key."""
    services.save({"core.a": "One"})
    services.save({"core.b": "x", "core.a": "Two"}, author=editor, comment="Why")
    services.save({"core.a": "Near"}, scope="tenant.x", author=editor)
    services.reset(["core.b"])

    found = latest(3)

    assert [(one.number, one.kind, one.author, one.comment) for one in found] == [
        (4, "reset", "", ""),
        (3, "save", "editor", ""),
        (2, "save", "editor", "Why"),
    ]
    assert [one.addresses for one in found] == [
        (("", "core.b"),),
        (("tenant.x", "core.a"),),
        (("", "core.a"), ("", "core.b")),
    ]
    assert timezone.now() - found[0].created_at < timedelta(minutes=1)


def test_an_author_whose_account_is_gone_keeps_the_name(editor):
    """History says who it was, not who still is."""
    services.save({"core.a": "One"}, author=editor)
    editor.delete()

    assert latest(1)[0].author == "editor"


def test_without_any_save_there_is_none():
    """Rows that nobody saved are no saves."""
    OverrideFactory(key="core.a")

    assert latest(5) == ()


def test_the_latest_saves_take_two_statements():
    """However many there are, and however many texts each changed."""
    for number in range(8):
        services.save({"core.a": f"A {number}", "core.b": f"B {number}"})

    with CaptureQueriesContext(connection) as caught:
        found = latest(7)

    assert [one.number for one in found] == [8, 7, 6, 5, 4, 3, 2]
    assert len(caught) == 2


def test_a_save_by_code_has_no_author_who_could_be_removed(editor):
    """Only an account that has gone is told of as gone."""
    services.save({"core.a": "One"})
    services.save({"core.a": "Two"}, author=editor)
    before = [save.is_removed for save in latest(2)]
    editor.delete()

    assert before == [False, False]
    assert [save.is_removed for save in latest(2)] == [True, False]
    assert saves_of("", {"core.a": "core.a"})["core.a"].is_removed


def test_saves_are_counted_for_the_key_of_today(registry):
    """Those under its former key and its own together, and of no other fragment."""
    registry.register(fragment("core.old", "Old"), fragment("core.now", "Now"))
    for key in ("core.old", "core.now", "core.b"):
        services.save({key: "Mine"})

    found = saves_of("", {"core.old": "core.now", "core.now": "core.now"})

    assert {key: saves.count for key, saves in found.items()} == {"core.now": 2}
