"""Any sequence of saves and resets, held against a plain model of the rules."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.test import override_settings
from hypothesis import HealthCheck, example, given, settings, strategies as st

from prompts_app import services
from prompts_app.exceptions import SaveRefused
from tests.assembling import CORE, fragment
from tests.storing import rows

pytestmark = pytest.mark.django_db

LIMIT, TOTAL = 12, 30
SCOPES = ("", "tenant.x", "tenant.y")
DEFAULTS = {"core.a": "Alpha", "core.blank": "", "core.lines": "one\r\n two\n"}
OWN = {("tenant.x", "core.a"): "Near"}
MARKER = "<!-- detailed -->"

pieces = st.sampled_from(
    [*"ab \t\r\n\0\ud800\xa0\u2028é😀", "\r\n", "Alpha", "Near", "one\n two", MARKER]
)
texts = st.lists(pieces, max_size=4).map("".join) | st.just("x" * (LIMIT + 1))
steps = st.lists(
    st.tuples(
        st.sampled_from(SCOPES),
        st.dictionaries(st.sampled_from(sorted(DEFAULTS)), texts, max_size=3)
        | st.sets(st.sampled_from(sorted(DEFAULTS))),
    ),
    max_size=8,
)


class Model:
    """What the store has to hold, as a plain dictionary and a list of moments."""

    def __init__(self) -> None:
        self.texts: dict[tuple[str, str], str] = {}
        self.moments = [{}]

    def beneath(self, scope: str, key: str) -> str:
        """Return what is in force without the override of the scope itself."""
        if (scope, key) in OWN:
            return OWN[scope, key]
        if scope and ("", key) in self.texts:
            return self.texts["", key]
        return DEFAULTS[key]

    def take(self, scope: str, change: dict[str, str] | set[str]) -> bool:
        """Carry a save or a reset out; False: it has to be refused."""
        after = dict(self.texts)
        sound = True
        for key in change:
            text = change[key] if isinstance(change, dict) else None
            if text is None or plain(text) == plain(self.beneath(scope, key)):
                after.pop((scope, key), None)
            else:
                after[scope, key] = text.replace("\r\n", "\n").strip("\n")
                sound = sound and storable(after[scope, key])
        total, before = size(after, scope), size(self.texts, scope)
        if not sound or (total > TOTAL and total > before):
            return False
        if after != self.texts:
            self.texts = after
            self.moments.append(after)
        return True


def plain(text: str) -> str:
    """Return *text* with line breaks folded and outer white space gone."""
    return "\n".join(text.replace("\r\n", "\n").split("\r")).strip()


def storable(text: str) -> bool:
    """Return whether a text may stand in the store by itself."""
    fences = [line.strip() for line in text.split("\n")].count(MARKER)
    bad = "\0" in text or any("\ud800" <= character <= "\udfff" for character in text)
    return not (bad or fences or len(text) > LIMIT)


def size(stored: dict[tuple[str, str], str], scope: str) -> int:
    """Return how many characters a scope's texts have together."""
    return sum(len(text) for (of, _), text in stored.items() if of == scope)


def carry_out(scope: str, change: dict[str, str] | set[str]) -> bool:
    """Save or reset through the door; False: it was refused."""
    do = services.save if isinstance(change, dict) else services.reset
    try:
        do(change, scope=scope)
    except SaveRefused:
        return False
    return True


@override_settings(
    PROMPTS_APP_MAX_FRAGMENT_CHARS=LIMIT, PROMPTS_APP_MAX_STORED_CHARS=TOTAL
)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
@example([("", {"core.blank": "Base"}), ("tenant.x", {"core.blank": "Near"})])
@pytest.mark.covers("L40", "L42", "L44", "L45", "L46")
def test_any_sequence_of_saves_leaves_what_the_rules_say(registry, sequence):
    """Rows, what is in force, and every moment of the history agree with the model."""
    if not len(registry):
        registry.register(CORE, *(fragment(k, text) for k, text in DEFAULTS.items()))
        registry.register(fragment("core.a", "Near"), scope="tenant.x")
    model = Model()

    with transaction.atomic():
        for scope, change in sequence:
            assert carry_out(scope, change) == model.take(scope, change)
            assert rows() == model.texts
        for number, moment in enumerate(model.moments):
            assert services.as_of(number).texts == moment
        with pytest.raises(ValueError, match="no revision"):
            services.as_of(len(model.moments))
        for scope in SCOPES:
            for key in DEFAULTS:
                stored = model.texts.get((scope, key), model.beneath(scope, key))
                in_force = stored if stored.strip() else ""
                assert services.resolve(key, scope=scope) == in_force
        transaction.set_rollback(True)
