"""The admin of revisions: the history of the texts as a list, and each save of it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from prompts_app.admin.asking import row_number
from prompts_app.admin.past import revision_context, time_text
from prompts_app.admin.past_filters import (
    FragmentFilter,
    KindFilter,
    PersonFilter,
    ScopeFilter,
)
from prompts_app.admin.past_list import SaveList, SaveRow, saves
from prompts_app.admin.past_views import FOLDER, PastViews
from prompts_app.models import Revision
from prompts_app.overrides import rights
from prompts_app.overrides.rows import writing_alias

BADGE = (
    '<span class="prompts-badge"><svg class="glyph is-{0}" aria-hidden="true">'
    '<use href="#glyph-{0}"/></svg> {1}</span>'
)


class RevisionAdmin(PastViews):
    """
    The history: who saved which texts, when and why.

    Nothing is added, changed or deleted here. What comes back, comes back as a new
    save, after a review.
    """

    actions = None
    change_list_template = f"{FOLDER}/change_list.html"
    date_hierarchy = "created_at"
    list_display = ("when", "why", "state_after", "characters")
    list_filter = (FragmentFilter, ScopeFilter, PersonFilter, KindFilter)
    list_per_page = 50
    ordering = ("-number",)
    search_fields = ("comment", "changes__key")
    sortable_by = ()

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: saving texts makes revisions."""
        return False

    def has_change_permission(
        self, request: HttpRequest, obj: Revision | None = None
    ) -> bool:
        """Return False: what happened does not change."""
        return False

    def has_delete_permission(
        self, request: HttpRequest, obj: Revision | None = None
    ) -> bool:
        """Return False: only a command forgets."""
        return False

    def has_view_permission(
        self, request: HttpRequest, obj: Revision | None = None
    ) -> bool:
        """Return whether the user may see the history."""
        return request.user.has_perm(rights.HISTORY)

    def get_urls(self) -> list[URLPattern]:
        """Return the addresses of the ways back before those of every model."""
        views = {"restore": self.restore_view, "prompt": self.prompt_view}
        own = [
            path(
                f"{name}/",
                self.admin_site.admin_view(view),
                name=f"prompts_app_revision_{name}",
            )
            for name, view in views.items()
        ]
        return self.telling_failures(own + super().get_urls())

    def get_queryset(self, request: HttpRequest) -> QuerySet[Revision]:
        """Return all saves, from the database that they are written to."""
        return saves()

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[SaveList]:
        """Return the list whose rows say what was saved."""
        return SaveList

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """List the saves."""
        may_see_prompt = request.user.has_perm("prompts_app.view_override")
        context = {
            "title": _("History of the texts"),
            "may_see_prompt": may_see_prompt,
            # What the links above the list narrowed it to.
            "period": [
                (name, value)
                for name, value in request.GET.items()
                if name.startswith(f"{self.date_hierarchy}__")
            ],
            "is_nav_sidebar_enabled": False,
            **(extra_context or {}),
        }
        return super().changelist_view(request, context)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show one save: each text before and after, and the ways back."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        number = row_number(object_id)
        whole = Revision.objects.using(writing_alias()).prefetch_related("changes")
        revision = get_object_or_404(whole, pk=number)
        may_restore = request.user.has_perm(rights.CHANGE)
        context = {
            "title": _("Save %(number)s") % {"number": revision.number},
            "may_see_prompt": request.user.has_perm("prompts_app.view_override"),
            **revision_context(revision, may_restore=may_restore),
            **(extra_context or {}),
        }
        return self.respond(request, "change.html", context)

    @admin.display(description=gettext_lazy("When and who"))
    def when(self, revision: Revision) -> SafeString:
        """Return the time of a save, and its author."""
        return format_html(
            '{} <span class="prompts-aside">{}</span>',
            time_text(revision.created_at),
            row_of(revision).author,
        )

    @admin.display(description=gettext_lazy("Why and what"))
    def why(self, revision: Revision) -> SafeString:
        """Return the comment of a save, what it did, and to which texts."""
        row = row_of(revision)
        texts = format_html_join(", ", "{}", ((text,) for text in row.texts))
        if row.further:
            more = ngettext("and %(count)d more", "and %(count)d more", row.further)
            texts = format_html("{} {}", texts, more % {"count": row.further})
        comment: Any = revision.comment or format_html("<em>{}</em>", _("No comment"))
        return format_html(
            '<span class="prompts-why">{}</span>'
            ' <span class="prompts-aside">{}: {}</span>',
            comment,
            row.kind,
            texts,
        )

    @admin.display(description=gettext_lazy("State after"))
    def state_after(self, revision: Revision) -> SafeString:
        """Return the states that a save left its texts in."""
        badges = ((badge.code, badge.label) for badge in row_of(revision).badges)
        return format_html_join(" ", BADGE, badges)

    @admin.display(description=gettext_lazy("Characters"))
    def characters(self, revision: Revision) -> str:
        """Return how many characters longer a save made its texts."""
        return row_of(revision).delta


def row_of(revision: Any) -> SaveRow:
    """Return what the list worked out for a save on its page."""
    row: SaveRow = revision.row
    return row
