"""What is wrong with rows, or with where they are kept, as Django's system checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import apps
from django.core.checks import CheckMessage, Error, Warning as Caution
from django.core.exceptions import ValidationError
from django.db import DatabaseError, router

from prompts_app.contrib.custom.models import CustomFragment


def check_all(
    app_configs: Any = None, databases: Sequence[str] | None = None, **_options: Any
) -> list[CheckMessage]:
    """Return every fault; rows are read only from *databases* that are named."""
    return [*check_place(), *check_rows(databases=databases)]


def check_place(*_arguments: Any, **_options: Any) -> list[CheckMessage]:
    """Return an error if a row and what announces it are kept apart."""
    messages: list[CheckMessage] = []
    overrides = apps.get_model("prompts_app", "Override")
    ways = {"read": router.db_for_read, "written": router.db_for_write}
    for way, database in ways.items():
        rows, texts = database(CustomFragment), database(overrides)
        if rows != texts:
            fault = Error(
                f"Custom fragments are {way} in database {rows}, overrides in {texts},"
                " so no transaction can change a row and announce it.",
                hint="Route prompts_app_custom to the database of prompts_app.",
                id="prompts_app_custom.E001",
            )
            messages.append(fault)
    return messages


def check_rows(
    app_configs: Any = None, databases: Sequence[str] | None = None, **_options: Any
) -> list[CheckMessage]:
    """Return a warning for each row in *databases* that no form would have taken."""
    return [
        message
        for alias in databases or ()
        if router.allow_migrate_model(alias, CustomFragment)
        for row in _rows(alias)
        for message in _told(row)
    ]


def _rows(alias: str) -> list[CustomFragment]:
    try:
        return list(CustomFragment.objects.using(alias).order_by("scope", "key"))
    except DatabaseError:
        # `migrate` runs the checks before the table exists.
        return []


def _told(row: CustomFragment) -> Iterator[CheckMessage]:
    try:
        row.full_clean(validate_unique=False, validate_constraints=False)
    except ValidationError as error:
        yield Caution(
            f"Custom fragment {str(row)!r} was written without being validated; at"
            f" fault: {', '.join(sorted(error.message_dict))}.",
            hint="Open it in the admin, where each fault stands beside its field.",
            id="prompts_app_custom.W001",
        )
