"""Rules for how long a text keeps the same bytes."""

from __future__ import annotations

from collections.abc import Iterator

from prompts_app.checks.findings import Flaw
from prompts_app.declarations import Fragment, Lifetime
from prompts_app.lint import has_fence, lane_of, lane_of_name
from prompts_app.registry import View
from prompts_app.syntax import variables_in


def fence(view: View, fragment: Fragment) -> Iterator[Flaw]:
    """Yield W028 where a text that outlives one request has a level fence."""
    lane = lane_of(view, fragment, fragment.default)
    if lane in (Lifetime.CONVERSATION, Lifetime.TURN) and has_fence(fragment.default):
        fault = f"its default has a level fence, and its lifetime is {lane.name}"
        hint = (
            "What a conversation keeps cannot follow a change of level. Move the"
            " coaching to a fragment that is FIXED."
        )
        yield Flaw("W028", fault, hint)


def promise(view: View, fragment: Fragment) -> Iterator[Flaw]:
    """Yield W029 where a name is less stable than the promised lifetime."""
    if fragment.lifetime is None:
        return
    in_clause = bool(fragment.provides)
    lanes = {
        name: lane_of_name(view, name, in_clause=in_clause)
        for name in _names(fragment)
        if name in view.variables or name in view.clauses
    }
    broken = {name: lane for name, lane in lanes.items() if lane > fragment.lifetime}
    if broken:
        named = ", ".join(f"{name} ({lane.name})" for name, lane in broken.items())
        fault = f"it promises lifetime {fragment.lifetime.name} and uses {named}"
        least = max(broken.values()).name
        hint = f"Write lifetime=Lifetime.{least}, or take the reference out."
        yield Flaw("W029", fault, hint)


def _names(fragment: Fragment) -> tuple[str, ...]:
    used = (*variables_in(fragment.default), *fragment.requires, *fragment.unless)
    return tuple(dict.fromkeys(used))
