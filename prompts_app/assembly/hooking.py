"""What hooks may do to a draft, and what is put right after them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from prompts_app.assembly.pieces import Piece, Wanted
from prompts_app.assembly.protection import restore
from prompts_app.assembly.resolving import refuse_awaitable
from prompts_app.assembly.values import Context, Draft, DraftSection, Origin, Reason
from prompts_app.declarations import Tool
from prompts_app.exceptions import HookError
from prompts_app.registry import View


def run_hooks(
    view: View,
    context: Context,
    wanted: Wanted,
    pieces: Sequence[Piece],
    tools: Sequence[Tool],
) -> tuple[list[Piece], list[Tool], dict[str, object]]:
    """
    Return pieces, tools and the caller's variables as hooks and protections leave them.

    Raises:
        HookError: a hook raised, or left in the draft what does not belong there.
    """
    active = [piece for piece in pieces if not piece.outcome]
    sections = [
        DraftSection(p.key, p.source, _order(p), p.group, fragment=p.fragment)
        for p in active
    ]
    draft = Draft(sections, list(tools), dict(context.variables))
    scopes = _run(view, context, draft)
    changed = _pieces(draft.sections, active, scopes, wanted)
    changed = restore(active, changed, view.protected, _key)
    offered = restore(tools, draft.tools, view.protected_tools, _tool_name)
    return _with_absent(pieces, changed), offered, draft.variables


def _run(view: View, context: Context, draft: Draft) -> dict[str, str]:
    """Run the hooks; return the scope of the last hook that changed each key."""
    known = {section.key: _marks(section) for section in draft.sections}
    scopes: dict[str, str] = {}
    for scope, hook in view.hooks:
        try:
            refuse_awaitable(hook(draft, context), "a hook cannot be a coroutine")
            _check(draft)
        except Exception as error:
            raise HookError(_hook_name(hook)) from error
        for section in draft.sections:
            if known.get(section.key) != _marks(section):
                known[section.key] = _marks(section)
                scopes[section.key] = scope
    return scopes


def _marks(section: DraftSection) -> tuple[str, int]:
    """Return what tells a section from one that says or belongs to something else."""
    return section.text, id(section.fragment)


def _check(draft: Draft) -> None:
    sections: list[object] = list(draft.sections)
    for section in sections:
        text = getattr(section, "text", None)
        if type(section) is not DraftSection or type(text) is not str:
            raise TypeError("Draft.sections holds DraftSection values with text")
    tools: list[object] = list(draft.tools)
    for tool in tools:
        if not isinstance(tool, Tool):
            raise TypeError("Draft.tools holds Tool values")
    if "lb" in draft.variables:
        raise ValueError("lb is the registry's own variable")


def _hook_name(hook: Callable[..., Any]) -> str:
    named = hook if hasattr(hook, "__qualname__") else type(hook)
    return f"{named.__module__}.{named.__qualname__}"


def _pieces(
    sections: Sequence[DraftSection],
    active: Sequence[Piece],
    scopes: dict[str, str],
    wanted: Wanted,
) -> list[Piece]:
    before = {piece.key: piece for piece in active}
    pieces = []
    for section in sections:
        old = before.get(section.key)
        fragment = section.fragment
        group = section.group or (fragment.group if fragment else "")
        same = old and old.fragment is fragment and old.source == section.text
        origin = old.origin if old and same else Origin("hook", scopes[section.key])
        place = wanted.place(section.key, group, fragment) or "text"
        notes = old.notes if old and same else ()
        text = section.text
        pieces.append(
            Piece(section.key, group, fragment, text, origin, place, notes=notes)
        )
    return pieces


def _with_absent(before: Sequence[Piece], after: list[Piece]) -> list[Piece]:
    """Return *after* with the pieces that are out back at their places."""
    present = {piece.key for piece in after}
    told = [
        piece if piece.outcome else piece.out("dropped", Reason("hook"))
        for piece in before
    ]
    absent = {piece.key for piece in before} - present
    return restore(told, after, absent, _key)


def _order(piece: Piece) -> float:
    return piece.fragment.order if piece.fragment else 0


def _key(piece: Piece) -> str:
    return piece.key


def _tool_name(tool: Tool) -> str:
    return tool.name
