"""Joining two edits of one text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from merge3 import Merge3

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


def merge(ancestor: str, mine: str, theirs: str) -> str | None:
    """
    Return both edits of *ancestor* in one text, or None where they clash.

    Lines are merged first and only what clashes there is merged word by word, so
    that long texts stay quick.
    """
    merged: list[str] = []
    three = (_lines(ancestor), _lines(mine), _lines(theirs))
    for group in Merge3(*three).merge_groups():
        if group[0] != "conflict":
            merged += group[1]
            continue
        words = _merge_words(*("".join(part) for part in group[1:]))
        if words is None:
            return None
        merged.append(words)
    return "".join(merged)


def _merge_words(ancestor: str, mine: str, theirs: str) -> str | None:
    merged: list[str] = []
    three = (_words(ancestor), _words(mine), _words(theirs))
    for group in Merge3(*three).merge_groups():
        if group[0] == "conflict":
            return None
        merged += group[1]
    return "".join(merged)


def _lines(text: str) -> Sequence[str]:
    return text.splitlines(keepends=True)


def _words(text: str) -> Sequence[str]:
    return _WORDS.findall(text)
