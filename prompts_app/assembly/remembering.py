"""Which plans are remembered, under what, and how many of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prompts_app.assembly.gates import Facts
from prompts_app.assembly.memo import Memo
from prompts_app.assembly.pieces import Wanted, collect, piece_of
from prompts_app.assembly.plans import Layout, Plan, Question
from prompts_app.assembly.resolving import Values
from prompts_app.assembly.values import Snapshot
from prompts_app.declarations import Level
from prompts_app.registry import View

_ENTRIES = 4096
_CHARACTERS = 32_000_000

memo: Memo[Any] = Memo(_ENTRIES, _CHARACTERS)
"""
All that is remembered of all assemblies of this process.

What several entries hold is weighed where it is put first. As the oldest go first, none
of them outlives it for longer than another filling of the memory.
"""
_NO_TEXTS = Snapshot()

Offered = tuple[bool, frozenset[str], Level]
"""The fields of `Facts`."""


def plan_of(
    view: View,
    snapshot: Snapshot,
    include: tuple[str, ...] | None,
    offered: Offered,
    given: Mapping[str, object],
) -> Plan:
    """
    Return the plan of what is wanted of *view*, with the texts of *snapshot*.

    A snapshot without version is somebody's own, and mostly used once: what its texts
    change is worked out and not kept.

    Raises:
        UnknownFragment: *include* names a key that nobody declares.
    """
    clauses = frozenset(n for n in view.clauses if n in given) if view.clauses else None
    key = (id(view), include, clauses, *offered)
    own = (snapshot.identity, key)
    plan = memo.get(own)
    if plan is None:
        # All other plans come from it, so it is not to go before them.
        base = memo.renewed(key)
        if base is None:
            base = _base(view, include, Facts(*offered), given)
            memo.put(key, base, base.weight)
        plan = _with_texts(base, snapshot)
        if snapshot.version:
            memo.put(own, plan)
            if snapshot.weight:
                # As plans hold its texts, they weigh until the last of these is gone.
                memo.put(snapshot.identity, plan, snapshot.weight)
    return plan


def _base(
    view: View,
    include: tuple[str, ...] | None,
    facts: Facts,
    given: Mapping[str, object],
) -> Plan:
    """Return the plan of the defaults."""
    wanted = collect(view, Wanted(view, include))
    pieces = [piece_of(view, _NO_TEXTS, *one) for one in wanted]
    return Plan(view, pieces, facts, given, wanted=wanted, kept=True)


def _with_texts(base: Plan, snapshot: Snapshot) -> Plan:
    texts = snapshot.texts
    touched = base.addresses.keys() & texts.keys()
    if not touched:
        return base
    # A save of other texts leaves what it does not touch as it was.
    counting = zip(touched, map(texts.__getitem__, touched), strict=True)
    key = (base, frozenset(counting))
    plan: Plan | None = memo.renewed(key)
    if plan is None:
        plan = base.with_texts(snapshot)
        if snapshot.version:
            memo.put(key, plan, plan.weight)
    return plan


def layout_of(plan: Plan, values: Values) -> Layout:
    """Return where the answers that *values* give to a plan's questions lead."""
    step: Question | Layout = plan.first
    while not isinstance(step, Layout):
        states = values.states(step.names, step.untrusted)
        following = memo.get((step, states)) if plan.kept else None
        if following is None:
            following = step.answered(states)
            if plan.kept:
                memo.put((step, states), following, following.weight)
        step = following
    return step
