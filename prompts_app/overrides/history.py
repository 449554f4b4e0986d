"""What the store held at an earlier moment."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import router

from prompts_app.assembly import Snapshot
from prompts_app.models import Change, Override, Revision
from prompts_app.overrides.identity import etag_of
from prompts_app.overrides.journal import last_number
from prompts_app.overrides.snapshots import stored_in


def as_of(number: int) -> Snapshot:
    """See `prompts_app.services.as_of()`."""
    using = router.db_for_write(Override)
    last = last_number(using)
    if not 0 <= number <= last:
        raise ValueError(f"There is no revision {number}; the last one is {last}")
    snapshot = stored_in(using)
    texts: dict[tuple[str, str], str | None] = dict(snapshot.texts)
    changes = Change.objects.using(using)
    # Newest first, so that the oldest change after the moment has the last word.
    after = changes.filter(revision__number__gt=number).order_by("-revision__number")
    for scope, key, before in after.values_list("scope", "key", "before").iterator():
        texts[scope, key] = before
    kept = {address: text for address, text in texts.items() if text is not None}
    return Snapshot(kept, snapshot.declarations)


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

    number: int
    created_at: datetime
    author: str
    """The name the author had then; ``""`` for code."""
    comment: str
    kind: str
    addresses: tuple[tuple[str, str], ...]
    """Scope and key of each text it changed."""


def latest(count: int) -> tuple[Past, ...]:
    """Return the newest *count* revisions, newest first; two statements."""
    using = router.db_for_write(Override)
    revisions = Revision.objects.using(using).order_by("-number")[:count]
    found = list(revisions.prefetch_related("changes"))
    return tuple(
        Past(
            revision.number,
            revision.created_at,
            revision.author_name,
            revision.comment,
            revision.kind,
            tuple(sorted((c.scope, c.key) for c in revision.changes.all())),
        )
        for revision in found
    )
