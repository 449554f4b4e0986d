"""The demo site's secret key, kept in a file that no repository holds."""

from __future__ import annotations

import os
from pathlib import Path

from django.core.management.utils import get_random_secret_key


def secret_key(folder: Path) -> str:
    """Return the key kept in *folder*, making both at the first call."""
    kept = folder / "secret_key"
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        # Moved into place whole, so that no other process reads half of it.
        fresh = folder / f"secret_key.{os.getpid()}"
        fresh.touch(mode=0o600)
        fresh.write_text(get_random_secret_key(), encoding="utf-8")
        fresh.replace(kept)
    return kept.read_text(encoding="utf-8")
