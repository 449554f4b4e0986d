"""Bringing back what was in force: a text, a save, or everything as of a moment."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection

from prompts_app import services
from prompts_app.exceptions import EditConflict, SaveRefused
from prompts_app.models import Change, Revision
from prompts_app.overrides.journal import Saved
from prompts_app.overrides.restoring import foresee
from prompts_app.testing import isolated_registry
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory, UserFactory
from tests.storing import (
    announcements,
    everything,
    history,
    refused,
    rows,
    written_over,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare three texts, one of which has to mention a name."""
    registry.register(
        CORE,
        fragment("core.a", "Alpha"),
        fragment("core.b", "Beta"),
        fragment("core.asks", "Ask {{name}}", must_mention=("name",)),
    )
    return registry


def test_everything_comes_back_as_of_a_revision():
    """Texts that were changed, switched off or taken away since, in every scope."""
    services.save({"core.a": "One", "core.b": ""})
    services.save({"core.a": "Near"}, scope="tenant.x")
    before = rows()
    services.save({"core.a": "Two", "core.asks": "", "core.b": "On"})
    services.reset(["core.a"], scope="tenant.x")

    saved = services.restore(2, comment="Back")

    assert rows() == before
    assert saved.revision == 5
    assert set(saved.stored) == {"core.a", "core.b"}
    assert saved.removed == ("core.asks",)


def test_before_the_first_revision_there_was_nothing():
    """0 is the number of that moment."""
    services.save({"core.a": "One"})

    services.restore(0)

    assert rows() == {}
    assert services.resolve("core.a") == "Alpha"


def test_a_restore_is_a_revision_that_names_what_it_restores(superuser):
    """With its author and reason, and it can be undone like any other."""
    services.save({"core.a": "One"})
    services.save({"core.a": "Two"})

    with announcements() as sent:
        services.restore(1, author=superuser, comment="Too curt")
    revision = Revision.objects.get(number=3)
    services.restore(2)

    assert (revision.kind, revision.restores) == ("restore", 1)
    assert (revision.author, revision.comment) == (superuser, "Too curt")
    assert history()[2] == {("", "core.a"): ("Two", "One")}
    assert rows() == {("", "core.a"): "Two"}
    assert [one["kind"] for one in sent] == ["restore"] * len(sent)


def test_keys_narrow_it():
    """To undo a save, the moment before it is restored with the keys of it."""
    services.save({"core.a": "One", "core.b": "Uno"})
    services.save({"core.a": "Two"})
    services.save({"core.b": "Due"})

    services.restore(1, keys=[("", "core.a"), ("", "core.never")])

    assert rows() == {("", "core.a"): "One", ("", "core.b"): "Due"}


def test_what_did_not_change_since_makes_no_revision():
    """Nor is it touched."""
    services.save({"core.a": "One"})
    before = everything()

    assert services.restore(1) == Saved(None)
    assert services.restore(0, keys=[]) == Saved(None)
    assert everything() == before


def test_a_restored_text_has_the_default_it_was_written_over_then(registry):
    """So what was drifted is drifted again, and what was not is not."""
    services.save({"core.a": "One"})
    registry.register(fragment("core.a", "Near alpha"), scope="tenant.x")
    services.save({"core.a": "X"}, scope="tenant.x")
    services.save({"core.a": "Two"}, confirm=[("core.a", "default")])
    services.reset(["core.a"])
    services.reset(["core.a"], scope="tenant.x")

    services.restore(3)

    assert written_over() == {
        ("", "core.a"): "Alpha",
        ("tenant.x", "core.a"): "Near alpha",
    }


def test_another_scope_that_did_not_change_is_left_alone():
    """The same key there is another text."""
    services.save({"core.a": "Near"}, scope="tenant.x")
    services.save({"core.a": "One"})
    services.save({"core.a": "Two"})

    services.restore(2)

    assert rows() == {("", "core.a"): "One", ("tenant.x", "core.a"): "Near"}


def test_an_acknowledged_drift_can_be_undone():
    """The text is the same; what it was written over is not."""
    OverrideFactory(key="core.a", text="Mine", default_text="Old alpha")
    services.save({"core.a": "Mine too"})
    services.acknowledge(["core.a"])
    assert written_over() == {("", "core.a"): "Alpha"}

    services.restore(1)

    assert rows() == {("", "core.a"): "Mine too"}
    assert written_over() == {("", "core.a"): "Old alpha"}


def test_a_text_that_is_the_default_by_now_leaves_no_row(registry):
    """Only what differs is stored, whatever brings it back."""
    services.save({"core.b": "Better"})
    services.reset(["core.b"])
    (registration,) = [registry.register(fragment("core.new", "New"))]
    registration.remove()
    services.save({"core.a": "One"})
    registry.register(fragment("core.a", "One"), scope="tenant.x")
    services.save({"core.a": "Near"}, scope="tenant.x")

    services.restore(3, keys=[("tenant.x", "core.a")])

    assert rows() == {("", "core.a"): "One"}


def test_a_scope_comes_back_as_it_was_beside_the_whole_installation():
    """Also where its text was the same, or equals the default that is back."""
    services.save({"core.a": "One"})
    services.save({"core.a": "Near"}, scope="tenant.x")
    services.save({"core.a": "Near"})
    services.save({"core.a": "Alpha"}, scope="tenant.x")
    same, own = ("", "core.a"), ("tenant.x", "core.a")

    services.restore(0)
    assert rows() == {}
    services.restore(3)
    assert rows() == {same: "Near", own: "Near"}
    services.restore(4)
    assert rows() == {same: "Near", own: "Alpha"}
    services.restore(0, keys=[same])
    assert rows() == {own: "Alpha"}
    services.restore(4)
    assert rows() == {same: "Near", own: "Alpha"}


def test_a_text_moves_with_its_key(registry):
    """What was stored under a former key comes back under the one of today."""
    old = registry.register(fragment("core.old", "Old"))
    services.save({"core.old": "Mine"})
    services.save({"core.old": "Mine too"})
    old.remove()
    registry.register(fragment("core.new", "Old", former_keys=("core.old",)))

    services.restore(1)

    assert rows() == {("", "core.new"): "Mine"}
    assert services.restore(3) == Saved(None)


def test_a_key_that_has_gone_or_is_locked_is_refused_with_all_faults(registry):
    """And can be left aside by naming the others."""
    gone = registry.register(fragment("core.gone", "G"), fragment("core.fixed", "F"))
    services.save({"core.a": "One", "core.gone": "Mine", "core.fixed": "Mine"})
    services.reset(["core.a", "core.gone", "core.fixed"])
    gone.remove()
    registry.register(fragment("core.fixed", "F", locked=True))

    faults = refused(services.restore, 1)
    services.restore(1, keys=[("", "core.a")])

    assert {(one.code, one.key) for one in faults} == {
        ("unknown_fragment", "core.gone"),
        ("locked", "core.fixed"),
    }
    assert rows() == {("", "core.a"): "One"}


def test_a_gone_key_that_is_as_it_was_is_no_fault(registry):
    """Its text stays, and the others come back."""
    gone = registry.register(fragment("core.gone", "G"))
    services.save({"core.a": "One", "core.gone": "Mine"})
    gone.remove()
    services.save({"core.a": "Two"})

    services.restore(1)

    assert rows() == {("", "core.a"): "One", ("", "core.gone"): "Mine"}


def test_the_checks_are_those_of_any_save(settings):
    """A lost mention needs its confirmation, and limits are those of today."""
    services.save({"core.asks": "No more"}, confirm=[("core.asks", "name")])
    services.save({"core.a": "A text of some length"})
    services.restore(0)
    settings.PROMPTS_APP_MAX_FRAGMENT_CHARS = 10

    faults = refused(services.restore, 2)

    assert {one.code for one in faults} == {"must_mention", "too_long"}
    settings.PROMPTS_APP_MAX_FRAGMENT_CHARS = 100
    services.restore(2, confirm=[("core.asks", "name")])
    assert rows()["", "core.asks"] == "No more"


def test_the_total_is_that_of_any_save_too(settings):
    """All texts of a scope together may not rise over it."""
    services.save({"core.a": "Eleven char", "core.b": "Eleven char"})
    services.restore(0)
    settings.PROMPTS_APP_MAX_STORED_CHARS = 20

    assert [one.code for one in refused(services.restore, 1)] == ["total_too_long"]


def test_rights_are_checked_for_what_would_change(registry):
    """Each text by its own group and scope, before anything is written."""
    services.save({"core.a": "One"})
    user = UserFactory()

    with pytest.raises(PermissionDenied, match="change_override"):
        services.restore(0, author=user)
    assert rows() == {("", "core.a"): "One"}

    may = UserFactory(permissions=["prompts_app.change_override"])
    assert services.restore(0, author=may).revision == 2


@pytest.mark.parametrize("number", [-1, 2, 99])
def test_a_revision_that_never_was_is_refused(number):
    """The answer names the last one."""
    services.save({"core.a": "One"})

    with pytest.raises(ValueError, match=f"no revision {number}; the last one is 1"):
        services.restore(number)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("core.a", "keys has to be a collection of texts, not one text"),
        (["core.a"], "keys has to be a collection of texts, not one text"),
        ([("", 1)], "keys holds a int, not a text"),
        ([("",)], "keys holds pairs of scope and key, not ('',)"),
        (
            [("", "core.a", "x")],
            "keys holds pairs of scope and key, not ('', 'core.a', 'x')",
        ),
    ],
)
def test_keys_are_pairs(keys, said):
    """A bare key does not say of which scope."""
    services.save({"core.a": "One"})

    with pytest.raises(TypeError) as caught:
        services.restore(0, keys=keys)
    assert str(caught.value) == said


@pytest.fixture
def renamed(registry):
    """Save a text under a key, then one under the key that it has today."""
    old = registry.register(fragment("core.old", "Old"))
    services.save({"core.old": "Precious"})
    old.remove()
    new = registry.register(fragment("core.new", "Old"))
    services.save({"core.new": "Typed"})
    new.remove()
    registry.register(fragment("core.new", "Old", former_keys=("core.old",)))


def test_what_is_foreseen_is_what_is_done(renamed):
    """Of a text under a former key as well, and with the conflicts."""
    address = ("", "core.new")

    (aim,), faults = foresee(1)
    _, conflicts = foresee(1, based_on={address: "0" * 16})

    assert (aim.key, aim.now, aim.then) == ("core.new", "Typed", "Precious")
    assert faults == ()
    assert [(one.code, one.key) for one in conflicts] == [("conflict", "core.new")]


def test_a_refused_restore_is_told_with_its_numbers(registry):
    """As a save is."""
    services.save({"core.a": "One"})
    with pytest.raises(ValueError, match="1001 characters"):
        services.restore(0, comment="x" * 1001)
    with pytest.raises(SaveRefused):
        services.save({"core.nowhere": "x"})


def test_a_restore_over_what_was_shown_is_no_conflict():
    """Each text is named by scope and key with its state."""
    services.save({"core.a": "One"}, scope="tenant.x")
    services.save({"core.a": "Two"}, scope="tenant.x")
    aims, faults = foresee(1)

    services.restore(1, based_on={(aim.scope, aim.key): aim.etag for aim in aims})

    assert faults == ()
    assert rows() == {("tenant.x", "core.a"): "One"}


@pytest.mark.parametrize("shown", [{}, {("", "core.a"): "0" * 16}])
def test_a_restore_over_another_text_is_a_conflict(shown):
    """One that was shown otherwise, or was not shown at all."""
    services.save({"core.a": "One"})
    services.save({"core.a": "Two"})

    faults = refused(services.restore, 1, based_on=shown)

    assert [(one.code, one.key) for one in faults] == [("conflict", "core.a")]
    with pytest.raises(EditConflict):
        services.restore(0, based_on=shown)


def test_what_would_come_back_is_foreseen_without_a_write():
    """Text by text, with what is in force, what stands beneath, and the faults."""
    services.save({"core.a": "One", "core.b": "Uno"})
    services.reset(["core.a"])
    services.save({"core.b": ""}, scope="tenant.x")
    before = everything()

    aims, faults = foresee(1)
    named, _ = foresee(0, keys=[("", "core.b")])

    assert everything() == before
    assert faults == ()
    assert [(a.scope, a.key, a.now, a.then, a.beneath, a.names) for a in aims] == [
        ("", "core.a", None, "One", "Alpha", ("core.a",)),
        ("tenant.x", "core.b", "", None, "Uno", ("core.b",)),
    ]
    assert [(a.key, a.now, a.then) for a in named] == [("core.b", "Uno", None)]
    assert "Uno" not in repr(named)


def test_faults_are_foreseen_as_they_would_be_raised():
    """A lost mention, unless it is confirmed."""
    services.save({"core.asks": "Ask"}, confirm=[("core.asks", "name")])
    services.reset(["core.asks"])

    _, faults = foresee(1)
    _, confirmed = foresee(1, confirm=[("core.asks", "name")])

    assert faults == refused(services.restore, 1)
    assert confirmed == ()


def test_the_same_key_of_another_scope_is_another_text():
    """What it was written over says nothing of this one."""
    services.save({"core.a": "Near"}, scope="tenant.x")
    services.save({"core.a": "One"})
    services.save({"core.a": "Two"})

    services.restore(2)

    assert rows() == {("tenant.x", "core.a"): "Near", ("", "core.a"): "One"}
    assert written_over()["", "core.a"] == "Alpha"


def test_a_text_under_a_former_key_counts_although_it_did_not_change(renamed):
    """What was in force then is what `as_of()` says, whatever row it stands in."""
    then = services.resolve("core.new", overrides=services.as_of(1))

    services.restore(1)

    assert services.resolve("core.new") == then == "Precious"
    assert rows() == {("", "core.new"): "Precious"}


def test_a_text_is_named_by_the_key_it_has_today(registry):
    """Nobody has to know what it was called then."""
    old = registry.register(fragment("core.old", "Old"))
    services.save({"core.old": "Precious"})
    old.remove()
    registry.register(fragment("core.new", "Old", former_keys=("core.old",)))
    services.save({"core.new": "Typed", "core.a": "One"})

    services.restore(1, keys=[("", "core.new")])

    assert rows() == {("", "core.new"): "Precious", ("", "core.a"): "One"}


def test_a_scoped_text_is_held_against_what_will_stand_beneath_it():
    """It equals the default once the text of the whole installation is gone."""
    OverrideFactory(scope="tenant.x", key="core.a", text="Alpha", default_text="Alpha")
    services.save({"core.b": "Uno"})
    services.save({"core.a": "One"})
    services.save({"core.a": "Near"}, scope="tenant.x")

    services.restore(1)

    assert rows() == {("", "core.b"): "Uno"}


def test_a_text_comes_back_with_the_default_of_its_own_save():
    """Not with one that it was written over earlier."""
    OverrideFactory(key="core.a", text="Mine", default_text="Older")
    services.save({"core.a": "One"})
    services.acknowledge(["core.a"])
    services.reset(["core.a"])

    services.restore(2)

    assert written_over() == {("", "core.a"): "Alpha"}


def test_a_text_whose_save_was_pruned_has_the_default_of_its_next_change():
    """Nothing earlier is known, and the default of today it never stood over."""
    first = services.save({"core.a": "One"}).revision
    services.reset(["core.a"])
    services.prune_history(keep=1, dry_run=False)
    with isolated_registry() as moved:
        moved.register(CORE, fragment("core.a", "Omega"))

        services.restore(first)

    assert written_over() == {("", "core.a"): "Alpha"}


def test_every_text_has_its_default_however_few_are_asked_for_at_once(monkeypatch):
    """A statement names no more keys than a database takes."""
    monkeypatch.setattr("prompts_app.overrides.history.CHUNK", 1)
    values = {"core.a": "One", "core.b": "Uno"}
    for key, text in values.items():
        OverrideFactory(key=key, text=text, default_text="Older")
    services.save(dict.fromkeys(values, "Two"))
    services.acknowledge(values)

    services.restore(1)

    assert written_over() == dict.fromkeys([("", key) for key in values], "Older")


def test_history_that_is_pruned_meanwhile_gives_no_wrong_text():
    """Whoever restores is told instead."""
    for number in range(1, 6):
        services.save({"core.a": f"T{number}"})
    began = []

    def prune_first(execute, sql, *arguments):
        if Change._meta.db_table in sql and not began:
            began.append(sql)
            services.prune_history(keep=2, dry_run=False)
        return execute(sql, *arguments)

    with (
        connection.execute_wrapper(prune_first),
        pytest.raises(ValueError, match="not known any more"),
    ):
        services.as_of(1)
    assert began
