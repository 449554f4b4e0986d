"""How many tokens a model counts in a text."""

from __future__ import annotations

import socket
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from prompts_app import tokens
from prompts_app.tokens import Tokens, cl100k_base, count_tokens, o200k_base


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


def test_the_vocabularies_of_the_extra_count_offline(monkeypatch):
    """Known lengths; marks that would steer a model are counted as plain text."""
    monkeypatch.setattr(socket, "socket", None)

    assert o200k_base("") == 0
    assert o200k_base("hello world") == cl100k_base("hello world") == 2
    assert o200k_base("Grüße aus Köln") < cl100k_base("Grüße aus Köln")
    assert o200k_base("<|endoftext|>") > 1
    assert o200k_base("a\ud800b") > 0


def test_without_the_extra_its_counters_say_what_to_install(monkeypatch):
    """By the name of the setting that asks for them."""
    monkeypatch.setitem(sys.modules, "bpe_openai", None)
    tokens._encoding.cache_clear()

    with pytest.raises(ImproperlyConfigured, match=r"TOKEN_COUNTER: .*\[tokens\]"):
        o200k_base("a")


def test_the_setting_takes_them_by_their_path(settings):
    """As any counter of a project's own."""
    settings.PROMPTS_APP_TOKEN_COUNTER = "prompts_app.tokens.o200k_base"

    assert count_tokens("hello world") == Tokens(2, estimated=False)
