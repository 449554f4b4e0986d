"""A throw-away catalogue in three releases, as a package and its upgrades bring it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from prompts_app.declarations import Fragment
from prompts_app.registry import registry
from tests.assembling import CORE, fragment

FIRST = (
    fragment("core.same", "Same", order=1),
    fragment("core.moved", "Moved one", order=2),
    fragment("core.silent", "Silent one", order=3),
    fragment("core.old", "Renamed", order=4),
    fragment("core.gone", "Gone", order=5),
    fragment("core.back", "Back one", order=6),
)
SECOND = (
    fragment("core.same", "Same", order=1),
    fragment("core.moved", "Moved two", order=2),
    fragment("core.silent", "Silent two", order=3),
    fragment("core.new", "Renamed", order=4, former_keys=("core.old",)),
    fragment("core.plain", "Plain two", order=7),
)
THIRD = (*SECOND, fragment("core.back", "Back three", order=6))
RELEASES: dict[int, tuple[Fragment, ...]] = {1: FIRST, 2: SECOND, 3: THIRD}


def declare(number: int) -> None:
    """Put one release in place of all that is declared."""
    registry._registry = {}
    registry.register(CORE, *RELEASES[number])


class _Lines(logging.Handler):
    """Keeps what is logged, level first."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one record."""
        self.lines.append(f"{record.levelname} {record.getMessage()}")


@contextmanager
def records() -> Iterator[list[str]]:
    """Give the list that grows by what the app logs."""
    handler, logger = _Lines(), logging.getLogger("prompts_app")
    logger.addHandler(handler)
    try:
        yield handler.lines
    finally:
        logger.removeHandler(handler)
