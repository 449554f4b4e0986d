"""What is wrong with a text as such, said as the page of fragments says it."""

from __future__ import annotations

from collections.abc import Iterator

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from prompts_app.exceptions import UnbalancedFence
from prompts_app.syntax import at_level

_UNSTORABLE = {
    "nul": _("This text holds a character that cannot be stored (NUL, line %(line)s)."),
    "surrogate": _(
        "This text holds a character that cannot be stored (lone surrogate, line "
        "%(line)s)."
    ),
}


def unstorable(text: object) -> Iterator[ValidationError]:
    """Yield an error where *text* holds what a database refuses."""
    for line, row in enumerate(str(text).split("\n"), start=1):
        found = {
            "nul": "\0" in row,
            "surrogate": any("\ud800" <= character <= "\udfff" for character in row),
        }
        for code, is_there in found.items():
            if is_there:
                yield ValidationError(_UNSTORABLE[code], code, {"line": line})


def unfenced(text: object) -> Iterator[ValidationError]:
    """Yield an error where a level marker has no partner."""
    try:
        at_level(str(text), None)
    except UnbalancedFence as error:
        said = _("The level marker in line %(line)s has no partner.")
        yield ValidationError(said, "unbalanced_fence", {"line": error.line})
