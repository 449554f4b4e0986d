"""What is wrong between declarations, in the global layer and in every scope."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.core.checks import CheckMessage

from prompts_app.checks import addresses, clauses, lifetimes, names
from prompts_app.checks.findings import Finding, Flaw, did_you_mean
from prompts_app.declarations import Fragment, Scenario
from prompts_app.registry import Layered, View, registry

_RULES: tuple[Callable[[View, Fragment], Iterator[Flaw]], ...] = (
    names.fence,
    clauses.gates,
    clauses.declared_too,
    addresses.group,
    names.documented,
    names.unknown,
    names.must_mention,
    clauses.nested,
    clauses.rivals,
    addresses.former_keys,
    lifetimes.fence,
    lifetimes.promise,
)


def check_declarations() -> Iterator[CheckMessage]:
    """
    Yield what is wrong with fragments and scenarios.

    Each scope that changes anything is looked at as a chain of one. What is wrong
    in the same way without the scope is told once.
    """
    everywhere = dict.fromkeys(_of_fragments(registry.view()))
    for finding in everywhere:
        yield finding.message()
    for scope in _scopes():
        for finding in _of_fragments(registry.view((scope,))):
            if finding not in everywhere:
                yield finding.message(scope)
    for scenario in registry.view().scenarios.values():
        for flaw in _of_scenario(scenario):
            yield Finding("scenario", "", scenario.key, flaw).message()


def _scopes() -> list[str]:
    kinds = ("fragment", "variable", "group")
    return sorted({r.scope for kind in kinds for r in registry.records(kind)} - {""})


def _of_fragments(view: View) -> Iterator[Finding]:
    for layered in view.fragments:
        for rule in _RULES:
            for flaw in rule(view, layered.fragment):
                yield Finding("fragment", _layer(layered), layered.key, flaw)


def _layer(layered: Layered) -> str:
    return next(scope for scope, declared in layered.layers if declared is not None)


def _of_scenario(scenario: Scenario) -> Iterator[Flaw]:
    view = registry.view(tuple(scenario.scope))
    groups = view.groups.keys() | {one.fragment.group for one in view.fragments}
    for name in scenario.include or ():
        declared = view.by_key if "." in name else groups
        if name not in declared:
            hint = did_you_mean(name, tuple(declared), f"take {name} out of include.")
            yield Flaw("W031", f"it includes {name}, which nobody declares", hint)
    known = {**view.variables, **view.clauses}
    for name in scenario.variables or ():
        if name not in known:
            hint = did_you_mean(name, known, f"take {name} out of variables.")
            fault = f"it gives a value for {name}, which nobody declares"
            yield Flaw("W032", fault, hint)
