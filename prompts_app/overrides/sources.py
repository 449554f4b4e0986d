"""What sources declare, and the database that they look at meanwhile."""

from __future__ import annotations

import logging
from contextvars import ContextVar

from django.db import DatabaseError, InterfaceError, router

from prompts_app import validation as valid
from prompts_app.declarations import Declaration
from prompts_app.exceptions import place_of
from prompts_app.models import Override
from prompts_app.registry import Record, registry

logger = logging.getLogger("prompts_app")

Declared = tuple[tuple[str, Declaration], ...]
"""Pairs of scope and declaration."""
_reading: ContextVar[str | None] = ContextVar("prompts_app_reading", default=None)
"""The database that sources are being run for."""
_last: dict[str | None, Declared] = {}
"""What was gathered last, by the database that it was gathered for."""


def gather(alias: str | None = None) -> Declared:
    """
    Return what the registered sources declare now.

    *alias* is the database they should look at; None is the one that overrides are
    read from. What equals the last of its kind is that very value, as views and plans
    hang on it.
    """
    reset = _reading.set(alias)
    try:
        found = tuple(
            pair for record in registry.records("source") for pair in _declared(record)
        )
    finally:
        _reading.reset(reset)
    known = _last.get(alias)
    if known == found:
        return known
    _last[alias] = found
    return found


def _declared(record: Record) -> tuple[tuple[str, Declaration], ...]:
    try:
        return tuple(_pair(given) for given in record.value())
    except (DatabaseError, InterfaceError):
        # The last known texts stand in, or the database's own words name the table.
        raise
    except Exception as error:
        logger.error(  # noqa: TRY400  # its own words may quote a row, so not those
            "The source registered at %s failed: %s at %s",
            record.place,
            type(error).__name__,
            place_of(error),
        )
        raise


def _pair(given: object) -> tuple[str, Declaration]:
    match given:
        case (str(scope), declared) if valid.is_scope(scope):
            if isinstance(declared, Declaration):
                return scope, declared
    raise TypeError("a source gives pairs of scope and declaration")


def reading_from() -> str:
    """Return the alias of the database that is read, or would be read now."""
    return _reading.get() or router.db_for_read(Override)
