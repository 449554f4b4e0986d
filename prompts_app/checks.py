"""Faults between declarations, as system checks."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage


def check_all(app_configs: Any = None, **_options: Any) -> list[CheckMessage]:
    """Return nothing yet."""
    return []
