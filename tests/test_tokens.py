"""How many tokens a model counts in a text."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from prompts_app.tokens import Tokens, count_tokens


@pytest.mark.covers("W46")
def test_the_counter_that_is_set_counts(settings):
    """Exactly, and not as an estimate."""
    settings.PROMPTS_APP_TOKEN_COUNTER = lambda text: len(text.split())

    assert count_tokens("Be very brief.") == Tokens(3, estimated=False)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("äöüß", 2),
        ("質問", 2),
        ("\N{OWL}", 1),
        ("\ud800", 1),
    ],
)
def test_without_a_counter_four_bytes_are_taken_for_a_token(text, count):
    """Rounded up, so that only no text has none; and it is told for an estimate."""
    assert count_tokens(text) == Tokens(count, estimated=True)


@pytest.mark.parametrize("returned", [["a"], None, 1.5, True, -1, "3"])
def test_what_is_no_number_of_tokens_is_refused(settings, returned):
    """The setting is named, since it is the setting that is wrong."""
    settings.PROMPTS_APP_TOKEN_COUNTER = lambda text: returned

    with pytest.raises(ImproperlyConfigured, match="PROMPTS_APP_TOKEN_COUNTER: it ret"):
        count_tokens("a")
