"""``prompts export`` and ``prompts import``: stored texts as one file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import ngettext

from prompts_app import services
from prompts_app.management.files import write_whole
from prompts_app.management.verbs import Options, Terminal, Verb
from prompts_app.management.writing import (
    add_confirm,
    add_writing,
    refusing,
    write,
)
from prompts_app.overrides.exchange import MOST_BYTES, parse, written


def add_export_arguments(parser: CommandParser) -> None:
    """Declare the options of ``export``."""
    parser.add_argument(
        "--scope", help="Only the texts of this scope; '' is the whole installation."
    )
    parser.add_argument("--output", metavar="FILE", help="Write to a file instead.")


def export(terminal: Terminal, options: Options) -> None:
    """Write every stored text, in an order that two exports share."""
    with refusing():
        document = services.export_texts(scope=options["scope"])
    if options["output"] is not None:
        write_whole(options["output"], written(document))
    else:
        terminal.show([written(document)])
    count = len(document["texts"])
    words = ngettext("%(count)s text exported.", "%(count)s texts exported.", count)
    terminal.say([words % {"count": count}])


def add_import_arguments(parser: CommandParser) -> None:
    """Declare the options of ``import``."""
    parser.add_argument("file", metavar="FILE", help="What export wrote.")
    add_writing(parser)
    add_confirm(parser)


def import_(terminal: Terminal, options: Options) -> None:
    """Store the texts of a file, all of them or none."""
    with refusing():
        document = parse(_read(options["file"]))
    call = partial(services.import_texts, document, confirm=options["confirm"])
    write(terminal, options, call)


EXPORT = Verb(
    help="All stored texts as one document.",
    add_arguments=add_export_arguments,
    run=export,
)
IMPORT = Verb(
    help="Store the texts of such a document, all or none.",
    add_arguments=add_import_arguments,
    run=import_,
)


def _read(name: str) -> bytes:
    """
    Return the bytes of a file that is not longer than any import.

    Raises:
        CommandError: it cannot be read, or is longer.
    """
    try:
        with Path(name).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise CommandError(f"{name} cannot be read: {why}.") from error
    if len(data) > MOST_BYTES:
        raise CommandError(
            f"{name} has more than {MOST_BYTES} bytes, which is all that is allowed."
        )
    return data
