"""Where the repository lies, and Django as the measurements need it."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def start() -> None:
    """Set Django up with the package and the chat catalogue."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
    import django

    django.setup()
