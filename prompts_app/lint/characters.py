"""Characters that nobody sees, by their names."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping

from prompts_app.lint.problems import Problem
from prompts_app.lint.subject import Subject

_FLAG = "\U0001f3f4"
_FLAGS = re.compile(
    _FLAG
    + "(?:"
    + "|".join(
        "".join(chr(0xE0000 + ord(letter)) for letter in region)
        for region in ("gbeng", "gbsct", "gbwls")
    )
    + ")\U000e007f"
)
_CLASSES = {
    "bidirectional_control": "\u202a-\u202e\u2066-\u2069",
    "direction_mark": "\u061c\u200e\u200f",
    "tag_character": "\U000e0000-\U000e007f",
    "invisible_character": (
        "\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u115f\u1160\u17b4\u17b5\u180e"
        "\u200b\u2028\u2029\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
        "\U0001d173-\U0001d17a"
    ),
}
_SELECTOR = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_KINDS = {code: re.compile(f"[{chars}]") for code, chars in _CLASSES.items()}
_TAG = _KINDS["tag_character"]
_ANY = "".join(_CLASSES.values())
# One selector chooses how a character is drawn; those after it can only hide data.
_FOUND = re.compile(f"[{_ANY}]|(?<=[{_SELECTOR}])[{_SELECTOR}]")


def unseen(subject: Subject) -> Iterator[Problem]:
    """Yield each kind of invisible character once, with its name and how many."""
    # The flags of three nations are drawn from tags.
    text = _FLAGS.sub(lambda flag: "?" * len(flag.group()), subject.text)
    first: dict[str, int] = {}
    counts: Counter[str] = Counter()
    for match in _FOUND.finditer(text):
        character = match.group()
        first.setdefault(character, match.start())
        counts[character] += 1
    tags = [one for one in first if _TAG.match(one)]
    for character in first:
        if character not in tags:
            yield _problem(first, counts, character)
    if tags:
        # Each stands for a letter of one hidden text.
        counts[tags[0]] = sum(counts[one] for one in tags)
        yield _problem(first, counts, tags[0])


def _problem(
    first: Mapping[str, int], counts: Mapping[str, int], character: str
) -> Problem:
    params = {
        "codepoint": f"U+{ord(character):04X}",
        "name": name_of(character),
        "count": counts[character],
    }
    kinds = (code for code, one in _KINDS.items() if one.match(character))
    code = next(kinds, "invisible_character")
    return Problem(code, first[character], 1, params)


def name_of(character: str) -> str:
    """Return the name of *character* in Unicode, or the label of what has none."""
    return unicodedata.name(character, "") or f"control-{ord(character):04X}"
