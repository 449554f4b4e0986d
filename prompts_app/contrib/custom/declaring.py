"""From a row to a fragment and back, and all that stands in the way, by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from prompts_app import Fragment, Scope
from prompts_app.exceptions import InvalidDeclaration

NAMES = ("families", "requires", "unless", "must_mention", "former_keys", "variables")
"""Fields of a fragment that hold names."""
FIELDS = (
    *("label", "group", "default", "hint", "order", "priority", "when_tools"),
    *("level", "lean_reason", "provides", "lifetime", "optional_lines", "locked"),
    *NAMES,
)
"""Every field of a fragment beside its key; a fault is looked for in this order."""
_PLAIN = {"label": "…", "group": "group", "default": "", "lean_reason": "…"}
_BESIDE = {"lean_reason": "level", "former_keys": "key"}


def declared(scope: str, values: Mapping[str, Any]) -> tuple[str, Fragment]:
    """
    Return scope and fragment of a row whose *values* are those of a fragment.

    Raises:
        InvalidDeclaration: they cannot be those of one.
    """
    if scope:
        Scope(scope, label="…")
    try:
        return scope, Fragment(**_frozen(values))
    except TypeError as error:
        # A column that holds something else than a list of names.
        raise InvalidDeclaration(str(error)) from None


def faults(scope: str, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """
    Yield what a declaration would be refused for, as field and sentence, all of it.

    Each field is tried in a fragment that has nothing else to refuse.
    """
    try:
        declared(scope, {"key": "key.key", **_PLAIN})
    except InvalidDeclaration as error:
        yield "scope", _short(error)
    found: set[str] = set()
    for name in ("key", *FIELDS):
        tried = {"key": "key.key", **_PLAIN, name: values[name]}
        beside = _BESIDE.get(name)
        if beside and beside not in found:
            tried[beside] = values[beside]
        try:
            declared("", tried)
        except InvalidDeclaration as error:
            found.add(name)
            yield name, _short(error)


def is_key(key: str) -> bool:
    """Return whether a fragment could have *key*."""
    try:
        declared("", {**_PLAIN, "key": key})
    except InvalidDeclaration:
        return False
    return True


def _frozen(values: Mapping[str, Any]) -> dict[str, Any]:
    frozen = dict(values)
    for name in NAMES:
        value = frozen.get(name)
        if name in frozen and not isinstance(value, (list, tuple, str)):
            # None is a choice there and nowhere else; a mapping has names as well.
            frozen[name] = None if name == "variables" and value is None else (value,)
    return frozen


def _short(error: Exception) -> str:
    """Return what *error* says of a field, without naming the declaration again."""
    said = str(error)
    for kind in ("Fragment", "Scope"):
        if said.startswith(f"{kind} '"):
            return said.partition("': ")[2] or said
    return said
