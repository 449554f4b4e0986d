"""The list of fragments, grouped: one row each, with state and marks."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from prompts_app.admin.desk import Desk
from prompts_app.declarations import Fragment
from prompts_app.states import BUILT_IN, LABELS, OFF, ORPHANED, after_saving

MANY = 60
"""Above this many fragments the groups start closed."""


@dataclass(frozen=True, slots=True)
class ListRow:
    """One fragment in the list."""

    key: str
    label: str
    state: str
    """Code of the state in force."""
    state_label: str
    becomes: str
    """The state that saving leads to, in words, where that is Off or Built-in."""
    unsaved: bool
    faulty: bool
    locked: bool
    current: bool
    here: bool
    """Whether its editor is on this page."""


@dataclass(frozen=True, slots=True)
class ListGroup:
    """A group of the list."""

    key: str
    label: str
    open: bool
    rows: tuple[ListRow, ...]
    changed: int
    """How many are not built-in."""


def groups_of(desk: Desk, here: frozenset[str]) -> tuple[ListGroup, ...]:
    """Return the groups in page order; *here* are the keys with an editor."""
    current = desk.current.group if desk.current else ""
    many = len(desk.view.fragments) > MANY
    found = []
    for key, (group, fragments) in desk.groups.items():
        rows = tuple(_row(desk, fragment, here) for fragment in fragments)
        label = str(group.label) if group else key
        changed = sum(1 for row in rows if row.state != BUILT_IN)
        found.append(ListGroup(key, label, not many or key == current, rows, changed))
    if desk.orphans:
        found.append(_orphans(desk))
    return tuple(found)


def counts_of(groups: tuple[ListGroup, ...]) -> tuple[tuple[str, str, int], ...]:
    """Return code, word and number of every state, in the order of the page."""
    states = [row.state for group in groups for row in group.rows]
    return tuple((code, str(word), states.count(code)) for code, word in LABELS.items())


def _row(desk: Desk, fragment: Fragment, here: frozenset[str]) -> ListRow:
    key = fragment.key
    state = desk.state(key)
    return ListRow(
        key=key,
        label=str(fragment.label),
        state=state.code,
        state_label=state.label,
        becomes=_becomes(desk, key),
        unsaved=key in desk.unsaved,
        faulty=bool(desk.faults_of(key)),
        locked=fragment.locked,
        current=desk.current is fragment,
        here=key in here,
    )


def _becomes(desk: Desk, key: str) -> str:
    if key not in desk.unsaved:
        return ""
    state = after_saving(desk.unsaved[key], desk.beneath(key))
    return str(LABELS[state]) if state in (BUILT_IN, OFF) else ""


def _orphans(desk: Desk) -> ListGroup:
    rows = tuple(
        ListRow(
            key=row.key,
            label=row.key,
            state=ORPHANED,
            state_label=str(LABELS[ORPHANED]),
            becomes="",
            unsaved=False,
            faulty=False,
            locked=False,
            current=desk.asked.fragment == row.key,
            here=False,
        )
        for row in desk.orphans
    )
    is_open = any(row.current for row in rows)
    return ListGroup("", _("No longer declared"), is_open, rows, len(rows))
