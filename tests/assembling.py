"""A short way to declare a few fragments and assemble them, without Django."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from prompts_app.assembly import Assembly, Context, Entry, Snapshot, build
from prompts_app.declarations import (
    Declaration,
    Fragment,
    Group,
    Tool,
    Variable,
    object_schema,
)
from prompts_app.registry import Registry
from prompts_app.validation import chain

CORE = Group("core", label="Core", order=1, role="preamble")
SEAM = Group("seam", label="Handover", order=2, role="seam")
TASKS = Group("tasks", label="Tasks", order=3)


def fragment(key: str = "core.a", default: str = "A", **options: Any) -> Fragment:
    """Return a fragment of the preamble group unless *options* say otherwise."""
    return Fragment(key, **{"label": key, "group": "core"} | options, default=default)


def variable(name: str, provider: Any = None, **options: Any) -> Variable:
    """Return a variable that is labelled by its own name."""
    return Variable(name, label=name, provider=provider, **options)


def tool(name: str, family: str = "", description: str = "Does it.") -> Tool:
    """Return a tool without arguments."""
    return Tool(
        name, description=description, parameters=object_schema({}), family=family
    )


def registry_of(*declarations: Declaration) -> Registry:
    """Return a registry of three groups, one of each role, and *declarations*."""
    made = Registry()
    made.register(CORE, SEAM, TASKS, *declarations)
    return made


def assemble(
    registry: Registry,
    *,
    overrides: Mapping[str, str] | Snapshot | None = None,
    scope: str | Iterable[str] = (),
    include: tuple[str, ...] | None = None,
    variables: Mapping[str, object] | None = None,
    level: str | None = None,
    **options: Any,
) -> Assembly:
    """Return the assembly of *registry*; *overrides* are global texts or a snapshot."""
    if not isinstance(overrides, Snapshot):
        overrides = Snapshot({("", k): text for k, text in (overrides or {}).items()})
    members = chain(scope)
    context = Context(
        include=include, variables=variables or {}, scope=members, level=level
    )
    view = registry.view(members, overrides.declarations)
    return build(view, overrides, context, **options)


def text_of(*declarations: Declaration, **options: Any) -> str:
    """Return the text that *declarations* alone give."""
    return assemble(registry_of(*declarations), **options).text


def entry(assembly: Assembly, key: str) -> Entry:
    """Return the one trace entry of *key*."""
    (found,) = (one for one in assembly.trace if one.key == key)
    return found


def outcomes(assembly: Assembly) -> dict[str, str]:
    """Return the outcome of each key in the trace."""
    return {one.key: one.outcome for one in assembly.trace}


class Counted:
    """A provider that returns *value* and counts how often it was asked."""

    def __init__(self, value: object) -> None:
        self.value = value
        self.calls = 0

    def __call__(self, context: Context) -> object:
        self.calls += 1
        return self.value


def hooked(
    registry: Registry, change: Callable[[Any], object], scope: str = ""
) -> None:
    """Register *change* of a draft as a hook that does not look at the context."""
    registry.register_hook(lambda draft, context: change(draft), scope)
