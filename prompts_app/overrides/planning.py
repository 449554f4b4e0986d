"""What a write will do to one scope, checked against what is stored there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import router
from django.db.models import Q
from django.db.models.functions import Length

from prompts_app import conf, validation as valid
from prompts_app.exceptions import EditConflict, Fault, SaveRefused
from prompts_app.lint import lost_mentions
from prompts_app.models import Override
from prompts_app.overrides import faults as fault
from prompts_app.overrides.decoding import lenient
from prompts_app.overrides.identity import (
    beneath,
    declared_default,
    etag_of,
    names_of,
    stored_under,
)
from prompts_app.overrides.journal import Edit, Saved, write
from prompts_app.overrides.sources import Declared, gather
from prompts_app.registry import View, registry
from prompts_app.syntax import normalise, same_text

DEFAULT = "default"
"""What ``confirm`` names to say that a drifted default was looked at."""
CHUNK = 400
"""How many keys one statement names; every database takes as many."""


@dataclass(frozen=True, slots=True)
class Aim:
    """A text that is to be as it was at another moment, or in another place."""

    scope: str
    key: str
    now: str | None = field(repr=False)
    """None: no override."""
    then: str | None = field(repr=False)
    """None: no override."""
    beneath: str = field(repr=False)
    """What counts without an override; ``""`` where nobody declares the fragment."""
    etag: str
    """The state of the fragment now."""
    names: tuple[str, ...]
    """The keys that history, or a document, has the text under."""


@dataclass(slots=True)
class Plan:
    """One scope's part of a write: what it found stored, and what it will do."""

    using: str
    view: View
    scope: str
    based_on: Mapping[str, str] = field(default_factory=dict)
    confirm: Collection[tuple[str, str]] = ()
    texts: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    defaults: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    edits: list[Edit] = field(default_factory=list, repr=False)
    faults: list[Fault] = field(default_factory=list)
    stored: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    aims: list[Aim] = field(default_factory=list, repr=False)

    def names_of(self, key: str) -> tuple[str, ...]:
        """Return the keys that overrides of *key* count under, its own first."""
        return names_of(self.view, key)

    def found(self, key: str) -> tuple[str, str] | None:
        """Return under which key *key* has an override here, and its text."""
        return stored_under(self.view, self.texts, self.scope, key)

    def is_over_override(self, key: str) -> bool:
        """Return whether what stands beneath *key* here is itself an override."""
        is_declared_here = self.view.by_key[key].layers[0][1] is not None
        held = any(("", name) in self.texts for name in self.names_of(key))
        return bool(self.scope) and held and not is_declared_here

    def beneath(self, key: str) -> str:
        """Return what would be in force for *key* without its override here."""
        return beneath(self.view, self.texts, self.scope, key)


def gathered() -> Declared:
    """Return what sources declare now, from the database that saves go to."""
    return gather(router.db_for_write(Override))


def view_for(scope: str, declarations: Declared | None = None) -> View:
    """
    Return what is declared for *scope* alone; sources are asked unless they were.

    Raises:
        ValueError: it is no scope.
    """
    if not valid.is_scope(scope):
        raise ValueError(f"{scope!r} is no scope: kind.name in lower case")
    if declarations is None:
        declarations = gathered()
    return registry.view(valid.chain(scope), declarations)


def load(plan: Plan, keys: Iterable[str], *, lock: bool) -> None:
    """Read, and lock if asked, what is stored of *keys*, here and beneath."""
    named = (name for key in keys for name in plan.names_of(key))
    # A row by hand may have what is no key; but not every text can be asked for.
    names = sorted({name for name in named if valid.can_be_stored(name)})
    rows = Override.objects.using(plan.using)
    rows = rows.select_for_update() if lock else rows.all()
    for start in range(0, len(names), CHUNK):
        chosen = Q(scope__in={plan.scope, ""}, key__in=names[start : start + CHUNK])
        found = rows.filter(chosen).values_list("scope", "key", "text", "default_text")
        with lenient(plan.using):
            for scope, key, text, default in found:
                plan.texts[scope, key] = text
                plan.defaults[scope, key] = default


def is_editable(plan: Plan, key: str) -> bool:
    """Return whether *key* may have an override, or note the fault."""
    layered = plan.view.by_key.get(key)
    if layered is None:
        plan.faults.append(fault.unknown(plan.scope, key))
    elif layered.fragment.locked:
        plan.faults.append(fault.locked(plan.scope, key))
    else:
        return True
    return False


def consider_all(plan: Plan, values: Mapping[str, str]) -> None:
    """Plan what saving *values* takes, or note why it is refused."""
    for key, text in values.items():
        if is_editable(plan, key):
            consider(plan, key, normalise(text))
    check_total(plan)


def consider(plan: Plan, key: str, text: str, default: str | None = None) -> None:
    """
    Plan what storing *text* for an editable *key* takes, or note why it is refused.

    *default* is what the text was written over, where it comes from a store. There a
    scope's text may well equal that of the whole installation, which changes by itself.
    """
    below = plan.beneath(key)
    is_kept = default is not None and plan.is_over_override(key)
    if same_text(text, below) and not is_kept:
        check_conflict(plan, key, None)
        remove(plan, key)
        return
    check_conflict(plan, key, text)
    limit = conf.max_fragment_chars()
    plan.faults += fault.of_text(plan.scope, key, text, limit)
    before = plan.found(key)
    fragment = plan.view.by_key[key].fragment
    for name in lost_mentions(fragment, text, before[1] if before else below):
        if (key, name) not in plan.confirm:
            plan.faults.append(fault.must_mention(plan.scope, key, name))
    store(plan, key, text, default)


def check_conflict(plan: Plan, key: str, text: str | None) -> None:
    """Note a conflict if *key* is not what its editor was shown, nor *text* already."""
    shown = plan.based_on.get(key)
    if shown is None:
        return
    found = plan.found(key)
    stored = found[1] if found else None
    now = etag_of(stored, declared_default(plan.view, key))
    # Two who made the same change have nothing to settle, but for a default that
    # moved on: the one that was looked at is not the one it would be kept over.
    if now != shown and (stored != text or (key, DEFAULT) in plan.confirm):
        plan.faults.append(fault.conflict(plan.scope, key, now))


def store(plan: Plan, key: str, text: str, default: str | None = None) -> None:
    """Plan a row for *key*; an override keeps the default it was written over."""
    before = plan.found(key)
    declared = declared_default(plan.view, key)
    written_over = plan.defaults[plan.scope, before[0]] if before else declared
    if (key, DEFAULT) in plan.confirm:
        default = declared
    elif default is None:
        default = written_over
    if before is not None and (text, default) == (before[1], written_over):
        return
    old = plan.texts.pop((plan.scope, key), None)
    clear(plan, key)
    plan.edits.append(Edit(plan.scope, key, old, text, default))
    plan.stored.append(key)


def remove(plan: Plan, key: str) -> None:
    """Plan to take the override of *key* away, if it has one."""
    if plan.found(key) is not None:
        clear(plan, key)
        plan.removed.append(key)


def clear(plan: Plan, key: str) -> None:
    """Plan to take away every row that counts for *key*, those of former keys too."""
    for name in plan.names_of(key):
        if (plan.scope, name) in plan.texts:
            take(plan, name)


def take(plan: Plan, name: str) -> None:
    """Plan to take away the one row that is stored under *name*."""
    address = plan.scope, name
    text, default = plan.texts.pop(address), plan.defaults[address]
    plan.edits.append(Edit(*address, text, None, default))


def check_total(plan: Plan) -> None:
    """Note a fault if the scope's texts together rise over the limit."""
    limit = conf.max_stored_chars()
    rows = Override.objects.using(plan.using).filter(scope=plan.scope)
    with lenient(plan.using):
        sizes = dict(rows.values_list("key", Length("text")))
    before = sum(sizes.values())
    for edit in plan.edits:
        sizes[edit.key] = len(edit.after or "")
    total = sum(sizes.values())
    if total > limit and total > before:
        plan.faults.append(fault.total_too_long(plan.scope, total, limit))


def refuse(plans: Iterable[Plan]) -> None:
    """
    Let through plans without faults.

    Raises:
        SaveRefused: with all faults; an `EditConflict` if there are only conflicts.
    """
    faults = [one for plan in plans for one in plan.faults]
    if faults:
        conflicts = all(one.code == "conflict" for one in faults)
        raise (EditConflict if conflicts else SaveRefused)(faults)


def finish(
    plans: Sequence[Plan],
    kind: str,
    author: Any,
    comment: str,
    restores: int | None = None,
) -> Saved:
    """
    Carry out *plans* as one revision, and return what it did.

    Raises:
        SaveRefused, EditConflict: as `refuse()`.
    """
    refuse(plans)
    edits = [edit for plan in plans for edit in plan.edits]
    if not edits:
        return Saved(None)
    number = write(
        plans[0].using,
        edits,
        kind=kind,
        author=author,
        comment=comment,
        restores=restores,
    )
    return planned(plans, number)


def planned(plans: Iterable[Plan], number: int | None) -> Saved:
    """Return what *plans* store and remove, under the number of their revision."""
    plans = tuple(plans)
    return Saved(
        number,
        tuple(key for plan in plans for key in plan.stored),
        tuple(key for plan in plans for key in plan.removed),
    )
