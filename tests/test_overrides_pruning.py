"""Forgetting history, and what is never forgotten."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils.timezone import now

from prompts_app import services
from prompts_app.models import Change, Revision
from prompts_app.overrides import pruning
from prompts_app.overrides.pruning import Pruned
from tests.assembling import CORE, fragment
from tests.storing import everything, rows, version

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two texts."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    return registry


def saves(count):
    """Save one text that many times."""
    for number in range(count):
        services.save({"core.a": f"Text {number}"})


def numbers():
    """Return the numbers of the revisions that are kept."""
    return list(Revision.objects.order_by("number").values_list("number", flat=True))


def test_it_only_counts_at_first():
    """Nothing goes until somebody says so."""
    saves(5)
    before = everything()

    assert services.prune_history(keep=2) == Pruned(revisions=3, changes=3, kept=2)
    assert everything() == before


def test_the_newest_revisions_stay():
    """As many as are asked for."""
    saves(5)

    pruned = services.prune_history(keep=2, dry_run=False)

    assert pruned == Pruned(revisions=3, changes=3, kept=2)
    assert numbers() == [4, 5]
    assert Change.objects.count() == 2
    assert rows() == {("", "core.a"): "Text 4"}


def test_only_what_is_old_enough_goes():
    """Both conditions hold for what goes, where both are given."""
    saves(5)
    day = now() - timedelta(days=1)
    Revision.objects.filter(number__lte=3).update(created_at=day - timedelta(hours=1))

    assert services.prune_history(before=day).revisions == 3
    assert services.prune_history(before=day, keep=4).revisions == 1
    assert services.prune_history(before=datetime(2000, 1, 1, tzinfo=UTC)).kept == 5


def test_the_newest_change_of_a_living_text_stays():
    """Whatever its age, and the revision with it."""
    services.save({"core.b": "Off soon"})
    services.save({"core.b": ""})
    saves(4)

    services.prune_history(keep=1, dry_run=False)

    assert numbers() == [2, 6]


def test_what_is_stored_counts_as_living_and_what_is_gone_does_not(registry):
    """An orphan's last change stays with its row and goes with it."""
    gone = registry.register(fragment("core.gone", "G"))
    services.save({"core.gone": "Kept"})
    gone.remove()
    saves(2)

    services.prune_history(keep=1, dry_run=False)
    assert numbers() == [1, 3]
    services.prune(["core.gone"])
    services.prune_history(keep=0, dry_run=False)
    assert numbers() == [3]


def test_a_moment_that_cannot_be_known_any_more_is_refused():
    """A wrong answer would be worse than none."""
    saves(5)
    services.save({"core.b": "Mine"})
    services.prune_history(keep=2, dry_run=False)

    assert services.as_of(4).texts == {("", "core.a"): "Text 3"}
    for number in (0, 3):
        with pytest.raises(
            ValueError,
            match=f"revision {number} is not known any more: later revisions were pruned$",
        ):
            services.as_of(number)
        with pytest.raises(ValueError, match="later revisions were pruned"):
            services.restore(number)


def test_numbers_are_not_given_twice():
    """A pruned history goes on counting."""
    saves(3)
    services.prune_history(keep=0, dry_run=False)

    assert services.save({"core.b": "Mine"}).revision == 4


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "^keep or before has to say what may be forgotten$"),
        ({"keep": -1}, "^keep is -1; it cannot be less than 0$"),
    ],
)
def test_what_may_be_forgotten_has_to_be_said(options, said):
    """Nobody forgets everything by accident."""
    with pytest.raises(ValueError, match=said):
        services.prune_history(**options)


def test_changes_are_counted_however_many_are_taken_at_once(monkeypatch):
    """In turns, and of each turn."""
    monkeypatch.setattr(pruning, "CHUNK", 2)
    saves(6)

    assert services.prune_history(keep=1) == Pruned(5, 5, 1)
    assert services.prune_history(keep=1, dry_run=False) == Pruned(5, 5, 1)
    assert numbers() == [6]


def test_revisions_go_by_their_number():
    """Their primary keys say nothing of their order."""
    for number in range(1, 4):
        Revision.objects.create(id=100 - number, number=number, kind="save")

    assert services.prune_history(keep=1, dry_run=False) == Pruned(2, 0, 1)
    assert numbers() == [3]


def test_many_revisions_go_in_few_statements(django_assert_max_num_queries):
    """However long the history is."""
    saves(3)
    Revision.objects.bulk_create(
        Revision(number=number, kind="save") for number in range(4, 1_204)
    )

    with django_assert_max_num_queries(20):
        assert services.prune_history(keep=0).revisions == 1_202


def test_the_newest_change_of_a_declared_text_stays_without_a_row():
    """It says who took the text back, and when."""
    services.save({"core.a": "One"})
    services.reset(["core.a"])
    services.save({"core.b": "Uno"})

    services.prune_history(keep=0, dry_run=False)

    assert numbers() == [2, 3]


def test_writers_wait_until_history_is_pruned():
    """The version is the lock of all of them; counting takes none."""
    saves(3)
    before = version()

    services.prune_history(keep=1)
    assert version() == before
    services.prune_history(keep=1, dry_run=False)
    assert version() != before
