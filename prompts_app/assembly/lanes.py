"""How long the bytes of each part of a prompt stay the same."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property

from prompts_app.assembly.pieces import Piece
from prompts_app.assembly.plans import Plan
from prompts_app.declarations import Lifetime
from prompts_app.syntax import variables_in


class Lanes:
    """The lanes of the pieces of one assembly."""

    def __init__(self, plan: Plan, clauses: Collection[str]) -> None:
        self._plan = plan
        self._clauses = clauses

    def of(self, piece: Piece) -> Lifetime:
        """Return the lane of *piece*, by what its text and its gates name."""
        if piece.origin.kind == "hook" or piece.fragment is None:
            return Lifetime.CALL
        own = piece.fragment.lifetime or Lifetime.FIXED
        is_clause = piece.place in ("clause", "aside")
        of_name = self._plain_lane if is_clause else self._variable_lane
        return max((own, *map(of_name, names_of(piece))))

    def _variable_lane(self, name: str) -> Lifetime:
        if name not in self._clauses:
            return self._plain_lane(name)
        return self._clause_lanes[name]

    @cached_property
    def _clause_lanes(self) -> Mapping[str, Lifetime]:
        lanes = dict.fromkeys(self._plan.view.clauses, Lifetime.FIXED)
        for piece in self._plan.pieces:
            if piece.fragment is not None and piece.fragment.provides:
                name = piece.fragment.provides
                lanes[name] = max(lanes.get(name, Lifetime.FIXED), self.of(piece))
        return lanes

    def _plain_lane(self, name: str) -> Lifetime:
        declared = self._plan.view.variables.get(name)
        return declared.lifetime if declared else Lifetime.CALL


def names_of(piece: Piece) -> tuple[str, ...]:
    """Return what a text in force and its gates name, in order, once."""
    gates = (*piece.fragment.requires, *piece.fragment.unless) if piece.fragment else ()
    return tuple(dict.fromkeys((*variables_in(piece.source), *gates)))
