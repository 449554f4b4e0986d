"""The page and the answers to its script, over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Any
from urllib.parse import quote, urlencode

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotAllowed,
    JsonResponse,
)
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from prompts_app import conf
from prompts_app.admin.asking import TEXT, Asked, is_script, read_post
from prompts_app.admin.desk import Desk
from prompts_app.admin.excess import excess_of
from prompts_app.admin.failing import FailingViews
from prompts_app.admin.showing import (
    editors_context,
    list_context,
    page_context,
    preview_context,
)
from prompts_app.exceptions import Fault
from prompts_app.overrides.writing import examine

FOLDER = "admin/prompts_app/override"
IGNORED = gettext_lazy(
    "Saved texts are ignored (PROMPTS_APP_IGNORE_OVERRIDES). The defaults are in force;"
    " nothing was deleted."
)
DEGRADED = gettext_lazy("The database did not answer. These are the last known texts.")
PARTS: dict[str, Callable[[Desk], dict[str, Any]]] = {
    "output": preview_context,
    "samples": preview_context,
    "legend": preview_context,
    "note": preview_context,
    "comparison": preview_context,
    "problems": preview_context,
    "list": list_context,
}
"""What a script may ask for, and what each part shows."""
TOLD = ("places", "etags", "tokens", "marks")
"""What a script is told beside them, for where the page says it already."""
TELLING = frozenset({"list", "problems"})
"""The parts that tell which texts would be refused."""


class PageViews(FailingViews):
    """Shows the page, whole or in the parts that its script asks for."""

    change_list_template = f"{FOLDER}/page.html"

    def preview_view(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a script with parts of the page for the texts it sends."""
        self.check_view(request)
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        asked = read_post(request)
        wanted = [name for name in PARTS if name in asked.parts]
        faults = () if TELLING.isdisjoint(wanted) else mistakes(asked)
        desk = Desk(asked, request.user, faults)
        contexts = {make: make(desk) for make in {PARTS[name] for name in wanted}}
        parts: dict[str, Any] = {
            name: render_to_string(
                f"{FOLDER}/_{name}.html", contexts[PARTS[name]], request
            )
            for name in wanted
        }
        told = contexts.get(preview_context, {})
        further = TOLD if "problems" in wanted else TOLD[:-1]
        parts |= {name: told[name] for name in further if name in told}
        return self._unstored(JsonResponse(parts))

    def editors_view(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a script with the editors of the group that it opens."""
        self.check_view(request)
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        context = editors_context(Desk(read_post(request), request.user))
        html = render_to_string(f"{FOLDER}/_editors.html", context, request)
        return self._unstored(HttpResponse(html))

    def keeping_texts(
        self, view: Callable[..., HttpResponseBase]
    ) -> Callable[..., HttpResponseBase]:
        """
        Return *view* as the admin site wraps it, but for forms it cannot take.

        Where the session has ended, the texts are shown instead of the sign-in
        page that would take them away; a form over one of Django's limits is told
        which.
        """
        inner = self.admin_site.admin_view(view)
        late = csrf_protect(self.signed_out)

        def answer(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
            excess = excess_of(request)
            if excess:
                return self.too_much(request, excess)
            is_form = request.method == "POST" and not is_script(request)
            if is_form and not self.admin_site.has_permission(request):
                return late(request)
            return inner(request, **arguments)

        # The middleware would read the form, and fail, before this is reached. Both
        # ways on from here check the token themselves.
        return csrf_exempt(update_wrapper(answer, inner))

    def too_much(self, request: HttpRequest, excess: str) -> HttpResponse:
        """Say which limit a form exceeds: to a script in one line, else on a page."""
        answer: HttpResponse
        if is_script(request):
            answer = self._unstored(HttpResponse(excess, content_type="text/plain"))
        else:
            context = {"title": gettext("Too much at once"), "excess": excess}
            answer = self.respond(request, f"{FOLDER}/too_much.html", context)
        answer.status_code = 413
        return answer

    def signed_out(self, request: HttpRequest) -> HttpResponse:
        """Show the texts of a form whose sender is not signed in any more."""
        asked = read_post(request)
        if not asked.texts:
            return redirect_to_login(
                self.place(request, asked),
                reverse("admin:login", current_app=self.admin_site.name),
            )
        texts = list(asked.texts.items())
        if asked.result is not None:
            texts.append((asked.target, asked.result))
        context = {"title": gettext("Signed out"), "texts": texts}
        answer = self.respond(request, f"{FOLDER}/signed_out.html", context)
        answer.status_code = 403
        return answer

    def check_view(self, request: HttpRequest) -> None:
        """
        Let through who may see the page.

        Raises:
            PermissionDenied: the user has neither the view nor the change right.
        """
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied

    def page(
        self,
        request: HttpRequest,
        asked: Asked,
        faults: Sequence[Fault] = (),
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Answer with the whole page; *faults* stand beside their texts."""
        desk = Desk(asked, request.user, tuple(faults))
        may_save = self.has_change_permission(request) and desk.may_change_some
        context = page_context(desk, may_save=may_save)
        self.warn(request, desk)
        template = str(self.change_list_template)
        return self.respond(request, template, context, extra_context or {})

    def warn(self, request: HttpRequest, desk: Desk) -> None:
        """Add the banners about what is in force instead of the stored texts."""
        if conf.ignore_overrides():
            messages.warning(request, IGNORED)
        if desk.snapshot.degraded:
            messages.warning(request, DEGRADED)

    def respond(
        self, request: HttpRequest, template: str, *contexts: dict[str, Any]
    ) -> HttpResponse:
        """Answer with a template of this admin site, filled from *contexts*."""
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "media": self.media,
            "is_nav_sidebar_enabled": False,
        }
        for further in contexts:
            context |= further
        request.current_app = self.admin_site.name
        return self._unstored(TemplateResponse(request, template, context))

    def place(
        self,
        request: HttpRequest,
        asked: Asked,
        verb: str = "changelist",
        **further: str,
    ) -> str:
        """
        Return the address of the view that *asked* describes.

        Another *verb* is that of another page, which may ask *further*.
        """
        address = reverse(
            f"admin:prompts_app_override_{verb}", current_app=self.admin_site.name
        )
        query = {
            "scope": asked.scope,
            "fragment": asked.fragment,
            "q": asked.q,
            "state": asked.state,
            "scenario": asked.scenario,
            "level": asked.level and asked.level.value,
            "show": "" if asked.show == TEXT else asked.show,
        }
        given = {name: value for name, value in query.items() if value}
        # A blank scenario asks for every variable's example.
        if asked.scenario == "":
            given["scenario"] = ""
        given |= further
        if given:
            address += f"?{urlencode(given)}"
        # Without a script the editors of a group stand one under another.
        is_there = asked.fragment and verb == "changelist"
        return f"{address}#{quote(asked.fragment)}" if is_there else address

    def _unstored(self, answer: HttpResponse) -> HttpResponse:
        answer.headers["Cache-Control"] = "no-store"
        return answer


def mistakes(asked: Asked) -> tuple[Fault, ...]:
    """Return why typed texts would be refused, as far as only an edit can mend it."""
    if not asked.texts:
        return ()
    faults = examine(asked.texts, scope=asked.scope)
    return tuple(fault for fault in faults if fault.code != "must_mention")
