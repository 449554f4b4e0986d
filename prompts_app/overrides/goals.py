"""Texts of several scopes at once, as restoring and importing want them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

from prompts_app.overrides.history import Address, Then
from prompts_app.overrides.identity import declared_default, etag_of
from prompts_app.overrides.planning import (
    Aim,
    Plan,
    check_conflict,
    check_total,
    consider,
    gathered,
    is_editable,
    load,
    remove,
    view_for,
)
from prompts_app.overrides.rights import check_change
from prompts_app.syntax import normalise


def plans_for(
    using: str,
    goals: Mapping[Address, Then],
    *,
    author: Any,
    confirm: Iterable[tuple[str, str]],
    based_on: Mapping[Address, str] | None = None,
    is_moment: bool = False,
    lock: bool = True,
) -> list[Plan]:
    """
    Return a plan for each scope that takes *goals*, faults noted.

    *goals* are texts to store; with *is_moment* they are what differed at a moment at
    which all else was stored as it is now.

    What is as wanted already is left alone, whether or not it is declared. Where
    *based_on* is given, it is a conflict to change a text in another state, or one
    that is not in it. Without *lock* nothing may be written.

    Raises:
        PermissionDenied: the author may not change one of the texts.
    """
    confirm, declarations = frozenset(confirm), gathered()
    plans: list[Plan] = []
    # The whole installation comes first: scopes are compared with what it will hold.
    for scope in sorted({scope for scope, _ in goals}):
        wanted = {key: then for (of, key), then in goals.items() if of == scope}
        view = view_for(scope, declarations)
        plan = Plan(using, view, scope, confirm=confirm)
        # What is wanted may go by a former key, and be stored under today's already.
        keys = _keys_today(plan, wanted)
        load(plan, keys, lock=lock)
        rest = _stored(plan, keys) if is_moment else {}
        living = {key: _text_then(plan, key, {**rest, **wanted}) for key in keys}
        for earlier in plans[:1]:
            _foresee(plan, earlier)
        _pursue(plan, living, wanted, author, based_on)
        plans.append(plan)
    return plans


def _foresee(plan: Plan, earlier: Plan) -> None:
    """Let *plan* see the whole installation as *earlier* will leave it."""
    for edit in earlier.edits:
        address = edit.scope, edit.key
        if edit.scope == "" and edit.after is not None:
            plan.texts[address] = edit.after
        elif edit.scope == "":
            plan.texts.pop(address, None)


def _pursue(
    plan: Plan,
    living: Mapping[str, Then],
    wanted: Container[str],
    author: Any,
    based_on: Mapping[Address, str] | None,
) -> None:
    differing = {k: then for k, then in living.items() if _differs(plan, k, then)}
    check_change(author, plan.view, plan.scope, differing)
    if based_on is not None:
        # What nobody was shown has no state that could be the right one.
        plan.based_on = {k: based_on.get((plan.scope, k), "") for k in differing}
    for key, then in differing.items():
        plan.aims.append(_aim(plan, key, then, wanted))
        if not is_editable(plan, key):
            continue
        if then.text is None:
            check_conflict(plan, key, None)
            remove(plan, key)
        else:
            consider(plan, key, normalise(then.text), then.default)
    check_total(plan)


def _aim(plan: Plan, key: str, then: Then, wanted: Container[str]) -> Aim:
    found = plan.found(key)
    now = found[1] if found else None
    is_declared = key in plan.view.by_key
    return Aim(
        scope=plan.scope,
        key=key,
        now=now,
        then=then.text,
        beneath=plan.beneath(key) if is_declared else "",
        etag=etag_of(now, declared_default(plan.view, key)),
        names=tuple(name for name in plan.names_of(key) if name in wanted),
    )


def _keys_today(plan: Plan, names: Iterable[str]) -> list[str]:
    """Return the keys that the texts of *names* have today, each once."""
    today = {
        name: layered.key
        for layered in plan.view.fragments
        for name in plan.names_of(layered.key)
    }
    return list(dict.fromkeys(today.get(name, name) for name in names))


def _stored(plan: Plan, keys: Iterable[str]) -> dict[str, Then]:
    addresses = ((plan.scope, name) for key in keys for name in plan.names_of(key))
    return {
        address[1]: Then(plan.texts[address], plan.defaults[address])
        for address in addresses
        if address in plan.texts
    }


def _text_then(plan: Plan, key: str, texts: Mapping[str, Then]) -> Then:
    """Return what counts for *key* among *texts* by name; its own name comes first."""
    found = (texts[name] for name in plan.names_of(key) if name in texts)
    return next((then for then in found if then.text is not None), Then(None, ""))


def _differs(plan: Plan, key: str, then: Then) -> bool:
    held = plan.found(key)
    if held is None or then.text is None:
        return (held is None) != (then.text is None)
    return (held[1], plan.defaults[plan.scope, held[0]]) != (then.text, then.default)
