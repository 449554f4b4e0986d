"""The one assembly path, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from prompts_app import validation as valid
from prompts_app.assembly.gates import Facts, failed_gate, to_level
from prompts_app.assembly.hooking import run_hooks
from prompts_app.assembly.pieces import Piece, Wanted, collect
from prompts_app.assembly.protection import in_order
from prompts_app.assembly.resolving import (
    Call,
    Fatal,
    Values,
    WithClauses,
    call_plainly,
)
from prompts_app.assembly.result import Assembly
from prompts_app.assembly.values import Context, Reason, Snapshot
from prompts_app.assembly.welding import fit
from prompts_app.declarations import Tool, ToolSet, family_names
from prompts_app.exceptions import UnbalancedFence
from prompts_app.registry import View
from prompts_app.syntax import at_level, substitute, substitute_strict, variables_in


def build(
    view: View,
    snapshot: Snapshot,
    context: Context,
    *,
    tools: Iterable[Tool] | ToolSet | None = None,
    families: Iterable[str] | None = None,
    has_tools: bool | None = None,
    tool_order: Sequence[str] | None = None,
    limit: int | None = None,
    measure: Callable[[str], int] = len,
    strict: bool = False,
    call: Call | None = None,
    fatal: Fatal | None = None,
) -> Assembly:
    """
    Return the prompt that *view* and *snapshot* give in *context*.

    *tools* None asks the providers; *families* and *has_tools* None follow from
    the tools that hooks and protections left. *measure* tells the length that
    *limit* holds (None and 0: no limit). *strict* changes no byte and raises the
    first fault of an admitted text. *call* runs a provider, and *fatal* says
    which of a provider's errors are not swallowed.

    Raises:
        UnknownFragment: the context includes a key that nobody declares.
        ToolOrderError: *tool_order* lists a tool that no provider knows.
        HookError: a hook raised.
        PromptTooLong: the limit cannot be met.
        TextError: under *strict*, the first fault of a text.
        TypeError: a value or a collection is of the wrong kind.
        ValueError: the limit is negative, or the call gives the variable ``lb``.
    """
    if limit is not None and limit < 0:
        raise ValueError(f"limit is {limit}; it cannot be negative")
    named = None if families is None else valid.strings("families", families)
    call = call or call_plainly
    wanted = Wanted(view, context.include)
    pieces = collect(view, snapshot, wanted)
    offered = _offered(view, context, tools, tool_order, call)
    pieces, kept, given = run_hooks(view, context, wanted, pieces, offered)
    values = _values(view, context, given, kept, call)
    values.fatal = (lambda _: True) if strict else (fatal or values.fatal)
    facts = Facts(
        has_tools=bool(kept if has_tools is None else has_tools),
        families=frozenset(family_names(kept) if named is None else named),
        level=to_level(context.level),
    )
    clauses = _fill_all(view, pieces, facts, values, given, strict=strict)
    _keep_to(limit, measure, pieces, view)
    return Assembly(
        view,
        pieces,
        values,
        clauses,
        tools=kept,
        facts=facts,
        version=snapshot.version,
        degraded=snapshot.degraded,
    )


def _offered(
    view: View,
    context: Context,
    tools: Iterable[Tool] | ToolSet | None,
    order: Sequence[str] | None,
    call: Call,
) -> list[Tool]:
    if tools is None:
        sets = [tool_set(call(ask, context)) for _, ask in view.tool_providers]
    else:
        sets = [tool_set(tools)]
    offered = [tool for one in sets for tool in one.offered]
    # A plain list says what is offered, not what else exists.
    if tools is None or isinstance(tools, ToolSet):
        known = {name for one in sets for name in one.known or ()}
        return in_order(offered, order, known)
    return in_order(offered, order, None)


def tool_set(tools: object) -> ToolSet:
    """
    Return what a call or a tool provider offers as a set.

    Raises:
        TypeError: it is neither a set nor holds tools.
    """
    if isinstance(tools, ToolSet):
        return tools
    if isinstance(tools, (str, bytes, Mapping)) or not isinstance(tools, Iterable):
        raise TypeError(f"tools has to hold Tool values, not {type(tools).__name__}")
    return ToolSet(tuple(tools))


def _values(
    view: View,
    context: Context,
    given: Mapping[str, object],
    tools: Iterable[Tool],
    call: Call,
) -> Values:
    values = Values(view, context, given, call)
    values.offer(", ".join(dict.fromkeys(tool.name for tool in tools)))
    return values


def _fill_all(
    view: View,
    pieces: Sequence[Piece],
    facts: Facts,
    values: Values,
    given: Mapping[str, object],
    *,
    strict: bool,
) -> WithClauses:
    """Take every piece through gates, levels, clauses and values."""
    asked = [piece for piece in pieces if piece.place != "aside"]
    _admit(asked, facts, values, strict=strict)
    _admit(_called_in(view, asked, pieces), facts, values, strict=strict)
    clauses = [piece for piece in pieces if piece.place == "clause"]
    texts = _fill_clauses(view, clauses, values, strict=strict)
    texts = dict.fromkeys(view.clauses, "") | texts
    full = WithClauses(values, given, texts)
    for piece in asked:
        if piece.waiting:
            _fill(piece, full, strict=strict)
            if not piece.filled:
                piece.put_out("empty", Reason("empty"))
            else:
                piece.outcome = "included" if piece.place == "text" else "seam"
    return full


def _admit(
    pieces: Iterable[Piece], facts: Facts, values: Values, *, strict: bool
) -> None:
    for piece in pieces:
        if not piece.waiting:
            continue
        reason = piece.fragment and failed_gate(piece.fragment, facts, values)
        if reason:
            piece.put_out("gated", reason)
            continue
        try:
            piece.filled = at_level(piece.source, facts.level)
        except UnbalancedFence as fault:
            if strict:
                raise UnbalancedFence(
                    fault.line, opened=fault.opened, fragment=piece.key
                ) from None
            piece.filled = piece.source
            note = Reason("unbalanced_fence", (str(fault.line),))
            piece.notes = (*piece.notes, note)


def _called_in(
    view: View, asked: Iterable[Piece], pieces: Iterable[Piece]
) -> list[Piece]:
    """Return the clauses that nobody asked for and an admitted text uses all the same."""
    if not view.clauses:
        return []
    waiting = (piece for piece in asked if piece.waiting)
    used = {name for piece in waiting for name in variables_in(piece.filled)}
    called = [
        piece
        for piece in pieces
        if piece.place == "aside" and piece.fragment and piece.fragment.provides in used
    ]
    for piece in called:
        piece.place = "clause"
    return called


def _fill_clauses(
    view: View, pieces: Iterable[Piece], values: Values, *, strict: bool
) -> dict[str, str]:
    """Fill clauses from plain variables; of one name the first that has text counts."""
    texts: dict[str, str] = {}
    for piece in pieces:
        if not piece.waiting or piece.fragment is None:
            continue
        name = piece.fragment.provides
        held = [n for n in variables_in(piece.filled) if n in view.clauses]
        if held:
            piece.notes = (*piece.notes, Reason("clause_in_clause", tuple(held)))
        _fill(piece, values, strict=strict)
        if not piece.filled.strip():
            piece.put_out("empty", Reason("empty"))
        else:
            piece.outcome = "provided"
            texts.setdefault(name, piece.filled)
    return texts


def _fill(piece: Piece, values: Mapping[str, object], *, strict: bool) -> None:
    if strict:
        substitute_strict(piece.filled, values, name=piece.key)
    optional = piece.fragment is not None and piece.fragment.optional_lines
    text = substitute(piece.filled, values, optional_lines=optional)
    piece.filled = text.strip("\n" if piece.place == "clause" else None)


def _keep_to(
    limit: int | None,
    measure: Callable[[str], int],
    pieces: Sequence[Piece],
    view: View,
) -> None:
    if not limit:
        return
    included = [piece for piece in pieces if piece.outcome == "included"]
    expendable = [
        place for place, piece in enumerate(included) if piece.key not in view.protected
    ]
    expendable.sort(key=lambda place: (_priority(included[place]), -place))
    gone = fit([piece.filled for piece in included], expendable, limit, measure)
    for place in gone:
        included[place].put_out("dropped", Reason("limit", (str(limit),)))


def _priority(piece: Piece) -> int:
    return piece.fragment.priority if piece.fragment else 0
