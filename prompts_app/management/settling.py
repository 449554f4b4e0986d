"""``restore``, ``adopt``, ``prune`` and ``prune-history``: what became of old texts."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime, time
from functools import partial

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.timezone import is_naive, make_aware, make_naive
from django.utils.translation import gettext as _, ngettext

from prompts_app import services
from prompts_app.management.verbs import Options, Terminal, Verb
from prompts_app.management.writing import (
    add_confirm,
    add_one_scope,
    add_writing,
    refusing,
    write,
)


def add_restore_arguments(parser: CommandParser) -> None:
    """Declare the options of ``restore``."""
    parser.add_argument(
        "number", type=int, metavar="NUMBER", help="A revision; 0 is before the first."
    )
    parser.add_argument(
        "--key",
        action="append",
        dest="keys",
        type=_address,
        metavar="SCOPE:KEY",
        help="Only this text; ':KEY' is that of the whole installation. May be given"
        " again.",
    )
    add_writing(parser)
    add_confirm(parser)


def restore(terminal: Terminal, options: Options) -> None:
    """Bring back what was stored right after a revision."""
    what = {"keys": options["keys"], "confirm": options["confirm"]}
    write(terminal, options, partial(services.restore, options["number"], **what))


def add_adopt_arguments(parser: CommandParser) -> None:
    """Declare the options of ``adopt``."""
    parser.add_argument("old", metavar="OLD", help="The key that no fragment has now.")
    parser.add_argument("new", metavar="NEW", help="The key that gets its text.")
    add_one_scope(parser)
    add_writing(parser)
    add_confirm(parser)


def adopt(terminal: Terminal, options: Options) -> None:
    """Give an orphaned text to another fragment."""
    what = {"scope": options["scope"], "confirm": options["confirm"]}
    keys = options["old"], options["new"]
    write(terminal, options, partial(services.adopt, *keys, **what))


def add_prune_arguments(parser: CommandParser) -> None:
    """Declare the options of ``prune``."""
    parser.add_argument("keys", nargs="+", metavar="KEY", help="Orphaned texts.")
    add_one_scope(parser)
    add_writing(parser)


def prune(terminal: Terminal, options: Options) -> None:
    """Take orphaned texts away; the history keeps them."""
    keys, scope = options["keys"], options["scope"]
    write(terminal, options, partial(services.prune, keys, scope=scope))


def add_prune_history_arguments(parser: CommandParser) -> None:
    """Declare the options of ``prune-history``."""
    parser.add_argument(
        "--keep", type=int, metavar="N", help="The newest N revisions stay."
    )
    parser.add_argument(
        "--before", type=_moment, metavar="DATE", help="Only what is older goes."
    )
    parser.add_argument(
        "--yes", action="store_true", help="Do it; without this, only count."
    )


def prune_history(terminal: Terminal, options: Options) -> None:
    """Forget old revisions, or say how many that would be."""
    if options["keep"] is None and options["before"] is None:
        raise CommandError("--keep or --before has to say what may be forgotten.")
    with refusing():
        pruned = services.prune_history(
            keep=options["keep"], before=options["before"], dry_run=not options["yes"]
        )
    revisions = ngettext(
        "%(count)s revision", "%(count)s revisions", pruned.revisions
    ) % {"count": pruned.revisions}
    changes = ngettext("%(count)s change", "%(count)s changes", pruned.changes) % {
        "count": pruned.changes
    }
    said = {"revisions": revisions, "changes": changes, "kept": pruned.kept}
    if options["yes"]:
        words = _("%(revisions)s with %(changes)s forgotten; %(kept)s kept.")
    else:
        words = _(
            "%(revisions)s with %(changes)s would be forgotten, %(kept)s kept. Give"
            " --yes to do it."
        )
    terminal.say([words % said])


RESTORE = Verb(
    help="Bring back the texts as a revision left them.",
    add_arguments=add_restore_arguments,
    run=restore,
)
ADOPT = Verb(
    help="Give a text whose fragment is gone to another one.",
    add_arguments=add_adopt_arguments,
    run=adopt,
)
PRUNE = Verb(
    help="Take texts away whose fragments are gone.",
    add_arguments=add_prune_arguments,
    run=prune,
)
PRUNE_HISTORY = Verb(
    help="Forget old revisions that nothing needs.",
    add_arguments=add_prune_history_arguments,
    run=prune_history,
)


def _address(given: str) -> tuple[str, str]:
    scope, colon, key = given.rpartition(":")
    if not (colon and key):
        raise argparse.ArgumentTypeError(f"{given!r} is not SCOPE:KEY")
    return scope, key


def _moment(given: str) -> datetime:
    """Return the moment that *given* names, aware or naive as the database has it."""
    try:
        day = parse_date(given)
        # A day begins at midnight.
        moment = datetime.combine(day, time()) if day else parse_datetime(given)
        return _as_stored(moment)
    except (ValueError, OverflowError):
        message = f"{given!r} is no date: YYYY-MM-DD"
        raise argparse.ArgumentTypeError(message) from None


def _as_stored(moment: datetime | None) -> datetime:
    """
    Return *moment* in UTC or, without time zones, in local time.

    Raises:
        ValueError: there is none.
        OverflowError: there is no such moment at the edges of the calendar.
    """
    if moment is None:
        raise ValueError
    if not settings.USE_TZ:
        return moment if is_naive(moment) else make_naive(moment)
    return (make_aware(moment) if is_naive(moment) else moment).astimezone(UTC)
