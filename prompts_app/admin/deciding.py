"""Three texts side by side, and the choice between them; here, two people's."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime

from prompts_app.admin.asking import Asked
from prompts_app.admin.desk import Desk
from prompts_app.assembly import override_keys
from prompts_app.diffing import Run, differences
from prompts_app.overrides.history import ancestor
from prompts_app.overrides.identity import declared_default
from prompts_app.overrides.merge import merge
from prompts_app.overrides.planning import DEFAULT
from prompts_app.syntax import fingerprint, normalise

MERGED, MINE, THEIRS = "merged", "mine", "theirs"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeTexts:
    """A text and what became of it on two sides."""

    key: str
    label: str
    ancestor: str = field(repr=False)
    """The text that both began with."""
    mine: str = field(repr=False)
    theirs: str = field(repr=False)
    merged: str | None = field(repr=False)
    """Both changes in one text; None: both changed the same words."""
    etag: str
    """The state of the fragment that the choice is made over."""
    choice: str
    """The card that is chosen."""
    result: str = field(repr=False)
    """The text that is to be in force."""

    @property
    def my_runs(self) -> tuple[Run, ...]:
        """Return what I changed in the common text."""
        return differences(self.ancestor, self.mine)

    @property
    def their_runs(self) -> tuple[Run, ...]:
        """Return what they changed in the common text."""
        return differences(self.ancestor, self.theirs)

    @property
    def result_shown(self) -> str:
        """Return the fingerprint of the result as it is shown."""
        return fingerprint(self.result)

    def text_of(self, choice: str) -> str:
        """Return the text that a card stands for."""
        texts = {MINE: self.mine, THEIRS: self.theirs, MERGED: self.merged}
        chosen = texts.get(choice)
        return self.mine if chosen is None else chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(ThreeTexts):
    """What has to be settled before a text can be saved."""

    their_name: str
    """Who saved meanwhile; ``""`` if that is not known."""
    their_time: datetime | None
    """When; None: the override was taken back, or only the default has moved."""


def decision_of(desk: Desk, key: str) -> Decision:
    """Return the decision about the typed text of *key* and the one stored now."""
    row = desk.state(key).row
    default = declared_default(desk.view, key)
    shown = desk.asked.etags.get(key, "")
    keys = override_keys(desk.view, desk.view.by_key[key].fragment)
    common = ancestor(desk.asked.scope, keys, shown, default)
    mine, theirs = normalise(desk.unsaved[key]), desk.saved_text(key)
    merged = merge(common, mine, theirs)
    choice = MINE if merged is None else MERGED
    # Where only the default has moved, nobody saved anything meanwhile.
    saved = row if theirs != common else None
    return Decision(
        key=key,
        label=str(desk.view.by_key[key].fragment.label),
        their_name=saved.author if saved else "",
        their_time=saved.updated_at if saved else None,
        ancestor=common,
        mine=mine,
        theirs=theirs,
        merged=merged,
        etag=desk.etag(key),
        choice=choice,
        result=mine if merged is None else merged,
    )


def decided(desk: Desk, key: str) -> Asked:
    """
    Return what is asked for after the choice about *key*.

    The choice counts only over the text it was made over; else what was written
    by hand stays, and it has to be made again.
    """
    # A default that was looked at before is not the one that lies here.
    confirmed = desk.asked.confirmed - {(key, DEFAULT)}
    asked = replace(desk.asked, confirmed=confirmed)
    if key not in desk.unsaved or asked.settles != desk.etag(key):
        return asked.with_result(key)
    text = asked.result
    if text is None:
        text = decision_of(desk, key).text_of(asked.choice)
    # Who takes the other's text changes nothing.
    if normalise(text) == desk.saved_text(key):
        return asked.without_text(key)
    return asked.with_text(key, text, asked.settles)
