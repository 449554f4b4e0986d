"""Rules for clauses: fragments whose text becomes a variable."""

from __future__ import annotations

from collections.abc import Iterator

from prompts_app.checks.findings import Flaw
from prompts_app.declarations import Fragment
from prompts_app.lint import are_exclusive
from prompts_app.registry import View
from prompts_app.syntax import variables_in


def gates(view: View, fragment: Fragment) -> Iterator[Flaw]:
    """Yield E003 for each gate that names what a clause provides."""
    for gate, named in (("requires", fragment.requires), ("unless", fragment.unless)):
        for name in named:
            if name in view.clauses:
                clause = view.clauses[name][0].key
                fault = f"its gate {gate} names {name}, which {clause} provides"
                hint = (
                    "Gates are judged before clauses are filled. Name what the gates"
                    f" of {clause} name."
                )
                yield Flaw("E003", fault, hint)


def declared_too(view: View, fragment: Fragment) -> Iterator[Flaw]:
    """Yield E004 where the provided name is declared as a variable too."""
    name = fragment.provides
    if name in view.variables:
        fault = f"it provides {name}, which is declared as a variable too"
        yield Flaw(
            "E004", fault, f'Remove Variable("{name}"), or provide another name.'
        )


def nested(view: View, fragment: Fragment) -> Iterator[Flaw]:
    """Yield W024 for each clause that the default of a clause refers to."""
    if not fragment.provides:
        return
    for name in variables_in(fragment.default):
        if name in view.clauses:
            fault = f"it is a clause, and its default names the clause {name}"
            hint = (
                "Clauses are filled from plain variables only, so the reference would"
                f" reach the model as typed. Write out what {name} says."
            )
            yield Flaw("W024", fault, hint)


def rivals(view: View, fragment: Fragment) -> Iterator[Flaw]:
    """Yield W025 where an earlier clause of the name can have text at the same time."""
    for earlier in view.clauses.get(fragment.provides, ()):
        if earlier.key == fragment.key:
            return
        if not are_exclusive(earlier.fragment, fragment):
            fault = f"it provides {fragment.provides}, as {earlier.key} does"
            hint = (
                "The first that has text counts. Let their gates exclude each other,"
                " or provide another name."
            )
            yield Flaw("W025", fault, hint)
            return
