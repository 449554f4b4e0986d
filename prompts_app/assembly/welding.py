"""How pieces become one text, and how one text is kept under a limit."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from prompts_app.exceptions import PromptTooLong


def weld(pieces: Sequence[str]) -> str:
    """
    Return *pieces* as one text with a blank line between two of them.

    Where a line of a list meets the beginning of another (``- ``, leading white
    space aside), a single line feed keeps the list tight.
    """
    out: list[str] = []
    in_list = False
    for piece in pieces:
        if out:
            out.append("\n" if in_list and is_item(piece) else "\n\n")
        out.append(piece)
        in_list = is_item(piece[piece.rfind("\n") + 1 :])
    return "".join(out)


def is_item(text: str) -> bool:
    """Return whether *text* begins as an item of a list does."""
    return text.lstrip().startswith("- ")


def fit(
    pieces: Sequence[str],
    expendable: Sequence[int],
    limit: int,
    measure: Callable[[str], int],
) -> frozenset[int]:
    """
    Return which of *pieces* have to go so that the welded text keeps to *limit*.

    *expendable* are places in *pieces*, what goes first standing first; as few of
    them go as will do. *measure* has to shrink, or stay, when a piece goes.

    Raises:
        PromptTooLong: the limit is not met with all of them gone.
    """

    def length(gone_count: int) -> int:
        gone = frozenset(expendable[:gone_count])
        kept = [piece for place, piece in enumerate(pieces) if place not in gone]
        return measure(weld(kept))

    shortest = length(len(expendable))
    if shortest > limit:
        raise PromptTooLong(shortest, limit)
    counts = range(len(expendable) + 1)
    count = bisect_left(counts, 1, key=lambda count: int(length(count) <= limit))
    return frozenset(expendable[:count])
