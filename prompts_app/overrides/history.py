"""What the store held at an earlier moment."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db import router
from django.db.models import Case, Count, F, Max, Prefetch, Value, When

from prompts_app.assembly import Snapshot
from prompts_app.models import Change, Override, Revision
from prompts_app.overrides.identity import etag_of
from prompts_app.overrides.journal import last_number
from prompts_app.overrides.snapshots import stored_in

Address = tuple[str, str]
"""Scope and stored key of a text."""
CHUNK = 400
"""How many keys one statement names; every database takes as many."""


@dataclass(frozen=True, slots=True)
class Then:
    """What one address held at a moment."""

    text: str | None = field(repr=False)
    """None: no override."""
    default: str = field(repr=False)
    """The declared default that it was written over."""


def as_of(number: int) -> Snapshot:
    """See `prompts_app.services.as_of()`."""
    using = router.db_for_write(Override)
    # In this order: what is saved in between is among the changes.
    snapshot = stored_in(using)
    past = _befores(using, number)
    texts = dict(snapshot.texts) | {a: then.text for a, then in past.items()}
    kept = {address: text for address, text in texts.items() if text is not None}
    return Snapshot(kept, snapshot.declarations)


def changed_since(
    using: str, number: int, addresses: Collection[Address] | None = None
) -> dict[Address, Then]:
    """
    Return what each address held right after revision *number* that changed later.

    *addresses* narrows it. Where the save that a text came from was pruned, its
    default is that of the next change.

    Raises:
        ValueError: history does not know that moment.
    """
    past = _befores(using, number, addresses)
    keys = sorted({key for (_, key), then in past.items() if then.text is not None})
    changes = Change.objects.using(using).filter(
        revision__number__lte=number, after__isnull=False
    )
    for start in range(0, len(keys), CHUNK):
        found = changes.filter(key__in=keys[start : start + CHUNK])
        rows = found.order_by("revision__number")
        for scope, key, default in rows.values_list("scope", "key", "default_text"):
            then = past.get((scope, key))
            if then is not None and then.text is not None:
                past[scope, key] = Then(then.text, default)
    return past


def check_moment(using: str, number: int) -> None:
    """
    Let a revision's number through if all that came after it is known; 0 is a number.

    Raises:
        ValueError: there is no such revision, or history was pruned since.
    """
    last = last_number(using)
    if not 0 <= number <= last:
        raise ValueError(f"There is no revision {number}; the last one is {last}")
    later = Revision.objects.using(using).filter(number__gt=number)
    if later.count() < last - number:
        raise ValueError(
            f"What was in force after revision {number} is not known any more:"
            " later revisions were pruned"
        )


def _befores(
    using: str, number: int, addresses: Collection[Address] | None = None
) -> dict[Address, Then]:
    """Return what each address held before its first change after *number*."""
    changes = Change.objects.using(using).filter(revision__number__gt=number)
    if addresses is not None and len(addresses) <= CHUNK:
        changes = changes.filter(key__in={key for _, key in addresses})
    # Newest first, so that the oldest change after the moment has the last word.
    rows = changes.order_by("-revision__number").values_list(
        "scope", "key", "before", "default_text"
    )
    found = {(s, k): Then(text, default) for s, k, text, default in rows.iterator()}
    # Afterwards, so that what is pruned while they are read is noticed.
    check_moment(using, number)
    if addresses is None:
        return found
    return {address: then for address, then in found.items() if address in addresses}


def ancestor(scope: str, keys: Iterable[str], etag: str, default: str) -> str:
    """
    Return the text that somebody was shown under *etag*.

    *keys* are those that a fragment's overrides count under, former ones included.
    *default* is what is declared now; it is also the answer where history does not
    know. The newest change whose result has that etag counts, else the oldest whose
    beginning has it, with the default of its time or with today's.
    """
    using = router.db_for_write(Override)
    changes = Change.objects.using(using).filter(scope=scope, key__in=tuple(keys))
    found = list(
        changes.order_by("-revision__number").values_list(
            "after", "before", "default_text"
        )
    )
    afters = [(after, then) for after, _, then in found]
    befores = [(before, then) for _, before, then in reversed(found)]
    for text, then in (*afters, *befores):
        if etag in (etag_of(text, then), etag_of(text, default)):
            return default if text is None else text
    return default


@dataclass(frozen=True, slots=True)
class Past:
    """One revision, as lists show it."""

    id: int
    """Its primary key, which addresses name it by."""
    number: int
    created_at: datetime
    author: str
    """The name the author had then; ``""`` for code."""
    is_removed: bool
    """Whether the author's account is gone."""
    comment: str
    kind: str
    addresses: tuple[tuple[str, str], ...]
    """Scope and key of each text it changed."""


def latest(count: int) -> tuple[Past, ...]:
    """Return the newest *count* revisions, newest first; two statements."""
    using = router.db_for_write(Override)
    revisions = Revision.objects.using(using).order_by("-number")[:count]
    # Their texts may be many and long, and no list shows them.
    changes = Change.objects.using(using).only("revision", "scope", "key")
    found = list(revisions.prefetch_related(Prefetch("changes", changes)))
    return tuple(
        Past(
            revision.pk,
            revision.number,
            revision.created_at,
            revision.author_name,
            bool(revision.author_name) and revision.author_id is None,
            revision.comment,
            revision.kind,
            tuple(sorted((c.scope, c.key) for c in revision.changes.all())),
        )
        for revision in found
    )


@dataclass(frozen=True, slots=True)
class Saves:
    """How often one text was changed, and when and by whom last."""

    count: int
    at: datetime
    author: str
    """The name the author had then; ``""`` for code."""
    is_removed: bool
    """Whether the author's account is gone."""


def saves_of(scope: str, names: Mapping[str, str]) -> dict[str, Saves]:
    """
    Return the saves of fragments that history knows of, by key; two statements.

    *names* says for every key that counts, former ones included, for which fragment.
    """
    using = router.db_for_write(Override)
    changes = Change.objects.using(using).filter(scope=scope, key__in=tuple(names))
    former = [When(key=n, then=Value(k)) for n, k in names.items() if n != k]
    own: Case | F = Case(*former, default=F("key")) if former else F("key")
    counted = {
        key: (count, last)
        for key, count, last in changes.annotate(own=own)
        .values_list("own")
        .annotate(count=Count("revision", distinct=True), last=Max("revision__number"))
        .order_by()
    }
    newest = Revision.objects.using(using).filter(
        number__in={last for _, last in counted.values()}
    )
    rows = newest.values_list("number", "created_at", "author_name", "author_id")
    told = {n: (at, name, bool(name) and i is None) for n, at, name, i in rows}
    return {key: Saves(count, *told[last]) for key, (count, last) in counted.items()}


def moment_of(when: datetime) -> int:
    """Return the number of the last revision made before *when*; 0: there is none."""
    using = router.db_for_write(Override)
    made = Revision.objects.using(using).filter(created_at__lt=when)
    return made.aggregate(last=Max("number"))["last"] or 0


def outcomes(number: int) -> tuple[tuple[str, str, str | None], ...]:
    """Return scope, key and new text of all that revision *number* changed, in order."""
    changes = Change.objects.using(router.db_for_write(Override))
    found = changes.filter(revision__number=number)
    return tuple(sorted(found.values_list("scope", "key", "after")))
