"""Finding fragments by what they are called and what they say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from prompts_app.declarations import Fragment

AROUND = 24
"""Characters shown on either side of what was found in a text."""


@dataclass(frozen=True, slots=True)
class Hit:
    """What was found, with a little of the text round it."""

    before: str = field(repr=False)
    match: str = field(repr=False)
    after: str = field(repr=False)


def find(q: str, fragment: Fragment, texts: Iterable[str]) -> Hit | None:
    """
    Return where *q* stands in a fragment's label, key or *texts*; None: nowhere.

    Case does not count. The first place decides: label, key, then each text.
    """
    for text in (str(fragment.label), fragment.key, *texts):
        at = text.casefold().find(q.casefold())
        # Folding can change the length of a text; then the place is a guess.
        if at >= 0:
            end = at + len(q)
            before = " ".join(text[max(0, at - AROUND) : at].split())
            after = " ".join(text[end : end + AROUND].split())
            return Hit(
                f"{before} " if text[at - 1 : at].isspace() else before,
                text[at:end],
                f" {after}" if text[end : end + 1].isspace() else after,
            )
    return None
