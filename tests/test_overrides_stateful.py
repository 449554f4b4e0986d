"""The whole life of a store, in any order, held against a plain model of the rules."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from django.db import transaction
from django.test import override_settings
from hypothesis import settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from prompts_app import services
from prompts_app.exceptions import SaveRefused
from prompts_app.testing import isolated_registry
from tests.assembling import CORE, fragment
from tests.store_model import LIMIT, TOTAL, Held, Model, Refused, Texts
from tests.storing import rows, written_over

SCOPES = ("", "tenant.x")
STEMS = ("core.a", "core.b", "core.c")
TEXTS = ("", " ", "Old", "New", "Mine", "\nMine\n", "Theirs", "x" * LIMIT, "x" * 13)

scopes = st.sampled_from(SCOPES)
places = st.integers(0, 100)
texts = st.sampled_from(TEXTS)
changes = st.lists(st.tuples(places, texts), min_size=1, max_size=3)
Written = tuple[int | None, Texts]


class Life(RuleBasedStateMachine):
    """Does at random what people, releases and faults do to a store."""

    def __init__(self) -> None:
        super().__init__()
        self.model = Model(dict.fromkeys(STEMS, "Old"))
        self.gone: dict[str, str] = {}
        self.file: tuple[object, Texts] | None = None
        self.opened: dict[tuple[str, str], tuple[str, tuple[str | None, str]]] = {}
        self.stack = ExitStack()
        self.registry = self.stack.enter_context(isolated_registry())
        limits = override_settings(
            PROMPTS_APP_MAX_FRAGMENT_CHARS=LIMIT, PROMPTS_APP_MAX_STORED_CHARS=TOTAL
        )
        self.stack.enter_context(limits)
        self.stack.enter_context(taken_back())
        self.release()

    def teardown(self) -> None:
        """Look at every moment of the history, and leave nothing behind."""
        with self.stack:
            for number, moment in enumerate(self.model.moments):
                past = services.as_of(number).texts
                assert past == {at: held.text for at, held in moment.items()}

    def release(self) -> None:
        """Declare what the software has now in place of what it had."""
        self.registry._registry = {}
        self.registry.register(
            CORE,
            *(
                fragment(key, text, former_keys=self.model.former.get(key, ()))
                for key, text in self.model.defaults.items()
            ),
        )

    def key(self, place: int) -> str:
        """Return one of the declared keys."""
        return sorted(self.model.defaults)[place % len(self.model.defaults)]

    def both(self, rule_: Callable[[], Texts], call: Callable[[], Any]) -> None:
        """Let the model and the store do the same, or refuse the same."""
        try:
            expected = rule_()
        except Refused:
            with pytest.raises(SaveRefused):
                call()
        else:
            assert call().revision == self.model.becomes(expected)

    @rule(scope=scopes, changes=changes, is_settled=st.booleans())
    def save(self, scope, changes, is_settled):
        """Save some texts, perhaps with a look at their drift."""
        values = {self.key(place): text for place, text in changes}
        settled = tuple(values) if is_settled else ()
        self.both(
            lambda: self.model.saved(scope, values, {}, settled),
            lambda: services.save(
                values, scope=scope, confirm=[(key, "default") for key in settled]
            ),
        )

    @rule(scope=scopes, place=places)
    def open_editor(self, scope, place):
        """Show somebody a text, who will save another one later."""
        key = self.key(place)
        own = self.model.found(self.model.stored, scope, key)
        seen = own[1].text if own else None, self.model.defaults[key]
        self.opened[scope, key] = services.etag(scope, key), seen

    @precondition(lambda self: self.opened)
    @rule(place=places, text=texts)
    def save_what_was_opened(self, place, text):
        """Save over a text that others may have changed since."""
        scope, key = sorted(self.opened)[place % len(self.opened)]
        etag, seen = self.opened.pop((scope, key))
        if key in self.model.defaults:
            self.both(
                lambda: self.model.saved(scope, {key: text}, {key: seen}),
                lambda: services.save({key: text}, scope=scope, based_on={key: etag}),
            )

    @rule(scope=scopes, place=places)
    def reset(self, scope, place):
        """Go back to what stands beneath."""
        key = self.key(place)
        self.both(
            lambda: self.model.reset(scope, key),
            lambda: services.reset([key], scope=scope),
        )

    @rule(scope=scopes, place=places)
    def acknowledge(self, scope, place):
        """Keep a text over a default that has moved."""
        key = self.key(place)
        self.both(
            lambda: self.model.acknowledged(scope, key),
            lambda: services.acknowledge([key], scope=scope),
        )

    @rule(place=places)
    def restore(self, place):
        """Go back to a moment."""
        number = place % len(self.model.moments)
        self.both(lambda: self.model.restored(number), lambda: services.restore(number))

    @precondition(lambda self: self.model.orphans())
    @rule(place=places, other=places)
    def adopt(self, place, other):
        """Give a text that nobody reads to a fragment without one."""
        orphans = self.model.orphans()
        (scope, old), new = orphans[place % len(orphans)], self.key(other)
        if self.model.found(self.model.stored, scope, new):
            with pytest.raises(ValueError, match="has an override already"):
                services.adopt(old, new, scope=scope)
        else:
            self.both(
                lambda: self.model.adopted(scope, old, new),
                lambda: services.adopt(old, new, scope=scope),
            )

    @precondition(lambda self: self.model.orphans())
    @rule(place=places)
    def prune(self, place):
        """Take a text away that nobody reads."""
        orphans = self.model.orphans()
        scope, key = orphans[place % len(orphans)]
        self.both(
            lambda: self.model.pruned(scope, key),
            lambda: services.prune([key], scope=scope),
        )

    @rule(place=places, text=st.sampled_from(["Old", "New", "Newer", "Mine"]))
    def upgrade(self, place, text):
        """Release another default; what is stored stays."""
        self.model.defaults[self.key(place)] = text
        self.release()

    @rule(place=places)
    def rename(self, place):
        """Release a fragment under another key, which names its former ones."""
        old = self.key(place)
        new = f"{old}1"
        self.model.defaults[new] = self.model.defaults.pop(old)
        self.model.former[new] = (old, *self.model.former.get(old, ()))
        self.release()

    @precondition(lambda self: len(self.model.defaults) > 1)
    @rule(place=places)
    def drop(self, place):
        """Release without a fragment; its texts are kept."""
        key = self.key(place)
        self.gone[key] = self.model.defaults.pop(key)
        self.release()

    @precondition(lambda self: self.gone)
    @rule()
    def bring_back(self):
        """Release the dropped fragments again, each with its texts."""
        self.model.defaults |= self.gone
        self.gone = {}
        self.release()

    @rule()
    def export(self):
        """Keep all texts in a file."""
        self.file = services.export_texts(), dict(self.model.stored)

    @precondition(lambda self: self.file is not None)
    @rule(is_dry=st.booleans())
    def import_(self, is_dry):
        """Take an older file in, or only try."""
        document, held = self.file
        if is_dry:
            try:
                expected = self.model.brought(held)
            except Refused:
                with pytest.raises(SaveRefused):
                    services.import_texts(document, dry_run=True)
            else:
                tried = services.import_texts(document, dry_run=True)
                assert bool(tried.stored or tried.removed) == (
                    expected != self.model.stored
                )
        else:
            self.both(
                lambda: self.model.brought(held),
                lambda: services.import_texts(document),
            )

    @rule(scope=scopes, place=places, text=texts)
    def fail_after_a_save(self, scope, place, text):
        """Save inside a transaction that comes to nothing."""
        with taken_back():
            try:
                services.save({self.key(place): text}, scope=scope)
                services.assemble(scope=scope)
            except SaveRefused:
                pass

    @invariant()
    def rows_are_those_of_the_model(self):
        """Texts, and what they were written over, no more and no less."""
        assert rows() == {at: one.text for at, one in self.model.stored.items()}
        over = {at: one.default for at, one in self.model.stored.items()}
        assert written_over() == over

    @invariant()
    def what_is_in_force_is_as_the_rules_say(self):
        """In every scope, for every fragment."""
        for scope in SCOPES:
            for key in self.model.defaults:
                said = self.model.in_force(scope, key)
                assert services.resolve(key, scope=scope) == said


@contextmanager
def taken_back():
    """Roll back whatever is written inside."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.django_db
@pytest.mark.case(25, 65, 72)
@pytest.mark.covers("L40", "L42", "L44", "L45", "L46")
def test_a_store_lives_as_the_rules_say():
    """Whatever happens to it, and in whatever order."""
    run_state_machine_as_test(
        Life, settings=settings(max_examples=25, stateful_step_count=20)
    )


@pytest.mark.django_db
def test_every_rule_is_played_at_least_once():
    """Chance may leave one out; by hand each is met, in both of its ways."""
    life = Life()
    life.save("", [(0, "Mine")], is_settled=False)
    life.save("", [(0, "New"), (1, "x" * LIMIT), (2, "x" * LIMIT)], is_settled=False)
    life.save("", [(0, "x" * 9), (1, "x" * LIMIT), (2, "x" * LIMIT)], is_settled=True)
    for text in ("Mine", "Theirs"):
        life.open_editor("", 0)
        life.save("", [(0, "Theirs")], is_settled=False)
        life.save_what_was_opened(0, text)
    life.save("tenant.x", [(0, "New"), (1, "x" * LIMIT)], is_settled=False)
    life.reset("", 0)
    life.save("", [(0, "Mine")], is_settled=False)
    life.upgrade(0, "New")
    life.acknowledge("", 0)
    life.acknowledge("tenant.x", 2)
    life.open_editor("", 0)
    life.export()
    life.drop(0)
    life.save_what_was_opened(0, "Mine")
    life.adopt(0, 0)
    life.rename(0)
    life.reset("", 0)
    life.adopt(0, 0)
    life.prune(0)
    assert life.model.orphans() == []
    life.import_(is_dry=True)
    life.import_(is_dry=False)
    life.bring_back()
    life.import_(is_dry=True)
    life.import_(is_dry=False)
    life.import_(is_dry=True)
    for text in ("Mine", "x" * 13):
        life.fail_after_a_save("", 0, text)
    for number in (5, 0):
        life.restore(number)
        life.rows_are_those_of_the_model()
        life.what_is_in_force_is_as_the_rules_say()
    life.teardown()


def test_the_model_itself_refuses():
    """A model that allowed everything would show nothing."""
    model = Model({"core.a": "Old"}, stored={("", "core.a"): Held("Mine", "Old")})

    with pytest.raises(Refused):
        model.saved("", {"core.a": "x" * 13}, {})
    with pytest.raises(Refused):
        model.saved("", {"core.a": "New"}, {"core.a": (None, "Old")})
