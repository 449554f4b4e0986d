"""Forgetting history that nobody needs any more."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import router, transaction
from django.db.models import Max

from prompts_app import validation as valid
from prompts_app.models import Change, Override, Revision, StoredState
from prompts_app.overrides.decoding import lenient
from prompts_app.overrides.history import Address
from prompts_app.overrides.identity import keys_read
from prompts_app.overrides.journal import last_number
from prompts_app.overrides.planning import gathered, view_for

CHUNK = 400
"""How many revisions one statement takes away; every database takes as many."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was, or would be, forgotten."""

    revisions: int
    changes: int
    kept: int
    """How many revisions remain."""


def prune_history(
    *,
    keep: int | None,
    before: datetime | None,
    dry_run: bool,
) -> Pruned:
    """See `prompts_app.services.prune_history()`."""
    if keep is None and before is None:
        raise ValueError("keep or before has to say what may be forgotten")
    if keep is not None and keep < 0:
        raise ValueError(f"keep is {keep}; it cannot be less than 0")
    using = router.db_for_write(Override)
    with transaction.atomic(using=using):
        if not dry_run:
            # The lock of all writers: none restores what goes while it looks.
            StoredState.objects.renew(using)
        old = _old(using, keep, before)
        gone = sorted(old - _needed(using, old))
        revisions = Revision.objects.using(using)
        changes = _sum_and_delete(using, gone, dry_run=dry_run)
        total = revisions.count()
    return Pruned(len(gone), changes, total - (len(gone) if dry_run else 0))


def _old(using: str, keep: int | None, before: datetime | None) -> set[int]:
    revisions = Revision.objects.using(using)
    if keep is not None:
        revisions = revisions.filter(number__lte=last_number(using) - keep)
    if before is not None:
        revisions = revisions.filter(created_at__lt=before)
    return set(revisions.values_list("number", flat=True))


def _needed(using: str, old: set[int]) -> set[int]:
    """Return the revisions that hold the newest change of a text in use."""
    changes = Change.objects.using(using).values_list("scope", "key")
    newest: dict[Address, int] = {
        (scope, key): number
        for scope, key, number in changes.annotate(newest=Max("revision__number"))
    }
    with lenient(using):
        rows = set(Override.objects.using(using).values_list("scope", "key"))
    scopes = {
        scope
        for (scope, _), number in newest.items()
        if number in old and valid.is_scope(scope)
    }
    declarations = gathered()
    read = {scope: keys_read(view_for(scope, declarations)) for scope in scopes}
    return {
        number
        for (scope, key), number in newest.items()
        if number in old and ((scope, key) in rows or key in read.get(scope, ()))
    }


def _sum_and_delete(using: str, numbers: list[int], *, dry_run: bool) -> int:
    total = 0
    for start in range(0, len(numbers), CHUNK):
        chunk = numbers[start : start + CHUNK]
        total += Change.objects.using(using).filter(revision__number__in=chunk).count()
        if not dry_run:
            Revision.objects.using(using).filter(number__in=chunk).delete()
    return total
