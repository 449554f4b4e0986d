"""``prompts list``: every fragment in a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext_lazy as _

from prompts_app.management.catalogue import (
    Catalogue,
    elsewhere,
    source,
)
from prompts_app.management.columns import columns
from prompts_app.management.verbs import Options, Terminal, Verb, add_scope, chain_of
from prompts_app.states import LABELS, ORPHANED
from prompts_app.wording import place

HEAD = (_("FRAGMENT"), _("GROUP"), _("STATE"), _("FROM"))


def run(terminal: Terminal, options: Options) -> None:
    """Write every fragment, and what else there is beside them."""
    catalogue = Catalogue(chain_of(options["scope"]))
    terminal.show(list_lines(catalogue))
    terminal.say(elsewhere(catalogue))


VERB = Verb(help="Every fragment with its state.", add_arguments=add_scope, run=run)


def list_lines(catalogue: Catalogue) -> Iterator[str]:
    """Yield a line for each fragment, by group, and for each row without one."""
    fragments = [layered.fragment for layered in catalogue.view.fragments]
    groups = list(catalogue.view.groups)
    # Groups that nobody declares come last, as on the page.
    undeclared = dict.fromkeys(f.group for f in fragments if f.group not in groups)
    order = {group: number for number, group in enumerate((*groups, *undeclared))}
    fragments.sort(key=lambda fragment: order[fragment.group])
    rows: list[Sequence[object]] = [HEAD]
    for fragment in fragments:
        origin = catalogue.in_force(fragment.key)[1]
        state = catalogue.state(fragment.key)
        rows.append((fragment.key, fragment.group, state, source(origin)))
    for scope, row in catalogue.orphans():
        rows.append((row.key, "-", str(LABELS[ORPHANED]), place(scope)))
    yield from columns(rows)
