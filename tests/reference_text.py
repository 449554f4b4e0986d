"""The text language once more, read character by character."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

LETTERS = "abcdefghijklmnopqrstuvwxyz"
REST = LETTERS + "0123456789_"
HIDDEN = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
HIDDEN |= {0xFEFF, 0x7F, *range(0x80, 0xA0), *range(0xE0000, 0xE0080)}


def reference_at(line: str, at: int) -> tuple[str, int] | None:
    """Return name and end of the reference that begins at *at* in a line, if any."""
    if line[at : at + 2] != "{{":
        return None
    at += 2
    while at < len(line) and line[at].isspace():
        at += 1
    start = at
    while at < len(line) and line[at] in (LETTERS if at == start else REST):
        at += 1
    name = line[start:at]
    while at < len(line) and line[at].isspace():
        at += 1
    return (name, at + 2) if name and line[at : at + 2] == "}}" else None


def cut(line: str) -> list[tuple[str, str]]:
    """Return pairs of text as typed and name; the name is empty for plain text."""
    parts = []
    at = 0
    while at < len(line):
        found = reference_at(line, at)
        if found:
            name, end = found
            parts.append((line[at:end], name))
            at = end
        else:
            parts.append((line[at], ""))
            at += 1
    return parts


def names_in(text: str) -> list[str]:
    """Return the name of each reference, in order."""
    return [name for line in text.split("\n") for _, name in cut(line) if name]


def fill(text: str, known: Mapping[str, str], *, optional: bool) -> str:
    """Return *text* with each known name replaced, and without the lines that go."""
    kept = []
    # What is no name may be called so, and is never referred to.
    known = {name: value for name, value in known.items() if name}
    for line in text.split("\n"):
        parts = cut(line)
        values = [known[name] for _, name in parts if name in known]
        filled = "".join(known.get(name, typed) for typed, name in parts)
        if optional and any(not value.strip() for value in values):
            continue
        if values and not filled.strip():
            continue
        kept.append(filled)
    return "\n".join(kept)


def group_at(text: str, at: int) -> tuple[str, int] | None:
    """Return content and end of the group that the ``{{`` at *at* opens, if any."""
    start = at = at + 2
    while at < len(text) and text[at] not in "{}":
        at += 1
    return (text[start:at], at + 2) if text[at : at + 2] == "}}" else None


def strict(text: str, known: Mapping[str, str | None]) -> str | tuple[str, int]:
    """Return *text* with all references filled; else name and place of its fault."""
    out = ""
    at = 0
    while at < len(text):
        if text[at : at + 2] != "{{" or "}}" not in text[at:]:
            out += text[at]
            at += 1
            continue
        found, brace = group_at(text, at), 0
        if found is None and text[at : at + 3] == "{{{":
            found, brace = group_at(text, at + 1), 1
        if found is None:
            return "MalformedReference", at
        name, end = found
        if not name or name[0] not in LETTERS or any(c not in REST for c in name):
            return "MalformedReference", at + brace
        if name not in known:
            return "UnknownVariable", at + brace
        value = known[name]
        if value is None:
            return "MissingValue", at + brace
        out += "{" * brace + value
        at = end
    return out


def at_level(text: str, level: str | None) -> str | None:
    """Return *text* at a level; None if a fence has no partner."""
    kept = []
    depth = 0
    for line in text.split("\n"):
        if line.strip() == "<!-- detailed -->":
            depth += 1
        elif line.strip() == "<!-- /detailed -->":
            depth -= 1
            if depth < 0:
                return None
        elif depth == 0 or level != "lean":
            kept.append(line)
    return "\n".join(kept) if depth == 0 else None


def clean(value: str) -> str:
    """Return an untrusted *value* made harmless."""
    text = ""
    for character in value.replace("\r\n", "\n").replace("\r", "\n"):
        control = ord(character) < 0x20 and character not in "\t\n"
        if not control and ord(character) not in HIDDEN:
            text += character
    at = 0
    while at < len(text):
        end = at
        while end < len(text) and text[end] == text[at] and text[at] in "`~":
            end += 1
        if end - at >= 3:
            text = text[:at] + "'" * (end - at) + text[end:]
        at = max(end, at + 1)
    return text


def weld(pieces: Iterable[str]) -> str:
    """Return *pieces* a blank line apart, list items a line apart."""
    text = ""
    for piece in pieces:
        last = text.rpartition("\n")[2].lstrip()
        if not text:
            text = piece
        elif last.startswith("- ") and piece.lstrip().startswith("- "):
            text += "\n" + piece
        else:
            text += "\n\n" + piece
    return text
