"""The contexts of the page's templates: plain rows, everything worked out before."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from prompts_app.admin.desk import Desk
from prompts_app.admin.editing import (
    PAGE,
    Shown,
    editors_of,
    fragments_here,
    legend_of,
    legend_row,
    shown_in,
)
from prompts_app.admin.listing import counts_of, groups_of
from prompts_app.admin.previewing import Preview, preview_of
from prompts_app.declarations import Level
from prompts_app.syntax import fingerprint
from prompts_app.wording import fault_text, level_text


def page_context(desk: Desk, *, may_save: bool) -> dict[str, Any]:
    """Return what the whole page shows."""
    preview = preview_of(desk)
    shown = shown_in(preview.assembly, preview.values)
    here = frozenset(fragment.key for fragment in fragments_here(desk))
    groups = groups_of(desk, here)
    return {
        **_common(desk, preview, shown),
        "title": _("Prompt fragments"),
        "groups": groups,
        "counts": counts_of(groups),
        "total": sum(len(group.rows) for group in groups),
        "may_save": may_save,
        "may_not_save": not may_save,
        "comment": desk.asked.comment,
        "carried": _carried(desk, here),
        "unsaved_count": len(desk.asked.texts),
        "lost": _lost(desk),
        "orphan": next((r for r in desk.orphans if r.key == desk.asked.fragment), None),
        "general_problems": [fault_text(fault) for fault in desk.faults_of("")],
        "faulty_count": len({fault.key for fault in desk.faults}),
        "pages": _pages(desk),
    }


def preview_context(desk: Desk) -> dict[str, Any]:
    """Return what the preview shows, and the place of each passage for a script."""
    preview = preview_of(desk)
    shown = shown_in(preview.assembly, preview.values)
    current = desk.current
    text = desk.edited_text(current.key) if current else ""
    return {
        "desk": desk,
        "preview": preview,
        "places": dict(shown.places),
        "rows": legend_of(desk, shown, current, text) if current else (),
        "readonly": current is not None and not desk.may_change(current.key),
    }


def editors_context(desk: Desk) -> dict[str, Any]:
    """Return what the editors of one group show."""
    preview = preview_of(desk)
    return _common(desk, preview, shown_in(preview.assembly, preview.values))


def _common(desk: Desk, preview: Preview, shown: Shown) -> dict[str, Any]:
    scenario = desk.scenario
    return {
        "desk": desk,
        "asked": desk.asked,
        "preview": preview,
        "editors": editors_of(desk, shown),
        "variables": [legend_row(desk, shown, name) for name in desk.view.variables],
        "scenarios": [
            (one.key, one.label, one is scenario)
            for one in desk.view.scenarios.values()
        ],
        "scenario": scenario.key if scenario else "",
        "levels": [(one.value, level_text(one), one is desk.level) for one in Level],
        "scope_label": _scope_label(desk),
    }


def _scope_label(desk: Desk) -> str:
    scope = desk.asked.scope
    if not scope:
        return _("the whole installation")
    declared = desk.view.scopes.get(scope)
    return str(declared.label) if declared else scope


def _carried(desk: Desk, here: frozenset[str]) -> list[dict[str, Any]]:
    """Return the typed texts whose editors are elsewhere, as hidden fields."""
    return [
        {
            "key": key,
            "text": text,
            "etag": desk.etag(key),
            "shown": fingerprint(desk.saved_text(key)),
            "label": str(desk.view.by_key[key].fragment.label),
            "ticked": desk.ticked(key),
        }
        for key, text in desk.unsaved.items()
        if key not in here
    ]


def _lost(desk: Desk) -> list[tuple[str, str, str]]:
    """
    Return key and text of what was typed for fragments that are gone.

    The last of each is the fingerprint of a blank text: a box that is cleared
    counts as one that was not touched, and its text is given up.
    """
    known = desk.view.by_key
    blank = fingerprint("")
    return [(k, text, blank) for k, text in desk.asked.texts.items() if k not in known]


def _pages(desk: Desk) -> list[tuple[str, int, bool]]:
    """Return first key, number and currency of each page of a long group."""
    if desk.current is None:
        return []
    fragments = desk.groups[desk.current.group][1]
    if len(fragments) <= PAGE:
        return []
    place = fragments.index(desk.current) // PAGE
    return [
        (fragments[start].key, number + 1, number == place)
        for number, start in enumerate(range(0, len(fragments), PAGE))
    ]
