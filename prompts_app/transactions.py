"""What the open transaction of a connection has written, and what it may see."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from weakref import WeakKeyDictionary

from django.db import DatabaseError, InterfaceError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

_renewing: ContextVar[frozenset[str]] = ContextVar(
    "prompts_app_renewing", default=frozenset()
)
_renewed_in: WeakKeyDictionary[BaseDatabaseWrapper, object] = WeakKeyDictionary()
"""By connection, the outermost block of the last transaction that renewed."""


@contextmanager
def queued(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """
    Let one at a time wait for the state's row, on MySQL and MariaDB.

    Of several that wait for a row whose insert is taken back, these let one go on and
    end the rest as a deadlock, with whatever their transactions did before.
    """
    # Names have at most 64 characters, and count for all databases of a server.
    name = [f"prompts_app {connection.settings_dict['NAME']}"[:64]]
    errors = connection.wrap_database_errors
    with connection.cursor() as cursor, errors, ExitStack() as stack:
        # Some clusters refuse such locks; then it is as the database has it.
        with suppress(DatabaseError):
            cursor.execute("SELECT GET_LOCK(%s, 60)", name)
            # What fails meanwhile breaks the transaction, for Django's cursor too.
            stack.callback(cursor.cursor.execute, "SELECT RELEASE_LOCK(%s)", name)
        yield


def is_being_written(using: str) -> bool:
    """Return whether the version is new already and the rows are perhaps not."""
    return using in _renewing.get()


@contextmanager
def renewed_already(using: str) -> Iterator[None]:
    """Write rows inside a transaction that renews the version by itself."""
    reset = _renewing.set(_renewing.get() | {using})
    try:
        yield
    finally:
        _renewing.reset(reset)


def note_renewed(connection: BaseDatabaseWrapper) -> None:
    """Remember that the open transaction renewed the version."""
    _renewed_in[connection] = connection.atomic_blocks[0]


def is_in_transaction(connection: BaseDatabaseWrapper) -> bool:
    """Return whether there is something that the end of the connection would take back."""
    # Whether it commits by itself is asked of the wrapper, as to ask would connect.
    is_by_hand = connection.connection is not None and not connection.autocommit
    return connection.in_atomic_block or is_by_hand


def is_fatal(error: BaseException) -> bool:
    """Return whether swallowing *error* would go on in a broken transaction."""
    return isinstance(error, (DatabaseError, InterfaceError)) and any(
        map(is_in_transaction, connections.all(initialized_only=True))
    )


def is_read_committed(connection: BaseDatabaseWrapper) -> bool:
    """Return whether a transaction on MySQL or MariaDB sees what others commit."""
    return getattr(connection, "isolation_level", None) == "read committed"


def has_renewed(using: str) -> bool:
    """
    Return whether the open transaction renewed the version, or may have.

    Of one that was begun by hand nobody knows, nor of one that a decorated function
    begins each time anew, once one of them did.
    """
    connection = connections[using]
    blocks = connection.atomic_blocks
    is_by_hand = not (blocks and connection.commit_on_exit)
    is_own = is_by_hand or _renewed_in.get(connection) is blocks[0]
    return is_own and not connection.get_autocommit()
