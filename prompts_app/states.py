"""In which of the five states a fragment is, and what its row says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from prompts_app.assembly import override_keys
from prompts_app.overrides.identity import keys_read
from prompts_app.overrides.rows import Row
from prompts_app.registry import View
from prompts_app.syntax import same_text

BUILT_IN, CHANGED, OFF, DRIFTED, ORPHANED = (
    "built-in",
    "changed",
    "off",
    "drifted",
    "orphaned",
)
LABELS = {
    BUILT_IN: _("Built-in"),
    CHANGED: _("Changed"),
    OFF: _("Off"),
    DRIFTED: _("Drifted"),
    ORPHANED: _("Orphaned"),
}
DRIFTED_OFF = _("Drifted, off")


@dataclass(frozen=True, slots=True)
class State:
    """One of the five, with the row behind it."""

    code: str
    row: Row | None = None

    @property
    def label(self) -> str:
        """Return the state in a word or two, translated."""
        if self.code == DRIFTED and self.row and not self.row.text.strip():
            return str(DRIFTED_OFF)
        return str(LABELS[self.code])

    @property
    def is_off(self) -> bool:
        """Return whether nothing is sent for it."""
        return self.row is not None and not self.row.text.strip()


def state_of(view: View, rows: Mapping[str, Row], key: str) -> State:
    """Return the state of a declared fragment in the scope that *rows* are of."""
    fragment = view.by_key[key].fragment
    if fragment.locked:
        return State(BUILT_IN)
    row = next((rows[k] for k in override_keys(view, fragment) if k in rows), None)
    if row is None:
        return State(BUILT_IN)
    if not same_text(row.default_text, fragment.default):
        return State(DRIFTED, row)
    return State(CHANGED if row.text.strip() else OFF, row)


def orphans(view: View, rows: Mapping[str, Row]) -> tuple[Row, ...]:
    """Return the rows whose fragment is gone or locked, by key."""
    read = keys_read(view)
    return tuple(row for key, row in rows.items() if key not in read)


def after_saving(text: str, beneath: str) -> str:
    """Return the state that saving *text* over *beneath* leads to."""
    if same_text(text, beneath):
        return BUILT_IN
    return CHANGED if text.strip() else OFF
