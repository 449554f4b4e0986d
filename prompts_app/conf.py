"""
The settings, each a function that reads and checks it at call time.

All raise `ImproperlyConfigured`, naming the setting, when it is not usable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import empty
from django.utils.module_loading import import_string

from prompts_app.assembly import tool_order_fault
from prompts_app.declarations import Level

PREFIX = "PROMPTS_APP_"
_ABOUT_CALLS = (
    *(PREFIX + name for name in ("USER_LEVEL", "LEVEL", "MODEL_LEVELS", "TOOL_ORDER")),
)
MAX_FRAGMENT_CHARS = 8_000
MAX_STORED_CHARS = 60_000


def tool_order() -> Sequence[str] | None:
    """Return the order of tools, with one `REST` in it; None: by name."""
    order = _read("TOOL_ORDER", None)
    if order is None:
        return None
    if fault := tool_order_fault(order):
        raise _bad("TOOL_ORDER", fault)
    return tuple(order)


def sets_nothing_for_calls() -> bool:
    """Return whether levels and the order of tools are what they are without settings."""
    held = _held()
    one, two, three, four = _ABOUT_CALLS
    return not (
        hasattr(held, one)
        or hasattr(held, two)
        or hasattr(held, three)
        or hasattr(held, four)
    )


def level() -> Level | None:
    """Return the level of the installation; None if it sets none."""
    value = _read("LEVEL", None)
    return None if value is None else _level("LEVEL", value)


def user_level() -> Callable[[Any, str], object] | None:
    """Return ``(user, model) -> level or None``; None if nothing is set."""
    return _callable("USER_LEVEL")


def model_levels() -> tuple[tuple[str, Level], ...]:
    """Return pairs of model pattern (as `fnmatch` reads it) and level, in order."""
    value = _read("MODEL_LEVELS", {})
    pairs = value.items() if isinstance(value, Mapping) else value
    try:
        found = [(pattern, named) for pattern, named in pairs]
    except (TypeError, ValueError):
        raise _bad("MODEL_LEVELS", "It maps model patterns to levels.") from None
    for pattern, _ in found:
        if not isinstance(pattern, str):
            raise _bad("MODEL_LEVELS", f"{pattern!r} is no model pattern.")
    return tuple((pattern, _level("MODEL_LEVELS", named)) for pattern, named in found)


def max_fragment_chars() -> int:
    """Return how many characters one text may have."""
    return _count("MAX_FRAGMENT_CHARS", MAX_FRAGMENT_CHARS)


def max_stored_chars() -> int:
    """Return how many characters the texts of one scope may have together."""
    return _count("MAX_STORED_CHARS", MAX_STORED_CHARS)


def ignore_overrides() -> bool:
    """Return whether stored texts are left aside and the defaults are in force."""
    value = _read("IGNORE_OVERRIDES", default=False)
    if not isinstance(value, bool):
        raise _bad("IGNORE_OVERRIDES", "It is True or False.")
    return value


def token_counter() -> Callable[[str], int] | None:
    """Return ``(text) -> tokens``; None if nothing is set."""
    return _callable("TOKEN_COUNTER")


READERS: tuple[Callable[[], object], ...] = (
    tool_order,
    level,
    user_level,
    model_levels,
    max_fragment_chars,
    max_stored_chars,
    ignore_overrides,
    token_counter,
)
"""Every setting's function, for the check that reads them all."""


def _read(name: str, default: object) -> Any:
    return getattr(_held(), PREFIX + name, default)


def _held() -> object:
    """Return what holds the settings: asking the lazy object for one unset is slow."""
    held = object.__getattribute__(settings, "_wrapped")
    return settings if held is empty else held


def _bad(name: str, fault: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{PREFIX}{name}: {fault}")


def _level(name: str, value: object) -> Level:
    if not isinstance(value, str) or value not in tuple(Level):
        allowed = ", ".join(Level)
        raise _bad(name, f"{value!r} is no level; there are {allowed}.")
    return Level(value)


def _count(name: str, default: int) -> int:
    value = _read(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise _bad(name, f"{value!r} is no positive whole number.")
    return value


def _callable(name: str) -> Callable[..., Any] | None:
    value = _read(name, None)
    if value is None:
        return None
    if isinstance(value, str):
        try:
            value = import_string(value)
        except ImportError as error:
            raise _bad(name, f"{error}.") from error
    if not callable(value):
        raise _bad(name, f"{value!r} is neither callable nor a path to a callable.")
    found: Callable[..., Any] = value
    return found
