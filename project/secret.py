"""What the demo site makes up for itself, kept in files that no repository holds."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from django.core.management.utils import get_random_secret_key


def secret_key(folder: Path) -> str:
    """Return the key kept in *folder*, making both at the first call."""
    return kept_text(folder, "secret_key", get_random_secret_key)


def kept_text(folder: Path, name: str, make: Callable[[], str]) -> str:
    """Return what the file *name* in *folder* holds; *make* fills a missing one."""
    kept = folder / name
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        # Moved into place whole, so that no other process reads half of it.
        fresh = folder / f"{name}.{os.getpid()}"
        fresh.touch(mode=0o600)
        fresh.write_text(make(), encoding="utf-8")
        fresh.replace(kept)
    return kept.read_text(encoding="utf-8")
