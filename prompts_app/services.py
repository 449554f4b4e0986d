"""
The door: assemble prompts, and read and change the stored texts.

Every function has a twin for asynchronous callers, the same name with an ``a``
in front, which runs the same function in Django's thread for synchronous code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from asgiref.sync import sync_to_async

from prompts_app import conf, levels, providers, validation as valid
from prompts_app.assembly import Assembly, Context, Snapshot, build, text_in_force
from prompts_app.declarations import Level, Tool, ToolSet
from prompts_app.exceptions import UnknownFragment
from prompts_app.overrides import history, journal, snapshots, writing
from prompts_app.overrides.identity import declared_default, etag_of, stored_under
from prompts_app.overrides.journal import Saved
from prompts_app.registry import View, registry

Overrides = Snapshot | Mapping[str, str]


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
    chain = valid.chain(scope)
    snapshot = _snapshot(overrides)
    context = Context(
        include=None if include is None else valid.strings("include", include),
        variables=dict(variables or {}),
        scope=chain,
        model=model,
        level=resolve_level(level, user, model),
        user=user,
        extra=extra,
    )
    return build(
        registry.view(chain, snapshot.declarations),
        snapshot,
        context,
        tools=tools,
        families=families,
        has_tools=has_tools,
        tool_order=conf.tool_order(),
        limit=limit,
        measure=measure,
        strict=strict,
        call=providers.call,
        fatal=providers.is_fatal,
    )


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


def stored(*, using: str | None = None) -> Snapshot:
    """
    Return the stored texts as they are now, immutable.

    *using* is a database alias; None is the one that overrides are read from.

    Raises:
        DatabaseError: they could not be read and no earlier ones stand in.
    """
    return snapshots.current(using)


def view_of(
    scope: str | Iterable[str] = (), overrides: Overrides | None = None
) -> View:
    """Return what is declared for a chain of scopes, sources included."""
    return registry.view(valid.chain(scope), _snapshot(overrides).declarations)


def etag(scope: str, key: str, *, overrides: Snapshot | None = None) -> str:
    """
    Return the state of one fragment in *scope*, as 16 hex digits.

    It changes with the stored text and with the declared default. Without
    *overrides* the text is the one in the database that saves go to.
    """
    snapshot = snapshots.stored_in() if overrides is None else overrides
    view = registry.view(valid.chain(scope), snapshot.declarations)
    found = stored_under(view, snapshot.texts, scope, key)
    return etag_of(found[1] if found else None, declared_default(view, key))


def save(
    values: Mapping[str, str],
    *,
    scope: str = "",
    author: Any = None,
    comment: str = "",
    based_on: Mapping[str, str] | None = None,
    confirm: Iterable[tuple[str, str]] = (),
) -> Saved:
    """
    Store *values* (text by key) in *scope*, all of them or none.

    A text equal to what stands beneath it removes the override; a blank one
    switches the fragment off; keys that are not submitted stay as they are.

    Args:
        values: The texts; CRLF becomes LF, line feeds at both ends go.
        scope: The layer; ``""`` is the whole installation.
        author: Whose rights are checked; None is trusted code.
        comment: Why; kept in the history, at most 1 000 characters.
        based_on: The etag that each text's editor was shown.
        confirm: Pairs of key and a ``must_mention`` variable that may go, or
            ``"default"`` for a drifted default that was looked at.

    Raises:
        PermissionDenied: the author may not change one of the texts.
        SaveRefused: with every fault; nothing was stored.
        EditConflict: others changed the same texts, and nothing else is wrong.
        TypeError, ValueError: an argument of the wrong kind.
    """
    return writing.save(
        values,
        scope=scope,
        author=author,
        comment=comment,
        based_on=based_on,
        confirm=confirm,
    )


def reset(
    keys: Iterable[str],
    *,
    scope: str = "",
    author: Any = None,
    comment: str = "",
    based_on: Mapping[str, str] | None = None,
) -> Saved:
    """
    Remove the overrides of *keys* in *scope*, so that what stands beneath counts.

    Raises:
        PermissionDenied, SaveRefused, EditConflict, TypeError, ValueError: as `save()`.
    """
    return writing.reset(
        keys, scope=scope, author=author, comment=comment, based_on=based_on
    )


def touch(*, using: str | None = None) -> None:
    """
    Make every process load texts and sources anew at its next assembly.

    Call it in the transaction that changes what a registered source reads, after
    the change. *using* is the alias of the database that was written to; None is
    the one that saves go to.
    """
    journal.touch(using)


def reading_from() -> str:
    """
    Return the alias of the database that a registered source should read now.

    Texts and sources then belong to one state, a replica's or the primary's.
    Elsewhere it is the database that overrides are read from.
    """
    return snapshots.reading_from()


def as_of(number: int) -> Snapshot:
    """
    Return the texts right after revision *number*; 0 is before the first.

    Raises:
        ValueError: there is no such revision.
    """
    return history.as_of(number)


def _snapshot(overrides: Overrides | None) -> Snapshot:
    if overrides is None:
        return snapshots.current()
    if isinstance(overrides, Snapshot):
        return overrides
    # A mapping replaces the texts, not what sources declare.
    sourced = registry.records("source")
    declarations = snapshots.current().declarations if sourced else ()
    return Snapshot({("", key): text for key, text in overrides.items()}, declarations)


aassemble = sync_to_async(assemble)
arender = sync_to_async(render)
aresolve = sync_to_async(resolve)
aresolve_level = sync_to_async(resolve_level)
astored = sync_to_async(stored)
aview_of = sync_to_async(view_of)
aetag = sync_to_async(etag)
asave = sync_to_async(save)
areset = sync_to_async(reset)
atouch = sync_to_async(touch)
areading_from = sync_to_async(reading_from)
aas_of = sync_to_async(as_of)
