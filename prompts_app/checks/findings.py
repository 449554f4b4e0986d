"""What a check found about one declaration, and how it is told."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from django.core.checks import CheckMessage, Error, Warning as Caution

from prompts_app import validation as valid
from prompts_app.registry import registry


class Flaw(NamedTuple):
    """One fault of a declaration that is known from where it is looked for."""

    code: str
    """The letter says how bad it is: E001 is an error, W020 a warning."""
    fault: str
    """A clause that completes "Fragment support.tone: …"."""
    hint: str
    """What to type."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A flaw and the declaration that has it."""

    kind: str
    """``fragment`` or ``scenario``."""
    layer: str
    """The scope it is declared in; ``""`` is the global one."""
    key: str
    flaw: Flaw

    def message(self, scope: str = "") -> CheckMessage:
        """Return what Django shows, for the declaration as *scope* sees it."""
        places = {(r.scope, r.value.key): r.place for r in registry.records(self.kind)}
        subject = subject_of(self.kind, scope, self.key)
        return told(self.flaw, subject, places[self.layer, self.key])


def subject_of(kind: str, scope: str, key: str) -> str:
    """Return how a sentence names a declaration."""
    return f"{kind.capitalize()} {key}" + (f" in scope {scope}" if scope else "")


def told(flaw: Flaw, subject: str, place: str | None = None) -> CheckMessage:
    """Return what Django shows of *flaw*; *place* is a file and a line."""
    kind = Error if flaw.code.startswith("E") else Caution
    sentence = f"{subject}: {flaw.fault}."
    return kind(sentence, hint=flaw.hint, obj=place, id=f"prompts_app.{flaw.code}")


def did_you_mean(name: str, names: Collection[str], otherwise: str) -> str:
    """Return a hint that offers the nearest of *names*, then what else to do."""
    found = valid.near(name, names)
    return f"Did you mean {found[0]}? Else {otherwise}" if found else _first(otherwise)


def _first(hint: str) -> str:
    return hint[:1].upper() + hint[1:]
