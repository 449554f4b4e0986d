"""Three texts side by side, where the default has moved under a saved one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from prompts_app.admin.asking import Asked
from prompts_app.admin.deciding import MERGED, MINE, THEIRS, ThreeTexts
from prompts_app.admin.desk import Desk
from prompts_app.overrides.identity import declared_default
from prompts_app.overrides.merge import merge
from prompts_app.overrides.planning import DEFAULT
from prompts_app.states import BUILT_IN, DRIFTED, State
from prompts_app.syntax import normalise, same_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift(ThreeTexts):
    """The default then, a text over it, and the default now."""

    group: str
    saved_at: datetime
    """When the stored text was saved."""
    saved_by: str
    """The account that saved it; ``""`` if there is none."""
    is_off: bool
    """Whether the stored text switches the fragment off."""
    is_typed: bool
    """Whether the text is one that was typed and not yet saved."""
    instead: str = field(repr=False)
    """What is in force without the stored text: the default now, or in a scope the
    text of the whole installation."""
    is_default: bool
    """Whether that is the default now."""
    number: int
    """Its place among the drifted fragments that the user may decide, from 1."""
    count: int
    next_key: str
    """The one after it, the first after the last; ``""``: there is no other."""
    next_label: str

    def text_of(self, choice: str) -> str:
        """Return the text that a card stands for."""
        return self.instead if choice == THEIRS else ThreeTexts.text_of(self, choice)


def drifted_of(desk: Desk) -> list[tuple[str, str, State]]:
    """Return key, label and state of each drifted fragment, in page order."""
    fragments = (one for _, group in desk.groups.values() for one in group)
    states = ((one, desk.state(one.key)) for one in fragments)
    return [
        (fragment.key, str(fragment.label), state)
        for fragment, state in states
        if state.code == DRIFTED
    ]


def drift_of(desk: Desk, key: str) -> Drift | None:
    """Return the decision about *key*, typed or stored; None: its default stands."""
    state = desk.state(key) if key in desk.view.by_key else State(BUILT_IN)
    row = state.row
    if state.code != DRIFTED or row is None:
        return None
    fragment = desk.view.by_key[key].fragment
    group = desk.view.groups.get(fragment.group)
    now, instead = declared_default(desk.view, key), desk.beneath(key)
    then, mine = normalise(row.default_text), normalise(desk.edited_text(key))
    # What is switched off cannot be joined with anything.
    merged = merge(then, mine, normalise(now)) if mine.strip() else None
    return Drift(
        key=key,
        label=str(fragment.label),
        group=str(group.label) if group else fragment.group,
        saved_at=row.updated_at,
        saved_by=row.author,
        is_off=state.is_off,
        is_typed=key in desk.unsaved and not same_text(mine, desk.saved_text(key)),
        ancestor=then,
        mine=mine,
        theirs=normalise(now),
        instead=normalise(instead),
        is_default=same_text(now, instead),
        merged=merged,
        etag=desk.etag(key),
        choice=MINE if merged is None else MERGED,
        result=mine if merged is None else merged,
        **_among(desk, key),
    )


def _among(desk: Desk, key: str) -> dict[str, Any]:
    """Return the place of *key* among the drifted ones, and the next of them."""
    labels = {
        other: label for other, label, _ in drifted_of(desk) if desk.may_change(other)
    }
    keys = list(labels)
    place = keys.index(key)
    following = keys[(place + 1) % len(keys)]
    next_key = following if following != key else ""
    return {
        "number": place + 1,
        "count": len(keys),
        "next_key": next_key,
        "next_label": labels.get(next_key, ""),
    }


def settled(asked: Asked, drift: Drift) -> Asked:
    """Return what is asked for once the choice about *drift* is made."""
    key, text = drift.key, asked.result
    if text is None:
        text = drift.text_of(asked.choice)
    chosen = asked.with_text(key, text, asked.settles)
    return replace(chosen, confirmed=chosen.confirmed | {(key, DEFAULT)}, fragment=key)


def first_to_decide(desk: Desk) -> str:
    """Return the first drifted fragment that the user may decide; ``""``: none."""
    keys = (key for key, _, _ in drifted_of(desk))
    return next((key for key in keys if desk.may_change(key)), "")
