"""Double braces: what refers to nothing, and what refers to too much."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from prompts_app import validation as valid
from prompts_app.declarations import Fragment
from prompts_app.lint.problems import MOST, Problem, shown
from prompts_app.lint.subject import Group, Subject
from prompts_app.registry import View
from prompts_app.syntax import parse

_TAG = re.compile(r"\s*+(?:[#/^>!&]|else\b|this\b)")
_WORDS = re.compile(r"[A-Za-z0-9]++")
_OPEN_NAME = re.compile(r"[^\S\n]*+[A-Za-z_]")
_LONGEST_NAME = 100


def faulty_references(subject: Subject) -> Iterator[Problem]:
    """Yield what looks like a reference and does not work, or not everywhere."""
    last_closing = subject.text.rfind("}}")
    told: Counter[str] = Counter()
    for group in subject.groups:
        if group.before > 1:
            yield _unclosed(subject, group.start - group.before, group.before)
        code = _code_of(subject, group, last_closing)
        if code:
            told[code] += 1
            # Near names cost more than all the rest, and no one reads so many.
            if told[code] <= MOST:
                yield _problem(subject, group, code)


def _code_of(subject: Subject, group: Group, last_closing: int) -> str:
    """Return what is wrong with a group; ``""``: nothing."""
    if not group.closed:
        is_meant = group.start < last_closing or bool(
            _OPEN_NAME.match(subject.text, group.start + 2, group.end)
        )
        return "unclosed_reference" if is_meant else ""
    if group.name in subject.names:
        is_plain = group.end - group.start == len(group.name) + 4
        return "" if is_plain else "space_in_reference"
    if _TAG.match(subject.text, group.start + 2, group.end - 2):
        return "template_tag"
    return "unknown_variable" if group.name else "malformed_reference"


def _problem(subject: Subject, group: Group, code: str) -> Problem:
    if code == "unclosed_reference":
        return _unclosed(subject, group.start, 2)
    inside = subject.text[group.start + 2 : group.end - 2]
    params = {"snippet": f"{{{{{shown(inside)}}}}}"}
    if code == "space_in_reference":
        params["variable"] = group.name
    elif code != "template_tag":
        params["near"] = _meant(subject, inside)
    return Problem(code, group.start, group.end - group.start, params)


def _unclosed(subject: Subject, start: int, length: int) -> Problem:
    snippet = subject.text[start : start + _LONGEST_NAME]
    return Problem("unclosed_reference", start, length, {"snippet": shown(snippet)})


def _meant(subject: Subject, inside: str) -> str:
    """Return the variable that was probably meant to be named; ``""``: none."""
    if len(inside) > _LONGEST_NAME:
        return ""
    # A filter of a template engine is no part of the name.
    words = _WORDS.findall(inside.split("|", maxsplit=1)[0].casefold())
    return next(iter(valid.near("_".join(words), subject.names)), "")


def unreachable(subject: Subject) -> Iterator[Problem]:
    """Yield references to what this fragment can never have."""
    fragment, view = subject.fragment, subject.view
    codes = {}
    for name in subject.used:
        if fragment.provides and name in view.clauses:
            codes[name] = "clause_in_clause"
        elif _is_always_blank(view, fragment, name):
            codes[name] = "always_blank"
    for group in subject.references if codes else ():
        if group.name in codes:
            length, params = group.end - group.start, {"variable": group.name}
            yield Problem(codes[group.name], group.start, length, params)


def _is_always_blank(view: View, fragment: Fragment, name: str) -> bool:
    if name in fragment.unless:
        return True
    if name == "tool_names":
        return fragment.when_tools is False
    clauses = view.clauses.get(name, ())
    return bool(clauses) and all(
        are_exclusive(clause.fragment, fragment) for clause in clauses
    )


def are_exclusive(one: Fragment, other: Fragment) -> bool:
    """Return whether the gates of two fragments never let both in."""
    levels = {one.level, other.level} - {None}
    offers = {one.when_tools, other.when_tools} - {None}
    required, blank = {*one.requires, *other.requires}, {*one.unless, *other.unless}
    return len(levels) > 1 or len(offers) > 1 or not required.isdisjoint(blank)


def repeated(subject: Subject) -> Iterator[Problem]:
    """
    Yield what a prompt would hold twice: a text from outside, or what it is about.

    The default may do so, and any text as often as the default does.
    """
    variables, needed = subject.view.variables, subject.fragment.must_mention
    content = {
        name
        for name in subject.used
        if name in needed or (name in variables and variables[name].untrusted)
    }
    allowed, seen = _uses(subject.fragment.default), Counter[str]()
    for group in subject.references if content else ():
        name = group.name
        if name in content:
            seen[name] += 1
            if seen[name] > max(1, allowed[name]):
                length = group.end - group.start
                params = {"variable": name}
                yield Problem("repeated_variable", group.start, length, params)


def _uses(text: str) -> Counter[str]:
    blocks = (block for block in parse(text) if not isinstance(block, str))
    return Counter(name for block in blocks for name in block.names)


def unmentioned(subject: Subject) -> Iterator[Problem]:
    """Yield the variables that a text has to mention and does not."""
    for name in subject.fragment.must_mention:
        if name not in subject.used:
            yield Problem("must_mention", params={"variable": name})
