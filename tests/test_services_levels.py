"""At which level a call is assembled."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from prompts_app import services
from prompts_app.declarations import Level
from tests.assembling import CORE

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a group without any fragment."""
    registry.register(CORE)


LEVELS = "PROMPTS_APP_MODEL_LEVELS"


@pytest.mark.parametrize(
    ("argument", "person", "site", "models", "expected"),
    [
        ("lean", "detailed", "detailed", {"*": "detailed"}, "lean"),
        (Level.LEAN, "detailed", None, {}, "lean"),
        (None, "lean", "detailed", {"*": "detailed"}, "lean"),
        ("", "lean", "detailed", {}, "lean"),
        ("Lean", "lean", None, {}, "lean"),
        (True, "lean", None, {}, "lean"),
        (None, "LEAN", "detailed", {"*": "lean"}, "detailed"),
        (None, None, "lean", {"*": "detailed"}, "lean"),
        (None, 1, None, {"big-*": "lean"}, "lean"),
        (None, None, None, {"big-?": "detailed", "big-*": "lean"}, "lean"),
        (None, None, None, {"big-*": "detailed", "*": "lean"}, "detailed"),
        (None, None, None, [("BIG-*", "detailed"), ("big-1?", "lean")], "lean"),
        (None, None, None, {"other": "lean"}, "detailed"),
        (None, None, None, {}, "detailed"),
    ],
)
@pytest.mark.covers("A2", "A4", "A6", "A1", "A5", "A7")
def test_the_first_level_that_is_one_counts(
    settings, argument, person, site, models, expected
):
    """Call, person, installation, model, in this order; unknown never means lean."""
    asked = []
    settings.PROMPTS_APP_USER_LEVEL = lambda *given: asked.append(given) or person
    settings.PROMPTS_APP_LEVEL = site
    setattr(settings, LEVELS, models)

    assert services.resolve_level(argument, "ada", "big-12") == expected
    assert asked in ([], [("ada", "big-12")])
    assert services.assemble(level=argument, user="ada", model="big-12").level == (
        expected
    )


def test_without_a_model_no_pattern_counts(settings):
    """Not even the one that fits every name."""
    setattr(settings, LEVELS, {"*": "lean"})

    assert services.resolve_level() == "detailed"
    assert services.resolve_level(model="any") == "lean"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PROMPTS_APP_LEVEL", "medium"),
        (LEVELS, {"*": "medium"}),
        (LEVELS, 3),
        ("PROMPTS_APP_USER_LEVEL", "nowhere.to_be_found"),
        ("PROMPTS_APP_USER_LEVEL", 3),
    ],
)
def test_a_bad_setting_is_raised_by_name(settings, name, value):
    """An installation is told instead of being guessed at."""
    setattr(settings, name, value)

    with pytest.raises(ImproperlyConfigured, match=name):
        services.assemble(model="any")
    assert services.resolve_level("lean") == "lean"
