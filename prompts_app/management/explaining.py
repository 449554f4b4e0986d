"""``prompts explain``: why a fragment is in a prompt, or why it is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from prompts_app import validation as valid
from prompts_app.assembly import Assembly, Entry
from prompts_app.declarations import Fragment
from prompts_app.exceptions import UnknownFragment
from prompts_app.management.columns import columns
from prompts_app.management.verbs import (
    Options,
    Terminal,
    Verb,
    add_situation,
    asked_situation,
    assembled,
    warnings,
)
from prompts_app.preview import Situation
from prompts_app.wording import (
    gates_text,
    lane_text,
    level_text,
    origin_text,
    outcome_text,
    place,
    reason_text,
    reference,
)

_OPEN: dict[str, Any] = {
    "when_tools": None,
    "families": (),
    "level": None,
    "requires": (),
    "unless": (),
}
"""Each gate, in the order in which they are judged, and what leaves it open."""


def add_arguments(parser: CommandParser) -> None:
    """Declare the options of ``explain``."""
    parser.add_argument("key", metavar="KEY")
    add_situation(parser)


def run(terminal: Terminal, options: Options) -> None:
    """Write a line for each scenario, or all about one."""
    asked = asked_situation(options)
    if options["scenario"] is None and asked.view.scenarios:
        terminal.show(_everywhere(asked, options))
    else:
        terminal.show(_in_one(terminal, asked, options))
    terminal.say(warnings(degraded=asked.snapshot.degraded))


VERB = Verb(
    help="Why a fragment is in a prompt, or why it is not.",
    description="Without a scenario, in a line for each of them.",
    add_arguments=add_arguments,
    run=run,
)


def conditions(fragment: Fragment) -> Iterator[Fragment]:
    """Yield *fragment* once for each of its conditions, with that one alone."""
    bare = replace(fragment, provides="", **_OPEN)
    for gate, nothing in _OPEN.items():
        held = getattr(fragment, gate)
        each = [(name,) for name in held] if gate in ("requires", "unless") else [held]
        for condition in each:
            if condition != nothing:
                alone: dict[str, Any] = {gate: condition}
                yield replace(bare, **alone)


def _everywhere(asked: Situation, options: Options) -> Iterator[str]:
    rows: list[Sequence[object]] = [
        (_("SCENARIO"), _("LEVEL"), _("OUTCOME"), _("CHARACTERS"), _("FROM"), _("WHY"))
    ]
    known = False
    for name in asked.view.scenarios:
        situation = asked_situation(options, name, asked.snapshot)
        # A fragment may be declared for the scope of one scenario only.
        if options["key"] in situation.view.by_key:
            known = True
            rows.append(_row(name, situation, options))
    if not known:
        _find(asked, options["key"])
    yield from columns(rows)


def _row(name: str, situation: Situation, options: Options) -> Sequence[object]:
    fragment = _find(situation, options["key"])
    assembly = assembled(situation, options)
    entry = _entry(assembly, fragment)
    level = level_text(assembly.level)
    if entry is None:
        return name, level, _not_there(fragment), 0, "", ""
    why = "; ".join(_reasons(entry))
    origin = origin_text(entry.origin)
    return name, level, outcome_text(entry.outcome), entry.length, origin, why


def _in_one(
    terminal: Terminal, situation: Situation, options: Options
) -> Iterator[str]:
    fragment = _find(situation, options["key"])
    assembly = assembled(situation, options)
    yield f"{fragment.label} ({fragment.key})"
    yield from columns(_facts(situation, assembly, fragment))
    judged = [
        (gates_text(one)[0], assembly.failed_gate(one) is None)
        for one in conditions(fragment)
    ]
    if judged:
        yield ""
        verdicts = (_("no"), _("yes"))
        rows = columns((verdicts[holds], words) for words, holds in judged)
        for row, (_words, holds) in zip(rows, judged, strict=True):
            yield terminal.painted("SUCCESS" if holds else "ERROR", row)


def _facts(
    situation: Situation, assembly: Assembly, fragment: Fragment
) -> Iterator[tuple[str, object]]:
    entry = _entry(assembly, fragment)
    name = situation.scenario.key if situation.scenario else _("Examples")
    yield _("scenario"), name
    yield _("scope"), " > ".join(assembly.scope) or place("")
    yield _("level"), assembly.level
    if entry is None:
        yield _("outcome"), _not_there(fragment)
        return
    yield _("outcome"), outcome_text(entry.outcome)
    if reasons := list(_reasons(entry)):
        yield _("because"), "; ".join(reasons)
    yield _("characters"), entry.length
    yield _("text"), origin_text(entry.origin)
    yield _("lane"), lane_text(entry.lane)


def _entry(assembly: Assembly, fragment: Fragment) -> Entry | None:
    return next((one for one in assembly.trace if one.key == fragment.key), None)


def _reasons(entry: Entry) -> Iterator[str]:
    notes = (entry.reason, *entry.notes) if entry.reason else entry.notes
    return map(reason_text, notes)


def _not_there(fragment: Fragment) -> str:
    if fragment.provides:
        named = {"variable": reference(fragment.provides)}
        return _("No text names %(variable)s") % named
    return _("Not asked for")


def _find(situation: Situation, key: str) -> Fragment:
    """
    Return the nearest declaration of *key*.

    Raises:
        UnknownFragment: nobody declares it; the nearest keys are named.
    """
    known = situation.view.by_key
    if key not in known:
        raise UnknownFragment(key, valid.near(key, tuple(known)))
    return known[key].fragment
