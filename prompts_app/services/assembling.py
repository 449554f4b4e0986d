"""Assembling: the texts in force, put together for one call."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from prompts_app import conf, levels, providers, validation as valid
from prompts_app.assembly import (
    Assembly,
    Context,
    Snapshot,
    build,
    recall,
    remember,
    text_in_force,
)
from prompts_app.declarations import Level, Tool, ToolSet
from prompts_app.exceptions import UnknownFragment
from prompts_app.overrides import snapshots
from prompts_app.registry import View, registry
from prompts_app.transactions import is_fatal

Overrides = Snapshot | Mapping[str, str]

# Members are looked up at every access.
_LEAN, _DETAILED = Level.LEAN, Level.DETAILED
_FIXED = (tuple, ToolSet, type(None))
"""Kinds of offers that can be told again by identity."""


def assemble(
    *,
    include: Iterable[str] | None = None,
    variables: Mapping[str, object] | None = None,
    scope: str | Iterable[str] = (),
    tools: Iterable[Tool] | ToolSet | None = None,
    families: Iterable[str] | None = None,
    has_tools: bool | None = None,
    level: Level | str | None = None,
    model: str = "",
    user: Any = None,
    overrides: Overrides | None = None,
    limit: int | None = None,
    measure: Callable[[str], int] = len,
    strict: bool = False,
    extra: Any = None,
) -> Assembly:
    """
    Return the prompt of the groups and fragments in *include*.

    Args:
        include: Names of groups, or keys; None: all groups with role preamble.
        variables: The caller's values; they beat the providers'.
        scope: A chain of scopes from far to near, or one scope.
        tools: The tools offered; None asks the providers.
        families: The families offered; None: those of the tools.
        has_tools: Whether tools are offered; None: whether there are any.
        level: ``lean`` or ``detailed``; see `resolve_level()`.
        model: The model that will answer.
        user: Whom the call is made for.
        overrides: A snapshot, used as it is; a mapping, the whole set of global
            texts; None: the stored ones.
        limit: The length not to exceed, in units of *measure*; None or 0: none.
        measure: ``(text) -> length``; it has to shrink, or stay, with the text.
        strict: Raise the first fault of an admitted text; no byte changes.
        extra: Whatever providers and hooks should have.

    Raises:
        UnknownFragment: *include* names a key that nobody declares.
        PromptTooLong: the limit cannot be met without a protected fragment.
        HookError: a hook raised.
        ToolOrderError: the tool order lists a tool that no provider knows.
        TextError: under *strict*.
        TypeError, ValueError: an argument or value of the wrong kind.
        DatabaseError: the texts could not be read and no earlier ones stand in.
    """
    chain = valid.chain(scope) if scope != () else ()
    wanted = None if include is None else valid.strings("include", include)
    named = None if families is None else frozenset(valid.strings("families", families))
    snapshot = overrides if type(overrides) is Snapshot else _snapshot(overrides)
    if level is None and conf.sets_nothing_for_calls():
        level, order = _DETAILED, None
    else:
        level, order = levels.resolve(level, user, model), conf.tool_order()
    # Other mappings may be read in several ways, and the way must not depend on the call.
    given = variables if type(variables) is dict else dict(variables or {})
    about = (wanted, chain, model, level, user, extra)
    has_tools = None if has_tools is None else bool(has_tools)
    offered: Hashable = id(tools)
    if type(tools) is list:
        tools = tuple(tools)
        offered = tuple(map(id, tools))
    key = None
    if not strict and not limit and type(tools) in _FIXED:
        # What is registered, stored, set and asked for, and under which names values come.
        key = (
            registry.generation,
            snapshot.identity,
            (chain, wanted, named, has_tools, order, level is _LEAN),
            offered,
            tuple(given),
        )
        if assembly := recall(key, given, about):
            return assembly
    offer = (tools, named, has_tools, order)
    return _built(key, snapshot, dict(given), about, offer, (limit, measure, strict))


def _built(
    key: Hashable,
    snapshot: Snapshot,
    given: Mapping[str, object],
    about: tuple[Any, ...],
    offer: tuple[Any, ...],
    bounds: tuple[int | None, Callable[[str], int], bool],
) -> Assembly:
    """Return an assembly by the long way, and let the next one like it be found."""
    tools, families, has_tools, order = offer
    limit, measure, strict = bounds
    context = Context.of(given, about)
    assembly = build(
        registry.view(context.scope, snapshot.declarations),
        snapshot,
        context,
        tools=tools,
        families=families,
        has_tools=has_tools,
        tool_order=order,
        limit=limit,
        measure=measure,
        strict=strict,
        call=providers.call,
        fatal=is_fatal,
    )
    # Texts of somebody's own mostly come once.
    if key is not None and (snapshot.version or not snapshot.texts):
        remember(key, given, tools, assembly)
    return assembly


def render(
    key: str, variables: Mapping[str, object] | None = None, **arguments: Any
) -> str:
    """
    Return the text of one fragment; ``""`` means that its task is switched off.

    *arguments* are those of `assemble()`, without ``include``.

    Raises:
        UnknownFragment: nobody declares *key*; beside what `assemble()` raises.
    """
    if "." not in key:
        raise UnknownFragment(key, valid.near(key, tuple(registry)))
    return assemble(include=(key,), variables=variables, **arguments).text


def resolve(
    key: str,
    *,
    scope: str | Iterable[str] = (),
    overrides: Overrides | None = None,
) -> str:
    """
    Return the text in force for *key*, unfilled and whatever its gates say.

    A fragment that is off gives ``""``.

    Raises:
        UnknownFragment: nobody declares *key*.
    """
    snapshot = _snapshot(overrides)
    view = registry.view(valid.chain(scope), snapshot.declarations)
    layered = view.by_key.get(key)
    if layered is None:
        raise UnknownFragment(key, valid.near(key, tuple(view.by_key)))
    text, origin, _ = text_in_force(view, snapshot, layered)
    return "" if origin.kind == "override" and not text.strip() else text


def resolve_level(
    level: Level | str | None = None, user: Any = None, model: str = ""
) -> Level:
    """
    Return the level of a call.

    The argument, else the person's, else the installation's, else the model's, else
    detailed. An argument or a person's value that is no level is skipped.

    Raises:
        ImproperlyConfigured: a setting is no level.
    """
    return levels.resolve(level, user, model)


def view_of(
    scope: str | Iterable[str] = (), overrides: Overrides | None = None
) -> View:
    """Return what is declared for a chain of scopes, sources included."""
    return registry.view(valid.chain(scope), _snapshot(overrides).declarations)


def _snapshot(overrides: Overrides | None) -> Snapshot:
    if overrides is None:
        return snapshots.current()
    if isinstance(overrides, Snapshot):
        return overrides
    # A mapping replaces the texts, not what sources declare.
    sourced = registry.records("source")
    declarations = snapshots.current().declarations if sourced else ()
    return Snapshot({("", key): text for key, text in overrides.items()}, declarations)
