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

from django.db import (
    DatabaseError,
    InterfaceError,
    OperationalError,
    connections,
    router,
)

from prompts_app import conf, validation as valid
from prompts_app.assembly import Snapshot
from prompts_app.declarations import Declaration
from prompts_app.exceptions import place_of
from prompts_app.models import Override, StoredState, as_text
from prompts_app.overrides.decoding import lenient
from prompts_app.overrides.telling import tell_once
from prompts_app.registry import Record, registry
from prompts_app.transactions import has_renewed, is_being_written, is_read_committed

logger = logging.getLogger("prompts_app")

pinned: ContextVar[Snapshot | None] = ContextVar("prompts_app_pinned", default=None)
"""A snapshot that stands for the stored one, as tests pin it."""
_reading: ContextVar[str | None] = ContextVar("prompts_app_reading", default=None)
"""The database that sources are being run for."""

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
        return Snapshot(declarations=gather(alias))
    try:
        return stored_in(alias)
    except (OperationalError, InterfaceError) as error:
        committed = _committed.get(alias)
        connection = connections[alias]
        if committed is None or connection.in_atomic_block:
            raise
        connection.close_if_unusable_or_obsolete()
        _record(alias, error)
        return _standing_in(alias, committed)


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


def gather(alias: str | None = None) -> tuple[tuple[str, Declaration], ...]:
    """
    Return what the registered sources declare now.

    *alias* is the database they should look at; None is the one that overrides are
    read from.
    """
    reset = _reading.set(alias)
    try:
        return tuple(
            pair for record in registry.records("source") for pair in _declared(record)
        )
    finally:
        _reading.reset(reset)


def _declared(record: Record) -> tuple[tuple[str, Declaration], ...]:
    try:
        return tuple(_pair(given) for given in record.value())
    except (DatabaseError, InterfaceError):
        # The last known texts stand in, or the database's own words name the table.
        raise
    except Exception as error:
        logger.error(  # noqa: TRY400  # its own words may quote a row, so not those
            "The source registered at %s failed: %s at %s",
            record.place,
            type(error).__name__,
            place_of(error),
        )
        raise


def _pair(given: object) -> tuple[str, Declaration]:
    match given:
        case (str(scope), declared) if valid.is_scope(scope):
            if isinstance(declared, Declaration):
                return scope, declared
    raise TypeError("a source gives pairs of scope and declaration")


def reading_from() -> str:
    """Return the alias of the database that is read, or would be read now."""
    return _reading.get() or router.db_for_read(Override)


def forget() -> None:
    """Drop every kept snapshot, so that the next assembly reads anew."""
    _kept.clear()
    _committed.clear()
    _degraded.clear()


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
    snapshot = Snapshot(texts, declarations, version or "")
    tell_once(snapshot, defaults)
    if version is not None:
        _kept[alias] = Kept(snapshot, generation)
        if connections[alias].get_autocommit():
            _committed[alias] = snapshot
    return snapshot


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
    found = [row for row in rows if row[3] is not None]
    texts = {(scope, key): _text(text) for _, scope, key, text, _ in found}
    return version, texts, {(row[1], row[2]): _text(row[4]) for row in found}


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
