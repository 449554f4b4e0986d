"""Stored texts against what this release declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _

from prompts_app import conf, services
from prompts_app.advice import problem_text
from prompts_app.assembly import Snapshot
from prompts_app.declarations import Fragment
from prompts_app.lint import ERROR, WARNING, examine
from prompts_app.management.catalogue import Catalogue
from prompts_app.management.findings import Finding
from prompts_app.overrides import faults
from prompts_app.overrides.rows import Row
from prompts_app.registry import View
from prompts_app.states import DRIFTED, orphans, state_of
from prompts_app.wording import fault_text, number


def audit(catalogue: Catalogue, scope: str) -> Iterator[Finding]:
    """Yield what is to be said of the texts that are stored for one *scope*."""
    rows = catalogue.rows(scope)
    view = services.view_of(scope, catalogue.snapshot)
    chain = (scope,) if scope else ()
    for row in orphans(view, rows):
        yield _unread(view, chain, row)
    for layered in view.fragments:
        state = state_of(view, rows, layered.key)
        if state.row is not None:
            if state.code == DRIFTED:
                message = _("The default has changed since this text was saved.")
                yield Finding(WARNING, "drifted", message, chain, layered.key)
            text = state.row.text
            yield from _of_text(view, catalogue.snapshot, layered.fragment, text)
    yield from _of_all(chain, rows)


def audit_defaults(view: View) -> Iterator[Finding]:
    """Yield what is odd about the texts that are declared, as one chain has them."""
    for layered in view.fragments:
        one = layered.fragment
        yield from _advice(view, None, one, one.default)


def _unread(view: View, chain: tuple[str, ...], row: Row) -> Finding:
    if row.key in view.by_key:
        message = _("The fragment is locked. The text is kept and not sent.")
        return Finding(WARNING, "locked", message, chain, row.key)
    message = _("Nobody declares the fragment. The text is kept and not sent.")
    return Finding(WARNING, "orphaned", message, chain, row.key)


def _of_text(
    view: View, snapshot: Snapshot, fragment: Fragment, text: str
) -> Iterator[Finding]:
    """Yield why *text* could not be saved today, and what is odd about it."""
    for fault in faults.of_text("", fragment.key, text, conf.max_fragment_chars()):
        message = fault_text(fault)
        yield Finding(ERROR, fault.code, message, view.chain, fragment.key)
    yield from _advice(view, snapshot, fragment, text)


def _advice(
    view: View, snapshot: Snapshot | None, fragment: Fragment, text: str
) -> Iterator[Finding]:
    """
    Yield the warnings of lint, each sentence once.

    *snapshot* holds the texts of clauses; None: their defaults.
    """
    found = (
        Finding(WARNING, one.code, problem_text(one), view.chain, fragment.key)
        for one in examine(text, fragment, view, before=text, snapshot=snapshot)
        if one.severity == WARNING
    )
    yield from dict.fromkeys(found)


def _of_all(chain: tuple[str, ...], rows: Mapping[str, Row]) -> Iterator[Finding]:
    total, limit = sum(len(row.text) for row in rows.values()), conf.max_stored_chars()
    if total > limit:
        message = _(
            "All texts together have %(length)s characters; at most %(limit)s are "
            "allowed."
        ) % {"length": number(total), "limit": number(limit)}
        yield Finding(WARNING, "total_too_long", message, chain)
