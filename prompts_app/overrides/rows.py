"""The stored rows as the page and the command need them: with what they stood over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth import get_user_model
from django.db import router

from prompts_app.models import Override
from prompts_app.overrides.decoding import lenient


@dataclass(frozen=True, slots=True)
class Row:
    """One stored override."""

    key: str
    """As stored, which may be a former key."""
    text: str = field(repr=False)
    default_text: str = field(repr=False)
    """The declared default that it was written over."""
    updated_at: datetime
    author: str
    """Name of the account that saved it last; ``""`` if there is none."""


def writing_alias() -> str:
    """Return the alias of the database that saves go to, and pages read from."""
    return router.db_for_write(Override)


def rows_of(scope: str) -> dict[str, Row]:
    """Return the overrides of one *scope* by their stored key; one statement."""
    return rows_in([scope]).get(scope, {})


def rows_in(scopes: Iterable[str] | None = None) -> dict[str, dict[str, Row]]:
    """
    Return the overrides of *scopes* by scope and stored key; one statement.

    None are all scopes, also those that no save would take. One without overrides is
    not in it. Scopes and keys are in the order of code points.
    """
    rows = Override.objects.using(writing_alias())
    if scopes is not None:
        rows = rows.filter(scope__in=scopes)
    username = f"updated_by__{get_user_model().USERNAME_FIELD}"
    values = rows.values_list(
        "scope", "key", "text", "default_text", "updated_at", username
    )
    found: dict[str, dict[str, Row]] = {}
    with lenient(rows.db):
        # By code point, whatever order the database has for texts.
        for scope, key, text, default_text, updated_at, author in sorted(values):
            row = Row(key, text, default_text, updated_at, author or "")
            found.setdefault(scope, {})[key] = row
    return found


def scopes_in_use() -> tuple[str, ...]:
    """Return the scopes that have rows, the global one aside, by code point."""
    rows = Override.objects.using(writing_alias()).exclude(scope="")
    with lenient(rows.db):
        return tuple(sorted(rows.values_list("scope", flat=True).distinct()))
