"""At which level a call is assembled: who is asked, and in which order."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

from prompts_app import conf
from prompts_app.declarations import Level


def resolve(level: Level | str | None, user: Any, model: str) -> Level:
    """See `prompts_app.services.resolve_level()`."""
    if level is not None and (named := _level(level)) is not None:
        return named
    if not conf.sets_level():
        return Level.DETAILED
    of_user = conf.user_level()
    if of_user is not None and (named := _level(of_user(user, model))) is not None:
        return named
    if (named := conf.level()) is not None:
        return named
    for pattern, of_model in conf.model_levels():
        if model and fnmatchcase(model, pattern):
            return of_model
    return Level.DETAILED


def _level(value: object) -> Level | None:
    return Level(value) if isinstance(value, str) and value in tuple(Level) else None
