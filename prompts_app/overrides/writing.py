"""Saving, resetting and acknowledging: checked under the lock, all of it or none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.db import router

from prompts_app import validation as valid
from prompts_app.exceptions import Fault
from prompts_app.models import Override
from prompts_app.overrides.identity import declared_default
from prompts_app.overrides.journal import Saved, check_comment, locked
from prompts_app.overrides.planning import (
    Plan,
    check_conflict,
    consider_all,
    finish,
    is_editable,
    load,
    remove,
    store,
    view_for,
)
from prompts_app.overrides.rights import check_change
from prompts_app.syntax import same_text


def save(
    values: Mapping[str, str],
    *,
    scope: str,
    author: Any,
    comment: str,
    based_on: Mapping[str, str] | None,
    confirm: Iterable[tuple[str, str]],
) -> Saved:
    """See `prompts_app.services.save()`."""
    valid.strings("values", values)
    valid.strings("texts", values.values())
    comment = check_comment(comment)
    with locked() as using:
        # What is declared may be rows, so it is looked at under the lock as well.
        view = view_for(scope)
        check_change(author, view, scope, values)
        plan = Plan(using, view, scope, based_on or {}, frozenset(confirm))
        load(plan, values, lock=True)
        consider_all(plan, values)
        return finish([plan], "save", author, comment)


def examine(
    values: Mapping[str, str],
    *,
    scope: str = "",
    based_on: Mapping[str, str] | None = None,
    confirm: Iterable[tuple[str, str]] = (),
) -> tuple[Fault, ...]:
    """Return why `save()` would refuse *values* now; nothing is locked or written."""
    using = router.db_for_write(Override)
    plan = Plan(using, view_for(scope), scope, based_on or {}, frozenset(confirm))
    load(plan, values, lock=False)
    consider_all(plan, values)
    return tuple(plan.faults)


def reset(
    keys: Iterable[str],
    *,
    scope: str,
    author: Any,
    comment: str,
    based_on: Mapping[str, str] | None,
) -> Saved:
    """See `prompts_app.services.reset()`."""
    return _for_each("reset", remove, keys, scope, author, comment, based_on)


def acknowledge(
    keys: Iterable[str],
    *,
    scope: str,
    author: Any,
    comment: str,
    based_on: Mapping[str, str] | None,
) -> Saved:
    """See `prompts_app.services.acknowledge()`."""
    return _for_each("acknowledge", _keep, keys, scope, author, comment, based_on)


def _for_each(
    kind: str,
    do: Callable[[Plan, str], None],
    keys: Iterable[str],
    scope: str,
    author: Any,
    comment: str,
    based_on: Mapping[str, str] | None,
) -> Saved:
    names = tuple(dict.fromkeys(valid.strings("keys", keys)))
    comment = check_comment(comment)
    with locked() as using:
        view = view_for(scope)
        check_change(author, view, scope, names)
        plan = Plan(using, view, scope, based_on or {})
        load(plan, names, lock=True)
        for key in names:
            if is_editable(plan, key):
                check_conflict(plan, key, None)
                do(plan, key)
        return finish([plan], kind, author, comment)


def _keep(plan: Plan, key: str) -> None:
    """Plan to keep the override of *key* over the default as it is declared now."""
    found = plan.found(key)
    if found is None:
        return
    if same_text(found[1], plan.beneath(key)):
        remove(plan, key)
    else:
        store(plan, key, found[1], declared_default(plan.view, key))
