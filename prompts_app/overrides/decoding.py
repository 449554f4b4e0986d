"""Reading what is not in UTF-8, as SQLite holds it once somebody has written it there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from django.db import connections

from prompts_app.models import as_text


def lenient(alias: str) -> AbstractContextManager[None]:
    """
    Read what is no UTF-8 as U+FFFD, where SQLite's driver would refuse the row.

    One such row would else take all texts of the installation with it, and could
    not even be replaced. Other databases take in no such text.
    """
    connection = connections[alias]
    return _decoding(connection) if connection.vendor == "sqlite" else nullcontext()


@contextmanager
def _decoding(connection: Any) -> Iterator[None]:
    connection.ensure_connection()
    driver = connection.connection
    before, driver.text_factory = driver.text_factory, as_text
    try:
        yield
    finally:
        driver.text_factory = before
