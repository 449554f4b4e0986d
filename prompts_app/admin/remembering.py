"""What the editor of a text says of its history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _, ngettext

from prompts_app.admin.desk import Desk
from prompts_app.admin.past import author_text, time_text
from prompts_app.admin.past_filters import GLOBAL
from prompts_app.assembly import override_keys
from prompts_app.overrides import rights
from prompts_app.overrides.history import Saves, saves_of
from prompts_app.wording import number


@dataclass(frozen=True, slots=True)
class TextPast:
    """How often one text was saved in the page's scope."""

    count: int
    summary: str
    """The number of saves, and when and by whom the last one was made."""
    scope: str
    """What the list of saves is narrowed to."""


def pasts_of(desk: Desk, keys: Sequence[str]) -> dict[str, TextPast]:
    """Return what history has of each of *keys*; none to who may not see it."""
    if not desk.user.has_perm(rights.HISTORY):
        return {}
    scope = desk.asked.scope
    names = {
        name: key
        for key in keys
        for name in override_keys(desk.view, desk.view.by_key[key].fragment)
    }
    found = saves_of(scope, names)
    return {key: _past(found.get(key), scope) for key in keys}


def _past(saves: Saves | None, scope: str) -> TextPast:
    narrowed = scope or GLOBAL
    if saves is None:
        return TextPast(0, _("never saved"), narrowed)
    said = {
        "number": number(saves.count),
        "date": time_text(saves.at, "DATE_FORMAT"),
        "name": author_text(saves.author, is_removed=saves.is_removed),
    }
    if not saves.author:
        summary = ngettext(
            "%(number)s save, last on %(date)s",
            "%(number)s saves, last on %(date)s",
            saves.count,
        )
    else:
        summary = ngettext(
            "%(number)s save, last on %(date)s by %(name)s",
            "%(number)s saves, last on %(date)s by %(name)s",
            saves.count,
        )
    return TextPast(saves.count, summary % said, narrowed)
