"""What an assembly is once it is made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from prompts_app.assembly.gates import blank_gate, failed_gate
from prompts_app.assembly.offering import Offer
from prompts_app.assembly.patterns import Form, Pattern
from prompts_app.assembly.pieces import Piece
from prompts_app.assembly.plans import Layout, Plan
from prompts_app.assembly.remembering import layout_of
from prompts_app.assembly.resolving import Call, Fatal, Values, WithClauses
from prompts_app.assembly.values import Context, Entry, Lane, Reason, Section
from prompts_app.assembly.welding import fit, weld
from prompts_app.declarations import Fragment, Level, Lifetime, Tool
from prompts_app.exceptions import UnbalancedFence
from prompts_app.syntax import substitute_strict, variables_in

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


Later = tuple[
    tuple[str, ...], tuple[object, ...], Callable[[Mapping[str, object]], Context]
]
"""Names and values of a call, and what makes its context of them."""


class Assembly:
    """
    A prompt, with the reason for each of its parts.

    All but the text is computed when it is looked at.
    """

    def __init__(
        self,
        frame: Frame,
        layout: Layout,
        values: Values | Later,
        text: str | None = None,
    ) -> None:
        self.frame = frame
        """What it shares with the assemblies of other values."""
        self.layout = layout
        """What it is but for its values."""
        self._given_values = values
        self.text = self._filled(layout.text) if text is None else text
        """The prompt; ``""`` means that the task is switched off."""

    _dropped: Mapping[int, Reason] = MappingProxyType({})

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Return the tools to send with it, in order."""
        return self.frame.offer.tools

    @property
    def level(self) -> Level:
        """Return the level it was assembled at."""
        return self._plan.facts.level

    @property
    def scope(self) -> tuple[str, ...]:
        """Return the chain of scopes, from far to near."""
        return self._plan.view.chain

    @property
    def version(self) -> str:
        """Return the store's state; ``""`` if the texts were not the stored ones."""
        return self.frame.version

    @property
    def degraded(self) -> bool:
        """Return whether these are the last known texts, as the database is gone."""
        return self.frame.degraded

    @property
    def _plan(self) -> Plan:
        return self.frame.plan

    @cached_property
    def _values(self) -> Values:
        """Everything that was looked up, or would have been on the long way."""
        values = self._given_values
        if isinstance(values, Values):
            return values
        names, texts, context = values
        given = dict(zip(names, texts, strict=False))
        made = self.frame.values(context(given), given)
        layout_of(self._plan, made)
        return made

    @cached_property
    def _texts(self) -> Mapping[str, str | None]:
        """What stands in the place of each reference."""
        known = self._values.known
        return {**known, **self._clauses.texts} if self.layout.clauses else known

    def _filled(self, form: Form) -> str:
        texts: Mapping[str, Any] = self._texts
        return form.fill(texts[name] for name in form.names)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        included = len(self._included)
        return (
            f"<Assembly: {included} of {len(self._shown)} fragments,"
            f" {len(self.text)} characters, {len(self.tools)} tools>"
        )

    def join(self, authored: str) -> str:
        """
        Return this prompt, the seam and an *authored* prompt, a blank line apart.

        If the prompt or the authored one is blank, the other stands alone.
        """
        if not authored.strip():
            return self.text
        if not self.text.strip():
            return authored
        return "\n\n".join(part for part in (self.text, self.seam, authored) if part)

    def failed_gate(self, fragment: Fragment) -> Reason | None:
        """
        Return the first gate that would keep *fragment* out of this prompt, or None.

        It is judged by the tools, the level and the values of this assembly, whether
        or not it was asked for. A provider that was not asked so far may be asked.
        """
        return failed_gate(fragment, self._plan.facts, self._values.is_blank)

    def check(self) -> None:
        """
        Read every admitted text strictly, clauses first.

        Raises:
            TextError: the first fault of one.
            TypeError: a value that is needed is a collection or bytes.
        """
        asked = [n for n in self._admitted if n not in self.layout.called]
        for number in (*asked, *sorted(self.layout.called & self._admitted.keys())):
            fault = self._admitted[number].fault
            if fault is not None:
                key = self._plan.pieces[number].key
                raise UnbalancedFence(fault.line, opened=fault.opened, fragment=key)
        for is_clause, values in ((True, self._values), (False, self._clauses)):
            for number, pattern in self._admitted.items():
                if self._plan.is_clause(number) is is_clause:
                    key = self._plan.pieces[number].key
                    substitute_strict(pattern.text, values, name=key)

    def keep_to(self, limit: int, measure: Callable[[str], int]) -> None:
        """
        Drop fragments until the text has *limit* units of *measure*, or fewer.

        Raises:
            PromptTooLong: the limit is not met without all that may go.
        """
        if measure(self.text) <= limit:
            return
        numbers = self._included
        texts = [self._text_of(number) for number in numbers]
        fragments = [self._plan.pieces[number].fragment for number in numbers]
        protected = self._plan.view.protected
        expendable = [
            place
            for place, number in enumerate(numbers)
            if self._plan.pieces[number].key not in protected
        ]
        priorities = [one.priority if one else 0 for one in fragments]
        expendable.sort(key=lambda place: (priorities[place], -place))
        gone = fit(texts, expendable, limit, measure)
        reason = Reason("limit", (str(limit),))
        self._dropped = {numbers[place]: reason for place in gone}
        kept = [text for place, text in enumerate(texts) if place not in gone]
        self.text = weld(kept)

    @cached_property
    def seam(self) -> str:
        """Return what leads over to an authored prompt; see `join()`."""
        return self._filled(self.layout.seam)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """Return what is in `text`, in order."""
        pieces = ((number, self._plan.pieces[number]) for number in self._included)
        return tuple(
            Section(piece.key, self._text_of(number), piece.group, self._lane(piece))
            for number, piece in pieces
        )

    @cached_property
    def trace(self) -> tuple[Entry, ...]:
        """Return an entry for each fragment that was asked for or used, in order."""
        return tuple(self._entry(number) for number in self._shown)

    def _entry(self, number: int) -> Entry:
        piece = self._plan.pieces[number]
        outcome, reason = self._outcome(number)
        text = self._text_of(number) if outcome in _IN else ""
        return Entry(
            key=piece.key,
            outcome=outcome,
            reason=reason,
            origin=piece.origin,
            text=text,
            length=len(text),
            lane=self._lane(piece),
            notes=(*piece.notes, *self._notes(number)),
        )

    def _outcome(self, number: int) -> tuple[str, Reason | None]:
        piece = self._plan.pieces[number]
        if piece.outcome:
            return piece.outcome, piece.reason
        if number in self._dropped:
            return "dropped", self._dropped[number]
        if number in self.layout.forms:
            return _IS_IN[piece.place], None
        if number in self.layout.blank or piece.fragment is None:
            return "empty", Reason("empty")
        return "gated", blank_gate(piece.fragment, self._values.is_blank)

    @property
    def _shown(self) -> list[int]:
        """The places of the pieces that were asked for or used."""
        called = self.layout.called
        return [
            number
            for number, piece in enumerate(self._plan.pieces)
            if piece.place != "aside" or number in called
        ]

    @property
    def _included(self) -> list[int]:
        return [
            number
            for number in sorted(self.layout.forms)
            if self._plan.pieces[number].place == "text" and number not in self._dropped
        ]

    @cached_property
    def _admitted(self) -> Mapping[int, Pattern]:
        """The texts that no gate kept out, by the place of their piece, in order."""
        numbers = sorted(self.layout.forms.keys() | self.layout.blank)
        return {number: self._plan.pattern(number) for number in numbers}

    @cached_property
    def _clauses(self) -> WithClauses:
        texts = dict.fromkeys(self._plan.clauses, "")
        for name, form in self.layout.clauses:
            texts[name] = self._fill_clause(form)
        return WithClauses(self._values, texts)

    def _fill_clause(self, form: Form) -> str:
        plain: Mapping[str, Any] = self._values.known
        return form.fill(plain[name] for name in form.names).strip("\n")

    def _text_of(self, number: int) -> str:
        form = self.layout.forms[number]
        if self._plan.is_clause(number):
            return self._fill_clause(form)
        return self._filled(form)

    @cached_property
    def lanes(self) -> Mapping[Lifetime, Lane]:
        """Return each lifetime's part of the text, most stable first."""
        texts: dict[Lifetime, list[str]] = {lifetime: [] for lifetime in Lifetime}
        for section in self.sections:
            texts[section.lane].append(section.text)
        welded = {lifetime: weld(parts) for lifetime, parts in texts.items()}
        return MappingProxyType(
            {lane: Lane(text, _digest(text)) for lane, text in welded.items()}
        )

    @cached_property
    def variables(self) -> Mapping[str, str]:
        """Return what the variables that were looked up are worth, as written."""
        known = self._values.known.items()
        plain = {name: text or "" for name, text in known if name in self._values}
        return MappingProxyType(plain | dict(self._clauses.texts))

    @cached_property
    def fingerprint(self) -> str:
        """Return 16 hex digits of sha256 over text and tools."""
        tools = [[t.name, t.description, t.schema(), t.strict] for t in self.tools]
        return _digest(json.dumps([self.text, tools], sort_keys=True))

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
        failed = self._values.failed
        if failed:
            names = tuple(name for name in _names(piece) if name in failed)
            if names:
                yield Reason("provider_failed", names)

    def _lane(self, piece: Piece) -> Lifetime:
        if piece.origin.kind == "hook" or piece.fragment is None:
            return Lifetime.CALL
        own = piece.fragment.lifetime or Lifetime.FIXED
        is_clause = piece.place in ("clause", "aside")
        of_name = self._plain_lane if is_clause else self._variable_lane
        return max((own, *map(of_name, _names(piece))))

    def _variable_lane(self, name: str) -> Lifetime:
        if name not in self._clauses.texts:
            return self._plain_lane(name)
        return self._clause_lanes[name]

    @cached_property
    def _clause_lanes(self) -> Mapping[str, Lifetime]:
        lanes = dict.fromkeys(self._plan.view.clauses, Lifetime.FIXED)
        for piece in self._plan.pieces:
            if piece.fragment is not None and piece.fragment.provides:
                name = piece.fragment.provides
                lanes[name] = max(lanes.get(name, Lifetime.FIXED), self._lane(piece))
        return lanes

    def _plain_lane(self, name: str) -> Lifetime:
        declared = self._plan.view.variables.get(name)
        return declared.lifetime if declared else Lifetime.CALL


def _names(piece: Piece) -> tuple[str, ...]:
    gates = (*piece.fragment.requires, *piece.fragment.unless) if piece.fragment else ()
    return tuple(dict.fromkeys((*variables_in(piece.source), *gates)))


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:16]
