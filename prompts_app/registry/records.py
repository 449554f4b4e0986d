"""What the registry's dict holds, and what has to be true of all of it."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any, cast

from prompts_app import validation as valid
from prompts_app.exceptions import InvalidDeclaration, ProtectedFragment

Address = tuple[str, str, str]
"""Kind, scope and key of a record."""
_PACKAGE = __name__.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that was registered, and where."""

    kind: str
    """fragment, variable, group, scope, scenario, source, tools, hook or protection."""
    scope: str
    """The layer; ``""`` is the global one."""
    value: Any
    """The declaration or callable; of a protection, a pair of sets of names."""
    place: str
    """File and line of the call."""


def check_layer(scope: object) -> None:
    """Raise InvalidDeclaration unless *scope* is ``""`` or could be a scope's key."""
    if not valid.is_scope(scope):
        raise InvalidDeclaration(f"{scope!r} is no scope: kind.name in lower case")


def check_protected(records: Mapping[Address, Record]) -> None:
    """Raise ProtectedFragment if a scope replaces what is protected globally."""
    protected: set[str] = set()
    for record in records.values():
        if record.kind == "protection" and not record.scope:
            protected |= record.value[0]
        elif record.kind == "fragment" and not record.scope and record.value.locked:
            protected.add(record.value.key)
    conflicts = [
        (scope, key)
        for kind, scope, key in records
        if kind == "fragment" and scope and key in protected
    ]
    if conflicts:
        raise ProtectedFragment(sorted(conflicts))


def calling_place() -> str:
    """Return file and line of the nearest caller outside this package's registry."""
    # inspect.stack() would read the source of every frame.
    frame = cast(FrameType, inspect.currentframe())
    while frame.f_back and frame.f_globals.get("__name__", "").startswith(_PACKAGE):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"
