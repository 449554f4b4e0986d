"""From typed texts to stored ones: review, decisions, discarding, the save itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.utils.translation import gettext as _, ngettext

from prompts_app import conf, services
from prompts_app.admin.asking import Asked, read_post
from prompts_app.admin.deciding import decided, decision_of
from prompts_app.admin.desk import Desk
from prompts_app.admin.entries import log_save, with_undo
from prompts_app.admin.pages import FOLDER, PageViews, mistakes
from prompts_app.admin.reviewing import review_context
from prompts_app.admin.showing import bar_context, carried, lost, scope_label
from prompts_app.exceptions import Fault, SaveRefused
from prompts_app.overrides.rights import check_change
from prompts_app.overrides.writing import examine


class SavingViews(PageViews):
    """The views that lead from the page to a save and back, losing nothing."""

    def review_view(self, request: HttpRequest) -> HttpResponseBase:
        """Show the review, or what has to be settled or mended before it."""
        self._check_change(request)
        return self._towards_review(request, read_post(request))

    def decide(self, request: HttpRequest, asked: Asked) -> HttpResponse:
        """Take the choice between three texts, and go on towards the review."""
        asked = decided(Desk(asked, request.user), asked.target)
        return self._towards_review(request, asked)

    def discard_view(self, request: HttpRequest) -> HttpResponseBase:
        """Ask whether the typed texts should go."""
        self._check_change(request)
        asked = read_post(request)
        if not asked.texts:
            return HttpResponseRedirect(self.place(request, asked))
        desk = Desk(asked, request.user)
        context = {"title": _("Discard changes"), "place": self.place(request, asked)}
        return self.respond(request, f"{FOLDER}/discard.html", carrying(desk), context)

    def change_scope(self, request: HttpRequest, asked: Asked) -> HttpResponse:
        """Lead to another scope, or ask first what becomes of the typed texts."""
        there = replace(asked, scope=asked.target)
        if not asked.texts:
            return HttpResponseRedirect(self.place(request, there))
        if there.scope == asked.scope:
            return self.page(request, asked, mistakes(asked))
        desk = Desk(asked, request.user)
        context = {
            "title": _("Unsaved changes"),
            "scope_label": scope_label(desk, asked.scope),
            "other_label": scope_label(desk, there.scope),
            "place": self.place(request, there),
        }
        return self.respond(request, f"{FOLDER}/leave.html", carrying(desk), context)

    def save_texts(self, request: HttpRequest, asked: Asked) -> HttpResponse:
        """Save the chosen texts, or show why that was refused; nothing is lost."""
        self._check_change(request)
        chosen = asked.chosen
        try:
            saved = services.save(
                chosen,
                scope=asked.scope,
                author=request.user,
                comment=asked.comment,
                based_on=asked.based_on,
                confirm=asked.confirmed,
            )
        except SaveRefused as refused:
            return self._after_faults(request, asked, refused.faults)
        log_save(request, saved.revision)
        # The page's script forgets the drafts of the keys that it finds here.
        tags = " ".join(("prompts-saved", *chosen))
        said = with_undo(
            _outcome(len(chosen)), request, saved.revision, self.admin_site.name
        )
        messages.success(request, said, extra_tags=tags)
        if asked.left.texts:
            return self.page(request, asked.left)
        return HttpResponseRedirect(self.place(request, asked))

    def _check_change(self, request: HttpRequest) -> None:
        if not self.has_change_permission(request):
            raise PermissionDenied

    def _towards_review(self, request: HttpRequest, asked: Asked) -> HttpResponse:
        desk = Desk(asked, request.user)
        check_change(request.user, desk.view, asked.scope, asked.texts)
        if not asked.texts:
            messages.info(request, _("Nothing changed yet."))
            return HttpResponseRedirect(self.place(request, asked))
        faults = examine(
            asked.texts,
            scope=asked.scope,
            based_on=asked.based_on,
            confirm=asked.confirmed,
        )
        return self._after_faults(request, asked, faults)

    def _after_faults(
        self, request: HttpRequest, asked: Asked, faults: Sequence[Fault]
    ) -> HttpResponse:
        """Show the page that *faults* call for: errors, then conflicts, then ticks."""
        wrong = [f for f in faults if f.code not in ("conflict", "must_mention")]
        if wrong:
            asked = replace(asked, fragment=_to_correct(asked, wrong))
            # What only has to be settled or ticked comes up later, by itself.
            return self.page(request, asked, wrong)
        desk = Desk(asked, request.user)
        conflicts = [fault for fault in faults if fault.code == "conflict"]
        if conflicts:
            return self._decide(request, desk, conflicts)
        context = {"title": _("Review"), "scope_label": scope_label(desk, asked.scope)}
        # What is ticked already has to be seen as well.
        losses = examine(asked.texts, scope=asked.scope)
        context |= review_context(desk, losses)
        self.warn(request, desk)
        return self.respond(request, f"{FOLDER}/review.html", carrying(desk), context)

    def _decide(
        self, request: HttpRequest, desk: Desk, conflicts: Sequence[Fault]
    ) -> HttpResponse:
        decision = decision_of(desk, conflicts[0].key)
        context = {
            "title": _("Somebody else has changed this text"),
            "decision": decision,
            "others": len(desk.asked.texts) - 1,
            "is_again": desk.asked.target == decision.key,
        }
        return self.respond(request, f"{FOLDER}/decide.html", carrying(desk), context)


def carrying(desk: Desk) -> dict[str, Any]:
    """Return what every page between typing and saving carries along."""
    return {
        "desk": desk,
        "asked": desk.asked,
        "carried": carried(desk),
        "lost": lost(desk),
        # A template would take a value called "items" for the method.
        "values": tuple(desk.asked.values.items()),
        **bar_context(desk),
    }


def _to_correct(asked: Asked, faults: Sequence[Fault]) -> str:
    """Return the fragment to show: the one in view if it is faulty, or the first."""
    known = {fault.key for fault in faults if fault.code != "unknown_fragment"}
    keys = [key for key in asked.texts if key in known]
    return asked.fragment if asked.fragment in keys or not keys else keys[0]


def _outcome(count: int) -> str:
    if not count:
        return _("No change was chosen, so nothing was saved.")
    if conf.ignore_overrides():
        return ngettext(
            "%(count)d change saved. It is in use once saved texts are not ignored.",
            "%(count)d changes saved. They are in use once saved texts are not ignored.",
            count,
        ) % {"count": count}
    return ngettext(
        "%(count)d change saved. It is in use from the next request on.",
        "%(count)d changes saved. They are in use from the next request on.",
        count,
    ) % {"count": count}
