"""The rows in the admin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote, urlencode

from django.apps import apps
from django.contrib import admin, messages
from django.contrib.admin.options import ModelAdmin
from django.contrib.admin.widgets import AdminTextInputWidget
from django.db import router
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy as _

from prompts_app import services
from prompts_app.contrib.custom.fields import NamesField
from prompts_app.contrib.custom.forms import CustomFragmentForm
from prompts_app.contrib.custom.models import CustomFragment
from prompts_app.contrib.custom.standing import (
    COUNTS,
    INVALID,
    families_of,
    missing_rights,
    remarks_on,
    standing_of,
    view_for,
)

if TYPE_CHECKING:
    from django.contrib.admin.views.main import ChangeList

    from prompts_app.assembly import Snapshot
    from prompts_app.registry import View

    _ModelAdmin = admin.ModelAdmin[CustomFragment]
else:
    _ModelAdmin = ModelAdmin

PAGE = ("prompts_app.view_override", "prompts_app.change_override")

CONDITIONS = ["when_tools", "families", "level", "lean_reason", "requires", "unless"]
TEXTS = [
    *("must_mention", "variables", "provides", "optional_lines"),
    *("lifetime", "locked", "former_keys"),
]


@admin.register(CustomFragment)
class CustomFragmentAdmin(_ModelAdmin):
    """
    Fragments that are rows, with what became of each.

    Beside Django's permissions for the model a row takes those of its group and of
    its scope, as every text there does.
    """

    form = CustomFragmentForm
    formfield_overrides = {NamesField: {"widget": AdminTextInputWidget}}
    list_display = ("label", "standing", "place", "key", "scope", "group", "order")
    list_filter = ("group", "scope", "level", "when_tools")
    search_fields = ("key", "label", "hint", "text")
    ordering = ("order", "key", "scope")
    readonly_fields = ("standing", "place", "created_at", "updated_at")

    @admin.display(description=_("state"))
    def standing(self, row: CustomFragment) -> str:
        """Return what became of a row that this admin has looked at."""
        return str(vars(row)["_seen"][0].label)

    @admin.display(description=_("on the page"))
    def place(self, row: CustomFragment) -> str:
        """Return a link to the fragment on the page of fragments."""
        address = vars(row)["_seen"][1]
        if not address:
            return ""
        return format_html('<a href="{}">{}</a>', address, gettext("Show"))

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> CustomFragment | None:
        """Return a row, looked at; a blank name of a field names none."""
        row = super().get_object(request, object_id, from_field or None)
        if row is not None:
            self._look(request, [row])
        return row

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Return the list, with every row that it shows looked at."""
        changelist = super().get_changelist_instance(request)
        self._look(request, changelist.result_list)
        return changelist

    def get_form(
        self,
        request: HttpRequest,
        obj: CustomFragment | None = None,
        *arguments: Any,
        **options: Any,
    ) -> Any:
        """Return a form that knows who fills it in."""
        form = super().get_form(request, obj, *arguments, **options)
        given = {"user": request.user, "snapshot": self._snapshot(request)}
        return type(form.__name__, (form,), given)

    def get_fieldsets(
        self, request: HttpRequest, obj: CustomFragment | None = None
    ) -> Any:
        """Return the form in parts; what exists only for rows is left out of new ones."""
        view = view_for(obj.scope if obj else "", self._snapshot(request))
        may_change = obj is not None and self.has_change_permission(request, obj)
        dates = {"fields": ["created_at", "updated_at"]}
        return [
            (None, {"fields": _first(obj, may_change=may_change)}),
            (_("Place in the prompt"), {"fields": ["order", "priority"]}),
            (
                _("When it appears"),
                {"fields": CONDITIONS, "description": _known_names(view)},
            ),
            (_("What its text may do"), {"fields": TEXTS}),
            *([(_("Dates"), dates)] if obj else []),
        ]

    def has_change_permission(
        self, request: HttpRequest, obj: CustomFragment | None = None
    ) -> bool:
        """Return whether the user may change *obj*, wherever it stands."""
        return super().has_change_permission(request, obj) and self._may(request, obj)

    def has_delete_permission(
        self, request: HttpRequest, obj: CustomFragment | None = None
    ) -> bool:
        """Return whether the user may delete *obj*, wherever it stands."""
        return super().has_delete_permission(request, obj) and self._may(request, obj)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        """Show the form, and above it what is odd about the row as it is saved."""
        row = options.get("obj")
        if row is not None and request.method == "GET":
            self._warn(request, row)
        return super().render_change_form(request, context, *args, **options)

    def response_add(
        self, request: HttpRequest, obj: CustomFragment, *args: Any, **options: Any
    ) -> HttpResponse:
        """Go on after a new row was saved; say so if it does not count."""
        self._warn_afterwards(request, obj)
        return super().response_add(request, obj, *args, **options)

    def response_change(
        self, request: HttpRequest, obj: CustomFragment, *args: Any, **options: Any
    ) -> HttpResponse:
        """Go on after a row was saved; say so if it does not count."""
        self._warn_afterwards(request, obj)
        return super().response_change(request, obj, *args, **options)

    def _snapshot(self, request: HttpRequest) -> Snapshot:
        """Return what is declared and stored, read once for a request."""
        known = vars(request)
        if "_prompts_app_custom" not in known:
            using = router.db_for_write(CustomFragment)
            known["_prompts_app_custom"] = services.stored(using=using)
        return cast("Snapshot", known["_prompts_app_custom"])

    def _may(self, request: HttpRequest, row: CustomFragment | None) -> bool:
        if row is None:
            return True
        view = view_for(row.scope, self._snapshot(request))
        return not missing_rights(request.user, view, row.scope, row.key, row.group)

    def _look(self, request: HttpRequest, rows: Iterable[CustomFragment]) -> None:
        """Note on each row what became of it, and where it stands on the page."""
        snapshot, page = self._snapshot(request), self._page(request)
        for row in rows:
            standing = standing_of(row, snapshot)
            query = urlencode({"scope": row.scope, "fragment": row.key})
            shown = page and standing.code == COUNTS
            address = f"{page}?{query}#{quote(row.key)}" if shown else ""
            vars(row)["_seen"] = (standing, address)

    def _page(self, request: HttpRequest) -> str:
        """Return the address of the page of fragments; ``""``: not to be seen."""
        overrides = apps.get_model("prompts_app", "Override")
        is_there = self.admin_site.is_registered(overrides)
        if not is_there or not any(map(request.user.has_perm, PAGE)):
            return ""
        return reverse(
            "admin:prompts_app_override_changelist", current_app=self.admin_site.name
        )

    def _warn(self, request: HttpRequest, row: CustomFragment) -> None:
        snapshot = self._snapshot(request)
        standing = standing_of(row, snapshot)
        if standing.why:
            messages.warning(request, standing.why)
        if standing.code != INVALID:
            for remark in remarks_on(row, snapshot):
                messages.warning(request, remark)

    def _warn_afterwards(self, request: HttpRequest, row: CustomFragment) -> None:
        # Whoever goes on with the same row is told there.
        if "_continue" not in request.POST:
            vars(request).pop("_prompts_app_custom", None)
            self._warn(request, row)


def _first(row: CustomFragment | None, *, may_change: bool) -> list[str]:
    seen = ["standing"] if row else []
    place = ["place"] if row and vars(row)["_seen"][1] else []
    carry = ["keep_texts"] if may_change else []
    fields = ["label", "key", *carry, "scope", "group", "text", "hint"]
    return [*seen, *place, *fields]


def _known_names(view: View) -> str:
    """Return what conditions can name, as markup."""
    return format_html(
        "<p>{}</p><p>{} {}</p><p>{} {}</p>",
        gettext("All of these have to hold; blank ones always do."),
        gettext("Families that are known:"),
        ", ".join(families_of(view)) or "–",
        gettext("Variables that are known:"),
        ", ".join(sorted((*view.variables, *view.clauses))),
    )
