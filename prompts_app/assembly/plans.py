"""
Plans: what an assembly is but for its values, made once and filled often.

A plan is found by asking, step by step, what is blank: the variables that gates name,
then those of the gates of clauses that were called in, then those of the texts. After
each answer there is a next question or the layout, and both are remembered, so that
what was once answered in the same way takes a look-up for each question and one join.
Nothing else of a value matters before it is put in. See docs/plans.md.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from prompts_app.assembly.forms import Form, joined
from prompts_app.assembly.gates import Facts, closed_gate
from prompts_app.assembly.patterns import EMPTY, FULL, Pattern, States, pattern
from prompts_app.assembly.pieces import Piece, override_addresses, piece_of
from prompts_app.assembly.values import Snapshot
from prompts_app.declarations import Fragment
from prompts_app.registry import Layered, View
from prompts_app.syntax import LONGEST_CACHED


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What has to be known of which variables before a plan goes on."""

    names: tuple[str, ...]
    untrusted: tuple[int, ...]
    """The places of the untrusted ones among them."""
    known: States = field(repr=False)
    """What earlier answers said."""
    then: Callable[[States], Question | Layout] = field(repr=False)
    weight: int = 1
    """In characters, for the memory that holds it."""

    def answered(self, states: Sequence[int]) -> Question | Layout:
        """Return what follows from the *states* of its names."""
        return self.then({**self.known, **dict(zip(self.names, states, strict=True))})


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """A plan at its end: texts of which only the values are missing."""

    text: Form = field(repr=False)
    """The prompt."""
    seam: Form = field(repr=False)
    clauses: tuple[tuple[str, Form], ...] = field(repr=False)
    """Variable and text of each clause that counts, to be filled before the rest."""
    forms: Mapping[int, Form] = field(repr=False)
    """What each piece contributes, by its place among the pieces."""
    blank: frozenset[int]
    """Places of pieces that were let in and came out blank."""
    called: frozenset[int]
    """Places of the clauses that nobody asked for and a text uses."""
    weight: int
    """In characters."""


class Plan:
    """The pieces of an assembly, and the first question to its variables."""

    def __init__(
        self,
        view: View,
        pieces: Iterable[Piece],
        facts: Facts,
        given: Container[str],
        *,
        wanted: Sequence[tuple[Layered, str]] = (),
        kept: bool = False,
    ) -> None:
        self.view = view
        self.facts = facts
        self._level = facts.level.value
        self.kept = kept
        """Whether what follows from answers is remembered."""
        pieces = tuple(pieces)
        self._provided = {*view.clauses, *filter(None, map(_provides, pieces))}
        self.clauses = frozenset(one for one in self._provided if one not in given)
        """The variables that clauses fill, as the call gives them no value."""
        self._wanted = wanted
        judged = [_judged(piece, facts) for piece in pieces]
        self._gated = {
            number: one.fragment
            for number, one in enumerate(judged)
            if one.fragment and (one.fragment.requires or one.fragment.unless)
        }
        self.take(judged, {n: self._pattern_of(one) for n, one in _waiting(judged)})

    def take(self, pieces: Sequence[Piece], patterns: dict[int, Pattern]) -> None:
        """Be the plan of *pieces*, with a pattern for each that is not out."""
        self.pieces = pieces
        """All that was wanted, in order, out or not."""
        self._patterns = patterns
        self.weight = sum(map(self._weight_of, pieces))
        """About what it takes in memory, in characters."""
        asked, aside = [], []
        for number, piece in enumerate(pieces):
            if piece.place == "aside":
                aside.append(number)
            elif not piece.outcome:
                asked.append(number)
        self._asked, self._aside = asked, aside
        self.first = self._question(self._gate_names(asked), {}, self._let_in)

    @cached_property
    def addresses(self) -> dict[tuple[str, str], list[int]]:
        """Return where an override would count, and for which pieces."""
        found: dict[tuple[str, str], list[int]] = {}
        for number, (layered, _) in enumerate(self._wanted):
            for address in override_addresses(self.view, layered):
                found.setdefault(address, []).append(number)
        return found

    def all_names(self) -> tuple[str, ...]:
        """Return every name that a question could be about, clauses' own aside."""
        open_ = [number for number, one in enumerate(self.pieces) if not one.outcome]
        used = (self.pattern(number).names for number in open_)
        return tuple(dict.fromkeys((*self._gate_names(open_), *chain(*used))))

    def with_texts(self, snapshot: Snapshot) -> Plan:
        """Return the plan of the same fragments with the texts of *snapshot*."""
        addresses = [one for one in self.addresses if one in snapshot.texts]
        pieces, patterns = list(self.pieces), self._patterns.copy()
        for number in {n for address in addresses for n in self.addresses[address]}:
            piece = piece_of(self.view, snapshot, *self._wanted[number])
            pieces[number] = _judged(piece, self.facts)
            if not pieces[number].outcome:
                patterns[number] = self._pattern_of(pieces[number])
        plan = copy(self)
        plan.kept = bool(snapshot.version)
        plan.take(pieces, patterns)
        return plan

    def _weight_of(self, piece: Piece) -> int:
        if (length := len(piece.source)) > LONGEST_CACHED:
            # Its pattern is held by nothing else.
            return 200 + 3 * length
        # Texts of the code are held by the registry, stored ones by their snapshot.
        is_of_source = self.view.declarations and piece.origin.kind == "default"
        return 200 + length if is_of_source else 200

    def _pattern_of(self, piece: Piece) -> Pattern:
        return pattern(piece.source, self._level)

    def pattern(self, number: int) -> Pattern:
        """Return the text, at its level, of a piece that is not out."""
        return self._patterns[number]

    def _gate_names(self, numbers: Iterable[int]) -> tuple[str, ...]:
        fragments = [self._gated[n] for n in numbers if n in self._gated]
        gates = [(*one.requires, *one.unless) for one in fragments]
        return tuple(dict.fromkeys(chain(*gates)))

    def _open(self, numbers: Iterable[int], states: States) -> list[int]:
        """Return those that no gate keeps out."""
        gated = self._gated
        return [n for n in numbers if n not in gated or _is_open(gated[n], states)]

    def _let_in(self, states: States) -> Question | Layout:
        asked = self._open(self._asked, states)
        called: list[int] = []
        waiting: list[int] = []
        if self._aside:
            used = {name for number in asked for name in self.pattern(number).names}
            called = [n for n in self._aside if _provides(self.pieces[n]) in used]
            waiting = [n for n in called if not self.pieces[n].outcome]

        def call_in(states: States) -> Question | Layout:
            let_in = [*asked, *self._open(waiting, states)]
            return self._read(sorted(let_in), frozenset(called), states)

        return self._ask(self._gate_names(waiting), states, call_in)

    def _read(
        self, let_in: list[int], called: frozenset[int], states: States
    ) -> Question | Layout:
        """Ask for what the texts use that are let in."""
        used = [self.pattern(number).names for number in let_in]
        if self.clauses:
            used = [
                names if self.is_clause(number) else self._plain(names)
                for number, names in zip(let_in, used, strict=True)
            ]
        names = dict.fromkeys(chain.from_iterable(used))

        def lay_out(states: States) -> Layout:
            return self._laid_out(let_in, called, states)

        return self._ask(names, states, lay_out)

    def _plain(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(name for name in names if name not in self.clauses)

    def _ask(
        self,
        names: Iterable[str],
        states: States,
        then: Callable[[States], Question | Layout],
    ) -> Question | Layout:
        new = tuple(name for name in names if name not in states)
        return self._question(new, states, then) if new else then(states)

    def _question(
        self,
        names: tuple[str, ...],
        states: States,
        then: Callable[[States], Question | Layout],
    ) -> Question:
        variables = self.view.variables
        untrusted = tuple(
            place
            for place, name in enumerate(names)
            if name in variables and variables[name].untrusted
        )
        return Question(names, untrusted, states, then, len(self.pieces))

    def is_clause(self, number: int) -> bool:
        """Return whether a piece fills a variable instead of standing for itself."""
        return self.pieces[number].place in ("clause", "aside")

    def _laid_out(
        self, let_in: list[int], called: frozenset[int], states: States
    ) -> Layout:
        forms: dict[int, Form] = {}
        clauses: dict[str, Form] = {}
        if self._provided:
            forms, clauses = self._clause_forms(let_in, states)
            empty = dict.fromkeys(self.clauses, EMPTY)
            states = {**states, **empty, **dict.fromkeys(clauses, FULL)}
        places: dict[str, list[Form]] = {"text": [], "seam": []}
        for number in let_in:
            piece = self.pieces[number]
            if piece.place in places:
                optional = piece.fragment is not None and piece.fragment.optional_lines
                form = self.pattern(number).form(states, optional=optional)
                if form is not None:
                    forms[number] = form
                    places[piece.place].append(form)
        text, seam = joined(places["text"]), joined(places["seam"])
        return Layout(
            text,
            seam,
            tuple(clauses.items()),
            forms,
            frozenset(let_in) - forms.keys(),
            called,
            sum(map(len, (*text.parts, *seam.parts))) + 100 * len(self.pieces),
        )

    def _clause_forms(
        self, let_in: list[int], states: States
    ) -> tuple[dict[int, Form], dict[str, Form]]:
        """Return the clauses that have text; of one variable the first counts."""
        forms: dict[int, Form] = {}
        clauses: dict[str, Form] = {}
        for number in let_in:
            fragment = self.pieces[number].fragment
            if fragment is None or not fragment.provides:
                continue
            form = self.pattern(number).form(
                states, optional=fragment.optional_lines, whole=True
            )
            if form is not None:
                forms[number] = form
                if fragment.provides in self.clauses:
                    clauses.setdefault(fragment.provides, form)
        return forms, clauses


def _waiting(pieces: Iterable[Piece]) -> Iterator[tuple[int, Piece]]:
    """Yield those that are not out, with their places."""
    return ((number, one) for number, one in enumerate(pieces) if not one.outcome)


def _judged(piece: Piece, facts: Facts) -> Piece:
    """Return *piece* as out if a gate keeps it out whatever its variables are."""
    if piece.outcome or piece.fragment is None:
        return piece
    reason = closed_gate(piece.fragment, facts)
    return piece.out("gated", reason) if reason else piece


def _is_open(fragment: Fragment, states: States) -> bool:
    for name in fragment.requires:
        if states[name] != FULL:
            return False
    return all(states[name] != FULL for name in fragment.unless)


def _provides(piece: Piece) -> str:
    return piece.fragment.provides if piece.fragment else ""
