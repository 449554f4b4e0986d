"""``prompts show``: all there is to know of one fragment."""

from __future__ import annotations

from collections.abc import Iterator

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from prompts_app.declarations import Fragment
from prompts_app.management.catalogue import (
    Catalogue,
    elsewhere,
    source,
)
from prompts_app.management.columns import columns
from prompts_app.management.verbs import Options, Terminal, Verb, add_scope, chain_of
from prompts_app.overrides.rows import Row
from prompts_app.states import state_of
from prompts_app.syntax import variables_in
from prompts_app.wording import (
    gates_text,
    lifetime_text,
    place,
    reference,
    variable_words,
)


def add_arguments(parser: CommandParser) -> None:
    """Declare the options of ``show``."""
    parser.add_argument("key", metavar="KEY")
    add_scope(parser)


def run(terminal: Terminal, options: Options) -> None:
    """Write what there is to know of one fragment."""
    catalogue = Catalogue(chain_of(options["scope"]))
    terminal.show(show_lines(catalogue, options["key"]))
    terminal.say(elsewhere(catalogue))


VERB = Verb(
    help="All there is to know of a fragment.", add_arguments=add_arguments, run=run
)


def show_lines(catalogue: Catalogue, key: str) -> Iterator[str]:
    """
    Yield what is declared and stored of *key*, the text in force last.

    Raises:
        UnknownFragment: nobody declares it, and nothing is stored under it.
    """
    if key not in catalogue.view.by_key:
        kept = [(scope, row) for scope, row in catalogue.orphans() if row.key == key]
        if kept:
            yield _(
                "%(key)s is no longer declared. Its text is kept; nothing is sent."
            ) % {"key": key}
            for scope, row in kept:
                yield from _saved(scope, row)
            return
    fragment = catalogue.fragment(key)
    yield f"{fragment.label} ({key})"
    yield from columns(_facts(catalogue, fragment))
    yield from columns(_variables(catalogue, fragment))
    yield from _block(_("Default"), fragment.default)
    for scope in ("", *catalogue.chain):
        state = state_of(catalogue.view, catalogue.rows(scope), key)
        if state.row is not None:
            yield from _saved(scope, state.row)
    text, origin = catalogue.in_force(key)
    if origin.kind == "override" and not text.strip():
        yield from ("", _("Nothing is sent for this fragment."))
    elif text == fragment.default:
        yield from ("", _("The default is in force."))
    else:
        title = _("In force, from %(source)s") % {"source": source(origin)}
        yield from _block(title, text)


def _facts(catalogue: Catalogue, fragment: Fragment) -> Iterator[tuple[str, object]]:
    origin = catalogue.in_force(fragment.key)[1]
    stands = {"state": catalogue.state(fragment.key), "source": source(origin)}
    yield _("group"), fragment.group
    yield _("order"), fragment.order
    yield _("state"), _("%(state)s, from %(source)s") % stands
    yield _("appears"), "; ".join(gates_text(fragment))
    optional = (
        (_("lean because"), fragment.lean_reason),
        (_("must mention"), ", ".join(map(reference, fragment.must_mention))),
        (_("earlier keys"), ", ".join(fragment.former_keys)),
        (_("priority"), fragment.priority),
        (_("hint"), fragment.hint),
    )
    yield from ((name, value) for name, value in optional if value)


def _variables(
    catalogue: Catalogue, fragment: Fragment
) -> Iterator[tuple[str, object, str]]:
    """Yield what the text in force, the default and the gates name."""
    text = catalogue.in_force(fragment.key)[0]
    gates = (*fragment.requires, *fragment.unless)
    names = (*variables_in(text), *fragment.documented, *gates)
    for name in dict.fromkeys(names):
        variable = catalogue.view.variables.get(name)
        if variable is not None:
            changes = lifetime_text(variable.lifetime)
            marks = f"{changes}, {_('untrusted')}" if variable.untrusted else changes
            yield reference(name), variable_words(variable)[0], marks
        elif name in catalogue.view.clauses:
            keys = ", ".join(one.key for one in catalogue.view.clauses[name])
            yield reference(name), _("the text of %(keys)s") % {"keys": keys}, ""
        else:
            yield reference(name), _("declared nowhere"), ""


def _saved(scope: str, row: Row) -> Iterator[str]:
    title = _("Saved for %(place)s on %(date)s")
    if row.author:
        title = _("Saved for %(place)s by %(author)s on %(date)s")
    said = {"place": place(scope), "date": f"{row.updated_at:%Y-%m-%d}"}
    yield from _block(
        title % {**said, "author": row.author}, row.text or _("(switched off)")
    )


def _block(title: str, text: str) -> Iterator[str]:
    yield from ("", f"--- {title}", text)
