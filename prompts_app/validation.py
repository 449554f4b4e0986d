"""What a well-formed name, number or collection is, for declarations and calls."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any

from prompts_app.exceptions import InvalidDeclaration

WORD = re.compile(r"[a-z][a-z0-9_]*")
MOST_CHARS = 100
"""How long a key or scope is at most."""
KEY = re.compile(r"[a-z][a-z0-9_]*\.[a-z0-9][a-z0-9_-]*")
SCOPE = re.compile(r"[a-z][a-z0-9_]*\.[a-z0-9][a-z0-9._-]*")
TOOL = re.compile(r"[A-Za-z0-9_-]{1,64}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_PERMISSION = re.compile(r"[a-zA-Z_]\w*\.[a-zA-Z_]\w*", re.ASCII)


def is_key(key: object) -> bool:
    """Return whether *key* could be a fragment's."""
    return isinstance(key, str) and len(key) <= MOST_CHARS and bool(KEY.fullmatch(key))


def is_scope(scope: object) -> bool:
    """Return whether *scope* is ``""`` (global) or could be a scope's key."""
    if not isinstance(scope, str):
        return False
    return not scope or (len(scope) <= MOST_CHARS and bool(SCOPE.fullmatch(scope)))


def can_be_stored(name: str) -> bool:
    """Return whether a row could have *name*, be it a key or not, in any database."""
    unsound = any(char == "\0" or "\ud800" <= char <= "\udfff" for char in name)
    return len(name) <= MOST_CHARS and not unsound


def in_a_line(text: str) -> str:
    """Return *text* with its control characters spelled out, line feeds as well."""
    return _CONTROL.sub(lambda found: repr(found[0])[1:-1], text)


def check_name(
    where: str, field: str, name: object, pattern: re.Pattern[str], *, limit: int = 0
) -> None:
    """Raise InvalidDeclaration unless *name* is a text that *pattern* describes."""
    if not isinstance(name, str) or not pattern.fullmatch(name):
        raise InvalidDeclaration(
            f"{where}: {field} {name!r} does not match {pattern.pattern}"
        )
    if limit and len(name) > limit:
        raise InvalidDeclaration(
            f"{where}: {field} has {len(name)} characters; at most {limit} are allowed"
        )


def check_text(where: str, field: str, text: object) -> None:
    """Raise InvalidDeclaration unless *text* is plain text (no lazy translation)."""
    if not isinstance(text, str):
        kind = type(text).__name__
        raise InvalidDeclaration(f"{where}: {field} has to be a text, not a {kind}")


def check_label(where: str, label: object) -> None:
    """Raise InvalidDeclaration if there is no label; a lazy one is not evaluated."""
    if label is None or (type(label) is str and not label.strip()):
        raise InvalidDeclaration(f"{where}: label is missing")


def check_number(
    where: str, field: str, number: object, *, whole: bool = False
) -> None:
    """Raise InvalidDeclaration unless *number* is finite, and an int if *whole*."""
    # True and False are whole numbers for Python.
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise InvalidDeclaration(f"{where}: {field} {number!r} is no number")
    if whole and not isinstance(number, int):
        raise InvalidDeclaration(f"{where}: {field} {number!r} is no number")
    if not math.isfinite(number):
        raise InvalidDeclaration(f"{where}: {field} {number!r} is not finite")


def check_permission(where: str, permission: object) -> None:
    """Raise InvalidDeclaration unless it is empty or ``app_label.codename``."""
    if permission and not _PERMISSION.fullmatch(str(permission)):
        raise InvalidDeclaration(
            f"{where}: permission {permission!r} is not app_label.codename"
        )


def strings(field: str, values: Iterable[str]) -> tuple[str, ...]:
    """
    Return *values* as a tuple.

    Raises:
        TypeError: *values* is one string, or holds something else than strings.
    """
    if isinstance(values, (str, bytes)):
        raise TypeError(f"{field} has to be a collection of texts, not one text")
    frozen = tuple(values)
    for value in frozen:
        if not isinstance(value, str):
            raise TypeError(f"{field} holds a {type(value).__name__}, not a text")
    return frozen


def chain(scope: str | Iterable[str]) -> tuple[str, ...]:
    """
    Return *scope* as a chain from far to near; one text is a chain of one.

    The global layer (``""``) stands under every chain and is left out of it.

    Raises:
        ValueError: a member could be no scope's key, or stands there twice.
    """
    members = (scope,) if isinstance(scope, str) else strings("scope", scope)
    named = tuple(member for member in members if member)
    for member in named:
        if not is_scope(member):
            raise ValueError(f"{member!r} is no scope: kind.name in lower case")
    if len(set(named)) < len(named):
        raise ValueError(f"The chain of scopes {named!r} names one twice")
    return named


def freeze_names(
    declaration: object, where: str, field: str, pattern: re.Pattern[str]
) -> None:
    """Replace the collection *field* of a frozen declaration by a tuple of names."""
    names = strings(field, getattr(declaration, field))
    for name in names:
        check_name(where, field, name, pattern)
    object.__setattr__(declaration, field, names)


def freeze_chain(declaration: object, where: str, field: str) -> None:
    """Replace *field* of a frozen declaration by a chain of scopes."""
    try:
        object.__setattr__(declaration, field, chain(getattr(declaration, field)))
    except ValueError as error:
        raise InvalidDeclaration(f"{where}: {error}") from None


def freeze_tools(declaration: object, where: str, field: str, kind: type) -> None:
    """Replace the collection *field* of a frozen declaration by a tuple of tools."""
    value = getattr(declaration, field)
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{field} has to be a collection of tools, not one text")
    tools = tuple(value)
    for tool in tools:
        if not isinstance(tool, kind):
            raise InvalidDeclaration(f"{where}: {field} holds {type(tool).__name__}")
    object.__setattr__(declaration, field, tools)


def convert(
    declaration: object,
    where: str,
    field: str,
    kind: type[Enum],
    *,
    required: bool = False,
) -> None:
    """Replace *field* of a frozen declaration by the member of *kind* it names."""
    value = getattr(declaration, field)
    if value is None and not required:
        return
    allowed = ", ".join(str(member.value) for member in kind)
    try:
        member = kind(value) if not isinstance(value, bool) else None
    except ValueError:
        member = None
    if member is None:
        raise InvalidDeclaration(f"{where}: {field} {value!r} is none of {allowed}")
    object.__setattr__(declaration, field, member)


def freeze(value: Any) -> Any:
    """Return *value* with every mapping read-only and every list a tuple."""
    if isinstance(value, Mapping):
        return MappingProxyType({key: freeze(item) for key, item in value.items()})
    if isinstance(value, (list, tuple)):
        return tuple(freeze(item) for item in value)
    return value


def thaw(value: Any) -> Any:
    """Return a frozen *value* as plain dicts, in order of their keys, and lists."""
    if isinstance(value, Mapping):
        return {key: thaw(value[key]) for key in sorted(value, key=str)}
    if isinstance(value, tuple):
        return [thaw(item) for item in value]
    return value


def near(key: str, keys: Collection[str]) -> tuple[str, ...]:
    """Return up to three *keys* that look like *key*, best first."""
    return tuple(difflib.get_close_matches(key, sorted(keys), n=3, cutoff=0.6))
