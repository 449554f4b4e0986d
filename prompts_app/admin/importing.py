"""What an import would do to each text, and what travels while somebody looks at it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from django.conf import settings
from django.utils.translation import gettext as _

from prompts_app.admin.asking import Asked
from prompts_app.admin.desk import Desk
from prompts_app.admin.losing import Loss, loss_of
from prompts_app.admin.showing import scope_label
from prompts_app.assembly import override_keys
from prompts_app.diffing import Run, differences
from prompts_app.exceptions import Fault
from prompts_app.overrides.exchange import addresses_of, examine, parse
from prompts_app.overrides.history import Address
from prompts_app.overrides.journal import Edit
from prompts_app.overrides.planning import Plan
from prompts_app.states import BUILT_IN, CHANGED, DRIFTED, DRIFTED_OFF, LABELS, OFF
from prompts_app.syntax import same_text
from prompts_app.wording import fault_text, number

ROOM = 20_000
"""How many bytes of a form are kept free for what is not the document."""
ETAG = 260
"""How many bytes the etag of one text takes beside it at most: two names and itself."""
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Draft:
    """A document between its file and the store, and what was decided about it."""

    document: Mapping[str, Any] = field(repr=False)
    based_on: Mapping[Address, str] = field(default_factory=dict)
    """The etags of what a review showed; empty before the first."""
    left: frozenset[Address] = frozenset()
    """The members of the document that are not to be imported."""
    confirmed: frozenset[tuple[str, str]] = frozenset()
    """Pairs of key and variable that may go."""
    faults: tuple[Fault, ...] = ()
    """Why it was refused at the last try."""

    @property
    def chosen(self) -> dict[str, Any]:
        """Return the document without what is left out."""
        texts = self.document["texts"]
        kept = [t for t in texts if (t["scope"], t["key"]) not in self.left]
        return {**self.document, "texts": kept}


@dataclass(frozen=True, slots=True)
class Incoming:
    """One text as the import would leave it."""

    id: str
    """Scope and key, to name it in a page."""
    scope_label: str
    key: str
    label: str
    hint: str
    members: str
    """Scope and keys of its members in the document, joined by spaces."""
    left: bool
    before: str
    """Code of the state in force; ``""``: no text of this key can be stored."""
    before_label: str
    after: str
    after_label: str
    sizes: tuple[str, str]
    """Characters before and after, written out."""
    runs: tuple[Run, ...] = field(repr=False)
    losses: tuple[Loss, ...]
    problems: tuple[str, ...]
    """Why it is refused, in sentences."""
    conflict: str
    """That others changed it since it was shown; ``""``: they did not."""

    is_off: bool
    """Whether nothing will be sent for it any more."""

    @property
    def importance(self) -> int:
        """Put what is refused first, then what needs a look, then what goes off."""
        if self.problems:
            return 0
        return 1 if self.losses or self.conflict else 2 if self.is_off else 3


def read_document(data: bytes) -> dict[str, Any]:
    """
    Return the document in a file's bytes, its shape checked.

    Raises:
        ValueError: it is none, or too long to travel in a form; the message says why.
    """
    document = parse(data)
    addresses = addresses_of(document)
    limit: int | None = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    size = len(packed(document).encode()) + ETAG * len(addresses)
    if limit is not None and size > limit - ROOM:
        said = {"size": number(size), "limit": number(max(limit - ROOM, 0))}
        raise ValueError(
            _(
                "The texts have %(size)s bytes; at most %(limit)s can be reviewed here"
                " (DATA_UPLOAD_MAX_MEMORY_SIZE). The command “prompts import” takes more."
            )
            % said
        )
    return cast("dict[str, Any]", document)


def packed(document: object) -> str:
    """Return *document* for a hidden field: one line, whatever its texts hold."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    # Half a surrogate pair is refused by name later on; until then it has to travel.
    return json.dumps(document) if _SURROGATE.search(text) else text


def import_context(draft: Draft, user: Any) -> dict[str, Any]:
    """
    Return what the review of an import shows.

    Raises:
        PermissionDenied: *user* may not change one of the texts.
    """
    scopes = sorted({scope for scope, _key in addresses_of(draft.document)})
    # What is shown is read before what is planned, so a save in between is noticed.
    desks = {scope: Desk(Asked(scope=scope), user) for scope in scopes}
    etags = [etag for desk in desks.values() for etag in _etags(draft, desk)]
    plans = examine(draft.document, author=user)
    found = [one for plan in plans for one in _incoming(plan, desks[plan.scope], draft)]
    found.sort(key=lambda text: text.importance)
    return {
        "incoming": found,
        "count": sum(not text.left for text in found),
        "faulty": sum(bool(text.problems) and not text.left for text in found),
        "general": [fault_text(one) for one in draft.faults if not one.key],
        "missing_tick": any(loss.missing for text in found for loss in text.losses),
        "has_conflict": any(text.conflict for text in found),
        "document": packed(draft.document),
        "etags": json.dumps(etags),
        "some_scope": scopes != [""],
    }


def _etags(draft: Draft, desk: Desk) -> Iterator[tuple[str, str, str]]:
    """Yield scope, key and etag of all that the document could change."""
    scope = desk.asked.scope
    named = {key for of, key in addresses_of(draft.document) if of == scope}
    for layered in desk.view.fragments:
        if not named.isdisjoint(override_keys(desk.view, layered.fragment)):
            yield scope, layered.key, desk.etag(layered.key)


def _incoming(plan: Plan, desk: Desk, draft: Draft) -> Iterator[Incoming]:
    faulty = (fault.key for fault in plan.faults if fault.key)
    held = {
        text["key"]: text["text"]
        for text in draft.document["texts"]
        if text["scope"] == plan.scope
    }
    for key in dict.fromkeys((*plan.stored, *plan.removed, *faulty)):
        members = [name for name in plan.names_of(key) if name in held]
        yield _text(plan, desk, draft, key, {name: held[name] for name in members})


def _text(
    plan: Plan, desk: Desk, draft: Draft, key: str, members: Mapping[str, str]
) -> Incoming:
    layered = plan.view.by_key.get(key)
    edit = next((e for e in plan.edits if e.key == key and e.after is not None), None)
    if edit is not None or key in plan.removed:
        new = plan.beneath(key) if edit is None else edit.after or ""
        states = _states(plan, desk, key, edit)
    else:
        new = next(iter(members.values()))
        states = ("", "", "", "")
    old = desk.saved_text(key) if layered else ""
    own = [fault for fault in plan.faults if fault.key == key]
    is_left = all((plan.scope, name) in draft.left for name in members)
    return Incoming(
        f"{plan.scope}:{key}",
        scope_label(desk, plan.scope),
        key,
        str(layered.fragment.label) if layered else key,
        str(layered.fragment.hint) if layered else "",
        " ".join((plan.scope, *members)),
        is_left,
        *states,
        sizes=(number(len(old)), number(len(new))),
        runs=differences(old, _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", new)),
        losses=tuple(_losses(plan, draft, own, is_left=is_left)),
        problems=tuple(fault_text(f) for f in own if f.code != "must_mention"),
        conflict=_conflict(plan, draft, key),
        is_off=edit is not None and not (edit.after or "").strip(),
    )


def _states(
    plan: Plan, desk: Desk, key: str, edit: Edit | None
) -> tuple[str, str, str, str]:
    """Return code and label of the state in force, and of the one to come."""
    state = desk.state(key)
    if edit is None:
        return state.code, state.label, BUILT_IN, str(LABELS[BUILT_IN])
    is_blank = not (edit.after or "").strip()
    code = OFF if is_blank else CHANGED
    label = LABELS[code]
    if not same_text(edit.default_text, plan.view.by_key[key].fragment.default):
        code, label = DRIFTED, DRIFTED_OFF if is_blank else LABELS[DRIFTED]
    return state.code, state.label, code, str(label)


def _losses(
    plan: Plan, draft: Draft, faults: Iterable[Fault], *, is_left: bool
) -> Iterator[Loss]:
    missing = {
        (fault.scope, fault.key, fault.params["variable"])
        for fault in draft.faults
        if fault.code == "must_mention"
    }
    for fault in faults:
        if fault.code != "must_mention":
            continue
        name = fault.params["variable"]
        yield loss_of(
            plan.view,
            name,
            ticked=(fault.key, name) in draft.confirmed,
            missing=not is_left and (plan.scope, fault.key, name) in missing,
        )


def _conflict(plan: Plan, draft: Draft, key: str) -> str:
    for fault in draft.faults:
        if fault.code == "conflict" and (fault.scope, fault.key) == (plan.scope, key):
            return fault_text(fault)
    return ""
