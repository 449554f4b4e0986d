"""Joining two edits of one text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from merge3 import Merge3

from prompts_app.diffing import lines, matching_blocks, words


def merge(ancestor: str, mine: str, theirs: str) -> str | None:
    """
    Return both edits of *ancestor* in one text, or None where they clash.

    Lines are merged first and only what clashes there is merged word by word, so
    that long texts stay quick.
    """
    merged: list[str] = []
    for group in _groups(lines(ancestor), lines(mine), lines(theirs)):
        if group[0] != "conflict":
            merged += group[1]
            continue
        joined = _merge_words(*("".join(part) for part in group[1:]))
        if joined is None:
            return None
        merged.append(joined)
    return "".join(merged)


def _merge_words(ancestor: str, mine: str, theirs: str) -> str | None:
    merged: list[str] = []
    for group in _groups(words(ancestor), words(mine), words(theirs)):
        if group[0] == "conflict":
            return None
        merged += group[1]
    return "".join(merged)


def _groups(
    ancestor: Sequence[str], mine: Sequence[str], theirs: Sequence[str]
) -> Iterator[tuple[Any, ...]]:
    return Merge3(ancestor, mine, theirs, sequence_matcher=_Matcher).merge_groups()


class _Matcher:
    """The words' or lines' own matcher, as merge3 asks for one."""

    def __init__(
        self, _is_junk: object, one: Sequence[str], other: Sequence[str]
    ) -> None:
        self._one, self._other = one, other

    def get_matching_blocks(self) -> list[tuple[int, int, int]]:
        """See `matching_blocks()`."""
        return matching_blocks(self._one, self._other)
