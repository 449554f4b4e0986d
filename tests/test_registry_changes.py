"""How a registry changes: taken back, announced, restored, by many threads."""

from __future__ import annotations

import threading

import pytest

from prompts_app import exceptions as errors
from prompts_app.registry import Registry
from tests.assembling import CORE, fragment, registry_of, variable


def heard(registry):
    """Return the list that grows by the generation at each announcement."""
    generations = []
    registry.on_change(lambda changed: generations.append(changed.generation))
    return generations


@pytest.mark.covers("D9", "D11")
def test_a_registration_can_be_taken_back():
    """Only its own goes, and a second time nothing does."""
    registry = registry_of(fragment("core.kept"))
    added = registry.register(fragment("core.a"), variable("who"))
    told = heard(registry)

    added.remove()
    added.remove()

    assert list(registry) == ["core.kept"]
    assert registry.records("group")
    assert "lb" in registry.view().variables
    assert len(told) == 1
    assert repr(added) == "<Registration of 2>"


@pytest.mark.covers("D9")
def test_a_registration_ends_with_its_block():
    """Also where the block raises."""
    registry = Registry()
    seen = []

    def block():
        with registry.register(fragment()) as added:
            seen.append((list(registry), repr(added)))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        block()

    assert seen == [(["core.a"], "<Registration of 1>")]
    assert list(registry) == []


def test_what_was_registered_anew_is_not_taken_back():
    """An old registration knows its own records from others of the same key."""
    registry = Registry()
    old = registry.register(fragment(default="old"))
    old.remove()
    registry.register(fragment(default="new"))

    old.remove()

    assert registry["core.a"].default == "new"


@pytest.mark.covers("D9")
def test_each_change_is_announced_once():
    """However many listeners asked twice, and not when nothing changed."""
    registry = Registry()
    told = []
    registry.on_change(told.append)
    registry.on_change(told.append)

    registry.register(CORE, fragment())
    added = registry.register_hook(print, "tenant.acme")
    registry.register()
    added.remove()

    assert told == [registry] * 3


@pytest.mark.covers("D10")
def test_an_announcement_that_raises_takes_the_change_back():
    """Of a registration and of a removal alike; what was there is there again."""
    registry = registry_of(fragment("core.kept"))
    kept = registry.register(fragment("core.b"))
    before = registry.generation

    def refuse(changed):
        raise RuntimeError("no")

    registry.on_change(refuse)

    for change in (lambda: registry.register(fragment()), kept.remove):
        with pytest.raises(RuntimeError, match="no"):
            change()
        assert list(registry) == ["core.kept", "core.b"]
        assert registry.view().by_key.keys() == {"core.kept", "core.b"}
    assert registry.generation > before


def test_django_can_put_back_what_was_there():
    """A copy that is assigned counts, is announced, and the same again is not."""
    registry = registry_of(fragment())
    before = dict(registry._registry)
    registry.register(fragment("core.b"))
    told = heard(registry)
    view = registry.view()

    registry._registry = before
    registry._registry = dict(before)

    assert list(registry) == ["core.a"]
    assert "core.b" not in registry.view().by_key
    assert registry.view() is not view
    assert len(told) == 1


def test_the_dict_is_copied_on_write():
    """Who holds the old one never sees it change."""
    registry = registry_of(fragment())
    held = registry._registry
    size = len(held)

    registry.register(fragment("core.b")).remove()
    registry.register(variable("who"))

    assert len(held) == size
    assert registry._registry is not held


def test_many_threads_register_at_once_and_none_is_lost():
    """Of a key that all of them claim, one registration stands."""
    registry = Registry()
    refused = []

    def claim(number):
        registry.register(fragment(f"core.a{number}"))
        try:
            registry.register(variable("who"))
        except errors.AlreadyRegistered as error:
            refused.append(error)

    threads = [threading.Thread(target=claim, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(registry) == 16
    assert len(refused) == 15
