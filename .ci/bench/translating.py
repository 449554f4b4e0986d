"""
Fragments as a tree that any template language can be written from.

The tree says what the text language and the welding do: gates, level fences, lines
that go, single line feeds inside a list. Values are taken to be trimmed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bench.conditions import (
    ALWAYS,
    DETAILED,
    NEVER,
    Condition,
    all_of,
    any_of,
    filled,
    opposite,
)
from prompts_app import Fragment
from prompts_app.syntax import CLOSING_MARKER, OPENING_MARKER

REFERENCE = re.compile(r"\{\{\s*([a-z][a-z0-9_]*)\s*\}\}")


class Untranslated(ValueError):
    """A fragment does what no measured catalogue does."""


@dataclass(frozen=True, slots=True)
class Text:
    """What is written as it stands."""

    text: str


@dataclass(frozen=True, slots=True)
class Ref:
    """A variable's value."""

    name: str


@dataclass(frozen=True, slots=True)
class If:
    """Nodes that are there under a condition."""

    condition: Condition
    nodes: tuple[Node, ...]


Node = Text | Ref | If
Fenced = tuple[str, bool]
"""A line, and whether it stands at the detailed level only."""
Before = tuple[Condition, Condition]
"""When a fragment is there, and when it ends in an item of a list."""


def translate(parts: Iterable[tuple[Fragment, str]]) -> tuple[Node, ...]:
    """Return the tree of fragments with their texts, in the order of the prompt."""
    nodes: list[Node] = []
    before: list[Before] = []
    for fragment, text in parts:
        gate = gate_of(fragment)
        lines = list(fenced(text))
        if not before and gate != ALWAYS:
            raise Untranslated(f"{fragment.key}: the first fragment has a gate")
        body = joined((*separator(lines, before), *lines_of(fragment, lines)))
        nodes += body if gate == ALWAYS else [If(gate, tuple(body))]
        before.append((gate, ends_in_item(lines)))
    return tuple(joined(nodes))


def in_list(before: Iterable[Before]) -> Condition:
    """Return when the last of the fragments that are there ends in a list."""
    found = NEVER
    for gate, ends in before:
        # Where it ends in a list itself, it need not be asked whether it is there.
        left_out = found if ends == ALWAYS else all_of(opposite(gate), found)
        found = any_of(all_of(gate, ends), left_out)
    return found


def gate_of(fragment: Fragment) -> Condition:
    """Return the condition under which *fragment* appears."""
    if fragment.provides:
        raise Untranslated(f"{fragment.key}: a clause")
    gates = [filled(fragment.requires), (tuple(f"not {n}" for n in fragment.unless),)]
    if fragment.when_tools is not None:
        gates.insert(0, (("has_tools" if fragment.when_tools else "not has_tools",),))
    if fragment.families:
        gates.insert(0, tuple((f'"{one}" in families',) for one in fragment.families))
    if fragment.level is not None:
        gates.append(((f'level == "{fragment.level}"',),))
    return all_of(*gates)


def fenced(text: str) -> Iterator[Fenced]:
    """Return the lines of *text*, without the markers of its level fences."""
    depth = 0
    for line in text.strip().split("\n"):
        marker = line.strip()
        if marker == OPENING_MARKER:
            depth += 1
        elif marker == CLOSING_MARKER:
            depth -= 1
        else:
            yield line, depth > 0


def separator(lines: Sequence[Fenced], before: Sequence[Before]) -> Iterator[Node]:
    """Return what stands between the fragments *before* and *lines*."""
    if lines[0][1] or lines[0][0].lstrip().startswith("{{"):
        raise Untranslated("a text begins with a fence or a value")
    if before:
        yield Text("\n")
        tight = in_list(before) if is_item(lines[0][0]) else NEVER
        if tight == NEVER:
            yield Text("\n")
        elif tight != ALWAYS:
            yield If(opposite(tight), (Text("\n"),))


def ends_in_item(lines: Sequence[Fenced]) -> Condition:
    """Return when the last line is an item of a list."""
    last = {
        level: is_item([line for line, fence in lines if level or not fence][-1])
        for level in (True, False)
    }
    if last[True] == last[False]:
        return ALWAYS if last[True] else NEVER
    return DETAILED if last[True] else opposite(DETAILED)


def is_item(line: str) -> bool:
    """Return whether *line* is an item of a list."""
    return line.lstrip().startswith("- ")


def lines_of(fragment: Fragment, lines: Sequence[Fenced]) -> Iterator[Node]:
    """Return the nodes of a fragment's lines."""
    for number, (line, fence) in enumerate(lines):
        nodes = tuple(tokens(line if number == 0 else f"\n{line}"))
        stays = staying(fragment, nodes)
        if number == 0 and stays != ALWAYS:
            raise Untranslated(f"{fragment.key}: the first line can go")
        condition = all_of(DETAILED if fence else ALWAYS, stays)
        if condition == ALWAYS:
            yield from nodes
        else:
            yield If(condition, nodes)


def tokens(line: str) -> Iterator[Node]:
    """Return the texts and references of *line*, in order."""
    pieces = REFERENCE.split(line)
    for number, piece in enumerate(pieces):
        if number % 2:
            yield Ref(piece)
        elif "{{" in piece or "{%" in piece or "{#" in piece:
            raise Untranslated("a text that template languages would read")
        elif piece:
            yield Text(piece)


def staying(fragment: Fragment, nodes: Iterable[Node]) -> Condition:
    """Return when a line stays, for all that its values are."""
    listed = list(nodes)
    names = [node.name for node in listed if isinstance(node, Ref)]
    unsure = [name for name in names if name not in fragment.requires]
    if fragment.optional_lines:
        return filled(unsure)
    blank = not any(isinstance(n, Text) and n.text.strip() for n in listed)
    if names and blank and len(unsure) == len(names):
        return any_of(*(filled([name]) for name in names))
    return ALWAYS


def joined(nodes: Iterable[Node]) -> Iterator[Node]:
    """Return *nodes* with neighbours of one kind and condition made one."""
    held: Node | None = None
    for node in nodes:
        if isinstance(held, Text) and isinstance(node, Text):
            held = Text(held.text + node.text)
        elif (
            isinstance(held, If)
            and isinstance(node, If)
            and held.condition == node.condition
        ):
            held = If(held.condition, tuple(joined((*held.nodes, *node.nodes))))
        else:
            if held is not None:
                yield held
            held = node
    if held is not None:
        yield held
