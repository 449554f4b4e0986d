"""The list of saves: what each row says, worked out for one page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.admin.views.main import ChangeList
from django.db.models import Case, F, Prefetch, QuerySet, Value, When
from django.db.models.functions import Coalesce, Length
from django.http import HttpRequest

from prompts_app.admin.past import Badge, Names, author_of, kind_text
from prompts_app.models import Change, Revision
from prompts_app.overrides.rows import writing_alias
from prompts_app.states import BUILT_IN, CHANGED, LABELS, OFF
from prompts_app.wording import number, signed

NAMED = 5
"""How many texts a row names."""


@dataclass(frozen=True, slots=True)
class SaveRow:
    """What the list says of one save."""

    author: str
    kind: str
    texts: tuple[str, ...]
    """Labels of the first texts that it changed."""
    further: int
    """How many more there are."""
    badges: tuple[Badge, ...]
    """The states that it left texts in, each once."""
    delta: str
    """How many characters longer the texts got, with its sign."""


class SaveList(ChangeList):
    """A page of saves, with what their rows say."""

    def get_results(self, request: HttpRequest) -> None:
        """Add to each save on this page what its row says."""
        super().get_results(request)
        names = Names()
        self.result_list: Any = list(self.result_list)
        for revision in self.result_list:
            revision.row = _row(revision, names)


def saves() -> QuerySet[Revision]:
    """Return all saves with the changes that lists need of them, and no texts."""
    using = writing_alias()
    # What a text stood over counts where there was no override.
    changes = Change.objects.using(using).only("revision", "scope", "key")
    changes = changes.annotate(
        longer=Length(Coalesce("after", "default_text"))
        - Length(Coalesce("before", "default_text")),
        state=Case(
            When(after__isnull=True, then=Value(BUILT_IN)),
            When(after__regex=r"\S", then=Value(CHANGED)),
            default=Value(OFF),
        ),
    )
    ordered = changes.order_by(F("scope"), F("key"))
    revisions = Revision.objects.using(using)
    return revisions.prefetch_related(Prefetch("changes", ordered))


def _row(revision: Revision, names: Names) -> SaveRow:
    changes: Sequence[Any] = list(revision.changes.all())
    states = {change.state for change in changes}
    return SaveRow(
        author=author_of(revision),
        kind=kind_text(revision.kind),
        texts=tuple(names.both(one.scope, one.key) for one in changes[:NAMED]),
        further=max(0, len(changes) - NAMED),
        badges=tuple(
            Badge(code, str(label)) for code, label in LABELS.items() if code in states
        ),
        delta=signed(sum(change.longer for change in changes)) or number(0),
    )
