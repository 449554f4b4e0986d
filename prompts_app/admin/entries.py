"""The admin's own log beside the history: which texts somebody changed."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.http import HttpRequest

from prompts_app.models import Revision
from prompts_app.overrides.rows import writing_alias


def log_save(request: HttpRequest, number: int | None) -> None:
    """
    Note the save *number* among the recent actions of its author; None: there is none.

    The entry names scopes and keys and quotes no text.
    """
    if number is None:
        return
    revision = Revision.objects.using(writing_alias()).get(number=number)
    addresses = sorted(revision.changes.values_list("scope", "key"))
    message = [
        {
            "changed": {
                "name": "fragment",
                "object": f"{scope} {key}".strip(),
                "fields": ["text"],
            }
        }
        for scope, key in addresses
    ]
    author: Any = request.user
    LogEntry.objects.log_actions(
        author.pk, [revision], CHANGE, message, single_object=True
    )
