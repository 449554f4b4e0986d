"""The one record about texts that the code has left behind."""

from __future__ import annotations

import pytest
from django.db import connection

from prompts_app import services
from prompts_app.declarations import Scope
from prompts_app.models import Override
from prompts_app.overrides import snapshots, telling
from prompts_app.overrides.rows import rows_of
from prompts_app.states import DRIFTED, orphans, state_of
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory
from tests.storing import in_threads

pytestmark = pytest.mark.django_db

SECRET = "tall grass"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare plain, locked, renamed and scoped fragments."""
    registry.register(
        CORE,
        Scope("tenant.own", label="Own"),
        fragment("core.a", "Alpha"),
        fragment("core.b", "Beta"),
        fragment("core.fixed", "Fixed", locked=True),
        fragment("core.new", "New", former_keys=("core.old",)),
    )
    registry.register(fragment("core.a", "Own alpha"), scope="tenant.own")
    return registry


@pytest.fixture
def fresh(told):
    """Make this a process that has not told of its texts."""
    told.release()
    snapshots.forget()


def records(caplog):
    """Return what was logged, level first."""
    return [(one.levelname, one.getMessage()) for one in caplog.records]


def test_drifted_and_orphaned_texts_are_named_once(fresh, caplog):
    """Keys alone, and their scopes; no text and no default."""
    OverrideFactory(key="core.a", text=SECRET, default_text=f"Old {SECRET}")
    OverrideFactory(key="core.b", text=SECRET, default_text="Beta")
    OverrideFactory(key="core.old", text=SECRET, default_text="Was")
    OverrideFactory(key="core.fixed", text=SECRET)
    OverrideFactory(key="core.gone", text=SECRET)
    OverrideFactory(scope="tenant.x", key="core.gone", text=SECRET)
    OverrideFactory(scope="tenant.x", key="core.b", text="", default_text="Was")
    OverrideFactory(scope="tenant.own", key="core.a", default_text="Own alpha")

    services.assemble()
    services.touch()
    services.assemble()
    snapshots.forget()
    services.assemble()

    assert records(caplog) == [
        (
            "WARNING",
            (
                "Stored texts: 8; drifted: 3 (core.a, core.new, core.b (tenant.x));"
                " orphaned: 3 (core.fixed, core.gone, core.gone (tenant.x))"
            ),
        )
    ]
    assert SECRET not in caplog.text


def test_the_record_agrees_with_the_states(fresh, caplog):
    """What the page calls drifted and orphaned is what is told."""
    OverrideFactory(scope="tenant.own", key="core.a", default_text="Alpha")
    OverrideFactory(scope="tenant.own", key="core.b", default_text="Beta")
    OverrideFactory(scope="tenant.own", key="core.gone")

    services.assemble()

    view, rows = services.view_of("tenant.own"), rows_of("tenant.own")
    drifted = [key for key in view.by_key if state_of(view, rows, key).code == DRIFTED]
    gone = [row.key for row in orphans(view, rows)]
    assert (drifted, gone) == (["core.a"], ["core.gone"])
    (said,) = caplog.messages
    assert "drifted: 1 (core.a (tenant.own))" in said
    assert "orphaned: 1 (core.gone (tenant.own))" in said


@pytest.mark.parametrize("stored", [True, False])
def test_where_nothing_has_to_be_decided_nothing_is_said(fresh, caplog, stored):
    """Texts over today's defaults are as they should be; none are as well."""
    if stored:
        services.save({"core.a": "Mine", "core.b": ""})
        snapshots.forget()

    services.assemble()
    OverrideFactory(key="core.gone")
    services.assemble()

    assert records(caplog) == []


@pytest.mark.parametrize(("count", "end"), [(20, ")"), (21, ", …)"), (30, ", …)")])
def test_of_many_the_first_are_named(fresh, caplog, count, end):
    """Twenty keys tell what it is about; dots stand for those that are not named."""
    Override.objects.bulk_create(
        Override(scope="", key=f"gone.n{number:02}", text="Kept")
        for number in range(count)
    )

    services.assemble()

    (said,) = caplog.messages
    assert said.startswith(
        f"Stored texts: {count}; drifted: 0; orphaned: {count} (gone"
    )
    assert said.endswith(f"gone.n18, gone.n19{end}")


def test_what_a_source_declares_is_no_orphan(fresh, caplog, declared):
    """It belongs to the same state as the texts."""
    declared.register_source(lambda: [("", fragment("core.late", "Late"))])
    OverrideFactory(key="core.late", text="Mine", default_text="Late")
    OverrideFactory(key="core.gone", text="Left")

    services.assemble()

    (said,) = caplog.messages
    assert said == "Stored texts: 2; drifted: 0; orphaned: 1 (core.gone)"


def test_it_costs_no_statement(fresh, django_assert_num_queries):
    """The statement that loads the texts reads what they were written over."""
    OverrideFactory(key="core.gone")

    for _ in range(2):
        with django_assert_num_queries(1):
            services.assemble()


def test_a_scope_that_declares_nothing_takes_no_view_of_its_own(
    fresh, caplog, declared, monkeypatch
):
    """Ten thousand tenants make the first assembly no slower than one."""
    Override.objects.bulk_create(
        Override(scope=f"tenant.n{number}", key="core.b", default_text="Beta")
        for number in range(50)
    )
    asked = []
    original = type(telling.registry).view

    def view(self, chain=(), declarations=()):
        asked.append(chain)
        return original(self, chain, declarations)

    monkeypatch.setattr(type(telling.registry), "view", view)

    services.stored()

    assert set(asked) == {()}
    assert records(caplog) == []


@pytest.mark.django_db(transaction=True)
def test_many_threads_tell_once(fresh, caplog):
    """Whoever comes first."""
    OverrideFactory(key="core.gone")
    connection.close()

    failed = in_threads(*[services.assemble] * 6)

    assert failed == []
    assert [record.name for record in caplog.records] == ["prompts_app"]
