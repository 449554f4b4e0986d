"""
The text language: references, blank lines that go away, level fences.

Pure functions over `str`. What a variable is worth, and which fragment is in,
is decided elsewhere; here a name is a name and a value is a value.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from prompts_app.exceptions import (
    MalformedReference,
    MissingValue,
    UnbalancedFence,
    UnknownVariable,
)

DETAILED = "detailed"
LEAN = "lean"

_NAME = r"[a-z][a-z0-9_]*+"
# Possessive quantifiers keep every failed match linear.
_REFERENCE = re.compile(r"\{\{[^\S\n]*+(" + _NAME + r")[^\S\n]*+\}\}")
_STRICT_NAME = re.compile(_NAME)
_GROUP = re.compile(r"\{\{([^{}]*+)\}\}")
OPENING_MARKER = "<!-- detailed -->"
CLOSING_MARKER = "<!-- /detailed -->"
_LINE_BREAK = re.compile(r"(?<!\r)\r++\n")
_RUN = re.compile(r"`{3,}|~{3,}")
_UNTRUSTED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"
    "\U000e0000-\U000e007f]+"
)
_ASCII_CONTROLS = bytes({*range(0x20), 0x7F} - {0x09, 0x0A})
_NO_TEXT = (bytes, bytearray, memoryview, list, tuple, dict, set, frozenset, Mapping)
_CACHED_TEXTS = 2048
LONGEST_CACHED = 20_000


@dataclass(frozen=True, slots=True)
class ReferenceLine:
    """A line with at least one reference, cut where the references stand."""

    parts: tuple[str, ...] = field(repr=False)
    """Literals at even, references as typed at odd places."""
    names: tuple[str, ...]
    """The name of each reference, in order."""


def write(name: str, value: object) -> str:
    """
    Return how the value of variable *name* is written: no value is ``""``.

    Raises:
        TypeError: the value is a collection or bytes, which have no one spelling.
    """
    if value is None or value is False:
        return ""
    if type(value) is str:
        return value
    if isinstance(value, (*_NO_TEXT, Iterator)) or callable(value):
        kind = type(value).__name__
        raise TypeError(f"The value of variable {name!r} is a {kind}, not a text")
    return str(value)


def parse(text: str) -> tuple[str | ReferenceLine, ...]:
    """
    Return *text* as blocks to be joined by line feeds.

    A block is one line with references, or a run of lines without. Texts up to
    20 000 characters are parsed once and remembered.
    """
    return _parse_cached(text) if len(text) <= LONGEST_CACHED else _parse(text)


def _parse(text: str) -> tuple[str | ReferenceLine, ...]:
    if "{{" not in text:
        return (text,)
    blocks: list[str | ReferenceLine] = []
    start = seen = 0
    while match := _REFERENCE.search(text, seen):
        line_start = text.rfind("\n", start, match.start()) + 1 or start
        line_end = text.find("\n", match.end())
        line_end = len(text) if line_end < 0 else line_end
        if line_start > start:
            blocks.append(text[start : line_start - 1])
        blocks.append(_cut(text[line_start:line_end]))
        start = seen = line_end + 1
    if start <= len(text):
        blocks.append(text[start:])
    return tuple(blocks)


_parse_cached = lru_cache(maxsize=_CACHED_TEXTS)(_parse)


def _cut(line: str) -> ReferenceLine:
    parts: list[str] = []
    names: list[str] = []
    end = 0
    for match in _REFERENCE.finditer(line):
        parts += (line[end : match.start()], match.group())
        names.append(match.group(1))
        end = match.end()
    parts.append(line[end:])
    return ReferenceLine(tuple(parts), tuple(names))


def substitute(
    text: str, values: Mapping[str, object], *, optional_lines: bool = False
) -> str:
    """
    Return *text* with every known reference replaced, leniently.

    An unknown name stays as typed. A known one without value leaves nothing,
    and its line goes if nothing else is on it; with *optional_lines* a line
    goes unless every known name on it has a value that is not blank. Values
    are put in literally and never looked at again.

    Raises:
        TypeError: a value that is needed is a collection or bytes.
    """
    blocks = parse(text)
    if len(blocks) == 1 and type(blocks[0]) is str:
        return text
    lines: list[str] = []
    for block in blocks:
        line = (
            block
            if isinstance(block, str)
            else _fill(block, values, optional=optional_lines)
        )
        if line is not None:
            lines.append(line)
    return "\n".join(lines)


def _fill(
    line: ReferenceLine, values: Mapping[str, object], *, optional: bool
) -> str | None:
    parts = list(line.parts)
    known = blank = False
    for number, name in enumerate(line.names):
        if name in values:
            known = True
            value = write(name, values[name])
            parts[2 * number + 1] = value
            blank = blank or not value.strip()
    filled = "".join(parts)
    gone = (optional and blank) or (known and not filled.strip())
    return None if gone else filled


def substitute_strict(
    text: str, values: Mapping[str, object], *, name: str = ""
) -> str:
    """
    Return *text* with every reference replaced, refusing whatever looks wrong.

    *name* is the fragment that errors mention. Nothing is trimmed, no line goes.

    Raises:
        UnknownVariable: a reference to a name that is not in *values*.
        MissingValue: a reference to a name whose value is None or False.
        MalformedReference: ``{{…}}`` that is no name, or a ``{{`` that opens no
            group although a ``}}`` follows.
        TypeError: a value that is needed is a collection or bytes.
    """
    out: list[str] = []
    end = 0
    last_closing = text.rfind("}}")
    at = text.find("{{")
    while 0 <= at < last_closing:
        group = _GROUP.match(text, at)
        if group is None and text.startswith("{{{", at):
            group = _GROUP.match(text, at + 1)
        if group is None:
            shown = text[at + 2 : text.index("}}", at)]
            raise MalformedReference(shown, at, values, name)
        out += (text[end : group.start()], _strict_value(group, values, name))
        end = group.end()
        at = text.find("{{", end)
    out.append(text[end:])
    return "".join(out)


def _strict_value(
    group: re.Match[str], values: Mapping[str, object], fragment: str
) -> str:
    reference = group.group(1)
    if not _STRICT_NAME.fullmatch(reference):
        raise MalformedReference(reference, group.start(), values, fragment)
    if reference not in values:
        raise UnknownVariable(reference, group.start(), values, fragment)
    value = values[reference]
    if value is None or value is False:
        raise MissingValue(reference, group.start(), values, fragment)
    return write(reference, value)


def variables_in(text: str) -> tuple[str, ...]:
    """Return the names that can expand in *text*, in order of first use, once."""
    return names_of(parse(text))


def names_of(blocks: Iterable[str | ReferenceLine]) -> tuple[str, ...]:
    """Return the names in a parsed text, in order of first use, once."""
    lines = (block for block in blocks if isinstance(block, ReferenceLine))
    return tuple(dict.fromkeys(name for line in lines for name in line.names))


def at_level(text: str, level: str | None) -> str:
    """
    Return *text* as it stands at *level*: without markers, and at ``lean`` without
    what stands between them. What is no level counts as ``detailed``.

    Raises:
        UnbalancedFence: a marker has no partner.
    """
    if OPENING_MARKER not in text and CLOSING_MARKER not in text:
        return text
    kept: list[str] = []
    opened: list[int] = []
    for number, line in enumerate(text.split("\n"), start=1):
        marker = line.strip()
        if marker == OPENING_MARKER:
            opened.append(number)
        elif marker == CLOSING_MARKER:
            if not opened:
                raise UnbalancedFence(number, opened=False)
            opened.pop()
        elif level != LEAN or not opened:
            kept.append(line)
    if opened:
        raise UnbalancedFence(opened[-1], opened=True)
    return "\n".join(kept)


def clean_untrusted(value: str) -> str:
    """
    Return *value* without what could hide in it or imitate the prompt's structure.

    Line breaks become line feeds; control characters but tab and line feed,
    bidirectional controls, byte order marks and tag characters go; every
    character of a run of three or more backticks or tildes becomes ``'``.
    """
    if "\r" in value:
        value = value.replace("\r\n", "\n").replace("\r", "\n")
    value = _without_controls(value)
    # One character is found many times as fast as three, and mostly there is none.
    if ("`" in value and "```" in value) or ("~" in value and "~~~" in value):
        value = _RUN.sub(lambda run: "'" * len(run.group()), value)
    return value


def _without_controls(value: str) -> str:
    # Either look is several times as fast as the expression, and most values are plain.
    if value.isascii():
        kept = value.encode().translate(None, _ASCII_CONTROLS)
        return value if len(kept) == len(value) else kept.decode()
    # All that is removed is a control or a format character, and so not printable.
    if value.replace("\n", "").replace("\t", "").isprintable():
        return value
    return _UNTRUSTED.sub("", value)


def fold_line_breaks(text: str) -> str:
    """Return *text* with CRLF and CR as line feeds."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def normalise(text: str) -> str:
    """
    Return *text* as it is stored: CRLF as LF, line feeds trimmed at both ends.

    Several CR before an LF count as one, so that a stored text is stored as it is.
    """
    return _LINE_BREAK.sub("\n", text).strip("\n")


def same_text(one: str, other: str) -> bool:
    """Return whether two texts are equal, line breaks and outer white space aside."""
    return fold_line_breaks(one).strip() == fold_line_breaks(other).strip()


def fingerprint(text: str) -> str:
    """Return 16 hex digits that tell *text* from others, line breaks folded."""
    data = fold_line_breaks(text).encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:16]
