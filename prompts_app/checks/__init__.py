"""
Faults between declarations, and unusable settings, as Django's system checks.

They look at what is registered, never at stored texts. Only `check --database`,
or a command that names databases, has them run the registered sources; that part
has Django's own tag for checks that query.
Each id has a heading in ``docs/checks.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage

from prompts_app.checks.declared import check_declarations
from prompts_app.checks.installation import check_settings, check_sources, check_store

__all__ = ["check_all", "check_installed", "check_rows"]


def check_all(
    app_configs: Any = None, databases: Sequence[str] | None = None, **_options: Any
) -> list[CheckMessage]:
    """
    Return every fault of the installation, whatever *app_configs* names.

    A fault between the declarations of two apps belongs to neither, so they are
    not told apart. Sources are run only with *databases*, since they may query.
    """
    return [*check_installed(), *check_rows(databases=databases)]


def check_installed(*_arguments: Any, **_options: Any) -> list[CheckMessage]:
    """Return the faults that can be seen without a query."""
    return [*check_settings(), *check_store(), *check_declarations()]


def check_rows(
    app_configs: Any = None, databases: Sequence[str] | None = None, **_options: Any
) -> list[CheckMessage]:
    """Return the faults of what sources declare, if *databases* are named."""
    return list(check_sources()) if databases else []
