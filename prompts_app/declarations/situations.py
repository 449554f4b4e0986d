"""What a prompt is assembled for: tools on offer, and named situations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any

from prompts_app import validation as valid
from prompts_app.declarations.kinds import Level
from prompts_app.exceptions import InvalidDeclaration

if TYPE_CHECKING:
    from prompts_app.declarations.kinds import Label


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model may call, as its API is told of it."""

    name: str
    """At most 64 letters, digits, underscores and hyphens."""
    _: KW_ONLY
    description: str = field(repr=False)
    """What it does, for the model."""
    parameters: Mapping[str, Any] = field(repr=False, hash=False)
    """JSON schema of its arguments; read-only here, `schema()` gives a copy."""
    family: str = ""
    """The family that the gate ``families`` names; may be empty."""
    strict: bool = True
    """Whether the API is asked to hold the model to the schema."""

    def __post_init__(self) -> None:
        where = f"Tool {self.name!r}"
        valid.check_name(where, "name", self.name, valid.TOOL)
        valid.check_text(where, "description", self.description)
        if not isinstance(self.parameters, Mapping):
            raise InvalidDeclaration(f"{where}: parameters is a mapping")
        object.__setattr__(self, "parameters", valid.freeze(self.parameters))
        if self.family:
            valid.check_name(where, "family", self.family, valid.WORD)

    def schema(self) -> dict[str, Any]:
        """
        Return the parameters as plain dicts and lists, fresh on every call.

        Keys stand in sorted order, so equal parameters are equal bytes for a cache.
        """
        copy: dict[str, Any] = valid.thaw(self.parameters)
        return copy


@dataclass(frozen=True, slots=True)
class ToolSet:
    """What a tool provider offers now, and which names it knows at all."""

    offered: tuple[Tool, ...]
    """The tools of this request."""
    known: tuple[str, ...] | None = None
    """All names, withheld ones included; None: those of *offered*."""

    def __post_init__(self) -> None:
        valid.freeze_tools(self, "ToolSet", "offered", Tool)
        if self.known is not None:
            valid.freeze_names(self, "ToolSet", "known", valid.TOOL)
        names = dict.fromkeys(tool.name for tool in self.offered)
        known = tuple(dict.fromkeys((*(self.known or ()), *names)))
        object.__setattr__(self, "known", known)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A named situation for preview, command line and tests."""

    key: str
    """Its name in links and commands."""
    _: KW_ONLY
    label: Label
    """Its name on the page."""
    variables: Mapping[str, object] | None = field(default=None, repr=False, hash=False)
    """Sample values; what it does not name is blank. None: each variable's example."""
    tools: tuple[Tool, ...] = field(default=(), repr=False)
    """The tools offered."""
    families: tuple[str, ...] | None = None
    """The families offered; None: those of the tools."""
    scope: str | tuple[str, ...] = ()
    """The chain of scopes, from far to near."""
    level: Level | None = None
    """None: what the page or command chooses."""
    include: tuple[str, ...] | None = None
    """Groups or fragment keys; None: all preamble groups."""
    authored: str = field(default="", repr=False)
    """A prompt written for one chat, which the seam leads over to."""

    def __post_init__(self) -> None:
        where = f"Scenario {self.key!r}"
        valid.check_name(where, "key", self.key, valid.WORD, limit=100)
        valid.check_label(where, self.label)
        valid.check_text(where, "authored", self.authored)
        valid.freeze_tools(self, where, "tools", Tool)
        valid.freeze_chain(self, where, "scope")
        if self.families is not None:
            valid.freeze_names(self, where, "families", valid.WORD)
        if self.include is not None:
            object.__setattr__(self, "include", valid.strings("include", self.include))
        valid.convert(self, where, "level", Level)
        if self.variables is not None:
            object.__setattr__(self, "variables", valid.freeze(self.variables))
            if "lb" in self.variables:
                raise InvalidDeclaration(f"{where}: lb is the registry's own variable")


def object_schema(properties: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return a strict JSON schema of an object, fresh on every call.

    Every property is required, in sorted order, and nothing else is allowed; an
    optional value is one whose type has ``null``. Equal *properties* give equal bytes,
    whatever order they were written in.
    """
    return {
        "type": "object",
        "properties": valid.thaw(valid.freeze(properties)),
        "required": sorted(properties),
        "additionalProperties": False,
    }


def family_names(tools: Iterable[Tool]) -> tuple[str, ...]:
    """Return the families of *tools*, in order, once."""
    return tuple(dict.fromkeys(tool.family for tool in tools if tool.family))
