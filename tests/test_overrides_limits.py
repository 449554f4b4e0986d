"""How long texts may be, alone and together, and what the figures say."""

from __future__ import annotations

import pytest

from prompts_app import services
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory
from tests.storing import refused, rows

pytestmark = pytest.mark.django_db

LIMIT = "PROMPTS_APP_MAX_FRAGMENT_CHARS"
TOTAL = "PROMPTS_APP_MAX_STORED_CHARS"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    return registry


def too_long_together(values):
    """Return whether saving *values* is refused for the total alone."""
    faults = refused(services.save, values)
    return [(fault.code, fault.key) for fault in faults] == [("total_too_long", "")]


@pytest.mark.case(49)
@pytest.mark.covers("L43", "W1")
@pytest.mark.parametrize("separator", ["\n", "\r\n"])
def test_a_text_of_exactly_the_limit_is_stored(settings, separator):
    """A line break counts as one character, however it was sent."""
    setattr(settings, LIMIT, 300)
    text = separator.join(["ab"] * 100)

    services.save({"core.a": f"\r\n{text}c\n"})

    (stored,) = rows().values()
    assert len(stored) == 300


@pytest.mark.covers("L43", "W1")
def test_a_longer_text_is_refused_with_the_figures(settings):
    """Nothing is cut; the message says how much is too much."""
    setattr(settings, LIMIT, 300)

    (fault,) = refused(services.save, {"core.a": "x" * 312}, scope="tenant.x")

    assert (fault.code, fault.scope, fault.key) == ("too_long", "tenant.x", "core.a")
    assert fault.params == {"length": 312, "limit": 300, "over": 12}
    assert fault.message == (
        "core.a: 312 characters; at most 300 are allowed. Shorten it by 12."
    )


def test_the_limit_is_8000_characters_unless_set():
    """The limits are those that the settings' documentation names."""
    services.save({"core.a": "x" * 8_000})

    (fault,) = refused(services.save, {"core.b": "x" * 8_001})

    assert fault.params["limit"] == 8_000


@pytest.mark.covers("W3")
def test_a_long_default_can_be_restored_through_a_save(declared, settings):
    """What equals the text beneath is stored nowhere, whatever its length."""
    declared.register(fragment("core.long", "x" * 400))
    services.save({"core.long": "short"})
    setattr(settings, LIMIT, 300)

    services.save({"core.long": "x" * 400})

    assert rows() == {}


@pytest.mark.covers("L47", "W2")
def test_a_total_that_grows_over_its_limit_is_refused_with_the_figures(settings):
    """No text of anybody else is cut to make room."""
    setattr(settings, TOTAL, 100)
    services.save({"core.a": "a" * 60})

    (fault,) = refused(services.save, {"core.b": "b" * 41})
    services.save({"core.b": "b" * 40})

    assert (fault.code, fault.scope, fault.key) == ("total_too_long", "", "")
    assert fault.params == {"length": 101, "limit": 100}
    assert fault.message == (
        "All texts together would be 101 characters; at most 100 are allowed."
        " Nothing was saved."
    )


def test_a_total_over_its_limit_may_stay_or_shrink(settings):
    """A limit that was lowered later does not stop who makes texts shorter."""
    services.save({"core.a": "a" * 60, "core.b": "b" * 60})
    setattr(settings, TOTAL, 100)

    services.save({"core.a": "c" * 60})
    services.save({"core.a": "c" * 59})
    grown = too_long_together({"core.a": "c" * 60})
    services.save({"core.a": "c" * 10, "core.b": "b" * 90})

    assert grown
    assert sum(map(len, rows().values())) == 100


@pytest.mark.covers("W21")
def test_texts_of_vanished_fragments_count_towards_the_total(settings):
    """What is kept is counted; the fault says so instead of cutting."""
    setattr(settings, TOTAL, 100)
    OverrideFactory(key="core.gone", text="g" * 90)

    assert too_long_together({"core.a": "a" * 11})


def test_each_scope_has_a_total_of_its_own(settings):
    """Texts elsewhere take no room away."""
    setattr(settings, TOTAL, 100)
    services.save({"core.a": "a" * 100})

    services.save({"core.a": "b" * 100}, scope="tenant.x")
    (fault,) = refused(services.save, {"core.b": "b"}, scope="tenant.x")

    assert len(rows()) == 2
    assert (fault.code, fault.scope) == ("total_too_long", "tenant.x")


def test_the_total_counts_a_moved_row_once(declared, settings):
    """A row that moves to its fragment's new key makes nothing longer."""
    declared.register(fragment("core.new", "New", former_keys=("core.old",)))
    setattr(settings, TOTAL, 100)
    OverrideFactory(key="core.old", text="o" * 100)

    services.save({"core.new": "n" * 100})

    assert rows() == {("", "core.new"): "n" * 100}
