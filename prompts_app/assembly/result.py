"""What an assembly is once it is made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from prompts_app.assembly.gates import Facts, failed_gate
from prompts_app.assembly.pieces import Piece
from prompts_app.assembly.resolving import Values, WithClauses
from prompts_app.assembly.values import Entry, Lane, Reason, Section
from prompts_app.assembly.welding import weld
from prompts_app.declarations import Fragment, Lifetime, Tool
from prompts_app.registry import View
from prompts_app.syntax import variables_in

_IN = ("included", "provided", "seam")


class Assembly:
    """
    A prompt, with the reason for each of its parts.

    Trace, sections, lanes and fingerprint are computed when they are looked at.
    """

    def __init__(
        self,
        view: View,
        pieces: Sequence[Piece],
        values: Values,
        clauses: WithClauses,
        *,
        tools: Sequence[Tool],
        facts: Facts,
        version: str,
        degraded: bool,
    ) -> None:
        self._view = view
        self._facts = facts
        self._pieces = pieces
        self._values = values
        self._clauses = clauses
        self.text = weld([p.filled for p in pieces if p.outcome == "included"])
        """The prompt; ``""`` means that the task is switched off."""
        self.seam = weld([p.filled for p in pieces if p.outcome == "seam"])
        """What leads over to an authored prompt; see `join()`."""
        self.tools = tuple(tools)
        """The tools to send with it, in order."""
        self.level = facts.level
        """The level it was assembled at."""
        self.scope = view.chain
        """The chain of scopes, from far to near."""
        self.version = version
        """The store's state; ``""`` if the texts were not the stored ones."""
        self.degraded = degraded
        """True: the last known texts, since the database did not answer."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        asked = [piece for piece in self._pieces if piece.place != "aside"]
        included = sum(1 for piece in asked if piece.outcome == "included")
        return (
            f"<Assembly: {included} of {len(asked)} fragments,"
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
        return failed_gate(fragment, self._facts, self._values)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """Return what is in `text`, in order."""
        return tuple(
            Section(piece.key, piece.filled, piece.group, self._lane(piece))
            for piece in self._pieces
            if piece.outcome == "included"
        )

    @cached_property
    def trace(self) -> tuple[Entry, ...]:
        """Return an entry for each fragment that was asked for or used, in order."""
        return tuple(
            Entry(
                key=piece.key,
                outcome=piece.outcome,
                reason=piece.reason,
                origin=piece.origin,
                text=piece.filled if piece.outcome in _IN else "",
                length=len(piece.filled) if piece.outcome in _IN else 0,
                lane=self._lane(piece),
                notes=piece.notes + self._failures(piece),
            )
            for piece in self._pieces
            if piece.place != "aside"
        )

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
        plain = {name: text or "" for name, text in self._values.known.items()}
        return MappingProxyType(plain | self._clauses.texts)

    @cached_property
    def fingerprint(self) -> str:
        """Return 16 hex digits of sha256 over text and tools."""
        tools = [[t.name, t.description, t.schema(), t.strict] for t in self.tools]
        return _digest(json.dumps([self.text, tools], sort_keys=True))

    def _failures(self, piece: Piece) -> tuple[Reason, ...]:
        failed = self._values.failed
        if not failed:
            return ()
        names = tuple(name for name in _names(piece) if name in failed)
        return (Reason("provider_failed", names),) if names else ()

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
        lanes = dict.fromkeys(self._view.clauses, Lifetime.FIXED)
        for piece in self._pieces:
            if piece.fragment is not None and piece.fragment.provides:
                name = piece.fragment.provides
                lanes[name] = max(lanes.get(name, Lifetime.FIXED), self._lane(piece))
        return lanes

    def _plain_lane(self, name: str) -> Lifetime:
        declared = self._view.variables.get(name)
        return declared.lifetime if declared else Lifetime.CALL


def _names(piece: Piece) -> tuple[str, ...]:
    gates = (*piece.fragment.requires, *piece.fragment.unless) if piece.fragment else ()
    return tuple(dict.fromkeys((*variables_in(piece.source), *gates)))


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:16]
