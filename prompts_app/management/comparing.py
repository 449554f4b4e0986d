"""``prompts diff``: what two prompts have in common, and what the one has more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _, ngettext

from prompts_app import services
from prompts_app.assembly import Snapshot
from prompts_app.declarations import Level
from prompts_app.management.columns import columns
from prompts_app.management.findings import lean_adds_text, lean_only_text
from prompts_app.management.hunks import hunks, marked_lines, plain_lines
from prompts_app.management.rendering import tokens_text
from prompts_app.management.verbs import (
    Options,
    Terminal,
    Verb,
    add_situation,
    add_tokens,
    asked_situation,
    assembled,
    chain_of,
    warnings,
)
from prompts_app.preview import Situation
from prompts_app.proofs import prove_lean
from prompts_app.wording import level_text, number, place, signed


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two prompts."""

    name: str
    """What tells it from the other, in a few words."""
    text: str = field(repr=False)
    """With seam and authored prompt."""


def add_arguments(parser: CommandParser) -> None:
    """Declare the options of ``diff``."""
    add_situation(parser)
    _add_other_side(parser)
    parser.add_argument(
        "--words", action="store_true", help="Mark words within the lines."
    )
    parser.add_argument(
        "--context",
        type=int,
        default=2,
        metavar="LINES",
        help="How many equal lines to show round a change; -1 shows all.",
    )
    add_tokens(parser)
    parser.add_argument(
        "--exit-code", action="store_true", help="End with 1 where they differ."
    )


def _add_other_side(parser: CommandParser) -> None:
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--to-scenario", metavar="NAME", help="Compare with this one.")
    other.add_argument(
        "--to-scope",
        action="append",
        metavar="SCOPE",
        help="Compare with this scope, or chain of them; '' has no scope.",
    )
    other.add_argument(
        "--defaults",
        action="store_true",
        help="Compare the defaults with what is in force.",
    )


def run(terminal: Terminal, options: Options) -> None:
    """Write the difference, and the sizes beside it."""
    situation = asked_situation(options)
    before, after = sides(situation, options)
    if before.text != after.text:
        terminal.show(_difference(terminal, before, after, options))
    terminal.say(_sizes(before, after, tokens=options["tokens"]))
    if _is_of_levels(options):
        terminal.say(_of_lean(terminal, situation))
    terminal.say(warnings(degraded=situation.snapshot.degraded))
    if options["exit_code"] and before.text != after.text:
        raise CommandError(_("The two differ."))


VERB = Verb(
    help="The difference of two prompts; by itself, of detailed and lean.",
    add_arguments=add_arguments,
    run=run,
)


def sides(situation: Situation, options: Options) -> tuple[Side, Side]:
    """
    Return the two prompts that were asked for.

    Raises:
        UnknownScenario, CommandError: one of them is not there, or cannot be
            assembled.
    """
    if _is_of_levels(options):
        return _of_levels(situation, options)
    if options["to_scenario"] is not None:
        other = asked_situation(options, options["to_scenario"], situation.snapshot)
        names = _called(situation), _called(other)
    elif options["to_scope"] is not None:
        chain = chain_of(options["to_scope"], "--to-scope")
        other = situation_in(situation, chain)
        names = _where(situation), _where(other)
    else:
        bare = Snapshot(declarations=situation.snapshot.declarations)
        situation, other = replace(situation, snapshot=bare), situation
        names = _("Defaults"), _("In force")
    return _side(names[0], situation, options), _side(names[1], other, options)


def situation_in(situation: Situation, chain: tuple[str, ...]) -> Situation:
    """Return *situation* with the same texts in another chain, which may be empty."""
    view = services.view_of(chain, situation.snapshot)
    return replace(situation, view=view)


def _of_levels(situation: Situation, options: Options) -> tuple[Side, Side]:
    if options["level"] is not None:
        raise CommandError(
            "--level says nothing where both levels are compared; give --defaults,"
            " --to-scenario or --to-scope beside it."
        )
    return (
        _side(level_text(Level.DETAILED), situation, options, Level.DETAILED),
        _side(level_text(Level.LEAN), situation, options, Level.LEAN),
    )


def _called(situation: Situation) -> str:
    return situation.scenario.key if situation.scenario else _("Examples")


def _where(situation: Situation) -> str:
    return " > ".join(situation.view.chain) or place("")


def _is_of_levels(options: Options) -> bool:
    others = options["to_scenario"], options["to_scope"], options["defaults"] or None
    return others == (None, None, None)


def _side(
    name: str, situation: Situation, options: Options, level: Level | None = None
) -> Side:
    changes = {} if level is None else {"level": level}
    assembly = assembled(situation, options, **changes)
    return Side(name, assembly.join(situation.authored))


def _difference(
    terminal: Terminal, before: Side, after: Side, options: Options
) -> Iterator[str]:
    yield terminal.painted("ERROR", f"--- {before.name}")
    yield terminal.painted("SUCCESS", f"+++ {after.name}")
    compare = marked_lines if options["words"] else plain_lines
    found = compare(before.text, after.text, terminal.painted)
    yield from hunks(found, options["context"])


def _sizes(before: Side, after: Side, *, tokens: bool) -> Iterator[str]:
    if before.text == after.text:
        yield _("The two are the same.")
        return
    rows = []
    for side in (before, after):
        row = [side.name, _characters(len(side.text))]
        if tokens:
            row.append(_("%(count)s tokens") % {"count": tokens_text(side.text)})
        rows.append(row)
    rows.append([_("difference"), _change(before, after), ""][: len(rows[0])])
    yield from columns(rows)


def _characters(count: int) -> str:
    words = ngettext("%(number)s character", "%(number)s characters", count)
    return words % {"number": number(count)}


def _change(before: Side, after: Side) -> str:
    change = len(after.text) - len(before.text)
    words = ngettext("%(delta)s character", "%(delta)s characters", abs(change))
    changed = words % {"delta": signed(change) or number(0)}
    if not before.text:
        return changed
    percent = signed(round(100 * change / len(before.text))) or number(0)
    return _("%(change)s (%(percent)s %%)") % {"change": changed, "percent": percent}


def _of_lean(terminal: Terminal, situation: Situation) -> Iterator[str]:
    """Yield what the lean prompt has and the detailed one lacks, and why if told."""
    proof = prove_lean(situation)
    if proof.added:
        yield terminal.painted("WARNING", lean_adds_text(len(proof.added)))
        yield from (f"    {line}" for line in proof.added)
    for key, reason in proof.excused:
        yield lean_only_text(key, reason)
