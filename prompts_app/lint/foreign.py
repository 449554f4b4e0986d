"""What other template languages would fill, and this one sends as it is typed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prompts_app.lint.problems import Problem, shown
from prompts_app.lint.subject import Subject

# Possessive quantifiers keep every failed match linear.
_SINGLE = re.compile(
    r"(?<![{\w\\}^\]])(?:\$|%)?\{[^\S\n]*+([A-Za-z][A-Za-z0-9_]*+)[^\S\n]*+\}(?!\})"
)
_TAG = re.compile(r"\{%[^%\n]*+%\}|\{#[^#\n]*+#\}")


def foreign(subject: Subject) -> Iterator[Problem]:
    """
    Yield ``{name}``, ``${name}`` and the tags of template engines.

    Outside of code they are a warning, if they are tags or name a variable. All
    the others, as in an example for the shell, are one note together.
    """
    first: re.Match[str] | None = None
    for match in _SINGLE.finditer(subject.text):
        name = match.group(1).lower()
        if name in subject.names and not subject.is_code(match.start()):
            params = {"snippet": shown(match.group()), "variable": name}
            yield Problem("near_reference", *_place(match), params)
        else:
            first = first or match
    for match in _TAG.finditer(subject.text):
        if subject.is_code(match.start()):
            first = min(first or match, match, key=re.Match.start)
        else:
            params = {"snippet": shown(match.group())}
            yield Problem("template_tag", *_place(match), params)
    if first is not None:
        params = {"snippet": shown(first.group())}
        yield Problem("foreign_placeholder", *_place(first), params)


def _place(match: re.Match[str]) -> tuple[int, int]:
    return match.start(), match.end() - match.start()
