"""The review: each change as it would be saved, and where it shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from prompts_app.admin.desk import Desk
from prompts_app.admin.losing import Loss, loss_of
from prompts_app.admin.previewing import outcomes_shown
from prompts_app.admin.problems import ProblemRow, advice_of
from prompts_app.admin.speaking import script_words
from prompts_app.assembly import Assembly
from prompts_app.declarations import Lifetime, Scenario
from prompts_app.diffing import Run, differences
from prompts_app.exceptions import Fault
from prompts_app.preview import CANNOT_BE_ASSEMBLED, lane_shares
from prompts_app.states import (
    BUILT_IN,
    DRIFTED,
    DRIFTED_OFF,
    LABELS,
    OFF,
    State,
    after_saving,
)
from prompts_app.syntax import normalise, same_text
from prompts_app.wording import number, signed


@dataclass(frozen=True, slots=True)
class Change:
    """One text as it would be saved."""

    key: str
    label: str
    hint: str
    ticked: bool
    before: str
    """Code of the state in force."""
    before_label: str
    after: str
    """Code of the state to come."""
    after_label: str
    sizes: tuple[str, str]
    """Characters before and after, written out."""
    tokens: str
    """Tokens before and after, in words; ``""``: they could not be counted."""
    runs: tuple[Run, ...] = field(repr=False)
    losses: tuple[Loss, ...]
    problems: tuple[ProblemRow, ...]
    off: bool
    settled: bool
    """Whether it decides what becomes of a default that has moved."""
    kept: bool
    """Whether that is all it does: the text stays as it is."""


@dataclass(frozen=True, slots=True)
class PassageChange:
    """A passage of a prompt that reads differently."""

    label: str
    runs: tuple[Run, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ScenarioChange:
    """A scenario whose prompt changes."""

    label: str
    difference: int
    """How many characters longer the prompt gets."""
    delta: str
    """The same with its sign; ``""``: as long as before."""
    tokens: str
    """Its tokens before and after, in words; ``""``: they could not be counted."""
    fixed: tuple[int, int]
    """Percent that is the same in every chat, before and after."""
    passages: tuple[PassageChange, ...]


@dataclass(frozen=True, slots=True)
class Review:
    """All that a review shows."""

    changes: tuple[Change, ...]
    scenarios: tuple[ScenarioChange, ...]
    same: tuple[str, ...]
    """Labels of the scenarios without a difference."""
    broken: tuple[str, ...]
    """Labels of those that cannot be assembled, before or after."""


def review_of(desk: Desk, faults: Iterable[Fault]) -> Review:
    """Return the review of the desk's texts; *faults* hold what needs a tick."""
    losses = [fault for fault in faults if fault.code == "must_mention"]
    changes = sorted(
        (_change(desk, key, losses) for key in desk.unsaved), key=_importance
    )
    changed: list[ScenarioChange] = []
    same: list[str] = []
    broken: list[str] = []
    for scenario in desk.view.scenarios.values():
        try:
            found = _scenario_change(desk, scenario)
        except CANNOT_BE_ASSEMBLED:
            broken.append(str(scenario.label))
            continue
        if found is None:
            same.append(str(scenario.label))
        else:
            changed.append(found)
    return Review(tuple(changes), tuple(changed), tuple(same), tuple(broken))


def _importance(change: Change) -> int:
    """Put what needs a tick first, then what is switched off."""
    return 0 if change.losses else 1 if change.off else 2


def _change(desk: Desk, key: str, losses: Sequence[Fault]) -> Change:
    fragment = desk.view.by_key[key].fragment
    saved, text = desk.saved_text(key), normalise(desk.unsaved[key])
    state = desk.state(key)
    settled = desk.is_settled(key)
    after, after_label = _after(state, text, desk.beneath(key), settled=settled)
    asked = desk.asked
    lost = {f.params["variable"] for f in losses if f.key == key}
    return Change(
        key=key,
        label=str(fragment.label),
        hint=str(fragment.hint),
        ticked=asked.taken is None or key in asked.taken,
        before=state.code,
        before_label=state.label,
        after=after,
        after_label=after_label,
        sizes=(number(len(saved)), number(len(text))),
        tokens=desk.meter.change(saved, text),
        runs=differences(saved, text),
        losses=tuple(_loss(desk, key, name) for name in sorted(lost)),
        problems=advice_of(desk, key, lost),
        off=after_saving(text, desk.beneath(key)) == OFF,
        settled=settled,
        kept=settled and same_text(text, saved),
    )


def _after(state: State, text: str, beneath: str, *, settled: bool) -> tuple[str, str]:
    """Return code and label of the state that saving *text* leads to."""
    code = after_saving(text, beneath)
    # An ordinary save leaves a drift undecided.
    if state.code == DRIFTED and code != BUILT_IN and not settled:
        return DRIFTED, str(DRIFTED_OFF if code == OFF else LABELS[DRIFTED])
    return code, str(LABELS[code])


def _loss(desk: Desk, key: str, name: str) -> Loss:
    ticked = (key, name) in desk.asked.confirmed
    missing = desk.asked.action == "save" and not ticked and key in desk.asked.chosen
    return loss_of(desk.view, name, ticked=ticked, missing=missing)


def _scenario_change(desk: Desk, scenario: Scenario) -> ScenarioChange | None:
    level = desk.own_level(scenario)
    before = desk.assemble(scenario, desk.snapshot, level=level)
    after = desk.assemble(scenario, desk.edited, level=level)
    old, new = before.join(scenario.authored), after.join(scenario.authored)
    if old == new:
        return None
    return ScenarioChange(
        label=str(scenario.label),
        difference=len(new) - len(old),
        delta=signed(len(new) - len(old)),
        tokens=desk.meter.change(old, new),
        fixed=(_fixed_share(before), _fixed_share(after)),
        passages=_passage_changes(desk, scenario, before, after),
    )


def _passage_changes(
    desk: Desk, scenario: Scenario, before: Assembly, after: Assembly
) -> tuple[PassageChange, ...]:
    """Return the passages that differ between two prompts, in the order of the new."""
    shown = outcomes_shown(scenario.authored)
    old = {entry.key: entry.text for entry in before.trace if entry.outcome in shown}
    new = {entry.key: entry.text for entry in after.trace if entry.outcome in shown}
    return tuple(
        PassageChange(
            _label(desk, key), differences(old.get(key, ""), new.get(key, ""))
        )
        for key in dict.fromkeys((*new, *old))
        if old.get(key, "") != new.get(key, "")
    )


def _label(desk: Desk, key: str) -> str:
    layered = desk.view.by_key.get(key)
    return str(layered.fragment.label) if layered else key


def _fixed_share(assembly: Assembly) -> int:
    shares = {share.lifetime: share.percent for share in lane_shares(assembly)}
    return shares.get(Lifetime.FIXED, 0)


def review_context(desk: Desk, faults: Iterable[Fault]) -> dict[str, Any]:
    """Return what the review's template shows."""
    review = review_of(desk, faults)
    return {
        "desk": desk,
        "asked": desk.asked,
        "review": review,
        "words": script_words(),
        "change_count": len(review.changes),
        "scenario_count": len(desk.view.scenarios),
        "missing_tick": any(
            loss.missing for change in review.changes for loss in change.losses
        ),
    }
