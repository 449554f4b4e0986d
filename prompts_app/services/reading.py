"""Reading: what is stored now, what was, and where it is read from."""

from __future__ import annotations

from typing import Any

from prompts_app import validation as valid
from prompts_app.assembly import Snapshot
from prompts_app.overrides import exchange, history, snapshots, sources
from prompts_app.overrides.identity import declared_default, etag_of, stored_under
from prompts_app.registry import registry


def stored(*, using: str | None = None) -> Snapshot:
    """
    Return the stored texts as they are now, immutable.

    *using* is a database alias; None is the one that overrides are read from.

    Raises:
        DatabaseError: they could not be read and no earlier ones stand in.
    """
    return snapshots.current(using)


def etag(scope: str, key: str, *, overrides: Snapshot | None = None) -> str:
    """
    Return the state of one fragment in *scope*, as 16 hex digits.

    It changes with the stored text and with the declared default. Without
    *overrides* the text is the one in the database that saves go to.
    """
    snapshot = snapshots.stored_in() if overrides is None else overrides
    view = registry.view(valid.chain(scope), snapshot.declarations)
    found = stored_under(view, snapshot.texts, scope, key)
    return etag_of(found[1] if found else None, declared_default(view, key))


def reading_from() -> str:
    """
    Return the alias of the database that a registered source should read now.

    Texts and sources then belong to one state, a replica's or the primary's.
    Elsewhere it is the database that overrides are read from.
    """
    return sources.reading_from()


def as_of(number: int) -> Snapshot:
    """
    Return the texts right after revision *number*; 0 is before the first.

    Raises:
        ValueError: there is no such revision.
    """
    return history.as_of(number)


def export_texts(*, scope: str | None = None) -> dict[str, Any]:
    """
    Return every stored text as a document that `import_texts()` reads; None: all scopes.

    ``format`` is its version, ``texts`` a list of ``scope``, ``key``, ``text`` and
    ``default_text``, ordered by scope and key. Texts whose fragment is gone are in it.

    Raises:
        ValueError: *scope* is none.
    """
    return exchange.export_texts(scope=scope)
