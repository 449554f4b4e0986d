"""
What can be proved of a scenario: that it renders, and that lean is a part of detailed.

The command and the tests of other apps come here, so that both prove the same.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from prompts_app.assembly import Assembly
from prompts_app.declarations import Fragment, Level
from prompts_app.exceptions import TextError
from prompts_app.lint import added_lines
from prompts_app.preview import CANNOT_BE_ASSEMBLED, Situation
from prompts_app.registry import View


@dataclass(frozen=True, slots=True)
class LeanProof:
    """Whether the lean prompt of a scenario is a part of the detailed one."""

    added: tuple[str, ...] = field(repr=False)
    """The lines it has and the detailed prompt lacks, in order, trimmed."""
    excused: tuple[tuple[str, str], ...]
    """Key and reason of each lean-only fragment that was left out of it."""


def prove_lean(situation: Situation) -> LeanProof:
    """
    Return what the lean prompt of *situation* adds to the detailed one.

    Lines are compared as `lint.added_lines()` does, the seam's included. A fragment
    for the lean level only is left out; if it is a clause, its variable is blank in
    both prompts.

    Raises:
        PromptsError, TypeError, ValueError: as `services.assemble()`.
    """
    lean = situation.assemble(level=Level.LEAN)
    excused = _lean_only(situation.view, lean)
    blank = {one.provides: "" for one in excused if one.provides}
    if blank:
        lean = situation.assemble(blank, level=Level.LEAN)
    detailed = situation.assemble(blank, level=Level.DETAILED)
    keys = {one.key for one in excused}
    return LeanProof(
        tuple(added_lines(_text(detailed), _text(lean, keys))),
        tuple((one.key, one.lean_reason) for one in excused),
    )


def strict_faults(situation: Situation, level: Level) -> tuple[Exception, ...]:
    """
    Return why *situation* cannot be assembled strictly at *level*: ``()`` if it can.

    They are a `TextError` for each text at fault, or the one error that lets nothing
    be assembled at all.
    """
    try:
        situation.assemble(level=level, strict=True)
    except TextError as first:
        return _of_each(situation, level) or (first,)
    except CANNOT_BE_ASSEMBLED as error:
        return (error,)
    return ()


def _lean_only(view: View, lean: Assembly) -> list[Fragment]:
    used = (
        entry.key for entry in lean.trace if entry.text and entry.key in view.by_key
    )
    fragments = (view.by_key[key].fragment for key in used)
    return [one for one in fragments if one.level is Level.LEAN]


def _text(assembly: Assembly, without: Collection[str] = ()) -> str:
    """Return every section and the seam, but for some keys, line after line."""
    return "\n".join(
        entry.text
        for entry in assembly.trace
        if entry.outcome in ("included", "seam") and entry.key not in without
    )


def _of_each(situation: Situation, level: Level) -> tuple[Exception, ...]:
    """Look at each admitted text by itself, since the first fault hides the others."""
    found: dict[str, Exception] = {}
    for entry in situation.assemble(level=level).trace:
        admitted = entry.reason is None or entry.reason.code == "empty"
        if admitted and entry.key in situation.view.by_key:
            try:
                situation.assemble(level=level, include=(entry.key,), strict=True)
            except TextError as fault:
                found.setdefault(str(fault), fault)
    return tuple(found.values())
