"""Overrides whose fragment is gone: given to another key, or taken away for good."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from prompts_app import validation as valid
from prompts_app.overrides.identity import keys_read
from prompts_app.overrides.journal import Saved, check_comment, locked
from prompts_app.overrides.planning import (
    Plan,
    check_conflict,
    consider,
    finish,
    is_editable,
    load,
    take,
    view_for,
)
from prompts_app.overrides.rights import check_change, check_prune


def adopt(
    old: str,
    new: str,
    *,
    scope: str,
    author: Any,
    comment: str,
    confirm: Iterable[tuple[str, str]],
) -> Saved:
    """See `prompts_app.services.adopt()`."""
    comment = check_comment(comment)
    with locked() as using:
        view = view_for(scope)
        check_change(author, view, scope, (new,))
        if old in keys_read(view):
            raise ValueError(f"{old!r} is no orphan: a fragment reads its override")
        plan = Plan(using, view, scope, confirm=frozenset(confirm))
        load(plan, (old, new), lock=True)
        address = scope, old
        if address not in plan.texts:
            raise ValueError(f"There is no override of {old!r} to adopt")
        text, default = plan.texts[address], plan.defaults[address]
        if is_editable(plan, new):
            if plan.found(new) is not None:
                raise ValueError(f"{new!r} has an override already; reset it first")
            take(plan, old)
            plan.removed.append(old)
            consider(plan, new, text, default)
        return finish([plan], "adopt", author, comment)


def prune(
    keys: Iterable[str],
    *,
    scope: str,
    author: Any,
    comment: str,
    based_on: Mapping[str, str] | None,
) -> Saved:
    """See `prompts_app.services.prune()`."""
    names = tuple(dict.fromkeys(valid.strings("keys", keys)))
    comment = check_comment(comment)
    with locked() as using:
        view = view_for(scope)
        check_prune(author, view, scope)
        read = keys_read(view)
        living = [key for key in names if key in read]
        if living:
            raise ValueError(
                f"{', '.join(living)}: fragments read these overrides; reset() takes"
                " them away"
            )
        plan = Plan(using, view, scope, based_on or {})
        load(plan, names, lock=True)
        for key in names:
            check_conflict(plan, key, None)
            if (scope, key) in plan.texts:
                take(plan, key)
                plan.removed.append(key)
        return finish([plan], "prune", author, comment)
