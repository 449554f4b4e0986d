"""What can be told of an assembly beside its text, worked out when somebody asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from prompts_app.assembly.forms import Form
from prompts_app.assembly.gates import blank_gate
from prompts_app.assembly.lanes import Lanes, names_of
from prompts_app.assembly.offering import Offer
from prompts_app.assembly.patterns import Pattern
from prompts_app.assembly.plans import Layout, Plan
from prompts_app.assembly.remembering import layout_of
from prompts_app.assembly.resolving import Call, Fatal, Values, WithClauses
from prompts_app.assembly.values import Context, Entry, Reason
from prompts_app.exceptions import UnbalancedFence
from prompts_app.syntax import substitute_strict

_IN = ("included", "provided", "seam")
_IS_IN = {"text": "included", "seam": "seam", "clause": "provided", "aside": "provided"}


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What assemblies have in common that differ in their values alone."""

    plan: Plan
    offer: Offer
    version: str
    degraded: bool
    call: Call
    """Runs a provider."""
    fatal: Fatal
    """Says which of a provider's errors are not swallowed."""

    def values(self, context: Context, given: Mapping[str, object]) -> Values:
        """Return the variables of one of them."""
        names = self.offer.names
        return Values(self.plan.view, context, given, self.call, names, self.fatal)


About = Context | tuple[Any, ...]
"""A context, or the values of its fields but for the variables, in order."""
Later = tuple[tuple[str, ...], tuple[object, ...], About]
"""Names and values of a call, and what else its context has."""


def looked_up(frame: Frame, values: Values | Later) -> Values:
    """Return the variables of an assembly, with all that its plan asks."""
    if isinstance(values, Values):
        return values
    names, texts, about = values
    given = dict(zip(names, texts, strict=False))
    if not isinstance(about, Context):
        about = Context.of(given, about)
    made = frame.values(about, given)
    layout_of(frame.plan, made)
    return made


class Account:
    """Texts, outcomes and notes of the pieces of one assembly, by their places."""

    def __init__(self, plan: Plan, layout: Layout, values: Values) -> None:
        self._plan = plan
        self._layout = layout
        self.values = values
        self.dropped: Mapping[int, Reason] = {}
        """What a limit put out."""

    def filled(self, form: Form) -> str:
        """Return the text that *form* gives here."""
        texts: Mapping[str, Any] = self._texts
        return form.fill(texts[name] for name in form.names)

    @cached_property
    def _texts(self) -> Mapping[str, str | None]:
        """What stands in the place of each reference."""
        known = self.values.known
        return {**known, **self.clauses.texts} if self._layout.clauses else known

    def check(self) -> None:
        """
        Read every admitted text strictly, clauses first.

        Raises:
            TextError: the first fault of one.
            TypeError: a value that is needed is a collection or bytes.
        """
        asked = [n for n in self._admitted if n not in self._layout.called]
        for number in (*asked, *sorted(self._layout.called & self._admitted.keys())):
            fault = self._admitted[number].fault
            if fault is not None:
                key = self._plan.pieces[number].key
                raise UnbalancedFence(fault.line, opened=fault.opened, fragment=key)
        for is_clause, values in ((True, self.values), (False, self.clauses)):
            for number, pattern in self._admitted.items():
                if self._plan.is_clause(number) is is_clause:
                    key = self._plan.pieces[number].key
                    substitute_strict(pattern.text, values, name=key)

    def entry(self, number: int) -> Entry:
        """Return why a piece is in or out."""
        piece = self._plan.pieces[number]
        outcome, reason = self._outcome(number)
        text = self.text_of(number) if outcome in _IN else ""
        return Entry(
            key=piece.key,
            outcome=outcome,
            reason=reason,
            origin=piece.origin,
            text=text,
            length=len(text),
            lane=self.lanes.of(piece),
            notes=(*piece.notes, *self._notes(number)),
        )

    def _outcome(self, number: int) -> tuple[str, Reason | None]:
        piece = self._plan.pieces[number]
        if piece.outcome:
            return piece.outcome, piece.reason
        if number in self.dropped:
            return "dropped", self.dropped[number]
        if number in self._layout.forms:
            return _IS_IN[piece.place], None
        if number in self._layout.blank or piece.fragment is None:
            return "empty", Reason("empty")
        return "gated", blank_gate(piece.fragment, self.values.is_blank)

    @property
    def shown(self) -> list[int]:
        """Return the places of the pieces that were asked for or used."""
        called = self._layout.called
        return [
            number
            for number, piece in enumerate(self._plan.pieces)
            if piece.place != "aside" or number in called
        ]

    @property
    def included(self) -> list[int]:
        """Return the places of the pieces that are in the text."""
        return [
            number
            for number in sorted(self._layout.forms)
            if self._plan.pieces[number].place == "text" and number not in self.dropped
        ]

    @cached_property
    def _admitted(self) -> Mapping[int, Pattern]:
        """The texts that no gate kept out, by the place of their piece, in order."""
        numbers = sorted(self._layout.forms.keys() | self._layout.blank)
        return {number: self._plan.pattern(number) for number in numbers}

    @cached_property
    def clauses(self) -> WithClauses:
        """Return what references are filled from, the clauses' texts included."""
        texts = dict.fromkeys(self._plan.clauses, "")
        for name, form in self._layout.clauses:
            texts[name] = self._fill_clause(form)
        return WithClauses(self.values, texts)

    def _fill_clause(self, form: Form) -> str:
        plain: Mapping[str, Any] = self.values.known
        return form.fill(plain[name] for name in form.names).strip("\n")

    def text_of(self, number: int) -> str:
        """Return what a piece contributes, one that is in."""
        form = self._layout.forms[number]
        if self._plan.is_clause(number):
            return self._fill_clause(form)
        return self.filled(form)

    def _notes(self, number: int) -> Iterator[Reason]:
        piece = self._plan.pieces[number]
        pattern = self._admitted.get(number)
        if pattern is not None:
            if pattern.fault is not None:
                yield Reason("unbalanced_fence", (str(pattern.fault.line),))
            clauses = self._plan.view.clauses
            held = tuple(name for name in pattern.names if name in clauses)
            if held and self._plan.is_clause(number):
                yield Reason("clause_in_clause", held)
        failed = self.values.failed
        if failed:
            names = tuple(name for name in names_of(piece) if name in failed)
            if names:
                yield Reason("provider_failed", names)

    @cached_property
    def lanes(self) -> Lanes:
        """Return the lanes of the pieces."""
        return Lanes(self._plan, self.clauses.texts)
