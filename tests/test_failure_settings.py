"""Functions that settings name, and what raises there: served, raised, logged."""

from __future__ import annotations

import re

import pytest
from django.core.management import CommandError
from django.db import InterfaceError, OperationalError, transaction

from prompts_app import services
from prompts_app.overrides import snapshots
from tests.assembling import CORE, fragment
from tests.commanding import run
from tests.failing import told
from tests.pages import Visitor
from tests.storing import Broken

pytestmark = pytest.mark.django_db(transaction=True)

LOST = [InterfaceError, OperationalError]


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a text of a variable that has no value, and one without."""
    registry.register(CORE, fragment("core.a", "Hi {{who}}"), fragment("core.b", "B"))
    snapshots.forget()
    return registry


@pytest.mark.parametrize("error", [RuntimeError, OperationalError])
def test_a_level_that_cannot_be_found_out_is_passed_over(
    declared, settings, error, caplog
):
    """The next one down counts, and the record says where it failed."""
    settings.PROMPTS_APP_USER_LEVEL = Broken(error("canary"))
    settings.PROMPTS_APP_LEVEL = "lean"

    assert services.assemble(user="ada").level == "lean"
    assert services.resolve_level("detailed", "ada") == "detailed"

    ((level, said),) = told(caplog)
    assert level == "WARNING"
    name = error.__name__
    assert re.fullmatch(rf"PROMPTS_APP_USER_LEVEL failed: {name} at .+\.py:\d+", said)


@pytest.mark.parametrize("error", LOST)
def test_a_level_is_fatal_where_its_database_error_broke_a_transaction(settings, error):
    """As with a provider: the next statement would fail, far from here."""
    settings.PROMPTS_APP_USER_LEVEL = Broken(error("canary"))

    with pytest.raises(error), transaction.atomic():
        services.assemble()


def test_the_page_stands_while_levels_cannot_be_found_out(superuser, settings):
    """It asks for nobody's level but the installation's."""
    settings.PROMPTS_APP_USER_LEVEL = Broken(RuntimeError("canary"))

    page = Visitor(superuser).open(fragment="core.b")

    assert page.passages()["core.b"] == "B"
    assert page.chosen("level") == "detailed"


@pytest.mark.parametrize("verb", ["render --tokens", "diff --defaults --tokens"])
def test_a_counter_that_raises_ends_the_command_in_a_sentence(settings, verb):
    """It names the setting and the kind of error, whose words may hold the text."""
    services.save({"core.b": "Saved"})
    settings.PROMPTS_APP_TOKEN_COUNTER = Broken(RuntimeError("canary"))

    with pytest.raises(CommandError) as caught:
        run(*verb.split())

    assert str(caught.value) == "PROMPTS_APP_TOKEN_COUNTER raised RuntimeError."


def test_a_counter_that_raises_costs_no_prompt(settings):
    """Nothing is counted where a prompt is assembled, but by a limit's own measure."""
    counter = settings.PROMPTS_APP_TOKEN_COUNTER = Broken(RuntimeError("canary"))

    assert services.assemble(limit=100).text == "Hi {{who}}\n\nB"
    assert counter.calls == 0
    with pytest.raises(RuntimeError, match="canary"):
        services.assemble(limit=100, measure=counter)
