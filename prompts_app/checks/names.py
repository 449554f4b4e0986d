"""Rules for the text of a default and for the names that it and the gates use."""

from __future__ import annotations

from collections.abc import Iterator

from prompts_app.checks.findings import Flaw, did_you_mean
from prompts_app.declarations import Fragment
from prompts_app.exceptions import UnbalancedFence
from prompts_app.registry import View
from prompts_app.syntax import at_level, variables_in


def fence(_view: View, fragment: Fragment) -> Iterator[Flaw]:
    """Yield E002 where a level marker of the default has no partner."""
    try:
        at_level(fragment.default, None)
    except UnbalancedFence as error:
        hint = (
            "Write <!-- detailed --> and <!-- /detailed --> in pairs, each alone on"
            " its line."
        )
        yield Flaw("E002", f"in its default, {error}", hint)


def documented(_view: View, fragment: Fragment) -> Iterator[Flaw]:
    """
    Yield W021 where ``variables=`` and the default differ.

    Beside a blank default it is the only way to say what a text may use.
    """
    if fragment.variables is None or not fragment.default.strip():
        return
    mentioned = tuple(name for name in variables_in(fragment.default) if name != "lb")
    different = sorted(set(mentioned).symmetric_difference(fragment.variables))
    if different:
        fault = f"variables= and its default differ in {', '.join(different)}"
        hint = f"Write variables={mentioned!r}, or leave variables= out."
        yield Flaw("W021", fault, hint)


def unknown(view: View, fragment: Fragment) -> Iterator[Flaw]:
    """Yield W022 for each name that nobody declares or provides."""
    known = {**view.variables, **view.clauses}
    places = {
        "default": variables_in(fragment.default),
        "requires": fragment.requires,
        "unless": fragment.unless,
    }
    for name in dict.fromkeys(name for used in places.values() for name in used):
        if name not in known:
            used_in = " and ".join(p for p, used in places.items() if name in used)
            fault = f"nobody declares or provides {name}, named in its {used_in}"
            hint = did_you_mean(name, known, f'register Variable("{name}", label=…).')
            yield Flaw("W022", fault, hint)


def must_mention(_view: View, fragment: Fragment) -> Iterator[Flaw]:
    """Yield W023 for each name that overrides have to mention and the default lacks."""
    if not fragment.default.strip():
        return
    mentioned = variables_in(fragment.default)
    for name in fragment.must_mention:
        if name not in mentioned:
            fault = f"its default does not mention {name}, which must_mention names"
            hint = (
                f"Write {{{{{name}}}}} in the default, or take it out of must_mention."
            )
            yield Flaw("W023", fault, hint)
