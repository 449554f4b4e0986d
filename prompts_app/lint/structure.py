"""Lines: markers of a level that are none, and what a blank variable leaves behind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from prompts_app.lint.problems import Problem, shown
from prompts_app.lint.subject import Group, Subject
from prompts_app.syntax import CLOSING_MARKER, OPENING_MARKER

# Possessive quantifiers keep every failed match linear.
_COMMENT = re.compile(r"<!--([^<>\n]*+)(?<=--)>")
_MARKER = re.compile(r"(?m)^[^\S\n]*+(<!-- /?detailed -->)[^\S\n]*+$")
_MEANT = frozenset({"detailed", "detail", "details", "lean", "enddetailed", "endlean"})
_LONGEST_MARKER = 40
_BULLET = re.compile(r"(?:[-*+•–>]|\d{1,9}[.)])(?: \[[ x]\])?")
_HEADING = re.compile(r"#{1,6}")
_TITLE = re.compile(r"(?m)^ {0,3}#{1,6}[ \t]++[^\s][^\n]*+")
_CONTENT = re.compile(r"\S[^\n]*+")
_FAR_LONGER = 4
_SHORT = 1_000


@dataclass(frozen=True, slots=True)
class Line:
    """A line with known references."""

    start: int
    text: str = field(repr=False)
    names: tuple[str, ...]
    """What it refers to, in order."""
    left: str = field(repr=False)
    """What is left of it when all of them are blank, trimmed."""


def mistyped_fence(subject: Subject) -> Iterator[Problem]:
    """Yield comments that were meant to mark a level, and are sent to the model."""
    markers = {match.start(1) for match in _MARKER.finditer(subject.text)}
    for match in _COMMENT.finditer(subject.text):
        start, length = match.start(), match.end() - match.start()
        if start in markers or length > _LONGEST_MARKER:
            continue
        word = re.sub(r"[\s/]++", "", match.group(1).removesuffix("--")).casefold()
        if word in _MEANT and not subject.is_code(start):
            yield Problem("mistyped_fence", start, length, {"snippet": match.group()})


def stranded(subject: Subject) -> Iterator[Problem]:
    """Yield headings and bullets that stand alone when their variables are blank."""
    lines = {line.start: line for line in _lines(subject)}
    for line in lines.values():
        is_mark = _BULLET.fullmatch(line.left) or _HEADING.fullmatch(line.left)
        if is_mark and not subject.fragment.optional_lines and _can_go(subject, line):
            yield _stranded(line.start, line.text, line.names, line.left)
    if lines:
        yield from _titles(subject, lines)


def _lines(subject: Subject) -> Iterator[Line]:
    """Yield the lines that have known references."""
    text, groups, end = subject.text, list[Group](), -1
    for group in subject.references:
        if group.name in subject.names:
            if group.start > end and groups:
                yield _line(text, groups)
                groups = []
            if not groups:
                end = text.find("\n", group.end)
                end = len(text) if end < 0 else end
            groups.append(group)
    if groups:
        yield _line(text, groups)


def _line(text: str, groups: list[Group]) -> Line:
    start = text.rfind("\n", 0, groups[0].start) + 1
    end = text.find("\n", groups[-1].end)
    end = len(text) if end < 0 else end
    pieces, seen = [], start
    for group in groups:
        pieces.append(text[seen : group.start])
        seen = group.end
    left = "".join((*pieces, text[seen:end])).strip()
    return Line(start, text[start:end], tuple(group.name for group in groups), left)


def _can_go(subject: Subject, line: Line) -> bool:
    """Return whether all variables of a line can be blank where the text is sent."""
    fragment = subject.fragment
    filled = {*fragment.requires, "lb"}
    if fragment.when_tools:
        filled.add("tool_names")
    return filled.isdisjoint(line.names)


def _titles(subject: Subject, lines: dict[int, Line]) -> Iterator[Problem]:
    """Yield the headings under which every line can go."""
    text = subject.text
    titles = [m for m in _TITLE.finditer(text) if not subject.is_code(m.start())]
    bounds = [*(title.start() for title in titles), len(text)]
    for title, end in zip(titles, bounds[1:], strict=True):
        names = _names_under(subject, lines, title.end(), end)
        if names:
            yield _stranded(title.start(), title.group(), names, title.group())


def _names_under(
    subject: Subject, lines: dict[int, Line], start: int, end: int
) -> tuple[str, ...]:
    """Return what has to be blank for all lines of a section to go; none: one stays."""
    names: list[str] = []
    for content in _CONTENT.finditer(subject.text, start, end):
        at = subject.text.rfind("\n", start, content.start()) + 1
        line = lines.get(at)
        if line is not None and _can_go(subject, line):
            if line.left and not subject.fragment.optional_lines:
                return ()
            names += line.names
        elif content.group().strip() not in (OPENING_MARKER, CLOSING_MARKER):
            return ()
    return tuple(names)


def _stranded(start: int, line: str, names: tuple[str, ...], left: str) -> Problem:
    params = {"variables": tuple(dict.fromkeys(names)), "snippet": shown(left.strip())}
    return Problem("stranded_line", start, len(line), params)


def much_longer(subject: Subject) -> Iterator[Problem]:
    """Yield that a text has far outgrown its default."""
    length, default = len(subject.text), len(subject.fragment.default.strip())
    if default and length > _FAR_LONGER * default and length - default > _SHORT:
        params = {"length": length, "default": default}
        yield Problem("much_longer", params=params)
