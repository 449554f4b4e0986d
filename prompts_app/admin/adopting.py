"""What becomes of orphaned texts: another key's, or history's alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import (
    HttpRequest,
    HttpResponseBase,
)
from django.utils.translation import gettext as _, gettext_lazy

from prompts_app import services
from prompts_app.admin.asking import Asked, read_post
from prompts_app.admin.desk import Desk
from prompts_app.admin.entries import log_save
from prompts_app.admin.orphaned import adoption_of, orphan_of
from prompts_app.admin.pages import FOLDER
from prompts_app.admin.saving import carrying
from prompts_app.admin.settling import SettlingViews
from prompts_app.exceptions import SaveRefused
from prompts_app.overrides.rights import check_change, check_prune
from prompts_app.wording import fault_text

CHANGED = gettext_lazy(
    "It has changed since you were asked. Nothing was done; look again."
)

UNTICKED = gettext_lazy("Nothing was saved: something below needs a tick.")


class AdoptingViews(SettlingViews):
    """The views that ask about an orphaned text, and do what was answered."""

    def adopt_view(self, request: HttpRequest) -> HttpResponseBase:
        """Ask whether an orphaned text should go to another key, or see to it."""
        self._check_change(request)
        asked = read_post(request)
        old, new = asked.target, asked.adopts
        desk = Desk(asked, request.user)
        check_change(request.user, desk.view, asked.scope, (new,))
        faults = self._adopted(request, desk) if asked.action == "adopted" else []
        if faults is None:
            said = _("The text of %(old)s is that of %(new)s now.")
            messages.success(request, said % {"old": old, "new": new})
            return self.onwards(request, replace(asked, fragment=new))
        adoption = adoption_of(desk, old, new)
        if adoption is None:
            messages.error(request, _("Choose a fragment that has no text of its own."))
            return self.onwards(request, replace(asked, fragment=old))
        context = {"title": _("Adopt a text"), "adoption": adoption, "faults": faults}
        return self.respond(request, f"{FOLDER}/adopt.html", carrying(desk), context)

    def remove_view(self, request: HttpRequest) -> HttpResponseBase:
        """Ask whether an orphaned text should be taken away, or see to it."""
        self.check_view(request)
        asked = read_post(request)
        key, desk = asked.target, Desk(asked, request.user)
        check_prune(request.user, desk.view, asked.scope)
        orphan = orphan_of(desk, key)
        if orphan is None:
            messages.info(request, _("There is no such text any more."))
            return self.onwards(request, replace(asked, fragment=""))
        faults = _removed(request, asked) if asked.action == "removed" else []
        if faults is None:
            said = _("The text of %(key)s was removed. It stays in the history.")
            messages.success(request, said % {"key": key})
            return self.onwards(request, replace(asked, fragment=""))
        context = {
            "title": _("Remove a text"),
            "orphan": orphan,
            "etag": desk.etag(key),
            "faults": faults,
        }
        return self.respond(request, f"{FOLDER}/remove.html", carrying(desk), context)

    def _adopted(self, request: HttpRequest, desk: Desk) -> list[Any] | None:
        """Adopt as asked; return why that was refused, or None."""
        asked = desk.asked
        old = asked.target
        if asked.etags.get(old) != desk.etag(old):
            return [CHANGED]
        try:
            saved = services.adopt(
                old,
                asked.adopts,
                scope=asked.scope,
                author=request.user,
                confirm=asked.confirmed,
            )
        except SaveRefused as refused:
            return _said(refused, old)
        except ValueError:
            return [CHANGED]
        log_save(request, saved.revision)
        return None


def _said(refused: SaveRefused, old: str) -> list[Any]:
    """Return the sentences about a refusal; a tick that is missing has its own place."""
    faults = [fault for fault in refused.faults if fault.code != "must_mention"]
    said = [f"{fault.key or old}: {fault_text(fault)}" for fault in faults]
    return said or [UNTICKED]


def _removed(request: HttpRequest, asked: Asked) -> list[Any] | None:
    """Remove as asked; return why that was refused, or None."""
    key = asked.target
    try:
        saved = services.prune(
            [key],
            scope=asked.scope,
            author=request.user,
            based_on={key: asked.etags.get(key, "")},
        )
    except ValueError:
        return [CHANGED]
    log_save(request, saved.revision)
    return None
