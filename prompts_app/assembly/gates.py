"""The conditions of a fragment, judged in the order the design gives them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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


def failed_gate(
    fragment: Fragment, facts: Facts, is_blank: Callable[[str], bool]
) -> Reason | None:
    """Return the first gate that keeps *fragment* out; None if all let it in."""
    return closed_gate(fragment, facts) or blank_gate(fragment, is_blank)


def closed_gate(fragment: Fragment, facts: Facts) -> Reason | None:
    """Return the first gate that keeps *fragment* out whatever its variables are."""
    wants_tools = fragment.when_tools
    if wants_tools is not None and wants_tools is not facts.has_tools:
        return Reason("when_tools", ("with" if wants_tools else "without",))
    if fragment.families and facts.families.isdisjoint(fragment.families):
        return Reason("families", fragment.families)
    if fragment.level is not None and fragment.level is not facts.level:
        return Reason("level", (fragment.level.value,))
    return None


def blank_gate(fragment: Fragment, is_blank: Callable[[str], bool]) -> Reason | None:
    """Return the first gate on variables that keeps *fragment* out."""
    if blank := tuple(filter(is_blank, fragment.requires)):
        return Reason("requires", blank)
    filled = tuple(name for name in fragment.unless if not is_blank(name))
    return Reason("unless", filled) if filled else None
