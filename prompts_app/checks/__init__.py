"""
Faults between declarations, and unusable settings, as Django's system checks.

They look at what is registered, never at stored texts. Only `check --database`,
or a command that names databases, has them run registered sources and ask tool
providers; that part has Django's own tag for checks that query.
Each id has a heading in ``docs/checks.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage

from prompts_app.checks.declared import check_declarations
from prompts_app.checks.installation import check_settings, check_sources, check_store
from prompts_app.checks.tools import check_offered_tools, check_scenario_tools

__all__ = ["check_all", "check_installed", "check_rows"]


def check_all(
    app_configs: Any = None, databases: Sequence[str] | None = None, **_options: Any
) -> list[CheckMessage]:
    """
    Return every fault of the installation, whatever *app_configs* names.

    A fault between the declarations of two apps belongs to neither, so they are
    not told apart. Sources and tool providers are run only with *databases*, since
    they may query.
    """
    return [*check_installed(), *check_rows(databases=databases)]


def check_installed(*_arguments: Any, **_options: Any) -> list[CheckMessage]:
    """Return the faults that can be seen without a query."""
    return [
        *check_settings(),
        *check_store(),
        *check_declarations(),
        *check_scenario_tools(),
    ]


def check_rows(
    app_configs: Any = None, databases: Sequence[str] | None = None, **_options: Any
) -> list[CheckMessage]:
    """
    Return the faults that only a query may show, if *databases* are named.

    They are those of what sources declare and tool providers offer.
    """
    return [*check_sources(), *check_offered_tools()] if databases else []
