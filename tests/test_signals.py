"""What this app announces, when, and what it never tells."""

from __future__ import annotations

import logging

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.core import checks
from django.db import connection, transaction
from django.db.models.signals import post_delete, post_save
from django.test.utils import CaptureQueriesContext

from prompts_app import services
from prompts_app.exceptions import SaveRefused
from prompts_app.models import Change, Override, Revision, StoredState
from prompts_app.overrides.journal import Edit
from prompts_app.registry import Registry, registry as the_registry
from prompts_app.signals import overrides_saved, registry_changed
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory
from tests.storing import announcements, rows

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    return registry


@pytest.mark.django_db(transaction=True)
def test_a_save_is_announced_when_it_is_committed():
    """Receivers learn its number, its kind, its addresses and its database."""
    with announcements() as sent:
        with transaction.atomic():
            services.save({"core.a": "Mine", "core.b": ""}, scope="tenant.x")
            assert sent == []
        services.reset(["core.a"], scope="tenant.x")

    assert sent == [
        {
            "sender": Override,
            "revision": 1,
            "kind": "save",
            "keys": (("tenant.x", "core.a"), ("tenant.x", "core.b")),
            "using": "default",
        },
        {
            "sender": Override,
            "revision": 2,
            "kind": "reset",
            "keys": (("tenant.x", "core.a"),),
            "using": "default",
        },
    ]


@pytest.mark.django_db(transaction=True)
def test_a_save_that_is_rolled_back_is_not_announced():
    """Nothing happened that anybody could react to."""
    with announcements() as sent, transaction.atomic():
        services.save({"core.a": "Mine"})
        transaction.set_rollback(True)

    assert sent == []


@pytest.mark.django_db(transaction=True)
def test_a_receiver_that_fails_harms_nobody(caplog):
    """The save stands, the other receivers are told, and the error is logged."""

    def fail(**arguments):
        raise RuntimeError("broken receiver")

    overrides_saved.connect(fail)
    try:
        with announcements() as sent:
            saved = services.save({"core.a": "Mine"})
    finally:
        overrides_saved.disconnect(fail)

    assert saved.revision == 1
    assert len(sent) == 1
    assert rows() == {("", "core.a"): "Mine"}
    assert "broken receiver" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_receiver_may_save_and_assemble():
    """It sees what was saved, and its own save is one like any other."""
    seen = []

    def react(revision, **arguments):
        seen.append(services.assemble().text)
        if revision == 1:
            services.save({"core.b": "In answer"})

    overrides_saved.connect(react)
    try:
        services.save({"core.a": "Mine"})
    finally:
        overrides_saved.disconnect(react)

    assert seen == ["Mine\n\nBeta", "Mine\n\nIn answer"]
    assert services.assemble().text == "Mine\n\nIn answer"


@pytest.mark.covers("D9")
def test_every_change_of_the_registry_is_announced_once(declared):
    """Registration and removal alike, whatever the layer."""
    told = []

    def receive(sender, registry, **arguments):
        told.append((sender, sorted(registry)))

    registry_changed.connect(receive)
    try:
        registration = declared.register(fragment("core.c"), fragment("core.d"))
        declared.register_hook(print, scope="tenant.x").remove()
        registration.remove()
        registration.remove()
    finally:
        registry_changed.disconnect(receive)

    two = ["core.a", "core.b"]
    four = [*two, "core.c", "core.d"]
    assert told == [(Registry, keys) for keys in (four, four, four, two)]


@pytest.mark.covers("D10")
def test_a_receiver_that_refuses_takes_the_registration_back(declared):
    """What somebody could not take is not registered for others either."""

    def refuse(**arguments):
        raise RuntimeError("no")

    registry_changed.connect(refuse)
    try:
        with pytest.raises(RuntimeError, match="no"):
            declared.register(fragment("core.c"))
    finally:
        registry_changed.disconnect(refuse)

    assert sorted(declared) == ["core.a", "core.b"]


def test_no_text_is_told_to_anybody(caplog, editor, django_capture_on_commit_callbacks):
    """Records, signals, log entries and what is printed hold keys and figures alone."""
    canary = "canary-in-a-text"
    OverrideFactory(key="core.b", text=canary, default_text=canary)
    told = []

    def receive(**arguments):
        told.append(repr(arguments))

    signals = (overrides_saved, registry_changed)
    for signal in signals:
        signal.connect(receive)
    try:
        with (
            caplog.at_level(logging.DEBUG),
            django_capture_on_commit_callbacks(execute=True),
        ):
            saved = services.save({"core.a": canary, "core.b": "x"}, author=editor)
            with pytest.raises(SaveRefused) as refused:
                services.save({"core.a": canary, "core.none": canary + "\0"})
    finally:
        for signal in signals:
            signal.disconnect(receive)

    models = (Override, Revision, Change, StoredState)
    told += [repr(row) + str(row) for model in models for row in model.objects.all()]
    told += [repr(saved), repr(refused.value), str(refused.value)]
    told += [repr(refused.value.faults), repr(services.stored())]
    told += [
        repr(services.assemble()),
        repr(Edit("", "core.a", canary, canary, canary)),
    ]
    told += [entry.change_message for entry in LogEntry.objects.all()]
    assert canary in str(rows())
    assert len(told) > 10
    assert canary not in "".join(told) + caplog.text


def test_wiring_twice_changes_nothing():
    """The app may be made ready again, without a query and without a second ear."""
    config = apps.get_app_config("prompts_app")
    before = [len(signal.receivers) for signal in (post_save, post_delete)]
    with CaptureQueriesContext(connection) as captured:
        config.ready()
    told = []

    def receive(**arguments):
        told.append(1)

    registry_changed.connect(receive)
    try:
        the_registry.register(fragment("core.c"))
    finally:
        registry_changed.disconnect(receive)

    assert list(captured) == []
    assert [len(signal.receivers) for signal in (post_save, post_delete)] == before
    assert told == [1]
    assert "prompts_app" in checks.registry.registry.tags_available()
