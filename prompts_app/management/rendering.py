"""``prompts render``: one prompt, its figures, its trace."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext, gettext_lazy as _

from prompts_app import conf
from prompts_app.assembly import Assembly, Reason
from prompts_app.management.columns import columns
from prompts_app.management.files import write_whole
from prompts_app.management.verbs import (
    Options,
    Terminal,
    Verb,
    add_situation,
    add_tokens,
    asked_situation,
    assembled,
    warnings,
)
from prompts_app.preview import Situation, lane_shares
from prompts_app.registry import View
from prompts_app.tokens import Tokens, count_tokens
from prompts_app.wording import lane_text, origin_text, outcome_text, place, reason_text


@dataclass(frozen=True, slots=True)
class Rendered:
    """One prompt as it would be sent."""

    situation: Situation
    assembly: Assembly
    text: str = field(repr=False)
    """With seam and authored prompt."""
    unused: tuple[str, ...]
    """The names of given values that no text and no gate asked for."""
    tokens: bool
    """Whether sizes are told in tokens too."""


def add_arguments(parser: CommandParser) -> None:
    """Declare the options of ``render``."""
    add_situation(parser)
    parser.add_argument(
        "--model", default="", help="The model that will answer; it may set the level."
    )
    parser.add_argument(
        "--include",
        action="append",
        default=[],
        metavar="NAME",
        help="A group or a key; may be given again.",
    )
    parser.add_argument(
        "--trace", action="store_true", help="Say why each fragment is in or out."
    )
    add_tokens(parser)
    parser.add_argument(
        "--json", action="store_true", help="Print everything for another program."
    )
    parser.add_argument(
        "--output", "-o", metavar="FILE", help="Write the result there, all at once."
    )


def run(terminal: Terminal, options: Options) -> None:
    """Write the prompt, and its figures beside it."""
    rendered = render(options)
    result = as_json(rendered) if options["json"] else rendered.text
    if options["output"] is not None:
        write_whole(options["output"], f"{result}\n" if result else "")
    elif result:
        terminal.show([result])
    if options["json"]:
        return
    terminal.say(statistics(rendered))
    if options["trace"]:
        terminal.say(("", *trace_lines(rendered)))
    terminal.say(_remarks(rendered))


VERB = Verb(
    help="A prompt to standard output, its figures to standard error.",
    description="Without a scenario each variable is worth its own example.",
    add_arguments=add_arguments,
    run=run,
)


def render(options: Options) -> Rendered:
    """
    Return the prompt of a scenario, with what is given in place of what it says.

    Raises:
        UnknownScenario, CommandError: what was asked for is not there, or cannot be
            assembled.
    """
    situation = asked_situation(options)
    changes: dict[str, Any] = {"model": options["model"]}
    if options["include"]:
        changes["include"] = _included(situation.view, options["include"])
    assembly = assembled(situation, options, **changes)
    given = dict(options["set"])
    return Rendered(
        situation,
        assembly,
        assembly.join(situation.authored),
        tuple(name for name in given if name not in assembly.variables),
        options["tokens"],
    )


def statistics(rendered: Rendered) -> Iterator[str]:
    """Yield the figures of a prompt."""
    assembly = rendered.assembly
    shares = (
        gettext("%(percent)s %% %(label)s")
        % {"percent": share.percent, "label": lane_text(share.lifetime)}
        for share in lane_shares(assembly)
    )
    tokens = rendered.tokens or conf.token_counter() is not None
    out = [entry for entry in assembly.trace if entry.reason]
    sections = {"count": len(assembly.sections), "out": len(out)}
    facts: tuple[tuple[str, object], ...] = (
        (gettext("characters"), len(rendered.text)),
        (gettext("tokens"), tokens_text(rendered.text) if tokens else ""),
        (gettext("sections"), gettext("%(count)s (%(out)s left out)") % sections),
        (gettext("lanes"), ", ".join(shares)),
        (gettext("level"), assembly.level),
        (gettext("scope"), " > ".join(assembly.scope) or place("")),
        (gettext("version"), assembly.version or gettext("nothing was ever saved")),
        (gettext("fingerprint"), assembly.fingerprint),
    )
    yield from columns((name, fact) for name, fact in facts if fact != "")


def tokens_text(text: str) -> str:
    """
    Return the size of *text* in tokens, and that it is an estimate if it is one.

    Raises:
        CommandError: the function that counts raised; its words may quote the text.
    """
    tokens = _counted(text)
    if not tokens.estimated:
        return str(tokens.count)
    # Translators: a size in tokens that was not counted, but worked out.
    return gettext("about %(count)s") % {"count": tokens.count}


def _counted(text: str) -> Tokens:
    try:
        return count_tokens(text)
    except ImproperlyConfigured:
        raise
    except Exception as error:
        name = type(error).__name__
        raise CommandError(f"{conf.PREFIX}TOKEN_COUNTER raised {name}.") from error


def trace_lines(rendered: Rendered) -> Iterator[str]:
    """Yield a line for each fragment, with what became of it and why."""
    sizes = _("TOKENS") if rendered.tokens else _("CHARACTERS")
    rows: list[Sequence[object]] = [
        (_("FRAGMENT"), _("OUTCOME"), sizes, _("CHANGES"), _("FROM"), _("WHY"))
    ]
    for entry in rendered.assembly.trace:
        reasons = (entry.reason, *entry.notes) if entry.reason else entry.notes
        rows.append(
            (
                entry.key,
                outcome_text(entry.outcome),
                tokens_text(entry.text) if rendered.tokens else entry.length,
                lane_text(entry.lane),
                origin_text(entry.origin),
                "; ".join(map(reason_text, reasons)),
            )
        )
    yield from columns(rows)


def as_json(rendered: Rendered) -> str:
    """Return all of an assembly for another program to read."""
    assembly, scenario = rendered.assembly, rendered.situation.scenario
    document: dict[str, Any] = {
        "scenario": scenario.key if scenario else None,
        "prompt": rendered.text,
        "text": assembly.text,
        "seam": assembly.seam,
        "level": assembly.level,
        "scope": assembly.scope,
        "version": assembly.version,
        "degraded": assembly.degraded,
        "fingerprint": assembly.fingerprint,
        "variables": dict(assembly.variables),
        "sections": _sections(assembly),
        "lanes": {
            lane.name.lower(): {"text": part.text, "fingerprint": part.fingerprint}
            for lane, part in assembly.lanes.items()
        },
        "trace": _trace(assembly),
        "tools": _tools(assembly),
    }
    if rendered.tokens:
        tokens = count_tokens(rendered.text)
        document["tokens"] = {"count": tokens.count, "estimated": tokens.estimated}
    return json.dumps(document, indent=2)


def _sections(assembly: Assembly) -> list[dict[str, str]]:
    return [
        {
            "key": section.key,
            "group": section.group,
            "lane": section.lane.name.lower(),
            "text": section.text,
        }
        for section in assembly.sections
    ]


def _trace(assembly: Assembly) -> list[dict[str, Any]]:
    return [
        {
            "key": entry.key,
            "outcome": entry.outcome,
            "reason": _reason(entry.reason) if entry.reason else None,
            "notes": [_reason(note) for note in entry.notes],
            "origin": entry.origin._asdict(),
            "lane": entry.lane.name.lower(),
            "length": entry.length,
            "text": entry.text,
        }
        for entry in assembly.trace
    ]


def _reason(reason: Reason) -> dict[str, Any]:
    return {**reason._asdict(), "words": reason_text(reason)}


def _tools(assembly: Assembly) -> list[dict[str, Any]]:
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.schema(),
            "family": tool.family,
            "strict": tool.strict,
        }
        for tool in assembly.tools
    ]


def _remarks(rendered: Rendered) -> Iterator[str]:
    if not rendered.text:
        yield gettext("Nothing would be sent.")
    if rendered.unused:
        names = {"names": ", ".join(rendered.unused)}
        yield gettext("Not asked for here: %(names)s.") % names
    yield from warnings(degraded=rendered.assembly.degraded)


def _included(view: View, names: Sequence[str]) -> tuple[str, ...]:
    """Return *names* if every group among them exists; keys are checked later."""
    groups = {*view.groups, *(layered.fragment.group for layered in view.fragments)}
    for name in names:
        if "." not in name and name not in groups:
            known = ", ".join(view.groups) or "none is declared"
            raise CommandError(f"There is no group {name!r}. Known: {known}.")
    return tuple(names)
