"""Texts whose fragment is gone: adopted, taken away, or kept; and drift that is settled."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from prompts_app import services
from prompts_app.declarations import Group, Scope
from prompts_app.exceptions import EditConflict
from prompts_app.models import Revision
from prompts_app.overrides.journal import Saved
from prompts_app.overrides.rows import rows_in
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory, UserFactory
from tests.storing import everything, history, refused, rows, written_over

pytestmark = pytest.mark.django_db

CHANGE = "prompts_app.change_override"
PRUNE = "prompts_app.delete_override"
OF_SCOPE = "prompts_app.view_revision"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare texts, one of which is locked, one guarded, and a guarded scope."""
    registry.register(
        CORE,
        Group("guarded", label="Guarded", order=9, permission=OF_SCOPE),
        Scope("tenant.x", label="X", permission=OF_SCOPE),
        fragment("core.a", "Alpha"),
        fragment("core.b", "Beta", former_keys=("core.former",)),
        fragment("core.fixed", "Fixed", locked=True),
        fragment("core.guarded", "Guarded", group="guarded"),
        fragment("core.asks", "Ask {{name}}", must_mention=("name",)),
    )
    return registry


def orphan(key="core.gone", text="Kept", default="Was", scope=""):
    """Store a text that no fragment reads."""
    return OverrideFactory(key=key, text=text, default_text=default, scope=scope)


def test_rows_are_told_by_code_point_however_they_came():
    """A list is the same on every database, whatever order it has for texts."""
    for scope, key in (("tenant.b", "core.b"), ("", "core.b_a"), ("", "core.b.a")):
        OverrideFactory(scope=scope, key=key)
    for key in ("core.ba", "core.a"):
        OverrideFactory(key=key)

    found = rows_in()

    assert [*found] == ["", "tenant.b"]
    assert [*found[""]] == ["core.a", "core.b.a", "core.b_a", "core.ba"]


def test_an_orphan_is_adopted_under_another_key(superuser):
    """With what it was written over, so that it shows as drifted."""
    orphan()

    saved = services.adopt("core.gone", "core.a", author=superuser, comment="Renamed")

    assert saved == Saved(1, ("core.a",), ("core.gone",))
    assert rows() == {("", "core.a"): "Kept"}
    assert written_over() == {("", "core.a"): "Was"}
    assert history() == [
        {("", "core.gone"): ("Kept", None), ("", "core.a"): (None, "Kept")}
    ]
    assert Revision.objects.get().kind == "adopt"


def test_an_adopted_text_that_is_the_default_leaves_no_row():
    """It says what is in force anyway."""
    orphan(text=" Alpha\n")

    assert services.adopt("core.gone", "core.a") == Saved(1, (), ("core.gone",))
    assert rows() == {}


def test_an_orphan_of_a_scope_stays_in_it():
    """Nothing becomes visible to more people."""
    orphan(scope="tenant.y")

    services.adopt("core.gone", "core.a", scope="tenant.y")

    assert rows() == {("tenant.y", "core.a"): "Kept"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("core.b", "core.a", "'core.b' is no orphan"),
        ("core.former", "core.a", "'core.former' is no orphan"),
        ("core.nowhere", "core.a", "no override of 'core.nowhere'"),
        ("core.gone", "core.b", "'core.b' has an override already"),
    ],
)
def test_what_cannot_be_adopted_is_said(old, new, said):
    """And nothing is written."""
    orphan()
    services.save({"core.b": "Mine"})
    before = everything()

    with pytest.raises(ValueError, match=said):
        services.adopt(old, new)
    assert everything() == before


@pytest.mark.parametrize(
    ("new", "code"),
    [
        ("core.nowhere", "unknown_fragment"),
        ("core.fixed", "locked"),
        ("core.asks", "must_mention"),
    ],
)
def test_an_adoption_is_checked_like_any_save(new, code):
    """The new place has to be there, and has to be able to take the text."""
    orphan()

    assert [one.code for one in refused(services.adopt, "core.gone", new)] == [code]


def test_an_adoption_counts_towards_the_total(settings):
    """It moves a text, so the total stays what it was."""
    orphan(text="A text of some length")
    settings.PROMPTS_APP_MAX_STORED_CHARS = 10

    services.adopt("core.gone", "core.a")

    assert rows() == {("", "core.a"): "A text of some length"}


def test_an_adoption_takes_the_right_to_change_the_new_key():
    """Its group's and its scope's."""
    orphan()
    user = UserFactory(permissions=[CHANGE])

    with pytest.raises(PermissionDenied, match="view_revision"):
        services.adopt("core.gone", "core.guarded", author=user)
    assert services.adopt("core.gone", "core.a", author=user).revision == 1


def test_orphans_are_pruned_and_history_keeps_them(superuser):
    """Deliberately, as a revision that can be undone once the key is back."""
    orphan()
    orphan("core.other")

    saved = services.prune(["core.gone", "core.never"], author=superuser)

    assert saved == Saved(1, (), ("core.gone",))
    assert rows() == {("", "core.other"): "Kept"}
    assert history() == [{("", "core.gone"): ("Kept", None)}]
    assert Revision.objects.get().kind == "prune"


def test_the_row_of_a_locked_fragment_is_an_orphan_too():
    """It reads no override in any scope."""
    orphan("core.fixed")

    services.prune(["core.fixed"])

    assert rows() == {}


@pytest.mark.parametrize("key", ["core.a", "core.former"])
def test_what_a_fragment_reads_is_not_pruned(key):
    """There reset() is what takes it away."""
    services.save({"core.a": "Mine"})
    orphan()
    before = everything()

    with pytest.raises(ValueError, match="fragments read") as caught:
        services.prune(["core.gone", key, "core.b"])
    assert str(caught.value) == (
        f"{key}, core.b: fragments read these overrides; reset() takes them away"
    )
    assert everything() == before


def test_a_prune_of_nothing_is_none():
    """What is not there need not go; what is no key neither."""
    assert services.prune(["core.gone", "no key"]) == Saved(None)


def test_a_prune_over_a_change_of_others_is_a_conflict():
    """What was not seen is not taken away."""
    row = orphan()
    shown = services.etag("", "core.gone")
    row.text = "Changed"
    row.save()

    with pytest.raises(EditConflict):
        services.prune(["core.gone"], based_on={"core.gone": shown})
    services.prune(
        ["core.gone"], based_on={"core.gone": services.etag("", "core.gone")}
    )
    assert rows() == {}


def test_pruning_takes_a_right_of_its_own():
    """The right to delete, and the scope's."""
    orphan()
    orphan(scope="tenant.x")
    changer = UserFactory(permissions=[CHANGE])
    pruner = UserFactory(permissions=[PRUNE])
    both = UserFactory(permissions=[PRUNE, OF_SCOPE])

    with pytest.raises(PermissionDenied, match="delete_override"):
        services.prune(["core.gone"], author=changer)
    with pytest.raises(PermissionDenied, match="view_revision"):
        services.prune(["core.gone"], scope="tenant.x", author=pruner)
    services.prune(["core.gone"], author=pruner)
    services.prune(["core.gone"], scope="tenant.x", author=both)
    assert rows() == {}


def test_a_drifted_text_is_acknowledged(superuser):
    """It stays in force, over the default of today."""
    OverrideFactory(key="core.a", text="Mine", default_text="Old alpha")

    saved = services.acknowledge(["core.a"], author=superuser, comment="Seen")

    assert saved == Saved(1, ("core.a",), ())
    assert rows() == {("", "core.a"): "Mine"}
    assert written_over() == {("", "core.a"): "Alpha"}
    assert Revision.objects.get().kind == "acknowledge"
    assert services.acknowledge(["core.a", "core.b"]) == Saved(None)


def test_an_acknowledged_text_that_the_default_has_caught_up_with_goes():
    """Only what differs is stored."""
    OverrideFactory(key="core.a", text="Alpha", default_text="Old alpha")

    assert services.acknowledge(["core.a"]) == Saved(1, (), ("core.a",))
    assert rows() == {}


def test_acknowledging_moves_a_text_to_its_key_of_today():
    """As every writer does that touches a key."""
    OverrideFactory(key="core.former", text="Mine", default_text="Old beta")

    services.acknowledge(["core.b"])

    assert rows() == {("", "core.b"): "Mine"}
    assert written_over() == {("", "core.b"): "Beta"}


@pytest.mark.parametrize(
    ("key", "code"), [("core.nowhere", "unknown_fragment"), ("core.fixed", "locked")]
)
def test_what_is_not_editable_is_not_acknowledged(key, code):
    """With the fault that a save would have."""
    assert [one.code for one in refused(services.acknowledge, [key])] == [code]


def test_acknowledging_over_a_change_of_others_is_a_conflict():
    """What was looked at is not what is there."""
    OverrideFactory(key="core.a", text="Mine", default_text="Old alpha")
    shown = services.etag("", "core.a")
    services.save({"core.a": "Theirs"})

    faults = refused(services.acknowledge, ["core.a"], based_on={"core.a": shown})

    assert [one.code for one in faults] == ["conflict"]


def test_an_adoption_can_confirm_what_is_lost():
    """As any save can."""
    orphan()

    services.adopt("core.gone", "core.asks", confirm=[("core.asks", "name")])

    assert rows() == {("", "core.asks"): "Kept"}
