"""Deciding about defaults that have moved, and having everything read anew."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.utils.translation import gettext as _

from prompts_app import services
from prompts_app.admin.asking import Asked, read_post
from prompts_app.admin.desk import Desk
from prompts_app.admin.drifting import drift_of, settled
from prompts_app.admin.pages import FOLDER
from prompts_app.admin.saving import SavingViews, carrying
from prompts_app.overrides.planning import DEFAULT
from prompts_app.overrides.rights import check_change


class SettlingViews(SavingViews):
    """The views about defaults that have moved; they lose nothing typed."""

    def decide_view(self, request: HttpRequest) -> HttpResponseBase:
        """Show three texts or take the choice between them, about a default too."""
        self._check_change(request)
        asked = read_post(request)
        if asked.action == "drift":
            # What was written beside another default stays with its fragment.
            asked = asked.with_result(asked.fragment)
            return self._drift(request, replace(asked, fragment=asked.target))
        if asked.about == DEFAULT:
            return self._settle(request, replace(asked, fragment=asked.target))
        return self.decide(request, asked)

    def reload_view(self, request: HttpRequest) -> HttpResponseBase:
        """Make every process read texts and sources anew."""
        self._check_change(request)
        services.touch()
        messages.success(
            request, _("Every process reads texts and sources anew when it next asks.")
        )
        return self.onwards(request, read_post(request))

    def onwards(self, request: HttpRequest, asked: Asked) -> HttpResponse:
        """Lead to the page, with what is typed and not yet saved still in it."""
        if asked.texts:
            return self.page(request, asked)
        return HttpResponseRedirect(self.place(request, asked))

    def _drift(
        self, request: HttpRequest, asked: Asked, *, is_again: bool = False
    ) -> HttpResponse:
        """Show the three texts of the fragment in view, unless something is before it."""
        key = asked.fragment
        desk = Desk(asked, request.user)
        check_change(request.user, desk.view, asked.scope, (key,))
        drift = drift_of(desk, key)
        if drift is None:
            text = _("There is nothing to decide: the default has not changed since.")
            messages.info(request, text)
            return self.onwards(request, asked)
        if asked.based_on.get(key, drift.etag) != drift.etag:
            # Somebody saved meanwhile; those two texts come first.
            return self._towards_review(request, asked)
        context = {
            "title": _("A newer default"),
            "decision": drift,
            "is_again": is_again,
        }
        return self.respond(request, f"{FOLDER}/drift.html", carrying(desk), context)

    def _settle(self, request: HttpRequest, asked: Asked) -> HttpResponse:
        """Go on to the review with the choice made, if it was made over what is there."""
        desk = Desk(asked, request.user)
        check_change(request.user, desk.view, asked.scope, (asked.target,))
        drift = drift_of(desk, asked.target)
        if drift is None or drift.etag != asked.settles:
            asked = asked.with_result(asked.target)
            return self._drift(request, asked, is_again=True)
        return self._towards_review(request, settled(asked, drift))
