"""The page over HTTP: rights, views, and where each answer leads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from prompts_app import conf, services
from prompts_app.admin.asking import Asked, read_get, read_post
from prompts_app.admin.desk import Desk
from prompts_app.admin.showing import editors_context, page_context, preview_context
from prompts_app.exceptions import Fault, SaveRefused
from prompts_app.models import Override

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Override]
else:
    _ModelAdmin = admin.ModelAdmin

FOLDER = "admin/prompts_app/override"
IGNORED = gettext_lazy(
    "Saved texts are ignored (PROMPTS_APP_IGNORE_OVERRIDES). The defaults are in force;"
    " nothing was deleted."
)
DEGRADED = gettext_lazy("The database did not answer. These are the last known texts.")


class OverrideAdmin(_ModelAdmin):
    """
    One page for all fragments, at the place of the model's list.

    Rows are made and removed by saving texts there, so the usual pages to add,
    change and delete single rows are not offered.
    """

    change_list_template = f"{FOLDER}/page.html"
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
        }
        own = [
            path(
                f"{name}/",
                self.admin_site.admin_view(view),
                name=f"prompts_app_override_{name}",
            )
            for name, view in views.items()
        ]
        return own + super().get_urls()

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the page, or answer a button of it."""
        self._check_view(request)
        if request.method != "POST":
            return self._page(request, read_get(request), extra_context)
        asked = read_post(request)
        if asked.action == "save":
            return self._save(request, asked, extra_context)
        if asked.action == "discard":
            return HttpResponseRedirect(self._place(request, asked))
        return self._page(request, _with_button(asked, request.user), extra_context)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Lead from the address of a row to its place on the page."""
        self._check_view(request)
        row = get_object_or_404(Override, pk=self._number(object_id))
        return HttpResponseRedirect(
            self._place(request, Asked(scope=row.scope, fragment=row.key))
        )

    def preview_view(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a script with the preview of the texts it sends; nothing is saved."""
        self._check_view(request)
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        context = preview_context(Desk(read_post(request), request.user))
        parts = {
            name: render_to_string(f"{FOLDER}/_{name}.html", context, request)
            for name in ("output", "samples", "legend")
        }
        answer = JsonResponse(parts | {"places": context["places"]})
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def editors_view(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a script with the editors of the group that it opens."""
        self._check_view(request)
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        context = editors_context(Desk(read_post(request), request.user))
        answer = HttpResponse(
            render_to_string(f"{FOLDER}/_editors.html", context, request)
        )
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def _check_view(self, request: HttpRequest) -> None:
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied

    def _page(
        self,
        request: HttpRequest,
        asked: Asked,
        extra_context: dict[str, Any] | None,
        refused: SaveRefused | None = None,
    ) -> HttpResponse:
        desk = Desk(asked, request.user, refused.faults if refused else ())
        if conf.ignore_overrides():
            messages.warning(request, IGNORED)
        if desk.snapshot.degraded:
            messages.warning(request, DEGRADED)
        context = {
            **self.admin_site.each_context(request),
            **page_context(desk, may_save=self.has_change_permission(request)),
            "opts": self.opts,
            "media": self.media,
            "is_nav_sidebar_enabled": False,
            **(extra_context or {}),
        }
        request.current_app = self.admin_site.name
        response = TemplateResponse(request, self.change_list_template, context)
        response.headers["Cache-Control"] = "no-store"
        return response

    def _save(
        self,
        request: HttpRequest,
        asked: Asked,
        extra_context: dict[str, Any] | None,
    ) -> HttpResponse:
        if not self.has_change_permission(request):
            raise PermissionDenied
        try:
            saved = services.save(
                asked.texts,
                scope=asked.scope,
                author=request.user,
                comment=asked.comment,
                based_on=asked.based_on,
                confirm=asked.confirmed,
            )
        except SaveRefused as refused:
            asked = replace(asked, fragment=_to_correct(asked, refused.faults))
            return self._page(request, asked, extra_context, refused)
        messages.success(request, _outcome(len(saved.stored) + len(saved.removed)))
        return HttpResponseRedirect(self._place(request, asked))

    def _place(self, request: HttpRequest, asked: Asked) -> str:
        """Return the address of the view that *asked* describes."""
        address = reverse(
            "admin:prompts_app_override_changelist", current_app=self.admin_site.name
        )
        query = {
            name: value
            for name, value in (
                ("scope", asked.scope),
                ("fragment", asked.fragment),
                ("scenario", asked.scenario),
                ("level", asked.level and asked.level.value),
            )
            if value
        }
        return f"{address}?{urlencode(query)}" if query else address

    def _number(self, object_id: str) -> int:
        return int(object_id) if object_id.isdecimal() else 0


def _with_button(asked: Asked, user: object) -> Asked:
    """Return *asked* after a button that only changes what a box holds."""
    desk = Desk(asked, user)
    key = asked.target
    if asked.action not in ("restore", "off") or key not in desk.view.by_key:
        return asked
    text = desk.beneath(key) if asked.action == "restore" else ""
    texts = {**asked.texts, key: text}
    if text == desk.saved_text(key):
        del texts[key]
    return replace(asked, texts=texts, fragment=key)


def _to_correct(asked: Asked, faults: Iterable[Fault]) -> str:
    """Return the fragment to show: the one in view if it is faulty, or the first."""
    known = {fault.key for fault in faults if fault.code != "unknown_fragment"}
    keys = [key for key in asked.texts if key in known]
    return asked.fragment if asked.fragment in keys or not keys else keys[0]


def _outcome(count: int) -> str:
    if not count:
        return _("Nothing had to be saved.")
    return ngettext(
        "%(count)d change saved. It is in use from the next request on.",
        "%(count)d changes saved. They are in use from the next request on.",
        count,
    ) % {"count": count}
