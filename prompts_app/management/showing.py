"""``prompts show``: all there is to know of one fragment."""

from __future__ import annotations

from collections.abc import Iterator

from prompts_app.declarations import Fragment
from prompts_app.management.catalogue import Catalogue, place, source
from prompts_app.management.columns import columns
from prompts_app.overrides.rows import Row
from prompts_app.states import state_of
from prompts_app.syntax import variables_in
from prompts_app.wording import gates_text, lifetime_text, reference


def show_lines(catalogue: Catalogue, key: str) -> Iterator[str]:
    """
    Yield what is declared and stored of *key*, the text in force last.

    Raises:
        UnknownFragment: nobody declares it, and nothing is stored under it.
    """
    if key not in catalogue.view.by_key:
        kept = [(scope, row) for scope, row in catalogue.orphans() if row.key == key]
        if kept:
            yield f"{key} is no longer declared. Its text is kept; nothing is sent."
            for scope, row in kept:
                yield from _saved(scope, row)
            return
    fragment = catalogue.fragment(key)
    yield f"{fragment.label} ({key})"
    yield from columns(_facts(catalogue, fragment))
    yield from columns(_variables(catalogue, fragment))
    yield from _block("Default", fragment.default)
    for scope in ("", *catalogue.chain):
        state = state_of(catalogue.view, catalogue.rows(scope), key)
        if state.row is not None:
            yield from _saved(scope, state.row)
    text, origin = catalogue.in_force(key)
    if origin.kind == "override" and not text.strip():
        yield from ("", "Nothing is sent for this fragment.")
    elif text == fragment.default:
        yield from ("", "The default is in force.")
    else:
        yield from _block(f"In force, from {source(origin)}", text)


def _facts(catalogue: Catalogue, fragment: Fragment) -> Iterator[tuple[str, object]]:
    _, origin = catalogue.in_force(fragment.key)
    yield "group", fragment.group
    yield "order", fragment.order
    yield "state", f"{catalogue.state(fragment.key)}, from {source(origin)}"
    yield "appears", "; ".join(gates_text(fragment))
    optional = {
        "lean because": fragment.lean_reason,
        "must mention": ", ".join(map(reference, fragment.must_mention)),
        "earlier keys": ", ".join(fragment.former_keys),
        "priority": fragment.priority,
        "hint": fragment.hint,
    }
    yield from ((name, value) for name, value in optional.items() if value)


def _variables(
    catalogue: Catalogue, fragment: Fragment
) -> Iterator[tuple[str, object, str]]:
    """Yield what the text in force, the default and the gates name."""
    text, _ = catalogue.in_force(fragment.key)
    gates = (*fragment.requires, *fragment.unless)
    names = (*variables_in(text), *fragment.documented, *gates)
    for name in dict.fromkeys(names):
        variable = catalogue.view.variables.get(name)
        if variable is not None:
            changes = lifetime_text(variable.lifetime)
            marks = f"{changes}, untrusted" if variable.untrusted else changes
            yield reference(name), variable.label, marks
        elif name in catalogue.view.clauses:
            keys = ", ".join(one.key for one in catalogue.view.clauses[name])
            yield reference(name), f"the text of {keys}", ""
        else:
            yield reference(name), "declared nowhere", ""


def _saved(scope: str, row: Row) -> Iterator[str]:
    author = f" by {row.author}" if row.author else ""
    title = f"Saved for {place(scope)}{author} on {row.updated_at:%Y-%m-%d}"
    yield from _block(title, row.text or "(switched off)")


def _block(title: str, text: str) -> Iterator[str]:
    yield from ("", f"--- {title}", text)
