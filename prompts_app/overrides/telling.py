"""One record with the first texts that a process loads: which ones the code left."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence

from prompts_app.assembly import Snapshot, override_keys
from prompts_app.overrides.identity import keys_read
from prompts_app.registry import View, registry
from prompts_app.syntax import same_text
from prompts_app.validation import in_a_line, is_scope

logger = logging.getLogger("prompts_app")

NAMED = 20
"""How many texts of a kind the record names."""
_once = threading.Lock()
"""Taken by the first who tells, and never given back."""

Address = tuple[str, str]


def tell_once(snapshot: Snapshot, defaults: Mapping[Address, str]) -> None:
    """
    Log how many texts of *snapshot* are drifted and orphaned, the first time only.

    *defaults* are those that the texts were written over. The record names keys and
    holds no text; where nobody has to decide anything there is none.
    """
    if not _once.acquire(blocking=False):
        return
    drifted, orphaned = _left_behind(snapshot, defaults)
    if drifted or orphaned:
        logger.warning(
            "Stored texts: %d; drifted: %d%s; orphaned: %d%s",
            len(defaults),
            len(drifted),
            _names(drifted),
            len(orphaned),
            _names(orphaned),
        )


def _left_behind(
    snapshot: Snapshot, defaults: Mapping[Address, str]
) -> tuple[list[Address], list[Address]]:
    declarations = snapshot.declarations
    declaring = {record.scope for record in registry.records("fragment")}
    declaring |= {scope for scope, _ in declarations}
    drifted: list[Address] = []
    orphaned: list[Address] = []
    for scope, stored in _by_scope(defaults).items():
        # Where nothing is declared a scope sees what the whole installation does.
        chain = (scope,) if scope and scope in declaring else ()
        view = registry.view(chain, declarations)
        # What stands under no scope's name nobody can ask for.
        read = keys_read(view) if is_scope(scope) else frozenset()
        orphaned += [(scope, key) for key in sorted(stored.keys() - read)]
        if is_scope(scope):
            drifted += [(scope, key) for key in _drifted(view, stored)]
    return drifted, orphaned


def _by_scope(defaults: Mapping[Address, str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for (scope, key), default in sorted(defaults.items()):
        found.setdefault(scope, {})[key] = default
    return found


def _drifted(view: View, stored: Mapping[str, str]) -> list[str]:
    """Return the fragments whose default has moved, given what texts stood over."""
    found = []
    for layered in view.fragments:
        fragment = layered.fragment
        names = () if fragment.locked else override_keys(view, fragment)
        name = next((name for name in names if name in stored), None)
        if name is not None and not same_text(stored[name], fragment.default):
            found.append(fragment.key)
    return sorted(found)


def _names(addresses: Sequence[Address]) -> str:
    named = [f"{key} ({scope})" if scope else key for scope, key in addresses[:NAMED]]
    more = ["…"] if len(addresses) > NAMED else []
    # A row that somebody wrote by hand must not write lines of the log.
    return f" ({in_a_line(', '.join([*named, *more]))})" if named else ""
