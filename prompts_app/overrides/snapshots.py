"""
The stored texts at one moment: one statement when nothing changed, two when it did.

What is kept is kept per process and database under the store's version, a random
string that every write renews in its own transaction. A version that was read
belongs to what the reading transaction may see, so neither a rolled-back save nor
half of one can be served to anybody else.
"""

from __future__ import annotations

import logging
import time
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import lru_cache

from django.db import InterfaceError, OperationalError, connections, router

from prompts_app import conf
from prompts_app.assembly import Snapshot
from prompts_app.models import Override, StoredState, as_text
from prompts_app.overrides.decoding import lenient
from prompts_app.overrides.sources import gather
from prompts_app.overrides.telling import tell_once
from prompts_app.registry import registry
from prompts_app.transactions import (
    has_renewed,
    is_being_written,
    is_in_transaction,
    is_read_committed,
)

logger = logging.getLogger("prompts_app")

pinned: ContextVar[Snapshot | None] = ContextVar("prompts_app_pinned", default=None)
"""A snapshot that stands for the stored one, as tests pin it."""

_VERSION = "SELECT {version} FROM {state} WHERE {id} = 1"
_SCALAR = """
SELECT COALESCE(
    (SELECT {version} FROM {state} WHERE {id} = 1),
    CASE WHEN EXISTS (SELECT 1 FROM {override}) THEN NULL ELSE '' END
) AS {version}
"""
_ROWS = """
SELECT v.{version}, o.{scope}, o.{key}, o.{text}, o.{default_text}
FROM ({scalar}) v LEFT JOIN {override} o ON 1 = 1
"""
_COLUMNS = ("id", "version", "scope", "key", "text", "default_text")
_PLAIN, _FULL, _WITH_ROWS = range(3)
_ATTEMPTS = 3
_SECONDS_BETWEEN_RECORDS = 60.0


_Texts = dict[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class Kept:
    """The last snapshot read from one database."""

    snapshot: Snapshot
    generation: int
    """The registry's, since a new source means other declarations."""


_kept: dict[str, Kept] = {}
_committed: dict[str, Snapshot] = {}
"""The last ones seen outside a transaction, so that none was rolled back since."""
_degraded: dict[str, tuple[Snapshot, Snapshot]] = {}
"""The same, and what was made of them to stand in for what does not answer."""
_empty: dict[str, Snapshot] = {}
"""The last ones without texts, where an operator has them left aside."""
_last_record: dict[str, float] = {}


def current(using: str | None = None) -> Snapshot:
    """
    Return the stored texts as the next assembly has to see them.

    *using* is a database alias; None is the one that overrides are read from.

    Raises:
        DatabaseError: the database failed and no earlier snapshot may stand in.
    """
    standing_in = pinned.get()
    if standing_in is not None:
        return standing_in
    alias = using or router.db_for_read(Override)
    if conf.ignore_overrides():
        return _without_texts(alias)
    try:
        return stored_in(alias)
    except (OperationalError, InterfaceError) as error:
        committed = _committed.get(alias)
        connection = connections[alias]
        if committed is None or is_in_transaction(connection):
            raise
        connection.close_if_unusable_or_obsolete()
        _record(alias, error)
        return _standing_in(alias, committed)


def _without_texts(alias: str) -> Snapshot:
    """Return what is declared now, the same value as long as that is the same."""
    declarations = gather(alias)
    empty = _empty.get(alias)
    if empty is None or empty.declarations is not declarations:
        empty = _empty[alias] = Snapshot(declarations=declarations)
    return empty


def _standing_in(alias: str, committed: Snapshot) -> Snapshot:
    """Return the last known texts, the same value each time, as plans hang on it."""
    of, degraded = _degraded.get(alias, (None, committed))
    if of is not committed:
        degraded = replace(committed, degraded=True)
        _degraded[alias] = committed, degraded
    return degraded


def stored_in(alias: str | None = None) -> Snapshot:
    """
    Return what one database holds, whatever is pinned or ignored.

    *alias* None is the database that saves go to.

    Raises:
        DatabaseError: the database failed.
    """
    alias = alias or router.db_for_write(Override)
    kept = _kept.get(alias)
    if kept is None:
        return _read(alias, registry.generation)
    snapshot, generation = kept.snapshot, registry.generation
    # Where there was a state, its absence is news enough; the full statement costs more.
    statement = _statements(alias)[_PLAIN if snapshot.version else _FULL]
    connection = connections[alias]
    with connection.cursor() as cursor:
        cursor.execute(statement)
        row = cursor.fetchone()
    if row is None or row[0] != snapshot.version or kept.generation != generation:
        return _read(alias, generation)
    if _committed.get(alias) is not snapshot and connection.get_autocommit():
        _committed[alias] = snapshot
    return snapshot


def forget() -> None:
    """Drop every kept snapshot, so that the next assembly reads anew."""
    _kept.clear()
    _committed.clear()
    _degraded.clear()
    _empty.clear()


def _read(alias: str, generation: int) -> Snapshot:
    has_sources = bool(registry.records("source"))
    for _attempt in range(_ATTEMPTS):
        version, texts, defaults = _rows(alias)
        declarations = gather(alias)
        settled = not has_sources or _scalar(alias) == version
        if settled:
            break
    unfinished = is_being_written(alias) or _is_perhaps_mixed(alias)
    if not settled or unfinished:
        version = None
    # Without a version nobody takes it for the state of the store, and keeps it.
    texts, weight = _with_known(alias, texts)
    snapshot = Snapshot(texts, declarations, version or "", weight=weight)
    tell_once(snapshot, defaults)
    if version is not None:
        _kept[alias] = Kept(snapshot, generation)
        if connections[alias].get_autocommit():
            _committed[alias] = snapshot
    return snapshot


def _with_known(alias: str, texts: _Texts) -> tuple[_Texts, int]:
    """Return *texts*, those known before as the same values, and how long the others are."""
    kept = _kept.get(alias)
    known = kept.snapshot.texts if kept is not None else {}
    same = {a: known[a] for a, text in texts.items() if known.get(a) == text}
    new = sum(len(text) for address, text in texts.items() if address not in same)
    return texts | same, new


def _is_perhaps_mixed(alias: str) -> bool:
    """
    Return whether the rows may be older than the version they were read with.

    To a transaction above READ COMMITTED, MySQL and MariaDB show its own rows as they
    are now, the version among them, and all others as they were when it began.
    """
    connection = connections[alias]
    # Other databases refuse a write over what the transaction has not seen.
    return (
        connection.vendor == "mysql"
        and not is_read_committed(connection)
        and has_renewed(alias)
    )


def _scalar(alias: str) -> str | None:
    with connections[alias].cursor() as cursor:
        cursor.execute(_statements(alias)[_FULL])
        version: str | None = cursor.fetchone()[0]
    return version


def _rows(alias: str) -> tuple[str | None, _Texts, _Texts]:
    with lenient(alias), connections[alias].cursor() as cursor:
        cursor.execute(_statements(alias)[_WITH_ROWS])
        rows: list[tuple[str | None, str, str, str | bytes | None, str]] = (
            cursor.fetchall()
        )
    version = rows[0][0]
    found = [[_text(held) for held in row[1:]] for row in rows if row[3] is not None]
    texts = {(scope, key): text for scope, key, text, _ in found}
    defaults = {(scope, key): default for scope, key, _, default in found}
    return version, texts, defaults


def _text(held: str | bytes | None) -> str:
    return as_text(held) if isinstance(held, bytes) else held or ""


@lru_cache(maxsize=64)
def _statements(alias: str) -> tuple[str, str, str]:
    """
    Return the plain version, the full one, and what reads version and rows together.

    The full version is ``''`` where there is neither state nor row, and NULL where there
    are rows without a state: nobody can know then whether they changed.
    """
    quote = connections[alias].ops.quote_name
    names = {
        "state": quote(StoredState._meta.db_table),
        "override": quote(Override._meta.db_table),
        **{name: quote(name) for name in _COLUMNS},
    }
    scalar = _SCALAR.format_map(names)
    rows = _ROWS.format_map(names | {"scalar": scalar})
    return _VERSION.format_map(names), scalar, rows


def _record(alias: str, error: Exception) -> None:
    now = time.monotonic()
    if now - _last_record.get(alias, -_SECONDS_BETWEEN_RECORDS) >= (
        _SECONDS_BETWEEN_RECORDS
    ):
        _last_record[alias] = now
        logger.warning(
            "Database %s did not answer (%s); the last known texts are served",
            alias,
            type(error).__name__,
        )
