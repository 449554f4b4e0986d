"""What no save takes: the one place that says so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prompts_app.declarations import Fragment
from prompts_app.exceptions import UnbalancedFence
from prompts_app.lint.problems import Problem
from prompts_app.syntax import at_level, variables_in

_SURROGATE = re.compile("[\ud800-\udfff]")


def refusals(text: str, limit: int | None = None) -> Iterator[Problem]:
    """Yield why *text* cannot be saved; *limit* is how many characters it may have."""
    if limit is not None and len(text) > limit:
        over = len(text) - limit
        params = {"length": len(text), "limit": limit, "over": over}
        yield Problem("too_long", limit, over, params)
    surrogate = _SURROGATE.search(text)
    for code, at in (
        ("nul", text.find("\0")),
        ("surrogate", surrogate.start() if surrogate else -1),
    ):
        if at >= 0:
            yield Problem(code, at, 1, {"line": text.count("\n", 0, at) + 1})
    try:
        at_level(text, None)
    except UnbalancedFence as error:
        lines = text.split("\n")
        start = sum(len(line) + 1 for line in lines[: error.line - 1])
        params = {"line": error.line, "opened": error.opened}
        yield Problem("unbalanced_fence", start, len(lines[error.line - 1]), params)


def lost_mentions(fragment: Fragment, text: str, before: str = "") -> list[str]:
    """
    Return the variables that *text* has to mention and does not.

    A blank text switches the fragment off, which is a decision of its own; what
    the text in force, *before*, had lost already is not asked about again.
    """
    if not text.strip():
        return []
    mentioned = variables_in(text)
    had = variables_in(before) if before.strip() else fragment.must_mention
    return [
        name for name in fragment.must_mention if name in had and name not in mentioned
    ]
