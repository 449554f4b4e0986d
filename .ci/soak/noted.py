"""What clients, the killer and the database tell the judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

MARKS = {"undone": "a rolled-back save", "killed": "a save that was killed"}
"""What a text begins its tag with that no reader may ever see."""


class Operation(NamedTuple):
    """One request, and what came of it."""

    kind: str
    begin: float
    end: float
    outcome: str
    """``done``, ``refused`` (a conflict), ``cut`` (no answer) or a fault in words."""
    tag: str = ""
    """The comment of a save; unique."""
    revision: int | None = None
    text: str | None = None
    """The prompt that was shown, if it has to be that of one moment."""
    values: Mapping[str, str] | None = None
    """The texts of a save; no other save has one of them."""
    keys: Sequence[str] = ()
    """What a restore or a reset names."""
    number: int | None = None
    """The revision that a restore asks for."""
    shown: Mapping[str, str] | None = None
    """The texts that an edit was based on."""
    port: int = 0
    """The server."""
    process: int = 0
    """The worker at the other end of the line; 0: nobody had answered there yet."""


class Kill(NamedTuple):
    """One worker that was killed."""

    begin: float
    end: float
    process: int
    port: int = 0
    """The server that it belonged to."""


class Revision(NamedTuple):
    """One save as the database has it."""

    number: int
    kind: str
    tag: str
    restores: int | None
    """The number of another one, whose texts it brought back."""
    changes: Mapping[str, tuple[str | None, str | None]]
    """By key, the text before and after; None is no override."""


@dataclass(frozen=True, slots=True)
class History:
    """All saves of one database, and what is stored at the end."""

    defaults: Mapping[str, str]
    """By key, in the order of the prompt."""
    revisions: Sequence[Revision]
    rows: Mapping[str, str]
