"""The command ``prompts``: what an operator looks up, checks or moves in a terminal."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, InterfaceError

from prompts_app.exceptions import PromptsError
from prompts_app.management import (
    checking,
    comparing,
    exchanging,
    explaining,
    listing,
    reloading,
    rendering,
    settling,
    showing,
)
from prompts_app.management.verbs import Terminal, Verb, add_verbs, cause_of

VERBS: dict[str, Verb] = {
    "list": listing.VERB,
    "show": showing.VERB,
    "explain": explaining.VERB,
    "render": rendering.VERB,
    "diff": comparing.VERB,
    "check": checking.VERB,
    "reload": reloading.VERB,
    "export": exchanging.EXPORT,
    "import": exchanging.IMPORT,
    "restore": settling.RESTORE,
    "adopt": settling.ADOPT,
    "prune": settling.PRUNE,
    "prune-history": settling.PRUNE_HISTORY,
}
"""Those before ``reload``, and ``export``, only look; the rest write."""


class Command(BaseCommand):
    """Looks by most of its verbs; those that write go through the services."""

    help = "List, show, explain, render, compare, check and move prompt fragments."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare a parser for each verb."""
        add_verbs(parser, VERBS)

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        """Run the verb; whatever is wrong with what was asked is a `CommandError`."""
        colored = self.stdout.isatty() or options["force_color"]
        try:
            VERBS[verb].run(Terminal(self, colored=colored), options)
        except (PromptsError, ImproperlyConfigured) as error:
            raise CommandError(cause_of(error)) from error
        except (DatabaseError, InterfaceError) as error:
            raise CommandError(f"The database did not answer: {error}") from error
