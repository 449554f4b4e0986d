"""What a problem of a text is, how bad each kind is, and where in a text it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

ERROR, WARNING, NOTE = "error", "warning", "note"
SEVERITIES: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("too_long", "nul", "surrogate", "unbalanced_fence"), ERROR),
        "unknown_variable": WARNING,
        "malformed_reference": WARNING,
        "unclosed_reference": WARNING,
        "space_in_reference": WARNING,
        "near_reference": WARNING,
        "template_tag": WARNING,
        "clause_in_clause": WARNING,
        "always_blank": WARNING,
        "repeated_variable": WARNING,
        "must_mention": WARNING,
        "mistyped_fence": WARNING,
        "stranded_line": WARNING,
        "cached_fence": WARNING,
        "invisible_character": WARNING,
        "bidirectional_control": WARNING,
        "tag_character": WARNING,
        "foreign_placeholder": NOTE,
        "direction_mark": NOTE,
        "leaves_prefix": NOTE,
        "much_longer": NOTE,
    }
)
"""How bad each code is: an error blocks a save, a warning does not, a note only tells."""
MOST = 20
"""How many places of one code are told; the rest says nothing new."""
SHOWN = 40
"""How many characters of a text a sentence shows."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that an editor should be told of a text."""

    code: str
    """One of `SEVERITIES`, the same in every language."""
    start: int = 0
    """Offset of its place in the text, in code points."""
    length: int = 0
    """How many code points the place has; 0: it is about the whole text."""
    params: Mapping[str, Any] = field(default_factory=dict, hash=False, repr=False)
    """The figures and names of its sentence; see docs/lint.md."""

    @property
    def severity(self) -> str:
        """Return ``error``, ``warning`` or ``note``."""
        return SEVERITIES[self.code]


def shown(snippet: str) -> str:
    """Return the first line of *snippet*, cut where it is long."""
    line, *more = snippet.split("\n", 1)
    return line[:SHOWN] + "…" * (len(line) > SHOWN or bool(more))


def in_utf16(text: str, offsets: Iterable[int]) -> dict[int, int]:
    """Return for each of *offsets*, in code points, the same place in UTF-16 units."""
    found: dict[int, int] = {}
    seen = units = 0
    for offset in sorted(set(offsets)):
        between = text[seen:offset]
        # A lone surrogate is one unit, in a browser as well.
        units += len(between.encode("utf-16-le", "surrogatepass")) // 2
        seen = offset
        found[offset] = units
    return found
