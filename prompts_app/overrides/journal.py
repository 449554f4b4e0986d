"""The one way into the store: rows, revision and changes in one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import router, transaction
from django.db.models import Max

from prompts_app.models import (
    Change,
    Override,
    Revision,
    StoredState,
)
from prompts_app.overrides.decoding import lenient
from prompts_app.signals import overrides_saved
from prompts_app.transactions import renewed_already

COMMENT_CHARS = 1_000


@dataclass(frozen=True, slots=True)
class Edit:
    """What becomes of one row; None is no row."""

    scope: str
    key: str
    before: str | None = field(repr=False)
    after: str | None = field(repr=False)
    default_text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Saved:
    """What a save did."""

    revision: int | None
    """The number of the revision; None: nothing had to be changed."""
    stored: tuple[str, ...] = ()
    """The keys that now have an override, in order of the call."""
    removed: tuple[str, ...] = ()
    """The keys whose override is gone."""


@contextmanager
def locked() -> Iterator[str]:
    """
    Give the alias of the database to write to, inside a transaction with the lock.

    The lock is the state's row. If nothing is written inside, the transaction is
    rolled back, so the version stays what it was.
    """
    using = router.db_for_write(Override)
    with transaction.atomic(using=using), renewed_already(using):
        StoredState.objects.renew(using)
        before = _number_of_state(using)
        yield using
        if _number_of_state(using) == before:
            transaction.set_rollback(True, using=using)


def touch(using: str | None = None) -> None:
    """Give the store of one database a new version although no text changed."""
    using = using or router.db_for_write(Override)
    with transaction.atomic(using=using):
        StoredState.objects.renew(using)


def check_comment(comment: str) -> str:
    """
    Return *comment* as it is stored.

    Raises:
        TypeError: it is no text.
        ValueError: it is too long or holds what no database stores.
    """
    if not isinstance(comment, str):
        raise TypeError(f"comment is a {type(comment).__name__}, not a text")
    comment = comment.replace("\r\n", "\n").strip()
    if len(comment) > COMMENT_CHARS:
        raise ValueError(
            f"The comment has {len(comment)} characters;"
            f" at most {COMMENT_CHARS} are allowed"
        )
    if "\0" in comment or any("\ud800" <= char <= "\udfff" for char in comment):
        raise ValueError("The comment holds a character that cannot be stored")
    return comment


def write(
    using: str,
    edits: Sequence[Edit],
    *,
    kind: str,
    author: Any,
    comment: str,
    restores: int | None = None,
) -> int:
    """Apply *edits* under the lock and return the number of their revision."""
    number = last_number(using) + 1
    revision = Revision.objects.using(using).create(
        number=number,
        author=author,
        author_name=author.get_username()[:255] if author is not None else "",
        comment=comment,
        kind=kind,
        restores=restores,
    )
    StoredState.objects.using(using).filter(pk=1).update(revision=number)
    for edit in edits:
        _write_row(using, edit, author)
    Change.objects.using(using).bulk_create(
        Change(
            revision=revision,
            scope=edit.scope,
            key=edit.key,
            before=edit.before,
            after=edit.after,
            default_text=edit.default_text,
        )
        for edit in edits
    )
    _announce(using, number, kind, edits)
    return number


def last_number(using: str) -> int:
    """Return the number of the last revision; 0 before the first."""
    newest = Revision.objects.using(using).aggregate(last=Max("number"))["last"]
    # A restored backup may hold the revisions and not the state.
    return max(_number_of_state(using), newest or 0)


def _number_of_state(using: str) -> int:
    rows = StoredState.objects.using(using).filter(pk=1)
    return rows.values_list("revision", flat=True).first() or 0


def _write_row(using: str, edit: Edit, author: Any) -> None:
    rows = Override.objects.using(using)
    # Either way Django reads the row that is there.
    with lenient(using):
        if edit.after is None:
            rows.filter(scope=edit.scope, key=edit.key).delete()
            return
        rows.update_or_create(
            scope=edit.scope,
            key=edit.key,
            defaults={
                "text": edit.after,
                "default_text": edit.default_text,
                "updated_by": author,
            },
        )


def _announce(using: str, number: int, kind: str, edits: Sequence[Edit]) -> None:
    keys = tuple((edit.scope, edit.key) for edit in edits)

    def send() -> None:
        overrides_saved.send_robust(
            sender=Override, revision=number, kind=kind, keys=keys, using=using
        )

    transaction.on_commit(send, using=using)
