"""What the verbs that change stored texts have in common."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from django.utils.translation import gettext as _, ngettext

from prompts_app.exceptions import SaveRefused
from prompts_app.management.columns import columns
from prompts_app.management.verbs import Options, Terminal, warnings
from prompts_app.overrides.history import outcomes
from prompts_app.overrides.rows import writing_alias
from prompts_app.services import Saved
from prompts_app.wording import place


def add_writing(parser: CommandParser) -> None:
    """Declare for whom and why a verb writes, and ``--dry-run``."""
    parser.add_argument(
        "--user",
        metavar="NAME",
        help="Whose rights are asked for, and whom the history names; none: code.",
    )
    parser.add_argument(
        "--comment", default="", metavar="TEXT", help="Why; kept in the history."
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="Say what would be done, and do nothing."
    )


def add_confirm(parser: CommandParser) -> None:
    """Declare ``--confirm``."""
    parser.add_argument(
        "--confirm",
        action="append",
        default=[],
        type=_pair,
        metavar="KEY=NAME",
        help="A variable that the text may drop although it should mention it, or"
        " 'default' for a default that was looked at. May be given again.",
    )


def add_one_scope(parser: CommandParser) -> None:
    """Declare ``--scope`` for a verb that writes in one of them."""
    parser.add_argument(
        "--scope", default="", help="The scope; by itself, the whole installation."
    )


def _author_of(options: Options) -> Any:
    """Return the account that ``--user`` names; None without it."""
    name = options["user"]
    if name is None:
        return None
    accounts = get_user_model()
    try:
        author = accounts._default_manager.get_by_natural_key(name)
    except accounts.DoesNotExist:
        raise CommandError(f"--user: there is no account {name!r}.") from None
    if not author.is_active:
        raise CommandError(f"--user: the account {name!r} is not active.")
    return author


@contextmanager
def refusing() -> Iterator[None]:
    """
    Turn every refusal of a service into what the command says.

    Raises:
        CommandError: with each fault in a line of its own.
    """
    try:
        yield
    except SaveRefused as error:
        lines = (
            f"{place(fault.scope)}: {fault.message}" if fault.scope else fault.message
            for fault in error.faults
        )
        raise CommandError("\n".join(lines)) from error
    except (PermissionDenied, ValueError) as error:
        # Django's own messages end in a full stop, those of the services do not.
        raise CommandError(f"{str(error).removesuffix('.')}.") from error


def write(terminal: Terminal, options: Options, call: Callable[..., Saved]) -> None:
    """
    Carry out *call*, or only try it with ``--dry-run``; write what changes.

    *call* is a service that lacks only ``author`` and ``comment``, which it is given.

    Raises:
        CommandError: it is refused; or ``--user`` is no account that may sign in.
    """
    author = _author_of(options)
    using = writing_alias()
    with refusing(), transaction.atomic(using=using):
        saved = call(author=author, comment=options["comment"])
        # The lock is held until the end, so nothing of another writer is told.
        changed = () if saved.revision is None else outcomes(saved.revision)
        if options["dry_run"]:
            transaction.set_rollback(True, using=using)
    if changed:
        terminal.show(
            columns(
                [(key, place(scope), _what(after)) for scope, key, after in changed]
            )
        )
    terminal.say([_summary(saved, len(changed), dry_run=options["dry_run"])])
    terminal.say(warnings())


def _what(after: str | None) -> str:
    if after is None:
        return _("removed")
    return _("stored") if after.strip() else _("switched off")


def _summary(saved: Saved, count: int, *, dry_run: bool) -> str:
    if saved.revision is None:
        return _("Nothing changes; nothing was written.")
    if dry_run:
        return ngettext(
            "%(count)s text would change; nothing was written.",
            "%(count)s texts would change; nothing was written.",
            count,
        ) % {"count": count}
    return ngettext(
        "%(count)s text changed, as revision %(number)s.",
        "%(count)s texts changed, as revision %(number)s.",
        count,
    ) % {"count": count, "number": saved.revision}


def _pair(given: str) -> tuple[str, str]:
    key, equals, name = given.partition("=")
    if not (key and equals and name):
        raise argparse.ArgumentTypeError(f"{given!r} is not KEY=NAME")
    return key, name
