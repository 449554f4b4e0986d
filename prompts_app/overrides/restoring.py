"""Bringing back what was in force at an earlier moment, as a write of today."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import router

from prompts_app import validation as valid
from prompts_app.exceptions import Fault
from prompts_app.models import Override
from prompts_app.overrides.goals import plans_for
from prompts_app.overrides.history import Address, Then, changed_since
from prompts_app.overrides.identity import names_of
from prompts_app.overrides.journal import Saved, check_comment, locked
from prompts_app.overrides.planning import Aim, finish, gathered, view_for


def restore(
    number: int,
    *,
    keys: Iterable[Address] | None,
    author: Any,
    comment: str,
    based_on: Mapping[Address, str] | None,
    confirm: Iterable[tuple[str, str]],
) -> Saved:
    """See `prompts_app.services.restore()`."""
    comment = check_comment(comment)
    named = None if keys is None else _addresses(keys)
    with locked() as using:
        then = _wanted(using, number, named)
        plans = plans_for(
            using,
            then,
            author=author,
            confirm=confirm,
            based_on=based_on,
            is_moment=True,
        )
        return finish(plans, "restore", author, comment, restores=number)


def foresee(
    number: int,
    *,
    keys: Iterable[Address] | None = None,
    based_on: Mapping[Address, str] | None = None,
    confirm: Iterable[tuple[str, str]] = (),
) -> tuple[tuple[Aim, ...], tuple[Fault, ...]]:
    """
    Return which texts `restore()` would change now, and why it would refuse to.

    Nothing is locked or written, and nobody's rights are looked at.

    Raises:
        ValueError: there is no such revision, or later ones were pruned.
    """
    using = router.db_for_write(Override)
    named = None if keys is None else _addresses(keys)
    plans = plans_for(
        using,
        _wanted(using, number, named),
        author=None,
        confirm=confirm,
        based_on=based_on,
        is_moment=True,
        lock=False,
    )
    aims = tuple(aim for plan in plans for aim in plan.aims)
    return aims, tuple(fault for plan in plans for fault in plan.faults)


def _wanted(
    using: str, number: int, named: frozenset[Address] | None
) -> dict[Address, Then]:
    """Return what changed since; of a text that is named, under its former keys too."""
    if named is None:
        return changed_since(using, number)
    declarations = gathered()
    wanted = set(named)
    for scope in {scope for scope, _ in named if valid.is_scope(scope)}:
        view = view_for(scope, declarations)
        wanted |= {(s, n) for s, k in named if s == scope for n in names_of(view, k)}
    return changed_since(using, number, frozenset(wanted))


def _addresses(keys: Iterable[Address]) -> frozenset[Address]:
    named = set()
    for pair in keys:
        address = valid.strings("keys", pair)
        if len(address) != len(("scope", "key")):
            raise TypeError(f"keys holds pairs of scope and key, not {address!r}")
        named.add((address[0], address[1]))
    return frozenset(named)
