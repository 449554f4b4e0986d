"""``prompts render``: one prompt, its figures, its trace."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext, gettext_lazy as _

from prompts_app import conf, services
from prompts_app.assembly import Assembly, Reason
from prompts_app.declarations import Level, Scenario
from prompts_app.management.catalogue import place
from prompts_app.management.columns import columns
from prompts_app.preview import lane_shares, scenario_arguments
from prompts_app.registry import View
from prompts_app.wording import lane_text, origin_text, outcome_text, reason_text

HEAD = (
    _("FRAGMENT"),
    _("OUTCOME"),
    _("CHARACTERS"),
    _("CHANGES"),
    _("FROM"),
    _("WHY"),
)


@dataclass(frozen=True, slots=True)
class Rendered:
    """One prompt as it would be sent."""

    scenario: Scenario | None
    """None: each variable is its own example."""
    assembly: Assembly
    text: str = field(repr=False)
    """With seam and authored prompt."""
    unused: tuple[str, ...]
    """The names of given values that no text and no gate asked for."""


def render(
    *,
    scenario: str | None = None,
    chain: Sequence[str] = (),
    level: str | None = None,
    include: Sequence[str] = (),
    values: Mapping[str, str] | None = None,
) -> Rendered:
    """
    Return the prompt of a scenario, with what is given in place of what it says.

    Raises:
        CommandError: there is no such scenario or group.
        PromptsError: as `services.assemble()`.
    """
    snapshot = services.stored()
    view = services.view_of(chain, snapshot)
    played = None if scenario is None else _scenario(view, scenario)
    if played is not None and not chain:
        view = services.view_of(played.scope, snapshot)
    arguments = scenario_arguments(view, played, values)
    arguments["scope"] = view.chain
    if level is not None:
        arguments["level"] = Level(level)
    if include:
        arguments["include"] = _included(view, include)
    assembly = services.assemble(overrides=snapshot, **arguments)
    authored = played.authored if played else ""
    unused = tuple(name for name in values or {} if name not in assembly.variables)
    return Rendered(played, assembly, assembly.join(authored), unused)


def statistics(rendered: Rendered) -> Iterator[str]:
    """Yield the figures of a prompt."""
    assembly = rendered.assembly
    shares = (
        gettext("%(percent)s %% %(label)s")
        % {"percent": share.percent, "label": lane_text(share.lifetime)}
        for share in lane_shares(assembly)
    )
    count = conf.token_counter()
    out = [entry for entry in assembly.trace if entry.reason]
    sections = {"count": len(assembly.sections), "out": len(out)}
    facts: tuple[tuple[str, object], ...] = (
        (gettext("characters"), len(rendered.text)),
        (gettext("tokens"), count(rendered.text) if count else ""),
        (gettext("sections"), gettext("%(count)s (%(out)s left out)") % sections),
        (gettext("lanes"), ", ".join(shares)),
        (gettext("level"), assembly.level),
        (gettext("scope"), " > ".join(assembly.scope) or place("")),
        (gettext("version"), assembly.version or gettext("nothing was ever saved")),
        (gettext("fingerprint"), assembly.fingerprint),
    )
    yield from columns((name, fact) for name, fact in facts if fact != "")


def trace_lines(rendered: Rendered) -> Iterator[str]:
    """Yield a line for each fragment, with what became of it and why."""
    rows: list[Sequence[object]] = [HEAD]
    for entry in rendered.assembly.trace:
        reasons = (entry.reason, *entry.notes) if entry.reason else entry.notes
        rows.append(
            (
                entry.key,
                outcome_text(entry.outcome),
                entry.length,
                lane_text(entry.lane),
                origin_text(entry.origin),
                "; ".join(map(reason_text, reasons)),
            )
        )
    yield from columns(rows)


def as_json(rendered: Rendered) -> str:
    """Return all of an assembly for another program to read."""
    assembly = rendered.assembly
    document = {
        "scenario": rendered.scenario.key if rendered.scenario else None,
        "prompt": rendered.text,
        "text": assembly.text,
        "seam": assembly.seam,
        "level": assembly.level,
        "scope": assembly.scope,
        "version": assembly.version,
        "degraded": assembly.degraded,
        "fingerprint": assembly.fingerprint,
        "variables": dict(assembly.variables),
        "sections": [
            {
                "key": s.key,
                "group": s.group,
                "lane": s.lane.name.lower(),
                "text": s.text,
            }
            for s in assembly.sections
        ],
        "lanes": {
            lane.name.lower(): {"text": part.text, "fingerprint": part.fingerprint}
            for lane, part in assembly.lanes.items()
        },
        "trace": _trace(assembly),
        "tools": _tools(assembly),
    }
    return json.dumps(document, indent=2)


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


def _scenario(view: View, name: str) -> Scenario:
    if name not in view.scenarios:
        known = ", ".join(view.scenarios) or "none is declared"
        raise CommandError(f"There is no scenario {name!r}. Known: {known}.")
    return view.scenarios[name]


def _included(view: View, names: Sequence[str]) -> tuple[str, ...]:
    """Return *names* if every group among them exists; keys are checked later."""
    groups = {*view.groups, *(layered.fragment.group for layered in view.fragments)}
    for name in names:
        if "." not in name and name not in groups:
            known = ", ".join(view.groups) or "none is declared"
            raise CommandError(f"There is no group {name!r}. Known: {known}.")
    return tuple(names)
