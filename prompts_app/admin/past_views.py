"""The way back in time: restoring earlier texts, and the prompt as it was."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _

from prompts_app import conf, services
from prompts_app.admin.asking import read_get
from prompts_app.admin.bringing_back import Wish, back_context, read_number, read_wish
from prompts_app.admin.comparing import comparing_context
from prompts_app.admin.desk import Desk
from prompts_app.admin.entries import log_save
from prompts_app.admin.failing import FailingViews
from prompts_app.admin.pages import IGNORED
from prompts_app.exceptions import Fault, SaveRefused
from prompts_app.models import Revision
from prompts_app.overrides import rights
from prompts_app.overrides.history import moment_of
from prompts_app.overrides.journal import last_number
from prompts_app.overrides.rows import writing_alias

FOLDER = "admin/prompts_app/revision"


class PastViews(FailingViews):
    """The views that start from a moment of the history."""

    def restore_view(self, request: HttpRequest) -> HttpResponse:
        """Show what would come back, or bring it back."""
        self._check(request, rights.HISTORY, rights.CHANGE)
        wish = read_wish(request.POST if request.method == "POST" else request.GET)
        if request.method != "POST" or not wish.is_sent:
            return self._review(request, wish)
        try:
            saved = services.restore(
                wish.moment,
                keys=wish.chosen,
                author=request.user,
                comment=wish.comment,
                based_on=wish.based_on,
                confirm=wish.confirmed,
            )
        except SaveRefused as refused:
            return self._review(request, wish, refused.faults)
        except PermissionDenied:
            answer = self._review(request, wish, ())
            answer.status_code = 403
            return answer
        except ValueError:
            return self._unknown(request, wish.moment)
        return self._done(request, saved.revision)

    def prompt_view(self, request: HttpRequest) -> HttpResponse:
        """Show the prompt as of a save, or of a day, beside today's."""
        self._check(request, rights.HISTORY, "prompts_app.view_override")
        asked = read_get(request)
        day = parse_day(str(request.GET.get("on", "")))
        moment = read_number(request.GET, "moment") if day is None else moment_of(day)
        try:
            context = comparing_context(Desk(asked, request.user), moment)
        except ValueError:
            return self._unknown(request, moment)
        near = Revision.objects.using(writing_alias()).filter(
            number__in=(moment - 1, moment, moment + 1)
        )
        found = {revision.number: revision for revision in near}
        context |= {
            "title": _("The prompt as of then"),
            "revision": found.get(moment),
            "has_earlier": moment > 0,
            "earlier": moment - 1,
            "later": moment + 1 if moment + 1 in found else None,
        }
        return self.respond(request, "prompt.html", context)

    def respond(
        self, request: HttpRequest, template: str, context: dict[str, Any]
    ) -> HttpResponse:
        """Answer with a template of the history on this admin site."""
        if conf.ignore_overrides():
            messages.warning(request, IGNORED)
        request.current_app = self.admin_site.name
        answer = TemplateResponse(
            request,
            f"{FOLDER}/{template}",
            {
                **self.admin_site.each_context(request),
                "opts": self.opts,
                "media": self.media,
                "is_nav_sidebar_enabled": False,
                **context,
            },
        )
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def place(self, revision: Revision | None = None) -> str:
        """Return the address of one save on this admin site, or of all."""
        verb, arguments = ("change", (revision.pk,)) if revision else ("changelist", ())
        return reverse(
            f"admin:prompts_app_revision_{verb}",
            args=arguments,
            current_app=self.admin_site.name,
        )

    def _check(self, request: HttpRequest, *permissions: str) -> None:
        if not all(request.user.has_perm(name) for name in permissions):
            raise PermissionDenied

    def _review(
        self,
        request: HttpRequest,
        wish: Wish,
        refused: Sequence[Fault] | None = None,
    ) -> HttpResponse:
        try:
            context = back_context(wish, request.user, refused)
        except ValueError:
            return self._unknown(request, wish.moment)
        return self.respond(
            request, "restore.html", {"title": _("Restore earlier texts"), **context}
        )

    def _done(self, request: HttpRequest, number: int | None) -> HttpResponse:
        if number is None:
            messages.info(request, _("Nothing was restored."))
            return HttpResponseRedirect(self.place())
        log_save(request, number)
        text = _("Restored as save %(number)s. It is in use from the next request on.")
        messages.success(request, text % {"number": number})
        revision = Revision.objects.using(writing_alias()).get(number=number)
        return HttpResponseRedirect(self.place(revision))

    def _unknown(self, request: HttpRequest, moment: int) -> HttpResponse:
        """Say that history was pruned; a save that never was is not found."""
        if moment > last_number(writing_alias()):
            raise Http404
        text = _(
            "What was in force after save %(number)s is not known any more:"
            " later saves were removed from the history."
        )
        messages.error(request, text % {"number": moment})
        return HttpResponseRedirect(self.place())


def parse_day(text: str) -> datetime | None:
    """Return the end of the day that *text* names; None: it names none."""
    try:
        day = parse_date(text)
    except ValueError:
        return None
    if day is None:
        return None
    try:
        end = datetime.combine(day + timedelta(days=1), time.min)
        return timezone.make_aware(end) if settings.USE_TZ else end
    except OverflowError:
        return None
