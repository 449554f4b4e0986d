"""The one assembly path, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from prompts_app import validation as valid
from prompts_app.assembly.accounts import Frame
from prompts_app.assembly.gates import Facts, to_level
from prompts_app.assembly.hooking import run_hooks
from prompts_app.assembly.offering import Offer, collected, offer_of
from prompts_app.assembly.pieces import Piece, Wanted, collect, piece_of
from prompts_app.assembly.plans import Plan
from prompts_app.assembly.remembering import plan_of
from prompts_app.assembly.resolving import Call, Fatal, call_plainly, never
from prompts_app.assembly.result import Assembly
from prompts_app.assembly.shapes import assembled
from prompts_app.assembly.values import Context, Snapshot
from prompts_app.declarations import Tool, ToolSet
from prompts_app.registry import View


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
    named = None if families is None else frozenset(valid.strings("families", families))
    if "lb" in context.variables:
        raise ValueError("lb is the registry's own variable; no call may give it")
    call = call or call_plainly
    offer = collected(view, context, tools, tool_order, call)
    given = context.variables
    pieces: list[Piece] | None = None
    if view.hooks:
        pieces, offer, given = _hooked(view, snapshot, context, offer)
    offered = (
        bool(offer.tools if has_tools is None else has_tools),
        offer.families if named is None else named,
        to_level(context.level),
    )
    if pieces is None:
        plan = plan_of(view, snapshot, context.include, offered, given)
    else:
        plan = Plan(view, pieces, Facts(*offered), given)

    fatal = _always if strict else (fatal or never)
    frame = Frame(plan, offer, snapshot.version, snapshot.degraded, call, fatal)
    assembly = assembled(frame, given, context)
    if strict:
        assembly.check()
    if limit:
        assembly.keep_to(limit, measure)
    return assembly


def _hooked(
    view: View, snapshot: Snapshot, context: Context, offer: Offer
) -> tuple[list[Piece], Offer, Mapping[str, object]]:
    """Return pieces, tools and the caller's variables as hooks leave them."""
    wanted = Wanted(view, context.include)
    pieces = [piece_of(view, snapshot, *one) for one in collect(view, wanted)]
    pieces, kept, given = run_hooks(view, context, wanted, pieces, offer.tools)
    return pieces, offer_of(kept), given


def _always(error: BaseException) -> bool:
    return True
