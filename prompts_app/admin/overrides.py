"""The admin of overrides: one page instead of a list, and its addresses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path

from prompts_app import validation as valid
from prompts_app.admin.adopting import AdoptingViews
from prompts_app.admin.asking import Asked, read_get, read_post, row_number
from prompts_app.admin.desk import Desk
from prompts_app.admin.exchanging import ExchangeViews
from prompts_app.admin.pages import mistakes
from prompts_app.admin.settling import SettlingViews
from prompts_app.admin.siding import SidingViews
from prompts_app.models import Override
from prompts_app.overrides.rows import writing_alias
from prompts_app.wording import bad_scope_text


class OverrideAdmin(AdoptingViews, ExchangeViews, SettlingViews, SidingViews):
    """
    One page for all fragments, at the place of the model's list.

    Rows are made and removed by saving texts there, so the usual pages to add,
    change and delete single rows are not offered.
    """

    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: a text is saved on the page."""
        return False

    def has_delete_permission(
        self, request: HttpRequest, obj: Override | None = None
    ) -> bool:
        """Return False: a text is taken back on the page."""
        return False

    def get_urls(self) -> list[URLPattern]:
        """Return the page's own addresses before those of every model."""
        views: dict[str, Callable[..., HttpResponseBase]] = {
            "preview": self.preview_view,
            "editors": self.editors_view,
            "compare": self.compare_view,
            "review": self.review_view,
            "decide": self.decide_view,
            "discard": self.discard_view,
            "adopt": self.adopt_view,
            "remove": self.remove_view,
            "reload": self.reload_view,
            "export": self.export_view,
            "import": self.import_view,
        }
        own = [
            path(
                f"{name}/",
                self.keeping_texts(view),
                name=f"prompts_app_override_{name}",
            )
            for name, view in views.items()
        ]
        page = self.keeping_texts(self.changelist_view)
        own.append(path("", page, name="prompts_app_override_changelist"))
        return self.telling_failures(own + super().get_urls())

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the page, or answer a button of it."""
        self.check_view(request)
        if request.method != "POST":
            return self.page(request, read_get(request), extra_context=extra_context)
        asked = read_post(request)
        if asked.action == "save":
            return self.save_texts(request, asked)
        if asked.action == "scope":
            return self.change_scope(request, asked)
        asked = _with_button(asked, request.user)
        return self.page(request, asked, mistakes(asked), extra_context)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Lead from the address of a row to its place on the page."""
        self.check_view(request)
        # The text may be anything, and is not needed.
        rows = Override.objects.using(writing_alias()).only("scope", "key")
        row = get_object_or_404(rows, pk=row_number(object_id))
        asked = Asked(scope=row.scope, fragment=row.key)
        if not valid.is_scope(row.scope):
            count = rows.filter(scope=row.scope).count()
            messages.warning(request, bad_scope_text(row.scope, count))
            asked = Asked()
        return HttpResponseRedirect(self.place(request, asked))


def _with_button(asked: Asked, user: object) -> Asked:
    """Return *asked* after a button that only changes what a box holds."""
    key = asked.target
    if asked.action not in ("restore", "off"):
        return asked.with_result(key)
    desk = Desk(asked, user)
    if key not in desk.view.by_key:
        return asked
    text = desk.beneath(key) if asked.action == "restore" else ""
    if text == desk.saved_text(key):
        return replace(asked.without_text(key), fragment=key)
    return replace(asked.with_text(key, text), fragment=key)
