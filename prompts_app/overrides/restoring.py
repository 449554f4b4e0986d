"""Bringing back what was in force at an earlier moment, as a write of today."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from prompts_app import validation as valid
from prompts_app.overrides.goals import plans_for
from prompts_app.overrides.history import Address, changed_since
from prompts_app.overrides.journal import Saved, check_comment, locked
from prompts_app.overrides.planning import finish


def restore(
    number: int,
    *,
    keys: Iterable[Address] | None = None,
    author: Any = None,
    comment: str = "",
    confirm: Iterable[tuple[str, str]] = (),
) -> Saved:
    """See `prompts_app.services.restore()`."""
    comment = check_comment(comment)
    named = None if keys is None else _addresses(keys)
    with locked() as using:
        then = changed_since(using, number)
        if named is not None:
            then = {address: past for address, past in then.items() if address in named}
        plans = plans_for(using, then, author=author, confirm=confirm)
        return finish(plans, "restore", author, comment, restores=number)


def _addresses(keys: Iterable[Address]) -> frozenset[Address]:
    named = set()
    for pair in keys:
        address = valid.strings("keys", pair)
        if len(address) != len(("scope", "key")):
            raise TypeError(f"keys holds pairs of scope and key, not {address!r}")
        named.add((address[0], address[1]))
    return frozenset(named)
