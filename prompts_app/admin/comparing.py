"""The prompt as it was after a save beside the prompt of today."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from prompts_app import services
from prompts_app.admin.desk import Desk
from prompts_app.admin.previewing import outcomes_shown
from prompts_app.admin.showing import scope_label, scopes_of
from prompts_app.assembly import Assembly
from prompts_app.declarations import Level
from prompts_app.diffing import Run, differences
from prompts_app.preview import CANNOT_BE_ASSEMBLED
from prompts_app.wording import level_text, number, signed


@dataclass(frozen=True, slots=True)
class PassageThen:
    """One passage of both prompts."""

    key: str
    """``""`` for an authored prompt."""
    label: str
    was: str | None = field(repr=False)
    """None: it was left out then."""
    now: str | None = field(repr=False)
    """None: it is left out now."""
    runs: tuple[Run, ...] = field(repr=False)
    """From what it was to what it is."""

    @property
    def is_same(self) -> bool:
        """Return whether it reads today as it did."""
        return self.was == self.now


@dataclass(frozen=True, slots=True)
class Both:
    """The two prompts of one scenario."""

    passages: tuple[PassageThen, ...]
    sizes: tuple[str, str]
    """Characters then and now, written out."""
    delta: str
    """How many more there are now, with its sign; ``""``: as many."""
    changed: int
    """How many passages read differently."""
    error: str = ""
    """Why they cannot be assembled."""


def both_of(desk: Desk, moment: int) -> Both:
    """
    Return the desk's scenario as of *moment* and as of now, in the desk's scope.

    Raises:
        ValueError: history does not know that moment.
    """
    then = services.as_of(moment)
    try:
        was = desk.assemble(desk.scenario, then)
        now = desk.assemble(desk.scenario, desk.snapshot)
    except CANNOT_BE_ASSEMBLED as error:
        cause = error.__cause__
        said = f"{error}: {cause}" if cause is not None else str(error)
        return Both((), ("", ""), "", 0, said)
    old, new = was.join(desk.authored), now.join(desk.authored)
    passages = _passages(desk, was, now)
    return Both(
        passages=passages,
        sizes=(number(len(old)), number(len(new))),
        delta=signed(len(new) - len(old)),
        changed=sum(not passage.is_same for passage in passages),
    )


def _passages(desk: Desk, was: Assembly, now: Assembly) -> tuple[PassageThen, ...]:
    old, new = _shown(desk, was), _shown(desk, now)
    order = [entry.key for assembly in (now, was) for entry in assembly.trace]
    keys = [key for key in dict.fromkeys(order) if key in old or key in new]
    # The seam stands after the prompt, whatever its order.
    keys.sort(key=lambda key: (new.get(key) or old[key])[0] == "seam")
    passages = [_passage(desk, key, old, new) for key in keys]
    text = desk.authored
    if text.strip():
        runs = (Run("same", text),)
        passages.append(PassageThen("", _("Authored prompt"), text, text, runs))
    return tuple(passages)


def _shown(desk: Desk, assembly: Assembly) -> dict[str, tuple[str, str]]:
    """Return outcome and text of each passage."""
    outcomes = outcomes_shown(desk.authored)
    return {
        entry.key: (entry.outcome, entry.text)
        for entry in assembly.trace
        if entry.outcome in outcomes
    }


def _passage(
    desk: Desk,
    key: str,
    old: Mapping[str, tuple[str, str]],
    new: Mapping[str, tuple[str, str]],
) -> PassageThen:
    was = old[key][1] if key in old else None
    now = new[key][1] if key in new else None
    layered = desk.view.by_key.get(key)
    label = str(layered.fragment.label) if layered else key
    return PassageThen(key, label, was, now, differences(was or "", now or ""))


def comparing_context(desk: Desk, moment: int) -> dict[str, Any]:
    """
    Return what the page of both prompts shows, with its choices.

    Raises:
        ValueError: history does not know that moment.
    """
    scenario = desk.scenario
    return {
        "both": both_of(desk, moment),
        "moment": moment,
        "asked": desk.asked,
        "scopes": scopes_of(desk),
        "scope_label": scope_label(desk, desk.asked.scope),
        "scenarios": [
            (one.key, one.label, one is scenario)
            for one in desk.view.scenarios.values()
        ],
        "scenario": scenario.key if scenario else "",
        "levels": [(one.value, level_text(one), one is desk.level) for one in Level],
    }
