"""
Every error this package raises on purpose.

All derive from `PromptsError`; each also derives from the built-in error that
a caller who knows nothing of this package would expect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from traceback import extract_tb
from typing import Any


class PromptsError(Exception):
    """The root: catching it catches whatever this package raises on purpose."""


class InvalidDeclaration(PromptsError, ValueError):
    """A declaration that cannot be right, whatever else is declared."""


class AlreadyRegistered(PromptsError):
    """A second declaration of a key in one layer; *places* names both."""

    def __init__(self, what: str, scope: str, places: tuple[str, str]) -> None:
        self.what = what
        """Kind and key, as in ``fragment core.style``."""
        self.scope = scope
        """The layer; ``""`` is the global one."""
        self.places = places
        """Where the standing and the refused declaration were made."""
        layer = f"scope {scope!r}" if scope else "the global layer"
        cure = "" if scope else "; to replace it for one scope, register with scope=…"
        super().__init__(
            f"{what} is already registered in {layer} at {places[0]};"
            f" refused at {places[1]}{cure}"
        )


class ProtectedFragment(PromptsError):
    """A scope may not replace a fragment that is protected globally."""

    def __init__(self, conflicts: Iterable[tuple[str, str]]) -> None:
        self.conflicts = tuple(conflicts)
        """Pairs of scope and key, all of them."""
        named = ", ".join(f"{key} in scope {scope!r}" for scope, key in self.conflicts)
        super().__init__(f"Protected globally, so it cannot be replaced: {named}")


class UnknownFragment(PromptsError, LookupError):
    """A key that nobody declares; the message offers the nearest ones."""

    def __init__(self, key: str, near: Iterable[str] = ()) -> None:
        self.key = key
        self.near = tuple(near)
        """Declared keys that look like it, best first."""
        hint = f" Did you mean {', '.join(self.near)}?" if self.near else ""
        super().__init__(f"There is no fragment {key!r}.{hint}")


class UnknownScenario(PromptsError, LookupError):
    """A scenario that nobody declares; the message names those there are."""

    def __init__(self, name: str, known: Iterable[str] = ()) -> None:
        self.name = name
        self.known = tuple(known)
        """The declared ones, in order of registration."""
        names = ", ".join(self.known) or "none is declared"
        super().__init__(f"There is no scenario {name!r}. Known: {names}.")


class TextError(PromptsError, ValueError):
    """A fault in a text, with the *fragment* it stands in (may be empty)."""

    def __init__(self, message: str, fragment: str = "") -> None:
        self.fragment = fragment
        where = f"{fragment}: " if fragment else ""
        super().__init__(f"{where}{message}")


class ReferenceFault(TextError):
    """A fault of one reference; the parent of the three below."""

    problem = "is at fault"

    def __init__(
        self, reference: str, position: int, names: Iterable[str], fragment: str = ""
    ) -> None:
        self.reference = reference
        """What stands between the braces, as typed."""
        self.position = position
        """Offset of the first brace, in code points."""
        self.names = tuple(sorted(names))
        """The names that exist, sorted by code point."""
        shown = reference if len(reference) <= 40 else f"{reference[:40]}…"
        known = ", ".join(self.names) or "none"
        super().__init__(
            f"{{{{{shown}}}}} at position {position} {self.problem};"
            f" names that exist: {known}",
            fragment,
        )


class UnknownVariable(ReferenceFault):
    """A reference to a name that does not exist."""

    problem = "names no variable"


class MissingValue(ReferenceFault):
    """A reference to a variable that has no value in this call."""

    problem = "has no value"


class MalformedReference(ReferenceFault):
    """Double braces that are no reference although they look like one."""

    problem = "is no reference"


class UnbalancedFence(TextError):
    """A level fence that is opened and not closed, or closed and not opened."""

    def __init__(self, line: int, *, opened: bool, fragment: str = "") -> None:
        self.line = line
        """Number of the line that has no partner, from 1."""
        self.opened = opened
        """True: it opens a fence that nothing closes."""
        fault = "opens a fence that nothing closes" if opened else "closes no fence"
        super().__init__(f"the level marker in line {line} {fault}", fragment)


class PromptTooLong(PromptsError, ValueError):
    """A limit that cannot be met without touching a protected fragment."""

    def __init__(self, length: int, limit: int) -> None:
        self.length = length
        """What is left when all that may go has gone, in the measure's unit."""
        self.limit = limit
        super().__init__(
            f"The prompt cannot be made shorter than {length}; the limit is {limit}"
        )


class ToolOrderError(PromptsError):
    """The tool order lists names that no provider knows."""

    def __init__(self, names: Iterable[str], known: Iterable[str]) -> None:
        self.names = tuple(names)
        """The listed names that are unknown, in the order of the list."""
        self.known = tuple(sorted(known))
        super().__init__(
            f"The tool order lists unknown tools: {', '.join(self.names)};"
            f" known: {', '.join(self.known) or 'none'}"
        )


class HookError(PromptsError):
    """A hook that raised; the cause is chained."""

    def __init__(self, hook: str) -> None:
        self.hook = hook
        """The hook's module and name."""
        super().__init__(f"The hook {hook} raised an error")


class DuplicateTool(PromptsError, ValueError):
    """Two tools of one name, which no model API accepts."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"Two tools are named {name!r}")


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason why a save was refused."""

    code: str
    """One of unknown_fragment, locked, too_long, total_too_long, nul, surrogate,
    unbalanced_fence, must_mention, conflict."""
    scope: str
    """The scope that was saved; ``""`` is the whole installation."""
    key: str
    """The fragment, or ``""`` where the fault is one of the whole save."""
    message: str
    """A sentence in English that names what, where and the limit."""
    params: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """The figures and names of the message, for a translation of it."""


class SaveRefused(PromptsError, ValueError):
    """A save that changed nothing; *faults* says why, all of it at once."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(" ".join(fault.message for fault in self.faults))


class EditConflict(SaveRefused):
    """A save refused only because others changed the same texts meanwhile."""


def place_of(error: BaseException) -> str:
    """Return file and line that raised *error*, for records that must not quote it."""
    frames = extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "no known place"
