"""A second database beside the usual one, with tables for what a test keeps there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import connections

from prompts_app.models import Change, Override, Revision, StoredState

STORE = (User, StoredState, Override, Revision, Change)


@contextmanager
def second_database(blocker: Any, folder: Path, *models: Any) -> Iterator[str]:
    """Give the alias of a second database with empty tables for texts and *models*."""
    alias = "second"
    file = folder / "second.sqlite3"
    configured = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file)}
    connections.settings |= connections.configure_settings(
        {alias: configured, "default": connections.settings["default"]}
    )
    with blocker.unblock(), connections[alias].schema_editor() as editor:
        for model in (*STORE, *models):
            editor.create_model(model)
    yield alias
    connections[alias].close()
    del connections[alias]
    del connections.settings[alias]
