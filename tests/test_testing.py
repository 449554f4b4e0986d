"""What the tests of other apps use: pinned texts and a registry of their own."""

from __future__ import annotations

import contextvars
import unittest

import pytest
from asgiref.sync import async_to_sync
from django.test import SimpleTestCase

from prompts_app import services
from prompts_app.assembly import Snapshot
from prompts_app.registry import registry as the_registry
from prompts_app.signals import registry_changed
from prompts_app.testing import isolated_registry, override_prompts
from tests.assembling import CORE, fragment

OUTSIDE = {("", "core.b"): "Outside"}


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments and pin texts, so that no test needs a database."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    with override_prompts(Snapshot(OUTSIDE)):
        yield registry


def texts():
    """Return the texts that are in force now."""
    return dict(services.stored().texts)


def test_texts_are_pinned_for_a_block():
    """They hold inside, over what stood outside, and are gone afterwards."""
    with override_prompts({"core.a": "Pinned"}) as snapshot:
        inside = services.assemble().text
        assert services.stored() is snapshot

    assert inside == "Pinned\n\nOutside"
    assert services.assemble().text == "Alpha\n\nOutside"


def test_pinned_texts_hold_without_a_database():
    """A test that asks for no database is allowed to assemble."""
    with override_prompts():
        assert services.assemble().text == "Alpha\n\nOutside"
        assert services.render("core.b") == "Outside"
        assert services.resolve("core.a") == "Alpha"


def test_a_blank_text_is_off_and_none_is_no_override():
    """The same words as everywhere."""
    with override_prompts({"core.a": "", "core.b": None}):
        assert services.assemble().text == "Beta"


def test_texts_can_be_pinned_for_one_scope():
    """Other scopes keep theirs."""
    with override_prompts({"core.a": "Near"}, scope="tenant.x"):
        assert services.render("core.a", scope="tenant.x") == "Near"
        assert services.render("core.a") == "Alpha"


def test_a_snapshot_is_pinned_as_it_is():
    """Nothing of what was pinned outside is left."""
    snapshot = Snapshot({("", "core.a"): "Whole"})

    with override_prompts(snapshot):
        assert services.stored() is snapshot
        assert services.assemble().text == "Whole\n\nBeta"


def test_blocks_can_be_nested():
    """The inner one adds to the outer one and takes back only its own."""
    outer, inner = override_prompts({"core.a": "Outer"}), {"core.b": "Inner"}

    with outer:
        with override_prompts(inner):
            both = texts()
            with outer:
                again = texts()
        one = texts()

    assert both == again == {("", "core.a"): "Outer", ("", "core.b"): "Inner"}
    assert one == OUTSIDE | {("", "core.a"): "Outer"}
    assert texts() == OUTSIDE


def test_an_error_takes_the_texts_back():
    """A test that fails leaves nothing to the next one."""
    with pytest.raises(ZeroDivisionError), override_prompts({"core.a": "Pinned"}):
        raise ZeroDivisionError

    assert texts() == OUTSIDE


def test_what_sources_declare_is_pinned_along(declared):
    """They are asked when the texts are pinned, and not again."""
    declared.register_source(lambda: [("", fragment("core.c", "Row"))])

    with override_prompts(Snapshot()):
        without = services.assemble().text
    snapshot = _pinned_alone()

    assert without == "Alpha\n\nBeta"
    assert services.assemble(overrides=snapshot).text == "Mine\n\nBeta\n\nRow"


def _pinned_alone():
    """Return what is pinned where nothing was pinned before."""

    def pin():
        with override_prompts({"core.a": "Mine"}) as snapshot:
            return snapshot

    return contextvars.Context().run(pin)


def test_a_function_can_be_decorated():
    """Its arguments and result are its own; it can be called again."""

    @override_prompts({"core.a": "Pinned"})
    def called(key, *, upper):
        text = services.render(key)
        return text.upper() if upper else text

    results = [called("core.a", upper=True), called("core.a", upper=False)]

    assert results == ["PINNED", "Pinned"]
    assert called.__name__ == "called"
    assert texts() == OUTSIDE


def test_an_asynchronous_function_can_be_decorated():
    """The texts hold until it is done waiting."""

    @override_prompts({"core.a": "Pinned"})
    async def waited():
        return await services.arender("core.a")

    assert async_to_sync(waited)() == "Pinned"
    assert texts() == OUTSIDE


def test_a_test_class_can_be_decorated():
    """Every test of it sees the texts, and none after it does."""
    seen = []

    @override_prompts({"core.a": "Pinned"})
    class Case(SimpleTestCase):
        def setUp(self):
            seen.append(services.render("core.a"))

        def test_directly(self):
            seen.append(services.render("core.a"))

        @override_prompts({"core.b": ""})
        async def test_waiting(self):
            seen.append((await services.aassemble()).text)

    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(Case).run(result)

    assert (result.testsRun, result.errors, result.failures) == (2, [], [])
    assert seen == ["Pinned", "Pinned", "Pinned", "Pinned"]
    assert texts() == OUTSIDE


def test_only_test_classes_can_be_decorated():
    """Another class would never pin anything."""
    with pytest.raises(TypeError):
        override_prompts({"core.a": "Pinned"})(type("Plain", (), {}))


def test_pinning_prints_no_text():
    """What a failing test shows of it holds none of the texts."""
    assert "canary" not in repr(override_prompts({"core.a": "canary"}))


def test_an_isolated_registry_starts_empty():
    """Whatever the test registers is gone afterwards, and what was there is back."""
    before = list(the_registry)

    with isolated_registry() as isolated:
        assert isolated is the_registry
        assert list(isolated) == []
        isolated.register(fragment("core.only"))
        assert list(isolated) == ["core.only"]

    assert list(the_registry) == before == ["core.a", "core.b"]


def test_an_isolated_registry_can_start_with_what_is_declared():
    """A test can add to it or take from it."""
    with isolated_registry(empty=False) as isolated:
        isolated.register(fragment("core.more"))
        assert list(isolated) == ["core.a", "core.b", "core.more"]

    assert list(the_registry) == ["core.a", "core.b"]


def test_an_isolated_registry_comes_back_after_an_error():
    """A test that fails leaves nothing to the next one."""
    with pytest.raises(ZeroDivisionError), isolated_registry():
        raise ZeroDivisionError

    assert list(the_registry) == ["core.a", "core.b"]


def test_an_isolated_registry_announces_its_changes():
    """Whoever keeps something of the registry is told at both ends."""
    told = []

    def receive(registry, **arguments):
        told.append(list(registry))

    registry_changed.connect(receive)
    try:
        with isolated_registry():
            pass
    finally:
        registry_changed.disconnect(receive)

    assert told == [[], ["core.a", "core.b"]]
