"""The values that go into an assembly, through it, and out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from prompts_app.declarations import Declaration, Fragment, Level, Lifetime, Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a call was given; providers and hooks cope with any of it missing."""

    include: tuple[str, ...] | None = None
    """Groups and fragment keys; None: all preamble groups."""
    variables: Mapping[str, object] = field(default_factory=dict, repr=False)
    """The caller's values."""
    scope: tuple[str, ...] = ()
    """The chain of scopes, from far to near."""
    model: str = ""
    """The model that will answer."""
    level: Level | str | None = None
    """The level; what is none counts as detailed."""
    user: Any = field(default=None, repr=False)
    """Whom the call is made for."""
    extra: Any = field(default=None, repr=False)
    """Whatever the caller wants providers and hooks to have."""

    @classmethod
    def of(cls, variables: Mapping[str, object], others: tuple[Any, ...]) -> Context:
        """Return a context of *variables* and the *others* of its fields, in order."""
        include, scope, model, level, user, extra = others
        return cls(
            include=include,
            variables=variables,
            scope=scope,
            model=model,
            level=level,
            user=user,
            extra=extra,
        )


@dataclass(frozen=True, slots=True, repr=False)
class Snapshot:
    """The stored texts at one moment, with what sources declared at that moment."""

    texts: Mapping[tuple[str, str], str] = field(default_factory=dict, hash=False)
    """Text by (scope, key); a blank one switches its fragment off."""
    declarations: tuple[tuple[str, Declaration], ...] = field(default=(), hash=False)
    """Pairs of scope and declaration."""
    version: str = ""
    """The store's state; ``""`` for a snapshot that is not the store's."""
    degraded: bool = False
    """True: the database did not answer, these are the last known texts."""
    weight: int = field(default=0, compare=False)
    """How many characters of its texts no other snapshot holds, for that memory."""
    identity: object = field(init=False, compare=False)
    """Stands for this very snapshot where plans are remembered."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "identity", object())
        object.__setattr__(self, "texts", MappingProxyType(dict(self.texts)))
        object.__setattr__(self, "declarations", tuple(self.declarations))

    def replace(self, texts: Mapping[str, str | None], scope: str = "") -> Snapshot:
        """Return a copy with *texts* of one *scope* changed; None takes one out."""
        changed = dict(self.texts)
        for key, text in texts.items():
            if text is None:
                changed.pop((scope, key), None)
            else:
                changed[scope, key] = text
        return Snapshot(changed, self.declarations, degraded=self.degraded)

    def __repr__(self) -> str:
        return (
            f"<Snapshot: {len(self.texts)} texts, {len(self.declarations)}"
            f" declarations, version {self.version!r}>"
        )


class Origin(NamedTuple):
    """Where a text came from."""

    kind: str
    """``default``, ``override`` or ``hook``."""
    scope: str = ""
    """The layer of it; ``""`` is the global one."""


_REASONS = {
    "off": "Switched off",
    "families": "None of these tool families is offered: {names}",
    "level": "Only at level {names}",
    "requires": "Blank: {names}",
    "unless": "Not blank: {names}",
    "empty": "Rendered empty",
    "limit": "Over the limit of {names}",
    "hook": "Taken out by a hook",
    "unbalanced_fence": "A level marker in line {names} has no partner",
    "clause_in_clause": "A clause cannot hold a clause: {names}",
    "provider_failed": "The provider failed: {names}",
    "former_key": "The override is stored under {names}",
}
_WHEN_TOOLS = {"with": "Only with tools", "without": "Only without tools"}


class Reason(NamedTuple):
    """Why a fragment is out, or what is to be said of one that is in."""

    code: str
    """``off``, ``when_tools``, ``families``, ``level``, ``requires``, ``unless``,
    ``empty``, ``limit`` or ``hook``; in notes ``unbalanced_fence``,
    ``clause_in_clause``, ``provider_failed`` or ``former_key``."""
    names: tuple[str, ...] = ()
    """What the sentence is about; of ``when_tools``, ``with`` or ``without``."""

    def __str__(self) -> str:
        if self.code == "when_tools":
            return _WHEN_TOOLS[self.names[0]]
        return _REASONS[self.code].format(names=", ".join(self.names))


class DraftSection:
    """One section that a hook may change; its `fragment` stays what it is."""

    __slots__ = ("_fragment", "group", "key", "order", "text")

    def __init__(
        self,
        key: str,
        text: str,
        order: float = 0,
        group: str = "",
        *,
        fragment: Fragment | None = None,
    ) -> None:
        self.key = key
        """The address it has in the result."""
        self.text = text
        """Unfilled, at no level yet."""
        self.order = order
        """For the hook's information; the list's order is what counts."""
        self.group = group
        """Decides whether it belongs to the seam."""
        self._fragment = fragment

    @property
    def fragment(self) -> Fragment | None:
        """Return the declaration whose gates hold for it; None: a hook's own."""
        return self._fragment

    def __repr__(self) -> str:
        return f"<DraftSection {self.key}: {len(self.text)} characters>"


@dataclass(slots=True)
class Draft:
    """An assembly before gates and values, free to be changed in place."""

    sections: list[DraftSection] = field(repr=False)
    """What is wanted and not off, in order; nothing is sorted again."""
    tools: list[Tool] = field(repr=False)
    """The tools of this request, in their order."""
    variables: dict[str, object] = field(repr=False)
    """The caller's values."""


@dataclass(frozen=True, slots=True)
class Section:
    """A passage of the prompt."""

    key: str
    """The fragment's."""
    text: str = field(repr=False)
    """Filled and trimmed, never blank."""
    group: str
    """The fragment's group."""
    lane: Lifetime
    """How long its bytes stay the same."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Why one fragment is in or out."""

    key: str
    """The fragment's."""
    outcome: str
    """included, provided, seam, off, gated, empty or dropped."""
    reason: Reason | None
    """Why it is out; None where it is in."""
    origin: Origin
    """Where its text came from."""
    text: str = field(repr=False)
    """What it contributes; ``""`` where it is out."""
    length: int
    """Of that text, in code points."""
    lane: Lifetime
    """How long its bytes stay the same."""
    notes: tuple[Reason, ...] = ()
    """What else an editor should know of it."""


@dataclass(frozen=True, slots=True)
class Lane:
    """The part of a prompt that keeps the same bytes for one lifetime."""

    text: str = field(repr=False)
    """Its sections, welded in order."""
    fingerprint: str
    """16 hex digits of sha256 over the text."""
