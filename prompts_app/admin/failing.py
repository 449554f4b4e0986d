"""Pages for a database that does not answer or takes no changes; nothing typed is lost."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from functools import partial, update_wrapper
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError, InterfaceError, connections
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import SimpleTemplateResponse, TemplateResponse
from django.urls import URLPattern
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_protect

from prompts_app.admin.asking import is_script, read_post
from prompts_app.validation import in_a_line

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
else:
    _ModelAdmin = admin.ModelAdmin

ERRORS = (DatabaseError, InterfaceError)
TEMPLATE = "admin/prompts_app/override/failed.html"
logger = logging.getLogger("prompts_app")


class FailingViews(_ModelAdmin):
    """Answers in a sentence, with what was typed, where a view met a database error."""

    def telling_failures(self, patterns: Iterable[URLPattern]) -> list[URLPattern]:
        """Return *patterns* with views that outlive a failure of the database."""
        found = list(patterns)
        for pattern in found:
            pattern.callback = self._outliving(pattern.callback)
        return found

    def _outliving(
        self, view: Callable[..., HttpResponseBase]
    ) -> Callable[..., HttpResponseBase]:
        # What it gives back can be sent again by a button, so only to its own sender.
        late = csrf_protect(self.failed)

        def failed(request: HttpRequest, error: Exception) -> HttpResponse:
            _record(request, error)
            _roll_back()
            return late(request)

        def answer(
            request: HttpRequest, *parts: Any, **arguments: Any
        ) -> HttpResponseBase:
            try:
                answered = view(request, *parts, **arguments)
            except ERRORS as error:
                return failed(request, error)
            if isinstance(answered, SimpleTemplateResponse):
                _outlive_rendering(answered, partial(failed, request))
            return answered

        return update_wrapper(answer, view)

    def failed(self, request: HttpRequest) -> HttpResponse:
        """Say that the database failed, and give back what was sent; no statement is made."""
        said = _(
            "The database did not answer, or takes no changes at present. The log of"
            " the server says more."
        )
        answer: HttpResponse
        if is_script(request):
            answer = HttpResponse(said, content_type="text/plain")
        else:
            request.current_app = self.admin_site.name
            context = {"said": said, **self._context(), **_given_back(request)}
            answer = TemplateResponse(request, TEMPLATE, context)
        answer.status_code = 503
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def _context(self) -> dict[str, Any]:
        # The user's rights, which the site tells of elsewhere, are in the database, as
        # the user may be, and the session with the messages.
        return {
            "title": _("The database does not answer"),
            "opts": self.opts,
            "media": self.media,
            "is_nav_sidebar_enabled": False,
            "user": AnonymousUser(),
            "messages": (),
            "site_title": self.admin_site.site_title,
            "site_header": self.admin_site.site_header,
        }


def _outlive_rendering(
    answered: SimpleTemplateResponse, failed: Callable[[Exception], HttpResponse]
) -> None:
    """Let a page that is not rendered yet be another if that meets a database error."""

    def render() -> HttpResponse:
        del answered.__dict__["render"]
        try:
            return answered.render()
        except ERRORS as error:
            other = failed(error)
        return other.render() if isinstance(other, SimpleTemplateResponse) else other

    # Whoever handles a request sends on what this returns.
    answered.__dict__["render"] = render


def _record(request: HttpRequest, error: Exception) -> None:
    """Log which kind of error it was, in no words of the database: they may quote a text."""
    kinds = (type(one).__name__ for one in (error, error.__cause__) if one is not None)
    names = ", ".join(dict.fromkeys(kinds))
    number = error.args[0] if error.args and isinstance(error.args[0], int) else None
    logger.error(
        "The database failed (%s) at %s",
        names if number is None else f"{names}, {number}",
        in_a_line(request.path),
    )


def _roll_back() -> None:
    """Take back what the request wrote, where it is one transaction."""
    for connection in connections.all(initialized_only=True):
        if connection.in_atomic_block:
            connection.set_rollback(True)


def _given_back(request: HttpRequest) -> dict[str, Any]:
    """Return what was typed, to be read and copied, and all else that was sent."""
    typed = {f"text:{key}" for key in read_post(request).texts} | {"result"}
    fields = [
        (name, str(value))
        for name, values in request.POST.lists()
        if name != "csrfmiddlewaretoken"
        for value in values
    ]
    return {
        "typed": [
            (name, value, name.removeprefix("text:"))
            for name, value in fields
            if name in typed
        ],
        "sent": [(name, value) for name, value in fields if name not in typed],
    }
