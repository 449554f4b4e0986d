"""The command ``prompts``: what an operator looks up or checks from a terminal."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from prompts_app import conf, services, validation as valid
from prompts_app.declarations import Level
from prompts_app.exceptions import PromptsError
from prompts_app.management.catalogue import Catalogue
from prompts_app.management.listing import list_lines
from prompts_app.management.rendering import (
    Rendered,
    as_json,
    render,
    statistics,
    trace_lines,
)
from prompts_app.management.showing import show_lines

SCOPE_HELP = "A scope; give it again for each nearer one."


class Command(BaseCommand):
    """Looks, and never saves; of its verbs only ``reload`` writes."""

    help = "List, show and render prompt fragments, or make every process reload."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare a parser for each verb."""
        verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
        listing = verbs.add_parser("list", help="Every fragment with its state.")
        showing = verbs.add_parser("show", help="All there is to know of a fragment.")
        showing.add_argument("key", metavar="KEY")
        rendering = verbs.add_parser(
            "render",
            help="A prompt to standard output, its figures to standard error.",
            description="Without a scenario each variable is worth its own example.",
        )
        verbs.add_parser(
            "reload", help="Let every process read texts and sources anew."
        )
        for verb in (listing, showing, rendering):
            verb.add_argument("--scope", action="append", default=[], help=SCOPE_HELP)
        _add_rendering(rendering)

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        """Run the verb; whatever is wrong with what was asked is a `CommandError`."""
        try:
            if verb == "reload":
                self._reload()
            elif verb == "render":
                self._render(options)
            else:
                self._look_up(verb, options)
        except (PromptsError, ImproperlyConfigured) as error:
            cause = f": {error.__cause__}" if error.__cause__ else ""
            raise CommandError(f"{error}{cause}") from error

    def _look_up(self, verb: str, options: dict[str, Any]) -> None:
        catalogue = Catalogue(_chain(options["scope"]))
        if verb == "list":
            lines = list_lines(catalogue)
        else:
            lines = show_lines(catalogue, options["key"])
        for line in lines:
            self.stdout.write(line)
        self._say(_elsewhere(catalogue))

    def _render(self, options: dict[str, Any]) -> None:
        rendered = render(
            scenario=options["scenario"],
            chain=_chain(options["scope"]),
            level=options["level"],
            include=options["include"],
            values=dict(options["set"]),
        )
        if options["json"]:
            self.stdout.write(as_json(rendered))
            return
        if rendered.text:
            self.stdout.write(rendered.text)
        self._say(statistics(rendered))
        if options["trace"]:
            self._say(("", *trace_lines(rendered)))
        self._say(_remarks(rendered))

    def _reload(self) -> None:
        services.touch()
        self.stdout.write(
            _("Every process reads texts and sources anew when it next asks.")
        )

    def _say(self, lines: Iterable[str]) -> None:
        """Write beside the result, and not in the colour of errors."""
        for line in lines:
            self.stderr.write(line, style_func=str)


def _add_rendering(parser: CommandParser) -> None:
    parser.add_argument("--scenario", help="A declared situation to take values from.")
    parser.add_argument("--level", choices=[level.value for level in Level])
    parser.add_argument(
        "--include",
        action="append",
        default=[],
        metavar="NAME",
        help="A group or a key; may be given again.",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        type=_pair,
        metavar="NAME=VALUE",
        help="The value of a variable; it beats the scenario's. May be given again.",
    )
    parser.add_argument(
        "--trace", action="store_true", help="Say why each fragment is in or out."
    )
    parser.add_argument(
        "--json", action="store_true", help="Print everything for another program."
    )


def _pair(given: str) -> tuple[str, str]:
    """Return name and value of *given*, ``NAME=VALUE``."""
    name, equals, value = given.partition("=")
    if not equals:
        raise ArgumentTypeError(f"{given!r} is not NAME=VALUE")
    if not valid.WORD.fullmatch(name) or name == "lb":
        raise ArgumentTypeError(f"{name!r} is no variable that can be given a value")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ArgumentTypeError(f"the value of {name} is no valid text") from None
    return name, value


def _chain(scopes: list[str]) -> tuple[str, ...]:
    try:
        return valid.chain(scopes)
    except ValueError as error:
        raise CommandError(f"--scope: {error}.") from error


def _elsewhere(catalogue: Catalogue) -> Iterable[str]:
    if others := catalogue.other_scopes:
        names = {"names": ", ".join(others)}
        yield _("Texts are saved for scopes too: %(names)s.") % names
    yield from _warnings(degraded=False)


def _warnings(*, degraded: bool) -> Iterable[str]:
    if conf.ignore_overrides():
        yield _("Saved texts are ignored (PROMPTS_APP_IGNORE_OVERRIDES).")
    if degraded:
        yield _("The database did not answer. These are the last known texts.")


def _remarks(rendered: Rendered) -> Iterable[str]:
    if not rendered.text:
        yield _("Nothing would be sent.")
    if rendered.unused:
        names = {"names": ", ".join(rendered.unused)}
        yield _("Not asked for here: %(names)s.") % names
    yield from _warnings(degraded=rendered.assembly.degraded)
