"""The editors of the group in view: one fragment each, with all that is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from prompts_app.admin.desk import Desk
from prompts_app.admin.legend import LegendRow, Shown, lane_note, legend_of
from prompts_app.admin.problems import ProblemRow, is_faulty, listed, problems_of
from prompts_app.admin.remembering import TextPast, pasts_of
from prompts_app.declarations import Fragment, Scenario
from prompts_app.diffing import Run, counts, differences
from prompts_app.states import DRIFTED, OFF, after_saving
from prompts_app.syntax import normalise
from prompts_app.wording import gates_text, number

PAGE = 100
"""How many editors one page holds; Django limits the number of form fields."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A text beside what stands beneath it."""

    runs: tuple[Run, ...] = field(repr=False)
    added: int
    removed: int


@dataclass(frozen=True, slots=True)
class Editor:
    """One fragment, ready to be edited."""

    key: str
    label: str
    hint: str
    group: str
    number: int
    """Its place in the group, from 1."""
    count: int
    previous: str
    next: str
    state: str
    state_label: str
    drifted_off: bool
    current: bool
    readonly: bool
    locked: bool
    scoped: str
    """How it relates to the text of the whole installation: ``over``, ``own`` (declared
    for this scope), ``as`` it; ``""``: it is that one, or there is none."""
    unsaved: bool
    becomes_off: bool
    off: bool
    gates: tuple[str, ...]
    passage: int
    """Its place in the preview, from 1; 0: it is left out there."""
    passages: int
    elsewhere: Scenario | None
    """A scenario in which it appears, where it is left out of this one."""
    text: str = field(repr=False)
    saved: str = field(repr=False)
    beneath: str = field(repr=False)
    etag: str
    now: str
    """The etag of what is stored now; another than *etag* means somebody saved."""
    shown: str
    settled: bool
    """Whether what becomes of its drift is decided, and waits to be saved."""
    size: str
    tokens: str
    """The text's length in tokens, in words; ``""``: they could not be counted."""
    note: str
    """What the unsaved text changes about caching."""
    legend: tuple[LegendRow, ...]
    comparison: Comparison
    problems: tuple[ProblemRow, ...]
    faulty: bool
    """Whether one of them blocks a save."""
    past: TextPast | None
    """None: the user may not see it."""
    ticked: tuple[str, ...]
    """Names of the variables that may go."""


def fragments_here(desk: Desk) -> tuple[Fragment, ...]:
    """Return the fragments whose editors are on this page."""
    if desk.current is None:
        return ()
    fragments = desk.groups[desk.current.group][1]
    start = fragments.index(desk.current) // PAGE * PAGE
    return fragments[start : start + PAGE]


def editors_of(desk: Desk, shown: Shown) -> tuple[Editor, ...]:
    """Return the editors of this page, in order."""
    if desk.current is None:
        return ()
    fragments = desk.groups[desk.current.group][1]
    keys = [fragment.key for fragment in fragments]
    here = fragments_here(desk)
    start = keys.index(here[0].key)
    pasts = pasts_of(desk, [fragment.key for fragment in here])
    return tuple(
        _editor(desk, shown, fragment, keys, place, pasts.get(fragment.key))
        for place, fragment in enumerate(here, start=start)
    )


def comparison_of(desk: Desk, key: str) -> Comparison:
    """Return how the text of *key* as typed differs from what stands beneath it."""
    runs = differences(desk.beneath(key), normalise(desk.edited_text(key)))
    return Comparison(runs, *counts(runs))


def _editor(
    desk: Desk,
    shown: Shown,
    fragment: Fragment,
    keys: Sequence[str],
    place: int,
    past: TextPast | None,
) -> Editor:
    key = fragment.key
    text = desk.edited_text(key)
    group = desk.view.groups.get(fragment.group)
    return Editor(
        key=key,
        label=str(fragment.label),
        hint=str(fragment.hint),
        group=str(group.label) if group else fragment.group,
        number=place + 1,
        count=len(keys),
        previous=keys[place - 1] if place else "",
        next=keys[place + 1] if place + 1 < len(keys) else "",
        current=desk.current is fragment,
        readonly=not desk.may_change(key),
        locked=fragment.locked,
        scoped=_scoped(desk, key),
        gates=tuple(gates_text(fragment)),
        passage=shown.places.get(key, 0),
        passages=len(shown.places),
        elsewhere=None if key in shown.places else desk.appearances.get(key),
        note=lane_note(shown, key, text, desk) if key in desk.unsaved else "",
        legend=legend_of(desk, shown, fragment, text),
        past=past,
        **_typed(desk, key, text),
        **_stored(desk, key, text),
    )


def _typed(desk: Desk, key: str, text: str) -> dict[str, Any]:
    """Return what an editor tells of its text."""
    problems = problems_of(desk, key)
    return {
        "text": text,
        "size": number(len(text)),
        "tokens": desk.meter.words(text),
        "comparison": comparison_of(desk, key),
        "problems": listed(problems),
        "faulty": is_faulty(problems),
    }


def _stored(desk: Desk, key: str, text: str) -> dict[str, Any]:
    """Return what an editor tells of the stored text, and of what saving does."""
    state, saved, below = desk.state(key), desk.saved_text(key), desk.beneath(key)
    unsaved, now = key in desk.unsaved, desk.etag(key)
    return {
        "state": state.code,
        "state_label": state.label,
        "drifted_off": state.code == DRIFTED and state.is_off,
        "unsaved": unsaved,
        "becomes_off": unsaved and after_saving(text, below) == OFF,
        "off": state.is_off and not unsaved,
        "saved": saved,
        "beneath": below,
        "etag": desk.asked.etags.get(key, now) if unsaved else now,
        "now": now,
        "shown": desk.shown_of(key),
        "settled": desk.is_settled(key),
        "ticked": desk.ticked(key),
    }


def _scoped(desk: Desk, key: str) -> str:
    layers = desk.view.by_key[key].layers
    (_, nearest), (_, farthest) = layers[0], layers[-1]
    if len(layers) == 1 or farthest is None:
        return ""
    if desk.state(key).row:
        return "over"
    return "own" if nearest else "as"
