"""What the store held at an earlier moment."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.assembly import Snapshot
from prompts_app.testing import override_prompts
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory
from tests.storing import everything

pytestmark = pytest.mark.django_db

A, B, X = ("", "core.a"), ("", "core.b"), ("tenant.x", "core.a")
MOMENTS = (
    {},
    {A: "One", B: ""},
    {A: "One", B: "", X: "Near"},
    {A: "Two", X: "Near"},
    {X: "Near"},
    {X: "Near", A: "One"},
)


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    return registry


@pytest.fixture
def five_saves():
    """Make the saves that lead from each of the moments to the next."""
    services.save({"core.a": "One", "core.b": ""})
    services.save({"core.a": "Near"}, scope="tenant.x")
    services.save({"core.a": "Two", "core.b": "Beta"})
    services.reset(["core.a"])
    services.save({"core.a": "One"})


@pytest.mark.covers("W5")
@pytest.mark.parametrize("number", range(len(MOMENTS)))
def test_every_moment_can_be_seen_again(five_saves, number):
    """0 is before the first save, the last number is now."""
    assert services.as_of(number).texts == MOMENTS[number]


def test_the_last_moment_is_now(five_saves):
    """History and store agree."""
    assert services.as_of(5).texts == services.stored().texts


def test_a_store_without_history_has_its_beginning_alone():
    """Rows that no save made were always there."""
    OverrideFactory(key="core.a", text="Old")

    assert services.as_of(0).texts == {A: "Old"}
    with pytest.raises(ValueError, match="no revision 1; the last one is 0"):
        services.as_of(1)


@pytest.mark.parametrize("number", [-1, 6, 10**9])
def test_a_moment_that_never_was_is_refused(five_saves, number):
    """The message says which numbers there are."""
    with pytest.raises(ValueError, match=f"no revision {number}; the last one is 5"):
        services.as_of(number)


def test_a_moment_can_be_assembled(five_saves):
    """The snapshot is one like any other, with what sources declare today."""
    then = services.as_of(1)

    assert isinstance(then, Snapshot)
    assert services.assemble(overrides=then).text == "One"
    assert services.resolve("core.a", scope="tenant.x", overrides=then) == "One"


def test_a_moment_has_what_sources_declare(declared, five_saves):
    """A fragment whose source is a row can be looked back at too."""
    with declared.register_source(lambda: [("", fragment("core.row", "Row"))]):
        assert services.assemble(overrides=services.as_of(1)).text == "One\n\nRow"


def test_looking_back_reads_and_writes_nothing(five_saves):
    """The store is the same afterwards."""
    before = everything()

    for number in range(6):
        services.as_of(number)

    assert everything() == before


@pytest.mark.case(35)
def test_history_is_that_of_the_store_whatever_is_in_force(five_saves, settings):
    """Texts that a test pins, or a switch to ignore them, are no history."""
    with override_prompts({"core.a": "Pinned"}):
        pinned = services.as_of(5).texts
    settings.PROMPTS_APP_IGNORE_OVERRIDES = True

    assert pinned == services.as_of(5).texts == MOMENTS[5]
    assert services.as_of(3).texts == MOMENTS[3]


def test_a_moved_row_is_seen_under_the_key_it_had(declared):
    """Before the move under the former key, after it under the new one."""
    services.save({"core.a": "Mine"})
    declared.register(fragment("core.new", "Alpha", former_keys=("core.was",)))
    OverrideFactory(key="core.was", text="Was")
    services.save({"core.new": "Is"})

    assert services.as_of(1).texts == {A: "Mine", ("", "core.was"): "Was"}
    assert services.as_of(2).texts == {A: "Mine", ("", "core.new"): "Is"}
