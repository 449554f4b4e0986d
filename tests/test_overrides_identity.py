"""How the state of one fragment is told apart, and who is told of a conflict."""

from __future__ import annotations

import hashlib
import json

import pytest

from prompts_app import services
from prompts_app.exceptions import EditConflict
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory
from tests.storing import everything, history, rows

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    return registry


def expected(stored, default):
    """Return the etag as the contract describes it."""
    return hashlib.sha256(json.dumps([stored, default]).encode()).hexdigest()[:16]


def conflicts(call, *arguments, **options):
    """Return the keys in conflict and the etags of now, nothing having changed."""
    before = everything()
    with pytest.raises(EditConflict) as caught:
        call(*arguments, **options)
    assert everything() == before
    assert {fault.code for fault in caught.value.faults} == {"conflict"}
    return {fault.key: fault.params["etag"] for fault in caught.value.faults}


@pytest.mark.parametrize(
    "stored", [None, "", "Mine", 'Ünï "quoted"\n\u2028 \U0001f600']
)
@pytest.mark.parametrize("scope", ["", "tenant.x"])
def test_an_etag_is_made_of_stored_text_and_default(scope, stored):
    """No row, a blank row and a text are three different states."""
    if stored is not None:
        OverrideFactory(scope=scope, key="core.a", text=stored)

    assert services.etag(scope, "core.a") == expected(stored, "Alpha")


def test_an_etag_changes_with_the_default(declared):
    """Who edited over an older default is not shown a newer one as his own."""
    declared.register(fragment("core.a", "Near"), scope="tenant.x")

    assert services.etag("tenant.x", "core.a") == expected(None, "Near")
    assert services.etag("tenant.y", "core.a") == expected(None, "Alpha")


def test_an_etag_is_that_of_one_scope():
    """Another scope's text, or that beneath, is another state."""
    OverrideFactory(key="core.a", text="All")

    assert services.etag("", "core.a") == expected("All", "Alpha")
    assert services.etag("tenant.x", "core.a") == expected(None, "Alpha")


def test_an_etag_finds_the_row_of_a_former_key(declared):
    """The text counts for the fragment, so it is part of its state."""
    declared.register(fragment("core.new", "New", former_keys=("core.old",)))
    OverrideFactory(key="core.old", text="Old")

    assert services.etag("", "core.new") == expected("Old", "New")


def test_a_key_that_nobody_declares_has_an_etag_of_its_row():
    """What is left of a vanished fragment can be told apart too."""
    OverrideFactory(key="core.gone", text="Gone")

    assert services.etag("", "core.gone") == expected("Gone", "")
    assert services.etag("", "core.never") == expected(None, "")


def test_an_etag_of_a_snapshot_reads_no_database(django_assert_num_queries):
    """A page computes the states of all that it shows from what it read once."""
    services.save({"core.a": "Mine"})
    snapshot = services.stored()

    with django_assert_num_queries(0):
        etag = services.etag("", "core.a", overrides=snapshot)

    assert etag == services.etag("", "core.a") == expected("Mine", "Alpha")


@pytest.mark.case(35)
def test_an_etag_is_that_of_the_row_while_overrides_are_ignored(settings):
    """Saving stays possible, so the state that a save compares is the stored one."""
    services.save({"core.a": "Mine"})
    settings.PROMPTS_APP_IGNORE_OVERRIDES = True

    etag = services.etag("", "core.a")
    services.save({"core.a": "Mine too"}, based_on={"core.a": etag})

    assert etag == expected("Mine", "Alpha")
    assert rows() == {("", "core.a"): "Mine too"}


@pytest.mark.case(72)
@pytest.mark.covers("W6")
def test_the_second_of_two_edits_of_one_text_is_told():
    """The first is kept, and the fault carries the state as it is now."""
    shown = services.etag("", "core.a")
    services.save({"core.a": "Theirs"}, based_on={"core.a": shown})

    found = conflicts(services.save, {"core.a": "Mine"}, based_on={"core.a": shown})
    services.save({"core.a": "Both"}, based_on=found)

    assert found == {"core.a": expected("Theirs", "Alpha")}
    assert [change["", "core.a"] for change in history()] == [
        (None, "Theirs"),
        ("Theirs", "Both"),
    ]


def test_edits_of_different_texts_do_not_conflict():
    """Two people who work on one page at once keep both edits."""
    shown = {key: services.etag("", key) for key in ("core.a", "core.b")}
    services.save({"core.a": "Theirs"}, based_on=shown)

    services.save({"core.b": "Mine"}, based_on=shown)

    assert rows() == {("", "core.a"): "Theirs", ("", "core.b"): "Mine"}


def test_every_key_in_conflict_is_named_and_nothing_is_saved():
    """One conflict keeps the whole save back."""
    shown = {key: services.etag("", key) for key in ("core.a", "core.b")}
    services.save({"core.a": "Theirs", "core.b": "Theirs"})

    found = conflicts(
        services.save, {"core.a": "Mine", "core.b": "Mine"}, based_on=shown
    )

    assert list(found) == ["core.a", "core.b"]


@pytest.mark.parametrize("theirs", ["Same", "", "Alpha"])
def test_the_same_change_by_two_is_no_conflict(theirs):
    """Who asks for what is so already has nothing to settle and makes no revision."""
    OverrideFactory(key="core.a", text="Before")
    shown = services.etag("", "core.a")
    services.save({"core.a": theirs})

    saved = services.save({"core.a": f"\r\n{theirs}"}, based_on={"core.a": shown})

    assert saved.revision is None
    assert len(history()) == 1


def test_two_resets_of_one_text_are_no_conflict():
    """The second finds what it asks for."""
    OverrideFactory(key="core.a", text="Before")
    shown = {"core.a": services.etag("", "core.a")}
    services.reset(["core.a"], based_on=shown)

    assert services.reset(["core.a"], based_on=shown).revision is None


@pytest.mark.parametrize(
    "take_away",
    [
        lambda shown: services.reset(["core.a"], based_on=shown),
        lambda shown: services.save({"core.a": "Alpha"}, based_on=shown),
    ],
)
def test_taking_away_what_another_has_changed_is_a_conflict(take_away):
    """A reset throws away no text that its author has not seen."""
    OverrideFactory(key="core.a", text="Before")
    shown = {"core.a": services.etag("", "core.a")}
    services.save({"core.a": "Theirs"})

    assert conflicts(take_away, shown) == {"core.a": expected("Theirs", "Alpha")}


def test_a_default_that_moved_under_an_editor_is_a_conflict(declared):
    """What was shown is no longer what the code says."""
    shown = {"core.a": services.etag("tenant.x", "core.a")}
    declared.register(fragment("core.a", "Near"), scope="tenant.x")

    found = conflicts(
        services.save, {"core.a": "Mine"}, scope="tenant.x", based_on=shown
    )

    assert found == {"core.a": expected(None, "Near")}


def test_a_change_in_another_scope_is_no_conflict():
    """What stands beneath may change under an override."""
    shown = {"core.a": services.etag("tenant.x", "core.a")}
    services.save({"core.a": "All"})

    saved = services.save({"core.a": "Mine"}, scope="tenant.x", based_on=shown)

    assert saved.stored == ("core.a",)


def test_a_save_without_etags_asks_nobody():
    """Code that does not care what stood there overwrites it."""
    services.save({"core.a": "Theirs"})

    services.save({"core.a": "Mine"}, based_on={"core.b": "0" * 16})

    assert rows() == {("", "core.a"): "Mine"}
