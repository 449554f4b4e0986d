"""What becomes of overrides when the code moves on: new defaults, new keys."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.exceptions import EditConflict
from prompts_app.overrides.journal import Saved
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory
from tests.storing import everything, history, rows, written_over

pytestmark = pytest.mark.django_db


@pytest.fixture
def declare(registry):
    """Return what declares ``core.a`` anew, as another release would."""
    registration = registry.register(CORE, fragment("core.a", "Alpha"))

    def declare_again(default, key="core.a", **options):
        nonlocal registration
        registration.remove()
        registration = registry.register(CORE, fragment(key, default, **options))

    return declare_again


@pytest.mark.case(28, 39)
def test_a_better_default_reaches_who_did_not_touch_the_text(declare):
    """Reading stores nothing, so the next release's text is served at once."""
    services.assemble()
    services.resolve("core.a")
    services.save({"core.a": "Alpha"})

    declare("A better alpha")

    assert services.assemble().text == "A better alpha"
    assert rows() == {}


def test_an_ordinary_save_keeps_the_default_it_was_written_over(declare):
    """A drift stays in sight until somebody decides it."""
    services.save({"core.a": "One"})
    declare("A better alpha")

    services.save({"core.a": "Two"})

    assert written_over() == {("", "core.a"): "Alpha"}


def test_confirming_the_default_settles_the_drift(declare):
    """The text may change with it, or stay as it is."""
    services.save({"core.a": "One"})
    declare("A better alpha")

    saved = services.save({"core.a": "One"}, confirm=[("core.a", "default")])
    again = services.save({"core.a": "One"}, confirm=[("core.a", "default")])

    assert saved == Saved(2, ("core.a",), ())
    assert again == Saved(None)
    assert written_over() == {("", "core.a"): "A better alpha"}
    assert history()[1] == {("", "core.a"): ("One", "One")}


def test_a_confirmation_counts_for_its_own_key_alone(registry, declare):
    """The drift of another fragment in the same save is not settled."""
    registry.register(fragment("core.b", "Beta"))
    OverrideFactory(key="core.b", text="B", default_text="Old beta")
    OverrideFactory(key="core.a", text="A", default_text="Old alpha")

    services.save({"core.a": "A1", "core.b": "B1"}, confirm=[("core.b", "default")])

    assert written_over() == {("", "core.a"): "Old alpha", ("", "core.b"): "Beta"}


def test_an_override_saved_anew_is_written_over_todays_default(declare):
    """After a reset nothing is left of the default it once stood over."""
    services.save({"core.a": "One"})
    declare("A better alpha")
    services.reset(["core.a"])

    services.save({"core.a": "Two"})

    assert written_over() == {("", "core.a"): "A better alpha"}


def test_a_new_default_equal_to_the_override_takes_it_over_when_saved(declare):
    """The row stays until somebody saves; then it is no override any more."""
    services.save({"core.a": "Mine"})
    declare("Mine")

    untouched = rows()
    services.save({"core.a": "Mine"})

    assert untouched == {("", "core.a"): "Mine"}
    assert rows() == {}


@pytest.mark.case(41)
@pytest.mark.covers("L49")
def test_an_override_of_a_vanished_fragment_counts_again(registry, declare):
    """A key that comes back finds its text, and the default of then beside it."""
    services.save({"core.a": "Mine"})
    declare("Other", key="core.other")
    without = services.assemble().text

    declare("Alpha anew")

    assert without == "Other"
    assert services.assemble().text == "Mine"
    assert written_over() == {("", "core.a"): "Alpha"}


def test_a_save_moves_the_row_of_a_former_key(declare):
    """The text counts under both names, and history tells of both."""
    services.save({"core.a": "Mine"})
    declare("Alpha", key="core.new", former_keys=("core.a",))
    before = services.resolve("core.new")

    saved = services.save({"core.new": "Mine, better"})

    assert before == "Mine"
    assert saved == Saved(2, ("core.new",), ())
    assert rows() == {("", "core.new"): "Mine, better"}
    assert history()[1] == {
        ("", "core.a"): ("Mine", None),
        ("", "core.new"): (None, "Mine, better"),
    }
    assert written_over() == {("", "core.new"): "Alpha"}


def test_a_moved_row_keeps_the_default_it_was_written_over(declare):
    """A drift is not settled by a new name."""
    services.save({"core.a": "Mine"})
    declare("A better alpha", key="core.new", former_keys=("core.a",))

    services.save({"core.new": "Mine, better"})

    assert written_over() == {("", "core.new"): "Alpha"}


@pytest.mark.parametrize(
    "take_away",
    [
        lambda: services.reset(["core.new"]),
        lambda: services.save({"core.new": " Alpha "}),
    ],
)
@pytest.mark.parametrize("present", [True, False])
def test_taking_an_override_away_takes_every_former_row(declare, take_away, present):
    """Nothing older comes back into force when the newest row is gone."""
    declare("Alpha", key="core.new", former_keys=("core.a", "core.older"))
    OverrideFactory(key="core.a", text="Old")
    OverrideFactory(key="core.older", text="Older")
    if present:
        OverrideFactory(key="core.new", text="New")

    saved = take_away()

    assert saved == Saved(1, (), ("core.new",))
    assert rows() == {}
    assert services.resolve("core.new") == "Alpha"


def test_a_former_row_of_another_scope_is_left(declare):
    """A save in one scope moves rows of that scope alone."""
    OverrideFactory(key="core.a", text="All")
    OverrideFactory(scope="tenant.x", key="core.a", text="X")
    declare("Alpha", key="core.new", former_keys=("core.a",))

    services.save({"core.new": "X anew"}, scope="tenant.x")

    assert rows() == {("", "core.a"): "All", ("tenant.x", "core.new"): "X anew"}


def test_a_scope_compares_with_the_global_text_of_a_former_key(declare):
    """What stands beneath is found under its former name too."""
    OverrideFactory(key="core.a", text="All")
    declare("Alpha", key="core.new", former_keys=("core.a",))

    saved = services.save({"core.new": "All"}, scope="tenant.x")

    assert saved == Saved(None)


def test_the_same_text_under_a_former_key_is_no_change(declare):
    """The row moves when something has to be written, not before."""
    OverrideFactory(key="core.a", text="Mine", default_text="Alpha")
    declare("Alpha", key="core.new", former_keys=("core.a",))
    before = everything()

    saved = services.save({"core.new": "Mine"})

    assert saved == Saved(None)
    assert everything() == before


def test_a_former_key_that_is_declared_again_is_nobodys_former_key(registry, declare):
    """Its row belongs to the fragment of that name."""
    registry.register(fragment("core.new", "New", former_keys=("core.a",)))
    services.save({"core.a": "Mine"})

    services.save({"core.new": "Mine too"})

    assert rows() == {("", "core.a"): "Mine", ("", "core.new"): "Mine too"}


def test_two_fragments_that_claim_one_former_key_can_be_saved_together(registry):
    """The first one takes the row; the second starts from its default."""
    registry.register(
        CORE,
        fragment("core.x", "X", former_keys=("core.old",)),
        fragment("core.y", "Y", former_keys=("core.old",)),
    )
    OverrideFactory(key="core.old", text="Old", default_text="Then")

    services.save({"core.x": "X1", "core.y": "Y1"})

    assert rows() == {("", "core.x"): "X1", ("", "core.y"): "Y1"}
    assert written_over() == {("", "core.x"): "Then", ("", "core.y"): "Y"}


def test_a_default_that_moved_again_is_not_settled_unseen(declare):
    """Keeping the same text over it is a conflict all the same."""
    services.save({"core.a": "One"})
    declare("A better alpha")
    shown = services.etag("", "core.a")
    declare("The best alpha")

    with pytest.raises(EditConflict):
        services.save(
            {"core.a": "One"},
            based_on={"core.a": shown},
            confirm=[("core.a", "default")],
        )
    assert written_over() == {("", "core.a"): "Alpha"}
