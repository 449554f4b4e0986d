"""Writing: every way to change a stored text, each one revision or none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from prompts_app.overrides import (
    exchange,
    journal,
    orphans,
    pruning,
    restoring,
    writing,
)
from prompts_app.overrides.journal import Saved
from prompts_app.overrides.pruning import Pruned


def save(
    values: Mapping[str, str],
    *,
    scope: str = "",
    author: Any = None,
    comment: str = "",
    based_on: Mapping[str, str] | None = None,
    confirm: Iterable[tuple[str, str]] = (),
) -> Saved:
    """
    Store *values* (text by key) in *scope*, all of them or none.

    A text equal to what stands beneath it removes the override; a blank one
    switches the fragment off; keys that are not submitted stay as they are.

    Args:
        values: The texts; CRLF becomes LF, line feeds at both ends go.
        scope: The layer; ``""`` is the whole installation.
        author: Whose rights are checked; None is trusted code.
        comment: Why; kept in the history, at most 1 000 characters.
        based_on: The etag that each text's editor was shown.
        confirm: Pairs of key and a ``must_mention`` variable that may go, or
            ``"default"`` for a drifted default that was looked at.

    Raises:
        PermissionDenied: the author may not change one of the texts.
        SaveRefused: with every fault; nothing was stored.
        EditConflict: others changed the same texts, and nothing else is wrong.
        TypeError, ValueError: an argument of the wrong kind.
        DatabaseError, InterfaceError: the database failed; nothing was stored.
    """
    return writing.save(
        values,
        scope=scope,
        author=author,
        comment=comment,
        based_on=based_on,
        confirm=confirm,
    )


def reset(
    keys: Iterable[str],
    *,
    scope: str = "",
    author: Any = None,
    comment: str = "",
    based_on: Mapping[str, str] | None = None,
) -> Saved:
    """
    Remove the overrides of *keys* in *scope*, so that what stands beneath counts.

    Raises:
        PermissionDenied, SaveRefused, EditConflict, TypeError, ValueError: as `save()`.
    """
    return writing.reset(
        keys, scope=scope, author=author, comment=comment, based_on=based_on
    )


def touch(*, using: str | None = None) -> None:
    """
    Make every process load texts and sources anew at its next assembly.

    Call it in the transaction that changes what a registered source reads, after
    the change. *using* is the alias of the database that was written to; None is
    the one that saves go to.
    """
    journal.touch(using)


def acknowledge(
    keys: Iterable[str],
    *,
    scope: str = "",
    author: Any = None,
    comment: str = "",
    based_on: Mapping[str, str] | None = None,
) -> Saved:
    """
    Keep the overrides of *keys* in *scope* over the defaults as they are now.

    A drifted text stays in force and is not drifted any more.

    Raises:
        PermissionDenied, SaveRefused, EditConflict, TypeError, ValueError: as `save()`.
    """
    return writing.acknowledge(
        keys, scope=scope, author=author, comment=comment, based_on=based_on
    )


def adopt(
    old: str,
    new: str,
    *,
    scope: str = "",
    author: Any = None,
    comment: str = "",
    confirm: Iterable[tuple[str, str]] = (),
) -> Saved:
    """
    Give the override of *old*, which no fragment reads any more, to *new*.

    It keeps the default that it was written over, so it shows as drifted where the
    new fragment has another. *confirm* is as for `save()`.

    Raises:
        PermissionDenied: the author may not change *new*.
        SaveRefused: *new* is unknown or locked, or may not have this text.
        ValueError: *old* is no orphan, or *new* has an override already.
    """
    return orphans.adopt(
        old, new, scope=scope, author=author, comment=comment, confirm=confirm
    )


def prune(
    keys: Iterable[str],
    *,
    scope: str = "",
    author: Any = None,
    comment: str = "",
    based_on: Mapping[str, str] | None = None,
) -> Saved:
    """
    Take overrides away that no fragment reads any more; history keeps their texts.

    Raises:
        PermissionDenied: the author may not delete overrides, or not in *scope*.
        EditConflict: others changed the same texts.
        ValueError: a fragment reads one of them.
    """
    return orphans.prune(
        keys, scope=scope, author=author, comment=comment, based_on=based_on
    )


def restore(
    number: int,
    *,
    keys: Iterable[tuple[str, str]] | None = None,
    author: Any = None,
    comment: str = "",
    based_on: Mapping[tuple[str, str], str] | None = None,
    confirm: Iterable[tuple[str, str]] = (),
) -> Saved:
    """
    Bring back the texts that were stored right after revision *number*.

    It is a write of today, checked like any save, that names what it restores; 0 is
    before the first revision. To undo revision n, restore n - 1 with the keys of n.

    Args:
        number: The revision; texts that did not change since are left alone.
        keys: Pairs of scope and key; None: all that history knows.
        author: Whose rights are checked; None is trusted code.
        comment: Why; kept in the history, at most 1 000 characters.
        based_on: The etag of each text, by scope and key, that somebody was shown
            and agreed to replace; None: no matter what is in force.
        confirm: As for `save()`.

    Raises:
        PermissionDenied: the author may not change one of the texts.
        SaveRefused: with every fault; nothing was stored.
        EditConflict: others changed these texts, or further ones, meanwhile.
        ValueError: there is no such revision, or later ones were pruned.
        TypeError: an argument of the wrong kind.
    """
    return restoring.restore(
        number,
        keys=keys,
        author=author,
        comment=comment,
        based_on=based_on,
        confirm=confirm,
    )


def import_texts(
    document: object,
    *,
    dry_run: bool = False,
    author: Any = None,
    comment: str = "",
    based_on: Mapping[tuple[str, str], str] | None = None,
    confirm: Iterable[tuple[str, str]] = (),
) -> Saved:
    """
    Store the texts of a document that `export_texts()` made, all of them or none.

    Texts that it does not hold stay as they are. With *dry_run* nothing is written,
    and the answer, without a revision, says what would be.

    Args:
        document: What `export_texts()` gave, here or elsewhere.
        dry_run: Only look.
        author: Whose rights are checked; None is trusted code.
        comment: Why; kept in the history, at most 1 000 characters.
        based_on: The etag, by scope and key, of what a review of it was shown.
        confirm: As for `save()`; a pair counts in every scope.

    Raises:
        PermissionDenied: the author may not change one of the texts.
        SaveRefused: with every fault; nothing was stored.
        EditConflict: others changed the same texts, and nothing else is wrong.
        ValueError: the document is not of this format; each fault names its place.
    """
    return exchange.import_texts(
        document,
        dry_run=dry_run,
        author=author,
        comment=comment,
        based_on=based_on,
        confirm=confirm,
    )


def prune_history(
    *,
    keep: int | None = None,
    before: datetime | None = None,
    dry_run: bool = True,
) -> Pruned:
    """
    Forget old revisions, or with *dry_run* say how many that would be.

    Those stay that hold the newest change of a text that is stored or declared.

    Args:
        keep: How many of the newest revisions stay whatever their age.
        before: Only what is older goes.
        dry_run: Only count.

    Raises:
        ValueError: neither *keep* nor *before* is given, or *keep* is negative.
    """
    return pruning.prune_history(keep=keep, before=before, dry_run=dry_run)
