"""
Conditions as Python, Jinja2, Mako and Django write them alike.

A condition is an alternative of combinations of tests, without parentheses, which
Django's templates do not have.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

Condition = tuple[tuple[str, ...], ...]

NEVER: Condition = ()
ALWAYS: Condition = ((),)
DETAILED: Condition = (('level == "detailed"',),)
_OPPOSITES = ((" not in ", " in "), (" != ", " == "))


def all_of(*conditions: Condition) -> Condition:
    """Return that every one of *conditions* holds."""
    return reduce(_both, conditions, ALWAYS)


def any_of(*conditions: Condition) -> Condition:
    """Return that one of *conditions* holds."""
    if ALWAYS[0] in [test for condition in conditions for test in condition]:
        return ALWAYS
    return tuple(dict.fromkeys(test for c in conditions for test in c))


def opposite(condition: Condition) -> Condition:
    """Return that *condition* does not hold."""
    return all_of(*(tuple((_denied(t),) for t in tests) for tests in condition))


def filled(names: Iterable[str]) -> Condition:
    """Return that each variable in *names* has a value."""
    return (tuple(names),)


def words(condition: Condition) -> str:
    """Return *condition* as it is written."""
    return " or ".join(" and ".join(tests) for tests in condition)


def _both(one: Condition, other: Condition) -> Condition:
    return tuple(
        dict.fromkeys(tuple(dict.fromkeys((*a, *b))) for a in one for b in other)
    )


def _denied(test: str) -> str:
    for negative, positive in _OPPOSITES:
        if negative in test:
            return test.replace(negative, positive)
        if positive in test:
            return test.replace(positive, negative)
    return test.removeprefix("not ") if test.startswith("not ") else f"not {test}"
