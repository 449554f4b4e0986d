"""
The plain reference: regular-expression substitution, line by line.

It prepares nothing: each prompt reads each text anew, as the shortest code that
follows the rules of the text language does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from prompts_app import Fragment

REFERENCE = re.compile(r"\{\{\s*([a-z][a-z0-9_]*)\s*\}\}")


def prompt(parts: Iterable[tuple[Fragment, str]], given: Mapping[str, Any]) -> str:
    """Return the prompt of *parts* with the values in *given*."""
    out = ""
    for fragment, text in parts:
        if not admitted(fragment, given):
            continue
        piece = fill(text, given).strip()
        if not piece:
            continue
        if out:
            last = out[out.rfind("\n") + 1 :]
            tight = last.lstrip().startswith("- ") and piece.startswith("- ")
            out += "\n" if tight else "\n\n"
        out += piece
    return out


def admitted(fragment: Fragment, given: Mapping[str, Any]) -> bool:
    """Return whether the gates of *fragment* let it in."""
    if fragment.when_tools not in (None, given["has_tools"]):
        return False
    if fragment.families and not given["families"] & set(fragment.families):
        return False
    if fragment.level not in (None, given["level"]):
        return False
    return all(given[name].strip() for name in fragment.requires) and not any(
        given[name].strip() for name in fragment.unless
    )


def fill(text: str, given: Mapping[str, Any]) -> str:
    """Return *text* at its level, with its values, without the lines that go."""
    kept = []
    depth = 0
    for line in text.split("\n"):
        if line.strip() == "<!-- detailed -->":
            depth += 1
        elif line.strip() == "<!-- /detailed -->":
            depth -= 1
        elif depth == 0 or given["level"] == "detailed":
            known = []

            def put(found: re.Match[str], known: list[str] = known) -> str:
                name = found.group(1)
                if name not in given:
                    return found.group()
                known.append(name)
                return str(given[name])

            filled = REFERENCE.sub(put, line)
            if not known or filled.strip():
                kept.append(filled)
    return "\n".join(kept)
