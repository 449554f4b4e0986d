"""
The short way of a call whose like was there before.

Where no hook and no provider can have a say, everything that a plan could ask is in the
call itself. Then the plan and which of the call's texts are blank are enough to know
the layout again without asking.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from operator import is_, itemgetter
from typing import Any

from prompts_app.assembly.accounts import About, Frame
from prompts_app.assembly.offering import Offer
from prompts_app.assembly.plans import Layout, Plan
from prompts_app.assembly.remembering import layout_of, memo
from prompts_app.assembly.resolving import OPENING_BRACES, are_clean, clean
from prompts_app.assembly.result import Assembly
from prompts_app.assembly.values import Context
from prompts_app.syntax import LONGEST_CACHED

Take = Callable[[Any], Sequence[Any]]
Given = Mapping[str, object]

_TEXT = {str}
_ONCE = object()


class Route:
    """A layout whose values are taken by their places in a call."""

    __slots__ = ("clauses", "fill", "layout", "take")

    def __init__(self, layout: Layout, names: Sequence[str]) -> None:
        # Of a name that stands there twice the first counts: the call's own.
        places = {name: place for place, name in reversed([*enumerate(names)])}
        self.clauses = [
            (form, _take(places[name] for name in form.names))
            for _, form in layout.clauses
        ]
        for place, (name, _) in enumerate(layout.clauses, start=len(names)):
            places[name] = place
        self.layout = layout
        self.fill = layout.text.fill
        self.take = _take(places[name] for name in layout.text.names)

    def with_clauses(self, values: tuple[str, ...]) -> tuple[str, ...]:
        """Return *values* and after them the texts of the clauses that count."""
        told = [form.fill(take(values)) for form, take in self.clauses]
        return (*values, *(text.strip("\n") for text in told))


class Shape:
    """What calls have in common that differ in their values alone."""

    __slots__ = ("_own", "_untrusted", "last", "names", "usable")

    def __init__(self, plan: Plan, offer: Offer, given: Given) -> None:
        variables = plan.view.variables
        asked = plan.all_names()
        others = [variables[n] for n in asked if n not in given and n in variables]
        self.usable = all(one.provider is None for one in others)
        """Whether no provider can have a say."""
        self.names = (*given, "lb", "tool_names")
        """The names of a call's values, and those of the registry's own two."""
        self._own = (OPENING_BRACES, offer.names)
        self._untrusted = [
            place
            for place, name in enumerate(given)
            if name in asked and name in variables and variables[name].untrusted
        ]
        self.last: Known | None = None
        """The last call that was looked up, unless its values are long."""

    def look_up(self, given: tuple[Any, ...]) -> Known | None:
        """Return where a call that gives those values leads; None: it is not known."""
        values = self._cleaned(given)
        route = None if values is None else memo.get(self._key(values))
        if values is None or route is None:
            return None
        known = (given, values + self._own, route)
        if sum(map(len, given)) <= LONGEST_CACHED:
            self.last = known
        return known

    def learn(self, given: tuple[Any, ...], layout: Layout) -> None:
        """Remember that a call that gives those values led to *layout*."""
        values = self._cleaned(given)
        if values is not None:
            route = Route(layout, self.names)
            memo.put(self._key(values), route)

    def _cleaned(self, given: tuple[Any, ...]) -> tuple[str, ...] | None:
        """
        Return the values with nothing left to clean.

        None: one is no plain text; then only a plan's questions can tell whether it is
        needed at all.
        """
        if {*map(type, given)} - _TEXT:
            return None
        untrusted = self._untrusted
        if are_clean([given[place] for place in untrusted]):
            return given
        values = [*given]
        for place in untrusted:
            values[place] = clean(values[place])
        return tuple(values)

    def _key(self, values: tuple[str, ...]) -> Hashable:
        full = None if all(values) else tuple(map(bool, values))
        return (self, full, *map(str.isspace, values))


Known = tuple[tuple[Any, ...], tuple[str, ...], Route]
"""What a call gave, the values of a shape's names, cleaned, and where they led."""
Recalled = tuple[Shape, Frame, object]
"""Shape and frame of a call, with what has to live as long as its id is in a key."""


def recall(key: Hashable, given: Given, about: About) -> Assembly | None:
    """
    Return the assembly of a call like earlier ones; None: it is new.

    *key* holds all of the call but the values of *given*, and what was registered and
    stored. *about* is all else that a context has.
    """
    found: Recalled | None = memo.get(key)
    return found and _recalled(found[0], found[1], tuple(given.values()), about)


def _recalled(
    shape: Shape, frame: Frame, values: tuple[Any, ...], about: About
) -> Assembly | None:
    known = shape.last
    # Few values of a call differ from the last one's, and often none.
    if known is None or not all(map(is_, values, known[0])):
        known = shape.look_up(values)
        if known is None:
            return None
    route = known[2]
    taken = route.with_clauses(known[1]) if route.clauses else known[1]
    text = route.fill(route.take(taken))
    return Assembly(frame, route.layout, (shape.names, values, about), text)


def remember(key: Hashable, given: Given, held: object, assembly: Assembly) -> None:
    """
    Let `recall()` find the call under *key* that led to *assembly*.

    *held* is what an id in the key belongs to.
    """
    frame = assembly.frame
    if held is None and frame.plan.view.tool_providers:
        return
    shape = memo.get((frame.plan, frame.offer, tuple(given)))
    if isinstance(shape, Shape) and shape.usable:
        memo.put(key, (shape, frame, held))


def assembled(frame: Frame, given: Given, context: Context) -> Assembly:
    """Return the assembly that *frame* and the values of *given* make."""
    shape = shape_of(frame, given)
    values = tuple(given.values())
    if shape is not None:
        recalled = _recalled(shape, frame, values, context)
        if recalled is not None:
            return recalled
    found = frame.values(context, given)
    layout = layout_of(frame.plan, found)
    if shape is not None:
        shape.learn(values, layout)
    return Assembly(frame, layout, found)


def shape_of(frame: Frame, given: Given) -> Shape | None:
    """
    Return the shape of calls with the names of *given*; None: they have no short way.

    Names that come for the first time are only noted, since most never come again.
    """
    if not frame.plan.kept:
        return None
    key = (frame.plan, frame.offer, tuple(given))
    shape = memo.get(key)
    if shape is None:
        memo.put(key, _ONCE)
        return None
    if shape is _ONCE:
        shape = Shape(frame.plan, frame.offer, given)
        # As much as the values of its last call may come to.
        memo.put(key, shape, LONGEST_CACHED)
    return shape if shape.usable else None


def _take(keys: Iterable[Any]) -> Take:
    """Return what takes the items under *keys* out of something, as a sequence."""
    keys = tuple(keys)
    if len(keys) > 1:
        return itemgetter(*keys)
    return lambda source: [source[key] for key in keys]
