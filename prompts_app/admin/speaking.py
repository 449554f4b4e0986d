"""The words that the page's scripts put numbers into, in every plural form."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language, gettext as _, ngettext

from prompts_app.wording import number

_PERIOD = 200
"""From half of it on, a number takes the plural form of its last two digits."""
_COUNTED: dict[str, Callable[[int], str]] = {
    "unsaved": lambda n: ngettext(
        "%(number)s unsaved change", "%(number)s unsaved changes", n
    ),
    "ask": lambda n: ngettext(
        "Discard %(number)s change?", "Discard %(number)s changes?", n
    ),
    "discard": lambda n: ngettext(
        "Discard %(number)s change", "Discard %(number)s changes", n
    ),
    "save": lambda n: ngettext("Save %(number)s change", "Save %(number)s changes", n),
    "drafts": lambda n: ngettext(
        "%(number)s text that you typed on %(date)s was never saved.",
        "%(number)s texts that you typed on %(date)s were never saved.",
        n,
    ),
    "length": lambda n: ngettext("%(number)s character", "%(number)s characters", n),
}


def script_words() -> str:
    """
    Return the words for scripts in the active language, as JSON.

    Each counted phrase is a list of its plural forms; ``plurals`` says with a digit
    for each number from 0 on which of them it takes. ``thousand`` is that number as
    the language writes it.
    """
    return _script_words(get_language())


@lru_cache
def _script_words(language: str | None) -> str:
    """Return the words; *language* is the active one, for the cache."""
    spoken = [tuple(make(n) for make in _COUNTED.values()) for n in range(_PERIOD)]
    forms = list(dict.fromkeys(spoken))
    words: dict[str, Any] = dict(zip(_COUNTED, zip(*forms, strict=True), strict=True))
    words["plurals"] = "".join(str(forms.index(said)) for said in spoken)
    words["thousand"] = number(1000)
    words["unchanged"] = _("Nothing changed yet.")
    words["delta"] = _("%(number)s against saved")
    words["passage"] = _("passage %(number)s of %(count)s")
    words["gone"] = _("left out here")
    words["blank"] = _("blank")
    words["completions"] = _("Variables")
    words["unknown"] = _("No variable of this name is declared.")
    return json.dumps(words, ensure_ascii=False)
