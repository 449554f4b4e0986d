"""One save as people read it: who, why, and what became of each text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from django.utils import formats, timezone
from django.utils.translation import gettext, gettext_lazy as _

from prompts_app import services, validation as valid
from prompts_app.assembly import Snapshot
from prompts_app.diffing import Run, differences
from prompts_app.models import Change, Revision
from prompts_app.overrides.history import Address, check_moment
from prompts_app.overrides.rows import writing_alias
from prompts_app.overrides.snapshots import stored_in
from prompts_app.registry import View
from prompts_app.states import BUILT_IN, CHANGED, LABELS, OFF
from prompts_app.wording import number

KINDS = {
    "save": _("Saved"),
    "reset": _("Default restored"),
    "acknowledge": _("Kept over a new default"),
    "adopt": _("Moved to another key"),
    "prune": _("Taken away"),
    "restore": _("Earlier texts restored"),
    "import": _("Imported"),
}
"""What a save did, in words, by the kind that it is stored with."""


@dataclass(frozen=True, slots=True)
class Badge:
    """A state with its name."""

    code: str
    label: str


@dataclass(frozen=True, slots=True)
class TextThen:
    """One text before and after a save."""

    address: str
    """Scope and key, as links of the history name them."""
    key: str
    label: str
    scope_label: str
    """For whom it is; ``""``: the whole installation."""
    before: Badge
    after: Badge
    sizes: tuple[str, str]
    """Characters before and after, written out."""
    runs: tuple[Run, ...] = field(repr=False)
    in_force: bool
    """Whether the text is stored now as it was after the save."""
    was_in_force: bool
    """Whether it is stored now as it was before the save."""


class Names:
    """Labels of fragments and scopes, from what is declared now."""

    @cached_property
    def stored(self) -> Snapshot:
        """Return what is stored now, ignored or not."""
        return stored_in(writing_alias())

    @cached_property
    def _views(self) -> dict[str, View]:
        return {}

    def view(self, scope: str) -> View:
        """Return what is declared for *scope* alone."""
        if scope not in self._views:
            self._views[scope] = services.view_of(valid.chain(scope), self.stored)
        return self._views[scope]

    def fragment(self, scope: str, key: str) -> str:
        """Return the label of a fragment; its key where nobody declares it."""
        layered = self.view(scope).by_key.get(key)
        return str(layered.fragment.label) if layered else key

    def hint(self, scope: str, key: str) -> str:
        """Return what a fragment is for; ``""`` where nobody says."""
        layered = self.view(scope).by_key.get(key)
        return str(layered.fragment.hint) if layered else ""

    def scope(self, scope: str) -> str:
        """Return the label of a scope; ``""`` for the whole installation."""
        declared = self.view("").scopes.get(scope)
        return str(declared.label) if declared else scope

    def both(self, scope: str, key: str) -> str:
        """Return the label of a fragment, and of its scope in brackets."""
        if not scope:
            return self.fragment(scope, key)
        names = {"label": self.fragment(scope, key), "scope": self.scope(scope)}
        return gettext("%(label)s (%(scope)s)") % names


def address_of(scope: str, keys: Iterable[str]) -> str:
    """Return how links and forms name the texts *keys* of one scope."""
    return f"{scope}:{','.join(keys)}"


def addresses_in(text: str) -> tuple[Address, ...]:
    """Return the scopes and keys that `address_of()` wrote; none for another text."""
    scope, colon, keys = text.partition(":")
    return tuple((scope, key) for key in keys.split(",") if colon and key)


def kind_text(kind: str) -> str:
    """Return what a save did, in words."""
    return str(KINDS.get(kind, kind))


def author_text(name: str, *, is_removed: bool) -> str:
    """Return who saved; those whose account is gone keep their name."""
    if not name:
        return "–"
    if is_removed:
        return gettext("%(name)s (account removed)") % {"name": name}
    return name


def author_of(revision: Revision) -> str:
    """Return who made *revision*."""
    is_removed = revision.author_id is None
    return author_text(revision.author_name, is_removed=is_removed)


def time_text(when: datetime, form: str = "DATETIME_FORMAT") -> str:
    """Return *when* in the active language and zone."""
    local = timezone.localtime(when) if timezone.is_aware(when) else when
    return formats.date_format(local, form)


def badge_of(text: str | None) -> Badge:
    """Return the state that a stored text stands for; None: there is none."""
    code = BUILT_IN if text is None else CHANGED if text.strip() else OFF
    return Badge(code, str(LABELS[code]))


def is_known(moment: int) -> bool:
    """Return whether history still knows what was in force after that save."""
    try:
        check_moment(writing_alias(), moment)
    except ValueError:
        return False
    return True


def texts_of(revision: Revision, names: Names) -> tuple[TextThen, ...]:
    """Return what *revision* did to each text, in order of scope and key."""
    changes = sorted(revision.changes.all(), key=lambda one: (one.scope, one.key))
    stored = names.stored.texts
    return tuple(_text_then(change, names, stored) for change in changes)


def _text_then(change: Change, names: Names, stored: Mapping[Address, str]) -> TextThen:
    # Without an override the default counted, as far as history knows.
    old, new = (
        change.default_text if text is None else text
        for text in (change.before, change.after)
    )
    now = stored.get((change.scope, change.key))
    return TextThen(
        address=address_of(change.scope, (change.key,)),
        key=change.key,
        label=names.fragment(change.scope, change.key),
        scope_label=names.scope(change.scope) if change.scope else "",
        before=badge_of(change.before),
        after=badge_of(change.after),
        sizes=(number(len(old)), number(len(new))),
        runs=differences(old, new),
        in_force=now == change.after,
        was_in_force=now == change.before,
    )


def revision_context(revision: Revision, *, may_restore: bool) -> dict[str, Any]:
    """Return what the page of one save shows."""
    names = Names()
    known = is_known(revision.number - 1)
    return {
        "revision": revision,
        "author": author_of(revision),
        "kind": kind_text(revision.kind),
        "texts": texts_of(revision, names),
        "known": known,
        "may_restore": may_restore and known,
        "before": revision.number - 1,
    }
