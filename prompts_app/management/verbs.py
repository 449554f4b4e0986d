"""What a verb of the command is, where it writes, and the options that verbs share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from prompts_app import conf, validation as valid
from prompts_app.assembly import Assembly, Snapshot
from prompts_app.declarations import Level
from prompts_app.preview import CANNOT_BE_ASSEMBLED, Situation, situation_of

Options = Mapping[str, Any]

_SCOPE_HELP = "A scope; give it again for each nearer one."
_OF_DJANGO: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (("-v", "--verbosity"), {"type": int, "choices": [0, 1, 2, 3]}),
    (("--settings",), {}),
    (("--pythonpath",), {}),
    (("--traceback",), {"action": "store_true"}),
    (("--no-color",), {"action": "store_true"}),
    (("--force-color",), {"action": "store_true"}),
    (("--skip-checks",), {"action": "store_true"}),
)


class Terminal:
    """Where a verb writes: its result, and what is said beside it."""

    def __init__(self, command: BaseCommand, *, colored: bool) -> None:
        self._command = command
        self._colored = colored

    def show(self, lines: Iterable[str]) -> None:
        """Write the result, which can be sent on."""
        for line in lines:
            self._command.stdout.write(line)

    def say(self, lines: Iterable[str]) -> None:
        """Write beside the result, and not in the colour of errors."""
        for line in lines:
            self._command.stderr.write(line, style_func=str)

    def painted(self, kind: str, text: str) -> str:
        """Return *text* in the colour of ``SUCCESS``, ``WARNING`` or ``ERROR``."""
        style: Callable[[str], str] = getattr(self._command.style, kind)
        return style(text) if self._colored else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One thing that the command does."""

    help: str
    """A line for the list of verbs."""
    run: Callable[[Terminal, Options], None]
    """Does it; what was asked wrongly is a `CommandError`."""
    add_arguments: Callable[[CommandParser], None] = lambda parser: None
    description: str = ""
    """More of it, for its own help."""


def add_verbs(parser: CommandParser, verbs: Mapping[str, Verb]) -> None:
    """Declare a parser for each verb, which takes Django's own options as well."""
    parsers = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for name, verb in verbs.items():
        declared = parsers.add_parser(
            name, help=verb.help, description=verb.description or verb.help
        )
        verb.add_arguments(declared)
        for flags, how in _OF_DJANGO:
            # Django declares them before the verb, where few look for them.
            declared.add_argument(
                *flags, default=argparse.SUPPRESS, help=argparse.SUPPRESS, **how
            )


def add_scope(parser: CommandParser) -> None:
    """Declare ``--scope``."""
    parser.add_argument("--scope", action="append", default=[], help=_SCOPE_HELP)


def add_situation(parser: CommandParser) -> None:
    """Declare what a prompt is assembled for: scenario, scope, level, values."""
    parser.add_argument("--scenario", help="A declared situation to take values from.")
    add_scope(parser)
    parser.add_argument("--level", choices=[level.value for level in Level])
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        type=_pair,
        metavar="NAME=VALUE",
        help="The value of a variable; it beats the scenario's. May be given again.",
    )


def add_tokens(parser: CommandParser) -> None:
    """Declare ``--tokens``."""
    parser.add_argument(
        "--tokens",
        action="store_true",
        help="Tell sizes in tokens, estimated where no counter is set.",
    )


def chain_of(scopes: Iterable[str], option: str = "--scope") -> tuple[str, ...]:
    """
    Return the chain of scopes that was given.

    Raises:
        CommandError: one of them is no scope, or stands there twice.
    """
    try:
        return valid.chain(scopes)
    except ValueError as error:
        raise CommandError(f"{option}: {error}.") from error


def asked_situation(
    options: Options, scenario: str | None = None, overrides: Snapshot | None = None
) -> Situation:
    """
    Return the scenario, the scopes and the values that were asked for.

    *scenario* stands in place of the one that was; *overrides* None are the stored
    texts.

    Raises:
        UnknownScenario: nobody declares it.
        CommandError: a scope is none.
    """
    return situation_of(
        options["scenario"] if scenario is None else scenario,
        scope=chain_of(options["scope"]),
        overrides=overrides,
        values=dict(options["set"]),
    )


def assembled(situation: Situation, options: Options, **changes: Any) -> Assembly:
    """
    Return the prompt of *situation*, at the level that was given if one was.

    Raises:
        CommandError: it cannot be assembled; the scenario and the cause are named.
    """
    if options["level"] is not None:
        changes.setdefault("level", Level(options["level"]))
    try:
        return situation.assemble(**changes)
    except CANNOT_BE_ASSEMBLED as error:
        where = f"{situation.scenario.key}: " if situation.scenario else ""
        raise CommandError(f"{where}{cause_of(error)}") from error


def cause_of(error: BaseException) -> str:
    """Return what *error* says, and what the error behind it says."""
    return f"{error}: {error.__cause__}" if error.__cause__ else str(error)


def warnings(*, degraded: bool = False) -> Iterable[str]:
    """Yield what makes the texts other than the newest saved ones."""
    if conf.ignore_overrides():
        yield _("Saved texts are ignored (PROMPTS_APP_IGNORE_OVERRIDES).")
    if degraded:
        yield _("The database did not answer. These are the last known texts.")


def _pair(given: str) -> tuple[str, str]:
    """Return name and value of *given*, ``NAME=VALUE``."""
    name, equals, value = given.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{given!r} is not NAME=VALUE")
    if not valid.WORD.fullmatch(name) or name == "lb":
        raise argparse.ArgumentTypeError(
            f"{name!r} is no variable that can be given a value"
        )
    try:
        value.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError(
            f"the value of {name} is no valid text"
        ) from None
    return name, value
