"""What the store held at an earlier moment."""

from __future__ import annotations

from django.db import router

from prompts_app.assembly import Snapshot
from prompts_app.models import Change, Override, StoredState
from prompts_app.overrides.snapshots import current


def as_of(number: int) -> Snapshot:
    """See `prompts_app.services.as_of()`."""
    using = router.db_for_write(Override)
    rows = StoredState.objects.using(using).filter(pk=1)
    last = rows.values_list("revision", flat=True).first() or 0
    if not 0 <= number <= last:
        raise ValueError(f"There is no revision {number}; the last one is {last}")
    snapshot = current(using)
    texts: dict[tuple[str, str], str | None] = dict(snapshot.texts)
    changes = Change.objects.using(using)
    # Newest first, so that the oldest change after the moment has the last word.
    after = changes.filter(revision__number__gt=number).order_by("-revision__number")
    for scope, key, before in after.values_list("scope", "key", "before").iterator():
        texts[scope, key] = before
    kept = {address: text for address, text in texts.items() if text is not None}
    return Snapshot(kept, snapshot.declarations)
