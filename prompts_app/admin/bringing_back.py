"""The review before earlier texts come back: what would change, and what forbids it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import Http404, QueryDict
from django.utils.translation import gettext as _

from prompts_app.admin.asking import comment_in, confirmed_in
from prompts_app.admin.losing import Loss, loss_of
from prompts_app.admin.past import (
    Badge,
    Names,
    address_of,
    addresses_in,
    badge_of,
)
from prompts_app.diffing import Run, differences
from prompts_app.exceptions import Fault
from prompts_app.models import Change
from prompts_app.overrides import rights
from prompts_app.overrides.history import Address
from prompts_app.overrides.planning import Aim
from prompts_app.overrides.restoring import foresee
from prompts_app.overrides.rows import writing_alias
from prompts_app.states import OFF
from prompts_app.wording import fault_text, number

CHOICES = 200
"""Up to how many texts one may choose among; Django limits the number of fields."""
LONGEST_NUMBER = 9
"""How many digits the number of a save has at most, for any database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to come back, as a link or a form says it."""

    moment: int
    """The save right after which the texts were in force; 0: before the first."""
    undo: int = 0
    """The save that is to be undone; 0: it is not about one."""
    texts: tuple[str, ...] = ()
    """The addresses that a link names; none: all that changed since."""
    taken: frozenset[str] | None = None
    """The addresses that are ticked; None: nobody was asked."""
    comment: str = ""
    confirmed: frozenset[tuple[str, str]] = frozenset()
    """Pairs of key and variable that may go."""
    based_on: Mapping[Address, str] = field(default_factory=dict)
    """What the review showed to be in force: the etag of each text."""
    is_sent: bool = False
    """Whether the button was pressed that restores."""

    @property
    def named(self) -> frozenset[Address] | None:
        """Return the scopes and keys that the link names; None: all."""
        if self.undo:
            return _changed_by(self.undo)
        return _addresses(self.texts) if self.texts else None

    @property
    def chosen(self) -> frozenset[Address] | None:
        """Return the scopes and keys that are to come back; None: all."""
        return self.named if self.taken is None else _addresses(self.taken)


@dataclass(frozen=True, slots=True)
class Back:
    """One text that would come back."""

    address: str
    key: str
    label: str
    scope_label: str
    """For whom it is; ``""``: the whole installation."""
    ticked: bool
    before: Badge
    after: Badge
    sizes: tuple[str, str]
    """Characters in force and to come, written out."""
    runs: tuple[Run, ...] = field(repr=False)
    problems: tuple[str, ...]
    """Why it cannot come back."""
    losses: tuple[Loss, ...]
    is_off: bool
    """Whether nothing will be sent for it any more."""
    hint: str


def read_wish(data: QueryDict) -> Wish:
    """
    Return what a link or a form asks for.

    Raises:
        Http404: it names no save.
        BadRequest: the comment cannot be stored.
    """
    undo = read_number(data, "undo") if "undo" in data else 0
    moment = undo - 1 if undo else read_number(data, "moment")
    return Wish(
        moment=moment,
        undo=undo,
        texts=tuple(data.getlist("text")),
        taken=frozenset(data.getlist("take")) if "choosing" in data else None,
        comment=comment_in(data),
        confirmed=confirmed_in(data),
        based_on=_etags(str(data.get("based_on", ""))),
        is_sent="_restore" in data,
    )


def back_context(
    wish: Wish, user: Any, refused: Sequence[Fault] | None = None
) -> dict[str, Any]:
    """
    Return what the review of *wish* shows; *refused*: why it was not carried out.

    Raises:
        ValueError: history does not know that moment.
    """
    aims, faults = foresee(wish.moment, keys=wish.named)
    conflicts = [fault for fault in refused or () if fault.code == "conflict"]
    names = Names()
    ordered = sorted(aims, key=lambda aim: (aim.scope, aim.key))
    backs = [_back(names, aim, wish, faults, user) for aim in ordered]
    backs.sort(key=_importance)
    ready = [back for back in backs if back.ticked]
    return {
        "wish": wish,
        "backs": backs,
        "choosing": 1 < len(backs) <= CHOICES,
        "general_problems": [fault_text(fault) for fault in faults if not fault.key],
        "based_on": "\n".join(
            f"{address_of(aim.scope, (aim.key,))} {aim.etag}" for aim in aims
        ),
        "conflict": bool(conflicts),
        "refused": refused is not None and not conflicts,
        "may_restore": bool(ready) or wish.taken is not None,
    }


def _importance(back: Back) -> int:
    """Put what needs a tick first, then what would be off, as every review does."""
    return 0 if back.losses else 1 if back.after.code == OFF else 2


def _back(
    names: Names, aim: Aim, wish: Wish, faults: Iterable[Fault], user: Any
) -> Back:
    old = aim.beneath if aim.now is None else aim.now
    new = aim.beneath if aim.then is None else aim.then
    address = address_of(aim.scope, aim.names or (aim.key,))
    own = [f for f in faults if (f.scope, f.key) == (aim.scope, aim.key)]
    problems = [fault_text(fault) for fault in own if fault.code != "must_mention"]
    may = rights.may_change(user, names.view(aim.scope), aim.scope, aim.key)
    if not may:
        problems.append(_("You can read this text but not change it."))
    return Back(
        address=address,
        key=aim.key,
        label=names.fragment(aim.scope, aim.key),
        scope_label=names.scope(aim.scope) if aim.scope else "",
        ticked=not problems if wish.taken is None else address in wish.taken,
        before=badge_of(aim.now),
        after=badge_of(aim.then),
        sizes=(number(len(old)), number(len(new))),
        runs=differences(old, new),
        problems=tuple(problems),
        losses=tuple(_loss(names, wish, f) for f in own if f.code == "must_mention"),
        is_off=aim.then is not None and not aim.then.strip(),
        hint=names.hint(aim.scope, aim.key),
    )


def _loss(names: Names, wish: Wish, fault: Fault) -> Loss:
    name = fault.params["variable"]
    ticked = (fault.key, name) in wish.confirmed
    missing = wish.is_sent and not ticked
    return loss_of(names.view(fault.scope), name, ticked=ticked, missing=missing)


def _changed_by(number: int) -> frozenset[Address]:
    rows = Change.objects.using(writing_alias()).filter(revision__number=number)
    return frozenset(rows.values_list("scope", "key"))


def _addresses(texts: Iterable[str]) -> frozenset[Address]:
    return frozenset(address for text in texts for address in addresses_in(text))


def read_number(data: QueryDict, name: str) -> int:
    """
    Return the number of a save that a link names.

    Raises:
        Http404: it is none.
    """
    text = str(data.get(name, ""))
    if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER):
        raise Http404
    return int(text)


def _etags(text: str) -> dict[Address, str]:
    """Return the etag of each text that the review showed, a line for each."""
    lines = (line.partition(" ") for line in text.splitlines())
    return {
        address: etag.strip()
        for named, _space, etag in lines
        for address in addresses_in(named)
    }
