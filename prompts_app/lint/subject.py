"""A text that is looked at, with all that rules ask about its surroundings."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from prompts_app.assembly import Snapshot
from prompts_app.declarations import Fragment
from prompts_app.registry import View
from prompts_app.syntax import variables_in

# Possessive quantifiers keep every failed match linear.
_BRACES = re.compile(
    r"(\{{2,}+)(?:[^\S\n]*+([a-z][a-z0-9_]*+)[^\S\n]*+\}\}|[^{}]*+(\}\})?)"
)
_CODE_FENCE = re.compile(r"(?m)^[ \t]*+(`{3,}+|~{3,}+)")
_CODE_SPAN = re.compile(r"`[^`\n]++`")


class Group(NamedTuple):
    """Two opening braces, and what follows up to the next brace."""

    start: int
    """Where its two opening braces stand."""
    end: int
    """Where it ends; one that nothing closes ends at the next opening brace."""
    name: str
    """The name that it refers to; ``""``: it is no reference."""
    closed: bool
    """Whether two closing braces end it."""
    before: int
    """How many more opening braces stand directly before it."""


@dataclass(frozen=True, eq=False)
class Subject:
    """One text as a text of one fragment."""

    text: str = field(repr=False)
    """With LF line breaks."""
    fragment: Fragment
    view: View
    before: str | None = field(default=None, repr=False)
    """The text it is going to replace; None: the default."""
    snapshot: Snapshot = field(default_factory=Snapshot, repr=False)
    """The texts of other fragments."""

    @cached_property
    def names(self) -> frozenset[str]:
        """Return every name that may have a value in the text."""
        fragment = self.fragment
        # What the code uses is given by a call, if nobody declares it.
        used = (*variables_in(fragment.default), *fragment.documented)
        gates = (*fragment.must_mention, *fragment.requires, *fragment.unless)
        return frozenset({*self.view.variables, *self.view.clauses, *used, *gates})

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """Return every group of double braces, in order."""
        found = []
        for match in _BRACES.finditer(self.text):
            opening, end = match.end(1) - 2, match.end()
            name, closing = match.group(2) or "", match.group(3)
            more = opening - match.start()
            found.append(Group(opening, end, name, bool(name or closing), more))
        return tuple(found)

    @cached_property
    def references(self) -> tuple[Group, ...]:
        """Return the groups that are references, known or not, in order."""
        return tuple(group for group in self.groups if group.name)

    @cached_property
    def used(self) -> tuple[str, ...]:
        """Return the names that the text refers to, in order of first use, once."""
        return tuple(dict.fromkeys(group.name for group in self.references))

    @cached_property
    def _code(self) -> tuple[list[int], list[int]]:
        """Return starts and ends of fenced blocks and code spans, in order."""
        blocks = list(_fenced(self.text))
        starts, ends = [s for s, _ in blocks], [e for _, e in blocks]
        blocks += [
            match.span()
            for match in _CODE_SPAN.finditer(self.text)
            if not _covers(starts, ends, match.start())
        ]
        blocks.sort()
        return [start for start, _ in blocks], [end for _, end in blocks]

    def is_code(self, offset: int) -> bool:
        """Return whether *offset* is in a fenced block or a code span of Markdown."""
        return _covers(*self._code, offset)


def _covers(starts: list[int], ends: list[int], offset: int) -> bool:
    place = bisect(starts, offset) - 1
    return place >= 0 and offset < ends[place]


def _fenced(text: str) -> Iterator[tuple[int, int]]:
    """Yield the fenced blocks of Markdown; one that is never closed goes to the end."""
    opened, start = "", 0
    for match in _CODE_FENCE.finditer(text):
        ticks = match.group(1)
        if not opened:
            opened, start = ticks, match.start()
        elif ticks.startswith(opened):
            yield start, match.end()
            opened = ""
    if opened:
        yield start, len(text)
