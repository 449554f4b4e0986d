"""The full chat on a machine: what is declared, what is stored, what a call is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prompts_app import Fragment, Tool, registry, services
from prompts_app.assembly import Snapshot
from prompts_app.contrib.chat.offer import ALL_TOOLS
from prompts_app.contrib.chat.scenarios import SCENARIOS
from prompts_app.syntax import clean_untrusted

Given = dict[str, Any]

SCENARIO = next(one for one in SCENARIOS if one.key == "agent_rewound")
# What administrators have changed, by key; each by a line at its end.
CHANGED = ("core.style", "core.honesty", "core.interjection", "core.untrusted")
LINE = "\nKeep to this in every reply."


def fragments() -> list[Fragment]:
    """Return the fragments of the preamble, in the order of the prompt."""
    view = services.view_of(overrides=Snapshot())
    every = [layered.fragment for layered in view.fragments]
    return [one for one in every if view.role(one.group) == "preamble"]


def stored_texts() -> dict[tuple[str, str], str]:
    """Return the texts that administrators have stored."""
    return {("", key): registry[key].default + LINE for key in CHANGED}


def parts() -> list[tuple[Fragment, str]]:
    """Return each fragment with its text in force."""
    stored = stored_texts()
    return [(one, stored.get(("", one.key), one.default)) for one in fragments()]


def cleaned(values: Mapping[str, object]) -> dict[str, str]:
    """Return *values* as candidates are given them: trimmed, and clean if untrusted."""
    variables = services.view_of(overrides=Snapshot()).variables
    return {
        name: clean_untrusted(str(value)).strip()
        if name in variables and variables[name].untrusted
        else str(value).strip()
        for name, value in values.items()
    }


def values() -> dict[str, str]:
    """Return a value for every variable that the scenario names."""
    return cleaned(SCENARIO.variables or {})


def given(
    chosen: Mapping[str, str],
    offered: Sequence[Tool] = ALL_TOOLS,
    level: str = "detailed",
) -> Given:
    """Return what other candidates are given: values, families, tools and level."""
    blank = dict.fromkeys(services.view_of(overrides=Snapshot()).variables, "")
    return {
        **blank,
        "tool_names": ", ".join(sorted(tool.name for tool in offered)),
        **chosen,
        "families": frozenset(tool.family for tool in offered),
        "has_tools": bool(offered),
        "level": level,
    }
