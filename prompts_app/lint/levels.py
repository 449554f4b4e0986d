"""What a lean text adds to the detailed one, which it never should."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from prompts_app.validation import strings


def added_lines(detailed: str, lean: str, allow: Iterable[str] = ()) -> list[str]:
    """
    Return the lines that *lean* holds more often than *detailed*, in lean's order.

    Lines are compared trimmed, blank ones not at all, and how often each stands
    there counts. A line that contains one of the texts of *allow* is not reported.
    """
    allowed = strings("allow", allow)
    left = Counter(line.strip() for line in detailed.split("\n"))
    added = []
    for line in (line.strip() for line in lean.split("\n")):
        left[line] -= 1
        excused = not line or any(text in line for text in allowed)
        if left[line] < 0 and not excused:
            added.append(line)
    return added
