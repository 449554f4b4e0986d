"""The list of fragments, grouped: one row each, with state and marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.utils.translation import gettext as _, gettext_lazy

from prompts_app.admin.desk import Desk
from prompts_app.admin.finding import Hit, find
from prompts_app.declarations import Fragment
from prompts_app.states import BUILT_IN, LABELS, OFF, ORPHANED, after_saving

LISTED = 100
"""How many orphans are listed at once; the search reaches the others."""
MANY = 60
"""Above this many fragments the groups start closed."""
UNSAVED, PROBLEMS = "unsaved", "problems"
MARKS = {UNSAVED: gettext_lazy("Unsaved"), PROBLEMS: gettext_lazy("Problems")}


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRow:
    """One fragment in the list."""

    key: str
    label: str
    state: str
    """Code of the state in force."""
    state_label: str
    becomes: str = ""
    """The state that saving leads to, in words, where that is Off or Built-in."""
    unsaved: bool = False
    faulty: bool = False
    locked: bool = False
    current: bool
    here: bool = False
    """Whether its editor is on this page."""
    declared: bool = True
    hit: Hit | None = field(default=None, repr=False)
    """What was looked for, where it stands in the key or a text."""

    def is_in(self, narrowed: str) -> bool:
        """Return whether the row belongs to a filter of the list."""
        marks = {"": True, UNSAVED: self.unsaved, PROBLEMS: self.faulty}
        return marks.get(narrowed, self.state == narrowed)


@dataclass(frozen=True, slots=True)
class ListGroup:
    """A group of the list."""

    key: str
    label: str
    open: bool
    rows: tuple[ListRow, ...]
    count: int
    """How many there are; of what is no longer declared the first are listed."""
    changed: int
    """How many are not built-in."""

    @property
    def more(self) -> bool:
        """Return whether some are not listed."""
        return self.count > len(self.rows)


@dataclass(frozen=True, slots=True)
class Filter:
    """A button that narrows the list."""

    code: str
    label: str
    count: int
    pressed: bool
    glyph: str


@dataclass(frozen=True, slots=True)
class Listing:
    """The list as a search and a filter leave it."""

    groups: tuple[ListGroup, ...]
    filters: tuple[Filter, ...]
    total: int
    """Fragments and orphans there are."""
    found: int
    """Those that the search finds."""


def listing_of(desk: Desk, here: frozenset[str]) -> Listing:
    """Return the list; *here* are the keys that have an editor on this page."""
    many = len(desk.view.fragments) > MANY
    current = desk.current.group if desk.current else ""
    groups: list[ListGroup] = []
    found: list[ListRow] = []
    for key, (group, fragments) in desk.groups.items():
        rows = _searched(desk, fragments, here)
        found += rows
        label = str(group.label) if group else key
        is_open = not many or key == current or bool(desk.asked.q)
        groups.append(_group(key, label, rows, desk.asked.state, is_open=is_open))
    orphans = _orphans(desk)
    found += orphans
    is_open = bool(desk.asked.q) or any(row.current for row in orphans)
    gone = _("No longer declared")
    groups.append(_group("", gone, orphans, desk.asked.state, is_open=is_open))
    return Listing(
        groups=tuple(group for group in groups if group.rows),
        filters=_filters(found, desk.asked.state),
        total=len(desk.view.fragments) + len(desk.orphans),
        found=len(found),
    )


def in_force(desk: Desk) -> list[tuple[str, str, int]]:
    """Return code, label and number of each state that any text is in."""
    counts = Counter(desk.state(one.key).code for one in desk.view.fragments)
    counts[ORPHANED] = len(desk.orphans)
    return [
        (code, str(label), counts[code])
        for code, label in LABELS.items()
        if counts[code]
    ]


def _group(
    key: str, label: str, rows: Iterable[ListRow], narrowed: str, *, is_open: bool
) -> ListGroup:
    found = [row for row in rows if row.is_in(narrowed)]
    changed = sum(1 for row in found if row.state != BUILT_IN)
    shown = found
    if not key:
        shown = [n for n in found if n.current] + [n for n in found if not n.current]
    listed = tuple(shown if key else shown[:LISTED])
    is_open = is_open or bool(narrowed)
    return ListGroup(key, label, is_open, listed, len(found), changed)


def _filters(rows: list[ListRow], pressed: str) -> tuple[Filter, ...]:
    words = {"": _("All"), **LABELS, **MARKS}
    glyphs = {"": "", UNSAVED: UNSAVED, PROBLEMS: "error"}
    return tuple(
        Filter(
            code=code,
            label=str(word),
            count=sum(1 for row in rows if row.is_in(code)),
            pressed=code == pressed,
            glyph=glyphs.get(code, code),
        )
        for code, word in words.items()
    )


def _searched(
    desk: Desk, fragments: Iterable[Fragment], here: frozenset[str]
) -> list[ListRow]:
    rows = []
    for fragment in fragments:
        hit = None
        if desk.asked.q:
            texts = (desk.edited_text(fragment.key), fragment.default)
            hit = find(desk.asked.q, fragment, texts)
            if hit is None:
                continue
        rows.append(_row(desk, fragment, here, hit))
    return rows


def _row(
    desk: Desk, fragment: Fragment, here: frozenset[str], hit: Hit | None
) -> ListRow:
    key = fragment.key
    state = desk.state(key)
    label = str(fragment.label)
    in_label = hit is not None and desk.asked.q.casefold() in label.casefold()
    return ListRow(
        key=key,
        label=label,
        state=state.code,
        state_label=state.label,
        becomes=_becomes(desk, key),
        unsaved=key in desk.unsaved,
        faulty=bool(desk.faults_of(key)),
        locked=fragment.locked,
        current=desk.current is fragment,
        here=key in here,
        hit=None if in_label else hit,
    )


def _becomes(desk: Desk, key: str) -> str:
    if key not in desk.unsaved:
        return ""
    state = after_saving(desk.unsaved[key], desk.beneath(key))
    return str(LABELS[state]) if state in (BUILT_IN, OFF) else ""


def _orphans(desk: Desk) -> list[ListRow]:
    q = desk.asked.q.casefold()
    return [
        ListRow(
            key=row.key,
            label=row.key,
            state=ORPHANED,
            state_label=str(LABELS[ORPHANED]),
            current=desk.asked.fragment == row.key,
            declared=False,
        )
        for row in desk.orphans
        if q in f"{row.key}\n{row.text}".casefold()
    ]
