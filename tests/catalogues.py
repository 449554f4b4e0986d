"""Catalogues of messages: read, written, and what a page says in a language."""

from __future__ import annotations

import ast
import re
import struct
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import prompts_app
from tests.pages import VOID

LOCALE = Path(prompts_app.__file__).parent / "locale"
GERMAN = LOCALE / "de/LC_MESSAGES/django.po"
FIELD = re.compile(r"(msg\w+)(?:\[\d\])? (\".*\")")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%%")
SILENT = frozenset({"script", "style", "pre", "textarea", "code", "kbd"})
"""Elements whose text is code, or what somebody wrote."""
SPOKEN = frozenset({"aria-label", "title", "placeholder", "value"})
"""Attributes that are read out or shown."""
WRITTEN = frozenset({"data-saved", "data-beneath", "data-text", "data-original"})
"""Attributes that hold what somebody wrote."""


@dataclass(frozen=True)
class Message:
    """What is said in the code, and what a language makes of it."""

    id: str
    plural: str = ""
    context: str = ""
    texts: tuple[str, ...] = ("",)


def read(path):
    """Return the messages of a catalogue, the header left out."""
    entries = re.split(r"\n\n+", path.read_text(encoding="utf-8"))
    messages = map(_message, entries)
    return [message for message in messages if message.id]


def _message(entry):
    parts = {}
    strings = []
    for line in entry.splitlines():
        found = FIELD.match(line)
        if found:
            strings = parts.setdefault(found[1], [])
            strings.append(ast.literal_eval(found[2]))
        elif line.startswith('"'):
            strings[-1] += ast.literal_eval(line)
    return Message(
        id=parts["msgid"][0],
        plural=parts.get("msgid_plural", [""])[0],
        context=parts.get("msgctxt", [""])[0],
        texts=tuple(parts["msgstr"]),
    )


def write(path, plural_forms, messages):
    """Write a compiled catalogue, as gettext reads it."""
    header = f"Content-Type: text/plain; charset=UTF-8\nPlural-Forms: {plural_forms}\n"
    pairs = sorted(map(_compiled, [Message("", texts=(header,)), *messages]))
    ids, texts = zip(*pairs, strict=True)
    tables, body, start = b"", b"", 28 + 16 * len(pairs)
    for one in (*ids, *texts):
        tables += struct.pack("<II", len(one), start + len(body))
        body += one + b"\0"
    second = 28 + 8 * len(pairs)
    head = struct.pack("<7I", 0x950412DE, 0, len(pairs), 28, second, 0, start)
    path.parent.mkdir(parents=True)
    path.write_bytes(head + tables + body)


def _compiled(message):
    key = f"{message.context}\4{message.id}" if message.context else message.id
    if message.plural:
        key = f"{key}\0{message.plural}"
    return key.encode(), "\0".join(message.texts).encode()


@dataclass(eq=False)
class Said(HTMLParser):
    """What a page says in words of its own: texts and attributes, in order."""

    html: str = field(repr=False)
    within: str = "body"
    """Id of the element that counts, or its tag."""

    def __post_init__(self):
        super().__init__()
        self.words = []
        self._open = []
        self.feed(self.html)
        self.close()

    def handle_starttag(self, tag, attrs):
        """Note what the attributes say, and step into the element."""
        held = {name: value or "" for name, value in attrs}
        inside = bool(self._open) and self._open[-1][1]
        inside = inside or self.within in (tag, held.get("id"))
        silent = tag in SILENT or "prompts-value" in held.get("class", "")
        counts = inside and not silent and not any(one[2] for one in self._open)
        for name, value in held.items():
            if counts and value and _is_spoken(tag, name, held):
                self.words.append(value)
        if tag not in VOID:
            self._open.append((tag, inside, silent))

    def handle_startendtag(self, tag, attrs):
        """Pass by what holds nothing, such as the lines of a drawing."""

    def handle_endtag(self, tag):
        """Step out of an element."""
        self._open.pop()

    def handle_data(self, data):
        """Note a text, white space folded."""
        inside = bool(self._open) and self._open[-1][1]
        if inside and data.strip() and not any(one[2] for one in self._open):
            self.words.append(" ".join(data.split()))


def _is_spoken(tag, name, held):
    # What a variable is worth is data in any language.
    if name == "data-example":
        return False
    if name == "value":
        return tag == "input" and held.get("type") == "submit"
    # Beside words, such attributes hold codes and keys, which are in lower case.
    speaks = name.startswith("data-") and re.search("[A-Z ]", held[name])
    return name in SPOKEN or (bool(speaks) and name not in WRITTEN)


def patterns(messages):
    """
    Return what tells that something is said as the code says it, in English.

    A message of three words or more is looked for inside a text; a shorter one has
    to be the whole of it. What a language says in the same words counts for nothing.
    """
    inside, whole = [], []
    for message in messages:
        if message.texts[0] != message.id:
            for text in filter(None, (message.id, message.plural)):
                pieces = PLACEHOLDER.split(text)
                escaped = list(map(re.escape, pieces))
                if max(len(piece.split()) for piece in pieces) > 2:
                    inside.append(re.compile(".+".join(escaped)).search)
                else:
                    whole.append(re.compile(r"\S+".join(escaped)).fullmatch)
    return (*inside, *whole)


def left_over(words, english):
    """Return those of *words* in which one of the patterns *english* is found."""
    return sorted({one for one in words if any(found(one) for found in english)})
