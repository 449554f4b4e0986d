"""Texts whose fragment is gone: which fragment may have them, and what that changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from prompts_app import validation as valid
from prompts_app.admin.desk import Desk
from prompts_app.admin.losing import Loss, loss_of
from prompts_app.diffing import Run, differences
from prompts_app.lint import lost_mentions
from prompts_app.overrides.rows import Row
from prompts_app.states import BUILT_IN


@dataclass(frozen=True, slots=True)
class Choices:
    """The fragments that an orphaned text may go to, each with key and label."""

    near: tuple[tuple[str, str], ...]
    """Those whose keys look like the lost one, best first."""
    others: tuple[tuple[str, str], ...]
    """The rest, in page order."""


@dataclass(frozen=True, slots=True)
class Adoption:
    """An orphaned text beside the one that it would stand in for."""

    orphan: Row
    key: str
    label: str
    etag: str
    """The state of the orphaned text."""
    beneath: str = field(repr=False)
    """What is in force for the fragment as long as it has no text of its own."""
    runs: tuple[Run, ...] = field(repr=False)
    """What changes for it."""
    losses: tuple[Loss, ...]
    """The variables that are lost by it, each of which takes a tick."""


def orphan_of(desk: Desk, key: str) -> Row | None:
    """Return the orphaned row of *key*; None: there is none."""
    return next((row for row in desk.orphans if row.key == key), None)


def choices_of(desk: Desk, key: str) -> Choices:
    """Return the fragments that may adopt the text of the orphaned *key*."""
    fragments = (one for _, group in desk.groups.values() for one in group)
    labels = {one.key: str(one.label) for one in fragments if _is_free(desk, one.key)}
    near = valid.near(key, labels)
    return Choices(
        near=tuple((one, labels.pop(one)) for one in near),
        others=tuple(labels.items()),
    )


def adoption_of(desk: Desk, old: str, new: str) -> Adoption | None:
    """Return what giving the text of *old* to *new* means; None: it cannot go there."""
    orphan = orphan_of(desk, old)
    if orphan is None or new not in desk.view.by_key or not _is_free(desk, new):
        return None
    beneath, fragment = desk.beneath(new), desk.view.by_key[new].fragment
    lost = lost_mentions(fragment, orphan.text, beneath)
    return Adoption(
        orphan=orphan,
        key=new,
        label=str(fragment.label),
        etag=desk.etag(old),
        beneath=beneath,
        runs=differences(beneath, orphan.text),
        losses=tuple(_losses(desk, new, lost)),
    )


def _losses(desk: Desk, key: str, names: Iterable[str]) -> Iterator[Loss]:
    is_sent = desk.asked.action == "adopted"
    for name in names:
        ticked = (key, name) in desk.asked.confirmed
        yield loss_of(desk.view, name, ticked=ticked, missing=is_sent and not ticked)


def _is_free(desk: Desk, key: str) -> bool:
    return desk.state(key).code == BUILT_IN and desk.may_change(key)
