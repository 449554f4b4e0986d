"""``prompts check``: what an operator should know of this release and the stored texts."""

from __future__ import annotations

from collections.abc import Iterator

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _, ngettext

from prompts_app import services
from prompts_app.checks.installation import check_sources
from prompts_app.lint import ERROR, WARNING
from prompts_app.management.auditing import audit, audit_defaults
from prompts_app.management.catalogue import Catalogue
from prompts_app.management.findings import Finding, Report, as_json, report_lines
from prompts_app.management.trying import Trial
from prompts_app.management.verbs import (
    Options,
    Terminal,
    Verb,
    add_scope,
    chain_of,
    warnings,
)
from prompts_app.preview import scopes_of, situations
from prompts_app.registry import View
from prompts_app.wording import bad_scope_text


def add_arguments(parser: CommandParser) -> None:
    """Declare the options of ``check``."""
    add_scope(parser)
    parser.add_argument(
        "--json", action="store_true", help="Print everything for another program."
    )
    parser.add_argument(
        "--fail-level",
        choices=[ERROR, WARNING],
        default=ERROR,
        help="What ends in status 1: errors, or warnings as well.",
    )


def run(terminal: Terminal, options: Options) -> None:
    """
    Write everything that was found.

    Raises:
        CommandError: something was, and is as bad as ``--fail-level`` says.
    """
    report = examine(chain_of(options["scope"]))
    if options["json"]:
        terminal.show([as_json(report)])
    else:
        terminal.show(
            terminal.painted(severity.upper(), line) if severity else line
            for severity, line in report_lines(report)
        )
    terminal.say(warnings())
    if report.count(ERROR) or (
        report.count(WARNING) and options["fail_level"] == WARNING
    ):
        raise CommandError(_summary(report))
    terminal.say([_summary(report)])


VERB = Verb(
    help="Stored texts and scenarios against what this release declares.",
    add_arguments=add_arguments,
    run=run,
)


def examine(chain: tuple[str, ...]) -> Report:
    """
    Return what is wrong with stored texts, sources and scenarios.

    *chain* empty looks at the whole installation and every scope by itself.
    """
    catalogue = Catalogue(chain)
    scopes = ("", *chain, *catalogue.other_scopes)
    stored = [one for scope in scopes for one in audit(catalogue, scope)]
    unread = [
        Finding(WARNING, "bad_scope", bad_scope_text(scope, count), (scope,))
        for scope, count in catalogue.bad_scopes.items()
    ]
    claims = [Finding(WARNING, "lost_claim", one.msg) for one in check_sources()]
    trial = Trial(stored)
    for situation in situations(scope=chain):
        trial.play(situation)
    trial.add_all(one for view in _views(catalogue) for one in audit_defaults(view))
    return Report(
        findings=(*stored, *unread, *claims, *trial.findings),
        texts=sum(len(catalogue.rows(one)) for one in (*scopes, *catalogue.bad_scopes)),
        situations=trial.count,
        lean_only=tuple(trial.lean_only.items()),
    )


def _views(catalogue: Catalogue) -> Iterator[View]:
    """Yield what is declared for the chain, or else everywhere and for each scope."""
    yield catalogue.view
    for scope in () if catalogue.chain else scopes_of(catalogue.snapshot):
        yield services.view_of(scope, catalogue.snapshot)


def _summary(report: Report) -> str:
    parts = (
        ngettext("%(count)s stored text", "%(count)s stored texts", report.texts),
        ngettext("%(count)s prompt", "%(count)s prompts", report.situations),
        ngettext("%(count)s error", "%(count)s errors", report.count(ERROR)),
        ngettext("%(count)s warning", "%(count)s warnings", report.count(WARNING)),
    )
    counts = report.texts, report.situations, report.count(ERROR), report.count(WARNING)
    texts, prompts, errors, cautions = (
        words % {"count": count} for words, count in zip(parts, counts, strict=True)
    )
    return _("%(texts)s and %(prompts)s checked: %(errors)s, %(warnings)s.") % {
        "texts": texts,
        "prompts": prompts,
        "errors": errors,
        "warnings": cautions,
    }
