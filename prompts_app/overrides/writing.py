"""Saving and resetting: checked under the lock, all of it or none."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import router
from django.db.models.functions import Length

from prompts_app import conf, validation as valid
from prompts_app.assembly import override_keys
from prompts_app.exceptions import EditConflict, Fault, SaveRefused
from prompts_app.models import Override
from prompts_app.overrides import faults as fault
from prompts_app.overrides.identity import (
    beneath,
    declared_default,
    etag_of,
    stored_under,
)
from prompts_app.overrides.journal import Edit, Saved, check_comment, locked, write
from prompts_app.overrides.rights import check_change
from prompts_app.overrides.snapshots import gather
from prompts_app.registry import View, registry
from prompts_app.syntax import normalise, same_text

DEFAULT = "default"
"""What ``confirm`` names to say that a drifted default was looked at."""


@dataclass(slots=True)
class Plan:
    """One save in the making: what it found stored, and what it will do."""

    using: str
    view: View
    scope: str
    based_on: Mapping[str, str]
    confirm: Collection[tuple[str, str]]
    texts: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    defaults: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    edits: list[Edit] = field(default_factory=list, repr=False)
    faults: list[Fault] = field(default_factory=list)
    stored: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)


def save(
    values: Mapping[str, str],
    *,
    scope: str = "",
    author: Any = None,
    comment: str = "",
    based_on: Mapping[str, str] | None = None,
    confirm: Iterable[tuple[str, str]] = (),
) -> Saved:
    """See `prompts_app.services.save()`."""
    valid.strings("values", values)
    valid.strings("texts", values.values())
    comment = check_comment(comment)
    view = _view(scope)
    check_change(author, view, scope, values)
    with locked() as using:
        plan = Plan(using, view, scope, based_on or {}, frozenset(confirm))
        _load(plan, values, lock=True)
        _consider_all(plan, values)
        return _finish(plan, "save", author, comment)


def examine(
    values: Mapping[str, str],
    *,
    scope: str = "",
    based_on: Mapping[str, str] | None = None,
    confirm: Iterable[tuple[str, str]] = (),
) -> tuple[Fault, ...]:
    """Return why `save()` would refuse *values* now; nothing is locked or written."""
    using = router.db_for_write(Override)
    plan = Plan(using, _view(scope), scope, based_on or {}, frozenset(confirm))
    _load(plan, values, lock=False)
    _consider_all(plan, values)
    return tuple(plan.faults)


def reset(
    keys: Iterable[str],
    *,
    scope: str = "",
    author: Any = None,
    comment: str = "",
    based_on: Mapping[str, str] | None = None,
) -> Saved:
    """See `prompts_app.services.reset()`."""
    names = tuple(dict.fromkeys(valid.strings("keys", keys)))
    comment = check_comment(comment)
    view = _view(scope)
    check_change(author, view, scope, names)
    with locked() as using:
        plan = Plan(using, view, scope, based_on or {}, ())
        _load(plan, names, lock=True)
        for key in names:
            if _is_editable(plan, key):
                _check_conflict(plan, key, None)
                _remove(plan, key)
        return _finish(plan, "reset", author, comment)


def _view(scope: str) -> View:
    if not valid.is_scope(scope):
        raise ValueError(f"{scope!r} is no scope: kind.name in lower case")
    return registry.view(valid.chain(scope), gather(router.db_for_write(Override)))


def _load(plan: Plan, keys: Iterable[str], *, lock: bool) -> None:
    """Read, and lock if asked, what is stored of *keys*, here and beneath."""
    known = (plan.view.by_key[key] for key in keys if key in plan.view.by_key)
    names = {name for one in known for name in override_keys(plan.view, one.fragment)}
    rows = Override.objects.using(plan.using)
    rows = rows.select_for_update() if lock else rows.all()
    found = rows.filter(scope__in={plan.scope, ""}, key__in=names)
    for scope, key, text, default in found.values_list(
        "scope", "key", "text", "default_text"
    ):
        plan.texts[scope, key] = text
        plan.defaults[scope, key] = default


def _is_editable(plan: Plan, key: str) -> bool:
    layered = plan.view.by_key.get(key)
    if layered is None:
        plan.faults.append(fault.unknown(plan.scope, key))
    elif layered.fragment.locked:
        plan.faults.append(fault.locked(plan.scope, key))
    else:
        return True
    return False


def _consider_all(plan: Plan, values: Mapping[str, str]) -> None:
    for key, text in values.items():
        _consider(plan, key, normalise(text))
    _check_total(plan)


def _consider(plan: Plan, key: str, text: str) -> None:
    """Plan what saving *text* takes, or note why it is refused."""
    if not _is_editable(plan, key):
        return
    below = beneath(plan.view, plan.texts, plan.scope, key)
    if same_text(text, below):
        _check_conflict(plan, key, None)
        _remove(plan, key)
        return
    _check_conflict(plan, key, text)
    limit = conf.max_fragment_chars()
    plan.faults += fault.of_text(plan.scope, key, text, limit)
    before = stored_under(plan.view, plan.texts, plan.scope, key)
    fragment = plan.view.by_key[key].fragment
    for name in fault.lost_mentions(fragment, text, before[1] if before else below):
        if (key, name) not in plan.confirm:
            plan.faults.append(fault.must_mention(plan.scope, key, name))
    _store(plan, key, text)


def _check_conflict(plan: Plan, key: str, text: str | None) -> None:
    shown = plan.based_on.get(key)
    if shown is None:
        return
    found = stored_under(plan.view, plan.texts, plan.scope, key)
    stored = found[1] if found else None
    now = etag_of(stored, declared_default(plan.view, key))
    # Two who made the same change have nothing to settle.
    if now != shown and stored != text:
        plan.faults.append(fault.conflict(plan.scope, key, now))


def _store(plan: Plan, key: str, text: str) -> None:
    default = declared_default(plan.view, key)
    before = stored_under(plan.view, plan.texts, plan.scope, key)
    if before is not None:
        written_over = plan.defaults[plan.scope, before[0]]
        if (key, DEFAULT) not in plan.confirm:
            default = written_over
        if (text, default) == (before[1], written_over):
            return
    old = plan.texts.pop((plan.scope, key), None)
    _clear(plan, key)
    plan.edits.append(Edit(plan.scope, key, old, text, default))
    plan.stored.append(key)


def _remove(plan: Plan, key: str) -> None:
    if stored_under(plan.view, plan.texts, plan.scope, key) is not None:
        _clear(plan, key)
        plan.removed.append(key)


def _clear(plan: Plan, key: str) -> None:
    """Plan to take away every row that counts for *key*, those of former keys too."""
    for name in override_keys(plan.view, plan.view.by_key[key].fragment):
        address = plan.scope, name
        if address in plan.texts:
            text = plan.texts.pop(address)
            plan.edits.append(Edit(*address, text, None, plan.defaults[address]))


def _check_total(plan: Plan) -> None:
    limit = conf.max_stored_chars()
    rows = Override.objects.using(plan.using).filter(scope=plan.scope)
    sizes = dict(rows.values_list("key", Length("text")))
    before = sum(sizes.values())
    for edit in plan.edits:
        sizes[edit.key] = len(edit.after or "")
    total = sum(sizes.values())
    if total > limit and total > before:
        plan.faults.append(fault.total_too_long(plan.scope, total, limit))


def _finish(plan: Plan, kind: str, author: Any, comment: str) -> Saved:
    if plan.faults:
        conflicts = all(one.code == "conflict" for one in plan.faults)
        raise (EditConflict if conflicts else SaveRefused)(plan.faults)
    if not plan.edits:
        return Saved(None)
    number = write(plan.using, plan.edits, kind=kind, author=author, comment=comment)
    return Saved(number, tuple(plan.stored), tuple(plan.removed))
