"""What an import or a restore aims at, before it is carried out."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.overrides.exchange import examine
from prompts_app.overrides.restoring import foresee
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory
from tests.test_overrides_exchange import document, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    return registry


def test_each_text_is_aimed_at_in_the_state_it_has_now():
    """Its etag is the one that an edit of it would be based on."""
    services.save({"core.a": "Here"})

    (plan,) = examine(document(text_of(text="There")))

    (aim,) = plan.aims
    assert (aim.now, aim.then, aim.beneath) == ("Here", "There", "Alpha")
    assert aim.etag == services.etag("", "core.a")


def test_a_scopes_text_is_aimed_at_above_what_the_same_document_puts_beneath():
    """The whole installation comes first, whatever the order in the document."""
    plans = examine(
        document(text_of(text="Near", scope="tenant.x"), text_of(text="Everywhere"))
    )

    beneath = {plan.scope: [aim.beneath for aim in plan.aims] for plan in plans}
    assert beneath == {"": ["Alpha"], "tenant.x": ["Everywhere"]}


def test_beneath_a_text_that_nobody_declares_is_nothing():
    """It was stored by an earlier release, and comes back as a fault."""
    OverrideFactory(key="core.gone", text="Left")
    services.prune(["core.gone"])

    (aim,), (fault,) = foresee(0)

    assert (aim.key, aim.then, aim.beneath) == ("core.gone", "Left", "")
    assert fault.code == "unknown_fragment"


def test_sources_are_asked_once_for_all_scopes(declared):
    """However many scopes a document holds."""
    asked = []
    declared.register_source(lambda: asked.append(None) or [])

    examine(document(*(text_of(scope=f"tenant.n{n}") for n in range(5))))

    assert len(asked) == 1
