"""How many tokens a model counts in a text, or about how many."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

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


def o200k_base(text: str) -> int:
    """
    Return how many tokens *text* has for the models of OpenAI since GPT-4o.

    For ``PROMPTS_APP_TOKEN_COUNTER``. It needs the extra ``tokens``, which brings the
    vocabulary with it: nothing is asked of any server.

    Raises:
        ImproperlyConfigured: the extra is not installed.
    """
    return _length(text, "o200k_base")


def cl100k_base(text: str) -> int:
    """
    Return how many tokens *text* has for GPT-4 and GPT-3.5 of OpenAI.

    Needs the same as `o200k_base()`.

    Raises:
        ImproperlyConfigured: the extra is not installed.
    """
    return _length(text, "cl100k_base")


def _length(text: str, encoding: str) -> int:
    # A lone surrogate is in no vocabulary, and no API takes one.
    sound = text.encode("utf-8", "replace").decode()
    return len(_encoding(encoding).encode_ordinary(sound))


@lru_cache
def _encoding(name: str) -> Any:
    try:
        with warnings.catch_warnings():
            # It reads its vocabulary in a way that Python 3.11 and 3.12 call old.
            warnings.simplefilter("ignore", DeprecationWarning)
            library = import_module("bpe_openai")
    except ImportError as error:
        fault = f"{name} needs bpe-openai; install django-prompt-fragments[tokens]."
        raise ImproperlyConfigured(f"{conf.PREFIX}TOKEN_COUNTER: {fault}") from error
    return library.get_encoding(name)
