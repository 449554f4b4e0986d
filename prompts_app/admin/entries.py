"""After a save: the entry in the admin's own log, and the way back."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from prompts_app.models import Revision
from prompts_app.overrides import rights
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


def with_undo(said: str, request: HttpRequest, number: int | None, site: str) -> str:
    """
    Return what is said of the save *number*, with a link to the review that undoes it.

    There is none for no save, for those who may not see the history, and on a *site*
    that does not show it.
    """
    author: Any = request.user
    if number is None or not author.has_perm(rights.HISTORY):
        return said
    try:
        place = reverse("admin:prompts_app_revision_restore", current_app=site)
    except NoReverseMatch:
        return said
    return format_html('{} <a href="{}?undo={}">{}</a>', said, place, number, _("Undo"))
