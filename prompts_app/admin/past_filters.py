"""By what the list of saves is narrowed: choices, each a select of one form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy as _

from prompts_app.admin.past import KINDS, Names, author_text
from prompts_app.assembly import override_keys
from prompts_app.models import Change, Revision
from prompts_app.overrides.rows import writing_alias

GLOBAL = "global"
"""The whole installation in a link; no scope is called so, for want of a dot."""
CODE = ":code"
"""Who is no account in a link; no account is called so, for its colon."""

if TYPE_CHECKING:
    _Saves = QuerySet[Revision]


class Choice(admin.SimpleListFilter):
    """One select: what its options are, and which of them is chosen."""

    everything: Any = ""
    """The words of the option that narrows nothing."""

    def chosen(self) -> str:
        """Return the value that the list is narrowed to; ``""``: it is not."""
        return str(self.value() or "")

    def options(self) -> list[tuple[str, str, bool]]:
        """Return value, words and currency of each option."""
        chosen = self.chosen()
        known = [(str(value), str(words)) for value, words in self.lookup_choices]
        options = [("", str(self.everything)), *known]
        # A link may name what history has forgotten meanwhile.
        if chosen not in {value for value, _words in options}:
            options.append((chosen, chosen))
        return [(value, words, value == chosen) for value, words in options]

    def has_output(self) -> bool:
        """Return whether there is anything to choose from, or something chosen."""
        return bool(self.chosen() or super().has_output())


class FragmentFilter(Choice):
    """The saves that changed one fragment."""

    title = _("Fragment")
    parameter_name = "key"
    everything = _("All fragments")

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the keys that history knows, by the label they have now."""
        rows = Change.objects.using(writing_alias()).values_list("key", flat=True)
        names, view = list(rows.distinct()), Names().view("")
        labels = {k: str(one.fragment.label) for k, one in view.by_key.items()}
        found = [(k, f"{labels[k]} · {k}" if k in labels else k) for k in names]
        return sorted(found, key=lambda pair: (pair[1].casefold(), pair[0]))

    def queryset(self, request: HttpRequest, queryset: _Saves) -> _Saves:
        """Return the saves of that key, in the scope that is chosen as well."""
        return _touching(request, queryset) if self.chosen() else queryset


class ScopeFilter(Choice):
    """The saves that changed a text of one scope."""

    title = _("Scope")
    parameter_name = "scope"
    everything = _("All scopes")

    def options(self) -> list[tuple[str, str, bool]]:
        """Return the options, in words also where there is but one scope."""
        words = {GLOBAL: gettext("The whole installation")}
        return [
            (v, words.get(v, said), chosen) for v, said, chosen in super().options()
        ]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the scopes that history knows; none where it is but one."""
        rows = Change.objects.using(writing_alias()).values_list("scope", flat=True)
        scopes = sorted(rows.distinct())
        if scopes in ([], [""]):
            return []
        names = Names()
        found = [(scope, names.scope(scope)) for scope in scopes if scope]
        return [(GLOBAL, gettext("The whole installation")), *found]

    def queryset(self, request: HttpRequest, queryset: _Saves) -> _Saves:
        """Return the saves in that scope, of the key that is chosen as well."""
        return _touching(request, queryset) if self.chosen() else queryset


class PersonFilter(Choice):
    """The saves of one person, by the name at the time."""

    title = _("Person")
    parameter_name = "person"
    everything = _("Everybody")

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the names that saves were made under."""
        rows = Revision.objects.using(writing_alias()).values_list("author_name")
        people = rows.annotate(accounts=Count("author")).order_by("author_name")
        return [
            (name, author_text(name, is_removed=not accounts))
            if name
            else (CODE, gettext("The software itself"))
            for name, accounts in people
        ]

    def queryset(self, request: HttpRequest, queryset: _Saves) -> _Saves:
        """Return the saves made under that name."""
        chosen = self.chosen()
        if not chosen:
            return queryset
        return queryset.filter(author_name="" if chosen == CODE else chosen)


class KindFilter(Choice):
    """The saves that did one kind of thing."""

    title = _("What happened")
    parameter_name = "kind"
    everything = _("Everything")

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Return every kind there is."""
        return list(KINDS.items())

    def queryset(self, request: HttpRequest, queryset: _Saves) -> _Saves:
        """Return the saves of that kind."""
        return queryset.filter(kind=self.chosen()) if self.chosen() else queryset


def _touching(request: HttpRequest, queryset: _Saves) -> _Saves:
    """Narrow to saves in which one and the same text meets both choices."""
    key = request.GET.get("key", "")
    scope = request.GET.get("scope", "")
    changes = Change.objects.using(writing_alias()).all()
    if key:
        changes = changes.filter(key__in=_names_of(key))
    if scope:
        changes = changes.filter(scope="" if scope == GLOBAL else scope)
    return queryset.filter(pk__in=changes.values("revision"))


def _names_of(key: str) -> tuple[str, ...]:
    """Return the keys that a fragment's saves are found under, former ones too."""
    view = Names().view("")
    layered = view.by_key.get(key)
    return override_keys(view, layered.fragment) if layered else (key,)
