"""Every rule over one text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from prompts_app.assembly import Snapshot
from prompts_app.declarations import Fragment
from prompts_app.lint import (
    characters,
    foreign,
    references,
    stability,
    structure,
)
from prompts_app.lint.problems import MOST, SEVERITIES, Problem
from prompts_app.lint.refusals import refusals
from prompts_app.lint.subject import Subject
from prompts_app.registry import View
from prompts_app.syntax import fold_line_breaks

_RULES: tuple[Callable[[Subject], Iterator[Problem]], ...] = (
    references.faulty_references,
    references.unreachable,
    references.repeated,
    references.unmentioned,
    foreign.foreign,
    structure.mistyped_fence,
    structure.stranded,
    structure.much_longer,
    stability.cached_fence,
    stability.leaves_prefix,
    characters.unseen,
)

# Of one place the worst is told first.
_RANKS = {code: rank for rank, code in enumerate(SEVERITIES)}


def _place(problem: Problem) -> tuple[bool, int, int]:
    return problem.length > 0, problem.start, _RANKS[problem.code]


def examine(
    text: str,
    fragment: Fragment,
    view: View,
    *,
    before: str | None = None,
    snapshot: Snapshot | None = None,
    limit: int | None = None,
) -> tuple[Problem, ...]:
    """
    Return what an editor should be told of *text* as a text of *fragment*, by place.

    *view* says which names there are. *before* is the text that it is going to
    replace (None: the default), *snapshot* holds the texts of other fragments (None:
    their defaults), *limit* is how many characters a save takes (None: any number).
    Offsets count code points of the text with its line breaks folded to LF. Of each
    code the first 20 places are told. A blank text switches its fragment off, and has
    no problems. What is about the whole text comes first. The work grows as the text
    does.
    """
    text = fold_line_breaks(text)
    if not text.strip():
        return ()
    subject = Subject(text, fragment, view, before, snapshot or Snapshot())
    found = [*refusals(text, limit)]
    for rule in _RULES:
        found += rule(subject)
    found.sort(key=_place)
    told: Counter[str] = Counter()
    kept = []
    for problem in found:
        told[problem.code] += 1
        if told[problem.code] <= MOST:
            kept.append(problem)
    return tuple(kept)
