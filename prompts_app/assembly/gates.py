"""The conditions of a fragment, judged in the order the design gives them."""

from __future__ import annotations

from dataclasses import dataclass

from prompts_app.assembly.resolving import Values
from prompts_app.assembly.values import Reason
from prompts_app.declarations import Fragment, Level


@dataclass(frozen=True, slots=True)
class Facts:
    """What gates are judged by, variables aside."""

    has_tools: bool
    families: frozenset[str]
    level: Level


def to_level(level: object) -> Level:
    """Return the level that *level* names; what names none counts as detailed."""
    return Level.LEAN if level == Level.LEAN else Level.DETAILED


def failed_gate(fragment: Fragment, facts: Facts, values: Values) -> Reason | None:
    """Return the first gate that keeps *fragment* out; None if all let it in."""
    wants_tools = fragment.when_tools
    if wants_tools is not None and wants_tools is not facts.has_tools:
        return Reason("when_tools", ("with" if wants_tools else "without",))
    if fragment.families and facts.families.isdisjoint(fragment.families):
        return Reason("families", fragment.families)
    if fragment.level is not None and fragment.level is not facts.level:
        return Reason("level", (fragment.level.value,))
    if blank := tuple(filter(values.is_blank, fragment.requires)):
        return Reason("requires", blank)
    filled = tuple(name for name in fragment.unless if not values.is_blank(name))
    return Reason("unless", filled) if filled else None
