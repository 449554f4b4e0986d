"""How long a text keeps the same bytes, and what an edit changes about that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from prompts_app.assembly import Snapshot, text_in_force
from prompts_app.declarations import Fragment, Lifetime
from prompts_app.exceptions import UnbalancedFence
from prompts_app.lint.problems import Problem
from prompts_app.lint.subject import Subject
from prompts_app.registry import View
from prompts_app.syntax import DETAILED, OPENING_MARKER, at_level, variables_in


def lane_of(
    view: View, fragment: Fragment, text: str, snapshot: Snapshot | None = None
) -> Lifetime:
    """
    Return the lane that an assembly gives *fragment* with *text*.

    Clauses that the text names have their texts in *snapshot*; None: their defaults.
    """
    return _lane_with(view, fragment, variables_in(text), snapshot)


def _lane_with(
    view: View,
    fragment: Fragment,
    used: Iterable[str],
    snapshot: Snapshot | None,
) -> Lifetime:
    own = fragment.lifetime or Lifetime.FIXED
    in_clause = bool(fragment.provides)
    names = (*used, *fragment.requires, *fragment.unless)
    lanes = (
        lane_of_name(view, name, snapshot, in_clause=in_clause)
        for name in dict.fromkeys(names)
    )
    return max((own, *lanes))


def lane_of_name(
    view: View, name: str, snapshot: Snapshot | None = None, *, in_clause: bool
) -> Lifetime:
    """Return the lane of what variable *name* is filled with."""
    clauses = () if in_clause else view.clauses.get(name, ())
    if clauses:
        texts = [
            (one.fragment, text_in_force(view, snapshot or Snapshot(), one)[0])
            for one in clauses
        ]
        return max(lane_of(view, fragment, text) for fragment, text in texts)
    declared = view.variables.get(name)
    return declared.lifetime if declared else Lifetime.CALL


def has_fence(text: str) -> bool:
    """Return whether *text* differs between levels; one that is unbalanced does not."""
    try:
        return at_level(text, DETAILED) != text
    except UnbalancedFence:
        return False


def cached_fence(subject: Subject) -> Iterator[Problem]:
    """Yield a level fence in a text that outlives one request."""
    if not has_fence(subject.text):
        return
    lane = _lane_with(subject.view, subject.fragment, subject.used, subject.snapshot)
    if lane in (Lifetime.CONVERSATION, Lifetime.TURN):
        start = subject.text.find(OPENING_MARKER)
        params = {"lane": lane}
        yield Problem("cached_fence", start, len(OPENING_MARKER), params)


def leaves_prefix(subject: Subject) -> Iterator[Problem]:
    """Yield that a text is new more often than the one it is going to replace."""
    view, fragment, texts = subject.view, subject.fragment, subject.snapshot
    before = fragment.default if subject.before is None else subject.before
    if not before.strip():
        # It was off, and in no prompt at all.
        return
    was = lane_of(view, fragment, before, texts)
    lane = _lane_with(view, fragment, subject.used, texts)
    if lane <= was:
        return
    in_clause = bool(fragment.provides)
    names = [
        name
        for name in subject.used
        if lane_of_name(view, name, texts, in_clause=in_clause) is lane
    ]
    first = next(group for group in subject.references if group.name == names[0])
    params = {"variables": tuple(names), "before": was, "lane": lane}
    yield Problem("leaves_prefix", first.start, first.end - first.start, params)
