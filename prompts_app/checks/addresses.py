"""Rules for what a fragment names besides variables: its group, its former keys."""

from __future__ import annotations

from collections.abc import Iterator

from prompts_app.checks.findings import Flaw, did_you_mean
from prompts_app.declarations import Fragment
from prompts_app.registry import View


def group(view: View, fragment: Fragment) -> Iterator[Flaw]:
    """Yield W020 where nobody declares the group, for the first fragment in it."""
    name = fragment.group
    if name not in view.groups and fragment is _first_in(view, name):
        otherwise = f'register Group("{name}", label=…, order=…).'
        hint = did_you_mean(name, tuple(view.groups), otherwise)
        yield Flaw("W020", f"nobody declares its group {name}", hint)


def former_keys(view: View, fragment: Fragment) -> Iterator[Flaw]:
    """Yield W026 and W027 for former keys that are somebody else's too."""
    for key in fragment.former_keys:
        if key in view.by_key:
            hint = f"Overrides of {key} count for that fragment; take it out."
            yield Flaw("W026", f"its former key {key} is declared again", hint)
        elif (other := _first_with(view, key)) != fragment.key:
            hint = "An override stored under it counts for both; leave it with one."
            yield Flaw("W027", f"its former key {key} is one of {other} too", hint)


def _first_in(view: View, group: str) -> Fragment:
    return next(one.fragment for one in view.fragments if one.fragment.group == group)


def _first_with(view: View, former: str) -> str:
    return next(one.key for one in view.fragments if former in one.fragment.former_keys)
