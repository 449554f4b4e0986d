"""Texts out as a file, and a file of texts in, after a review."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    QueryDict,
)
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _, ngettext

from prompts_app import conf, services
from prompts_app.admin.asking import Asked, read_get, read_post
from prompts_app.admin.entries import log_save, with_undo
from prompts_app.admin.importing import Draft, import_context, read_document
from prompts_app.admin.pages import FOLDER, IGNORED, PageViews
from prompts_app.exceptions import SaveRefused
from prompts_app.overrides.exchange import MOST_BYTES, written
from prompts_app.overrides.history import Address


class ExchangeViews(PageViews):
    """The views that give stored texts out and take them in."""

    def export_view(self, request: HttpRequest) -> HttpResponseBase:
        """Give the texts of one scope, or of all if none is named, as a file."""
        self.check_view(request)
        scope = read_get(request).scope if "scope" in request.GET else None
        document = written(services.export_texts(scope=scope))
        answer = HttpResponse(document, content_type="application/json")
        disposition = content_disposition_header(
            as_attachment=True, filename=_file_name(scope)
        )
        answer.headers["Content-Disposition"] = disposition or ""
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def import_view(self, request: HttpRequest) -> HttpResponseBase:
        """Ask for a file, show what it would change, and then store that."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return self._ask_for_file(request, read_get(request))
        asked = read_post(request)
        try:
            draft = _draft(request, asked)
            if "_import" in request.POST:
                return self._import(request, asked, draft)
            return self._review_import(request, asked, draft)
        except PermissionDenied as error:
            said = _("You may not change all of these texts. %(why)s")
            answer = self._ask_for_file(request, asked, said % {"why": error})
            answer.status_code = 403
            return answer
        except ValueError as error:
            return self._ask_for_file(request, asked, str(error))

    def _ask_for_file(
        self, request: HttpRequest, asked: Asked, fault: str = ""
    ) -> HttpResponse:
        context = {"title": _("Import"), "asked": asked, "fault": fault}
        return self.respond(request, f"{FOLDER}/import.html", context)

    def _review_import(
        self, request: HttpRequest, asked: Asked, draft: Draft
    ) -> HttpResponse:
        context = {"title": _("Import"), "asked": asked}
        context |= import_context(draft, request.user)
        if conf.ignore_overrides():
            messages.warning(request, IGNORED)
        return self.respond(request, f"{FOLDER}/import_review.html", context)

    def _import(self, request: HttpRequest, asked: Asked, draft: Draft) -> HttpResponse:
        try:
            saved = services.import_texts(
                draft.chosen,
                author=request.user,
                comment=asked.comment,
                based_on=draft.based_on,
                confirm=draft.confirmed,
            )
        except SaveRefused as refused:
            draft = replace(draft, faults=refused.faults)
            return self._review_import(request, asked, draft)
        log_save(request, saved.revision)
        said = _outcome(len(saved.stored) + len(saved.removed))
        messages.success(
            request, with_undo(said, request, saved.revision, self.admin_site.name)
        )
        return HttpResponseRedirect(self.place(request, Asked(scope=asked.scope)))


def _file_name(scope: str | None) -> str:
    part = "all" if scope is None else scope or "installation"
    return f"prompts-{part}.json"


def _draft(request: HttpRequest, asked: Asked) -> Draft:
    """
    Return the document that a form brings, from its file or from the review.

    Raises:
        BadRequest: the review's own fields were tampered with.
        ValueError: there is no document; the message says why.
    """
    data = request.POST
    if "document" in data:
        return Draft(
            read_document(str(data["document"]).encode()),
            _based_on(str(data.get("etags", "[]"))),
            _left(data),
            asked.confirmed,
        )
    file = request.FILES.get("file")
    if file is None:
        raise ValueError(_("Choose a file first."))
    # The file is not read before its size is known.
    if (file.size or 0) > MOST_BYTES:
        raise ValueError(
            f"The file has {file.size} bytes; at most {MOST_BYTES} are allowed"
        )
    return Draft(read_document(file.read()))


def _based_on(given: str) -> dict[Address, str]:
    try:
        found: list[Any] = json.loads(given)
        return {(str(scope), str(key)): str(etag) for scope, key, etag in found}
    except (ValueError, TypeError, RecursionError) as error:
        raise BadRequest("etags has to be a list of scope, key and etag") from error


def _left(data: QueryDict) -> frozenset[Address]:
    """Return the members that are left out, each line ``scope key key…``."""
    lines = [str(value).split(" ") for value in data.getlist("leave")]
    return frozenset((scope, key) for scope, *keys in lines for key in keys)


def _outcome(count: int) -> str:
    if not count:
        return _("No change was chosen, so nothing was saved.")
    if conf.ignore_overrides():
        return ngettext(
            "%(count)d text imported. It is in use once saved texts are not ignored.",
            "%(count)d texts imported. They are in use once saved texts are not"
            " ignored.",
            count,
        ) % {"count": count}
    return ngettext(
        "%(count)d text imported. It is in use from the next request on.",
        "%(count)d texts imported. They are in use from the next request on.",
        count,
    ) % {"count": count}
