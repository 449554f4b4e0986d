"""The command ``prompts``: what an operator looks up or checks from a terminal."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from prompts_app.exceptions import PromptsError
from prompts_app.management import (
    checking,
    comparing,
    explaining,
    listing,
    reloading,
    rendering,
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
}
"""Each in a module of its own; of these only ``reload`` writes."""


class Command(BaseCommand):
    """Looks, and never saves a text."""

    help = "List, show, explain, render, compare and check prompt fragments."

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
        except DatabaseError as error:
            raise CommandError(f"The database did not answer: {error}") from error
