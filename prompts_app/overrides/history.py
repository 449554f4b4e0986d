"""What the store held at an earlier moment."""

from __future__ import annotations

from django.db import router

from prompts_app.assembly import Snapshot
from prompts_app.models import Change, Override
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
