"""Whether a row counts, what is odd about it, and who may change it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

import prompts_app
from prompts_app import Group, services
from prompts_app.contrib.custom.models import CustomFragment
from prompts_app.exceptions import InvalidDeclaration
from prompts_app.syntax import variables_in

if TYPE_CHECKING:
    from prompts_app.assembly import Snapshot
    from prompts_app.registry import View

COUNTS, INVALID = "counts", "invalid"
LABELS: dict[str, str | Promise] = {
    COUNTS: _("Counts"),
    INVALID: _("Invalid"),
    "registered": _("Key of the software"),
    "claimed": _("Key of another source"),
    "protected": _("Key is protected"),
    "replaced": _("Cannot be locked"),
}
WHY: dict[str, str | Promise] = {
    INVALID: _(
        "This row was written past this form and is left out. Saving it here shows "
        "what is wrong."
    ),
    "registered": _(
        "The software has a fragment of this key. This row does not count until it "
        "gets another key, or the software gives the key up."
    ),
    "claimed": _(
        "Something else makes a fragment of this key from its own rows. This row does "
        "not count until it gets another key."
    ),
    "protected": _(
        "The key is protected for the whole installation. This row does not count "
        "until it gets another key, or a blank scope."
    ),
    "replaced": _(
        "The software replaces this key in a scope, so it cannot be locked. This row "
        "does not count until it is unlocked or gets another key."
    ),
}


@dataclass(frozen=True, slots=True)
class Standing:
    """What became of a row when fragments were gathered."""

    code: str
    """``counts``, ``invalid``, or the reason why its claim was lost."""

    @property
    def label(self) -> str:
        """Return it in a word or two, translated."""
        return str(LABELS[self.code])

    @property
    def why(self) -> str:
        """Return why the row does not count, translated; ``""`` where it does."""
        return str(WHY.get(self.code, ""))


def view_for(scope: str, snapshot: Snapshot) -> View:
    """Return what *scope* sees; what could be no scope sees what everybody does."""
    try:
        return services.view_of(scope, snapshot)
    except ValueError:
        return services.view_of((), snapshot)


def standing_of(row: CustomFragment, snapshot: Snapshot) -> Standing:
    """Return the standing of a row that *snapshot* was taken with."""
    try:
        scope, fragment = row.declaration()
    except InvalidDeclaration:
        return Standing(INVALID)
    view = view_for(scope, snapshot)
    layered = view.by_key.get(row.key)
    if layered is not None and dict(layered.layers).get(scope) == fragment:
        return Standing(COUNTS)
    lost = {
        (claim.scope, claim.key): claim.reason
        for claim in view.lost_claims
        if claim.kind == "fragment"
    }
    # A replica that lags behind knows nothing of the row yet.
    return Standing(lost.get((scope, row.key), COUNTS))


def remarks_on(row: CustomFragment, snapshot: Snapshot) -> Iterator[str]:
    """Yield what is no error and yet good to know, as sentences, of a valid row."""
    keys = () if row.locked else (row.key, *row.former_keys)
    if any((row.scope, key) in snapshot.texts for key in keys):
        yield gettext(
            "Another text was saved on the page of fragments and is in force. This one "
            "is its default."
        )
    view = view_for(row.scope, snapshot)
    gates = (*row.requires, *row.unless)
    known = view.variables.keys() | view.clauses.keys()
    used = dict.fromkeys((*variables_in(row.text), *gates, *row.must_mention))
    unknown = [name for name in used if name not in known]
    if unknown:
        yield gettext(
            "Nobody declares %(names)s. In a text that stays as it is typed, unless a "
            "caller gives it; in a condition it is blank."
        ) % {"names": _listed(unknown)}
    provided = [name for name in dict.fromkeys(gates) if name in view.clauses]
    if provided:
        yield gettext(
            "Conditions are judged before other texts are filled in, so %(names)s is "
            "always blank there."
        ) % {"names": _listed(provided)}
    if row.provides in view.variables:
        yield gettext(
            "%(names)s is declared as a variable too, and would have two meanings."
        ) % {"names": _listed([row.provides])}


def missing_rights(
    user: Any, view: View, scope: str, key: str, group: str
) -> dict[str, str]:
    """
    Return the permissions that *user* lacks for a row, by the field that takes them.

    They are those of the scope, of the group, and of the group of the fragment that
    the row would replace.
    """
    needed: dict[str, str] = {}
    layered = view.by_key.get(key)
    places = {"key": layered.fragment.group if layered else "", "group": group}
    for field, place in places.items():
        if place in view.groups:
            needed[field] = view.groups[place].permission
    if scope in view.scopes:
        needed["scope"] = view.scopes[scope].permission
    return {
        field: permission
        for field, permission in needed.items()
        if permission and not user.has_perm(permission)
    }


def groups_of(snapshot: Snapshot) -> dict[str, Group]:
    """Return the groups that anybody declares, for any scope, in page order."""
    declared = [record.value for record in prompts_app.registry.records("group")]
    declared += [one for _scope, one in snapshot.declarations if isinstance(one, Group)]
    found: dict[str, Group] = {}
    for group in sorted(declared, key=lambda group: (group.order, group.key)):
        found.setdefault(group.key, group)
    return found


def families_of(view: View) -> tuple[str, ...]:
    """Return the tool families that a fragment or a scenario names, by name."""
    found = {name for layered in view.fragments for name in layered.fragment.families}
    for scenario in view.scenarios.values():
        found.update(scenario.families or ())
        found.update(tool.family for tool in scenario.tools if tool.family)
    return tuple(sorted(found))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"{{{{{name}}}}}" for name in names)
