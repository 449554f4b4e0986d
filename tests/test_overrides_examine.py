"""Asking beforehand whether a save would be refused."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from prompts_app import services
from prompts_app.overrides.writing import examine
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory
from tests.storing import everything, refused

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare fragments of several kinds."""
    registry.register(
        CORE,
        fragment("core.a", "Alpha"),
        fragment("core.b", "Beta"),
        fragment("core.asks", "{{name}} and {{place}}", must_mention=("name", "place")),
        fragment("core.fixed", "Fixed", locked=True),
        fragment("core.new", "New", former_keys=("core.old",)),
    )
    return registry


REFUSED = {
    "unknown_fragment": {"core.none": "x"},
    "locked": {"core.fixed": "x"},
    "too_long": {"core.a": "x" * 8_001},
    "total_too_long": {"core.a": "x" * 6_000, "core.new": "y" * 6_000},
    "nul": {"core.a": "one\n\0"},
    "surrogate": {"core.a": "\ud800"},
    "unbalanced_fence": {"core.a": "<!-- detailed -->"},
    "must_mention": {"core.asks": "{{place}}"},
    "conflict": {"core.b": "Mine"},
}


@pytest.mark.parametrize("code", REFUSED)
@pytest.mark.parametrize("scope", ["", "tenant.x"])
def test_what_a_save_would_be_refused_for_is_told_beforehand(code, scope, settings):
    """The very same faults, with their figures, come from both."""
    settings.PROMPTS_APP_MAX_STORED_CHARS = 10_000
    options = {"scope": scope, "based_on": {"core.b": "0" * 16}}

    found = examine(REFUSED[code], **options)

    assert [fault.code for fault in found] == [code]
    assert found == refused(services.save, REFUSED[code], **options)


def test_all_faults_are_told_at_once():
    """Nobody has to come back for the second one."""
    values = {"core.none": "x", "core.fixed": "x", "core.asks": "\0", "core.b": "y"}

    found = examine(values, based_on={"core.b": "0" * 16})

    assert [(fault.code, fault.key) for fault in found] == [
        ("unknown_fragment", "core.none"),
        ("locked", "core.fixed"),
        ("nul", "core.asks"),
        ("must_mention", "core.asks"),
        ("must_mention", "core.asks"),
        ("conflict", "core.b"),
    ]
    assert found == refused(services.save, values, based_on={"core.b": "0" * 16})


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"core.a": "Mine"},
        {"core.a": ""},
        {"core.a": "  Alpha\r\n"},
        {"core.asks": "{{ name }}{{place}}", "core.b": "Mine"},
        {"core.asks": " "},
    ],
)
def test_of_what_would_be_saved_nothing_is_said(values):
    """A text equal to what stands beneath, or one that switches off, is no fault."""
    assert examine(values) == ()


def test_what_is_confirmed_is_no_fault():
    """Each lost variable is confirmed by itself."""
    values = {"core.asks": "Nothing"}

    (left,) = examine(values, confirm=[("core.asks", "name")])

    assert left.params == {"variable": "place"}
    both = [("core.asks", "name"), ("core.asks", "place")]
    assert examine(values, confirm=both) == ()


def test_a_text_under_a_former_key_counts_as_stored():
    """Its etag is the one that an editor was shown, so there is no conflict."""
    OverrideFactory(key="core.old", text="Mine")
    now = services.etag("", "core.new")

    assert examine({"core.new": "Better"}, based_on={"core.new": now}) == ()
    (conflict,) = examine({"core.new": "Better"}, based_on={"core.new": "0" * 16})
    assert conflict.params == {"etag": now}


def test_two_who_typed_the_same_have_no_conflict():
    """There is nothing to settle between equal texts."""
    services.save({"core.a": "Same"})

    assert examine({"core.a": "Same\n"}, based_on={"core.a": "0" * 16}) == ()


def test_looking_writes_nothing_and_locks_nothing():
    """A review can be looked at while somebody else saves."""
    services.save({"core.a": "Mine", "core.b": "Yours"})
    before = everything()

    with CaptureQueriesContext(connection) as caught:
        examine({"core.a": "Other", "core.b": "Beta", "core.new": "x"})

    assert everything() == before
    statements = [query["sql"] for query in caught]
    assert [sql.split()[0] for sql in statements] == ["SELECT", "SELECT"]
    assert not [sql for sql in statements if "FOR UPDATE" in sql]


@pytest.mark.parametrize("scope", ["acme", "Tenant.x", "tenant.\n"])
def test_what_is_no_scope_is_an_error(scope):
    """As it is for a save."""
    with pytest.raises(ValueError, match="is no scope"):
        examine({"core.a": "x"}, scope=scope)
