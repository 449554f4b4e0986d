"""At which level a call is assembled: who is asked, and in which order."""

from __future__ import annotations

import logging
from fnmatch import fnmatchcase
from typing import Any

from prompts_app import conf
from prompts_app.declarations import Level
from prompts_app.exceptions import place_of
from prompts_app.transactions import is_fatal

logger = logging.getLogger("prompts_app")


def resolve(level: Level | str | None, user: Any, model: str) -> Level:
    """See `prompts_app.services.resolve_level()`."""
    if level is not None and (named := _level(level)) is not None:
        return named
    if (named := _level(_of_person(user, model))) is not None:
        return named
    if (named := conf.level()) is not None:
        return named
    for pattern, of_model in conf.model_levels():
        if model and fnmatchcase(model, pattern):
            return of_model
    return Level.DETAILED


def _of_person(user: Any, model: str) -> object:
    """Return what the installation says of a person; None as well if that failed."""
    of_user = conf.user_level()
    if of_user is None:
        return None
    try:
        return of_user(user, model)
    except Exception as error:
        # As with a provider: nobody goes on in a transaction that is broken.
        if is_fatal(error):
            raise
        logger.warning(
            "PROMPTS_APP_USER_LEVEL failed: %s at %s",
            type(error).__name__,
            place_of(error),
        )
        return None


def _level(value: object) -> Level | None:
    return Level(value) if isinstance(value, str) and value in tuple(Level) else None
