"""How many tokens a model counts in a text, or about how many."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import ImproperlyConfigured

from prompts_app import conf

BYTES = 4
"""Bytes of UTF-8 that an estimate takes for one token."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """A size in the unit that models count in."""

    count: int
    estimated: bool
    """True: nothing that counts is set, so that every four bytes are taken for one."""


def count_tokens(text: str) -> Tokens:
    """
    Return the size of *text*, by ``PROMPTS_APP_TOKEN_COUNTER`` if that is set.

    Raises:
        ImproperlyConfigured: the setting cannot be used, or what it returns is no
            whole number.
    """
    counter = conf.token_counter()
    if counter is None:
        # A letter that takes several bytes is seldom part of a common word's token.
        length = len(text.encode("utf-8", "surrogatepass"))
        return Tokens(-(-length // BYTES), estimated=True)
    count: object = counter(text)
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        fault = f"it returned a {type(count).__name__}, not a number of tokens."
        raise ImproperlyConfigured(f"{conf.PREFIX}TOKEN_COUNTER: {fault}")
    return Tokens(count, estimated=False)
