"""The contexts of the page's templates: plain rows, everything worked out before."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from prompts_app import conf, validation as valid
from prompts_app.admin.desk import Desk
from prompts_app.admin.drifting import drifted_of, first_to_decide
from prompts_app.admin.editing import (
    PAGE,
    comparison_of,
    editors_of,
    fragments_here,
)
from prompts_app.admin.legend import (
    lane_note,
    legend_of,
    legend_row,
    names_known,
    shown_in,
)
from prompts_app.admin.listing import in_force, listing_of
from prompts_app.admin.orphaned import choices_of, orphan_of
from prompts_app.admin.previewing import preview_of
from prompts_app.admin.problems import listed, problems_of
from prompts_app.admin.reading import reading_context
from prompts_app.admin.sampling import samples_of
from prompts_app.admin.speaking import script_words
from prompts_app.declarations import Level
from prompts_app.overrides import rights
from prompts_app.overrides.history import latest
from prompts_app.overrides.rows import scopes_in_use
from prompts_app.states import DRIFTED
from prompts_app.syntax import fingerprint, normalise
from prompts_app.wording import fault_text, level_text

LATEST = 5
"""How many saves the start view shows."""


def page_context(desk: Desk, *, may_save: bool) -> dict[str, Any]:
    """Return what the whole page shows."""
    context = editors_context(desk)
    orphan = orphan_of(desk, desk.asked.fragment)
    in_view = desk.current or orphan
    blocking = [fault for fault in desk.faults if fault.key]
    return {
        **context,
        **bar_context(desk),
        "title": _("Prompt fragments"),
        "scopes": scopes_of(desk),
        "words": script_words(),
        **list_context(desk),
        "may_save": may_save,
        "may_not_save": not may_save,
        "carried": carried(desk, _here(desk)),
        "lost": lost(desk),
        "orphan": orphan,
        **(_orphan(desk) if orphan else {}),
        "in_view": in_view.key if in_view else "",
        "general_problems": [fault_text(fault) for fault in desk.faults_of("")],
        "faulty_count": len({fault.key for fault in blocking}),
        "pages": _pages(desk),
        "may_see_history": desk.user.has_perm(rights.HISTORY),
        **({} if desk.current else _start(desk)),
    }


def preview_context(desk: Desk) -> dict[str, Any]:
    """Return what a script puts on the page while somebody types."""
    preview = preview_of(desk)
    shown = shown_in(desk, preview)
    current = desk.current
    context: dict[str, Any] = {
        "desk": desk,
        "asked": desk.asked,
        "preview": preview,
        **reading_context(desk, preview),
        "samples": samples_of(desk, preview.assembly),
        "places": dict(shown.places),
        "etags": {key: desk.etag(key) for key in desk.unsaved},
        "marks": [],
    }
    if current is not None:
        text = desk.edited_text(current.key)
        unsaved = current.key in desk.unsaved
        problems = problems_of(desk, current.key)
        context |= {
            "rows": legend_of(desk, shown, current, text),
            "readonly": not desk.may_change(current.key),
            "note": lane_note(shown, current.key, text, desk) if unsaved else "",
            "tokens": desk.meter.words(normalise(text)),
            "comparison": comparison_of(desk, current.key),
            "problems": listed(problems),
            "marks": [row.mark for row in problems],
        }
    return context


def editors_context(desk: Desk) -> dict[str, Any]:
    """Return what the editors of one group show, with preview and choices."""
    preview = preview_of(desk)
    shown = shown_in(desk, preview)
    scenario = desk.scenario
    return {
        "desk": desk,
        "asked": desk.asked,
        "preview": preview,
        **reading_context(desk, preview),
        "samples": samples_of(desk, preview.assembly),
        "editors": editors_of(desk, shown),
        "variables": [legend_row(desk, shown, name) for name in names_known(desk.view)],
        "scenarios": [
            (one.key, one.label, one is scenario)
            for one in desk.view.scenarios.values()
        ],
        "scenario": scenario.key if scenario else "",
        "levels": [(one.value, level_text(one), one is desk.level) for one in Level],
        "scope_label": scope_label(desk, desk.asked.scope),
    }


def list_context(desk: Desk) -> dict[str, Any]:
    """Return what the list shows."""
    return {
        "desk": desk,
        "asked": desk.asked,
        "listing": listing_of(desk, _here(desk)),
        "to_decide": first_to_decide(desk) if desk.asked.state == DRIFTED else "",
    }


def bar_context(desk: Desk) -> dict[str, Any]:
    """Return what the save bar says: how many texts changed, and which."""
    known = desk.view.by_key
    names = [
        (key, str(known[key].fragment.label) if key in known else key)
        for key in desk.asked.texts
    ]
    return {"unsaved": names, "unsaved_count": len(names)}


def scope_label(desk: Desk, scope: str) -> str:
    """Return for whom the texts of *scope* are."""
    if not scope:
        # Translators: whom a text is for; stands after “for”.
        return _("the whole installation")
    declared = desk.view.scopes.get(scope)
    return str(declared.label) if declared else scope


def scopes_of(desk: Desk) -> list[tuple[str, str]]:
    """
    Return key and label of every scope one may go to; none if there is but one.

    They are the whole installation, what is declared, what has stored texts, and
    the page's own.
    """
    known = ["", *desk.view.scopes]
    in_use = filter(valid.is_scope, scopes_in_use())
    others = {*in_use, desk.asked.scope}.difference(known)
    keys = [*known, *sorted(others)]
    if len(keys) == 1:
        return []
    return [(key, scope_label(desk, key)) for key in keys]


def carried(desk: Desk, here: frozenset[str] = frozenset()) -> list[dict[str, Any]]:
    """Return the typed texts whose editors are not *here*, for hidden fields."""
    return [
        {
            "key": key,
            "text": text,
            "etag": desk.asked.etags.get(key, desk.etag(key)),
            "shown": desk.shown_of(key),
            "saved": desk.saved_text(key),
            "label": str(desk.view.by_key[key].fragment.label),
            "ticked": desk.ticked(key),
        }
        for key, text in desk.unsaved.items()
        if key not in here
    ]


def _here(desk: Desk) -> frozenset[str]:
    return frozenset(fragment.key for fragment in fragments_here(desk))


def lost(desk: Desk) -> list[tuple[str, str, str]]:
    """
    Return key and text of what was typed for fragments that are gone.

    The last of each is the fingerprint of a blank text: a box that is cleared
    counts as one that was not touched, and its text is given up.
    """
    known = desk.view.by_key
    blank = fingerprint("")
    return [(k, text, blank) for k, text in desk.asked.texts.items() if k not in known]


def _orphan(desk: Desk) -> dict[str, Any]:
    """Return what the view of an orphaned text offers."""
    return {
        "choices": choices_of(desk, desk.asked.fragment),
        "may_prune": rights.may_prune(desk.user, desk.view, desk.asked.scope),
    }


def _start(desk: Desk) -> dict[str, Any]:
    """Return what the start view shows; no saves to who may not see history."""
    may_see = desk.user.has_perm(rights.HISTORY)
    saves = latest(LATEST) if may_see else None
    return {
        "drifted": _drifted(desk),
        "in_force": in_force(desk),
        "latest": saves,
        "status": {
            "past": saves[0] if saves else None,
            "ignored": conf.ignore_overrides(),
            "degraded": desk.snapshot.degraded,
        },
    }


def _drifted(desk: Desk) -> list[tuple[str, str, bool, bool]]:
    """Return key, label, whether off and whether to be decided, of what is drifted."""
    return [
        (key, label, state.is_off, desk.may_change(key))
        for key, label, state in drifted_of(desk)
    ]


def _pages(desk: Desk) -> list[tuple[str, int, bool]]:
    """Return first key, number and currency of each page of a long group."""
    if desk.current is None:
        return []
    fragments = desk.groups[desk.current.group][1]
    if len(fragments) <= PAGE:
        return []
    place = fragments.index(desk.current) // PAGE
    return [
        (fragments[start].key, page + 1, page == place)
        for page, start in enumerate(range(0, len(fragments), PAGE))
    ]
