"""The one assembly path, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from prompts_app import validation as valid
from prompts_app.assembly.gates import Facts, to_level
from prompts_app.assembly.hooking import run_hooks
from prompts_app.assembly.offering import Offer, collected, offer_of
from prompts_app.assembly.pieces import Wanted, collect, piece_of
from prompts_app.assembly.plans import Plan
from prompts_app.assembly.remembering import layout_of, plan_of
from prompts_app.assembly.resolving import Call, Fatal, Values, call_plainly
from prompts_app.assembly.result import Assembly
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
    call = call or call_plainly
    offer = collected(view, context, tools, tool_order, call)

    def facts_of(offer: Offer) -> Facts:
        return Facts(
            has_tools=bool(offer.tools if has_tools is None else has_tools),
            families=offer.families if named is None else named,
            level=to_level(context.level),
        )

    plan, offer, given = _planned(view, snapshot, context, offer, facts_of)
    values = Values(view, context, given, call)
    values.offer(offer.names)
    values.fatal = (lambda _: True) if strict else (fatal or values.fatal)
    assembly = Assembly(
        plan,
        layout_of(plan, values),
        values,
        tools=offer.tools,
        version=snapshot.version,
        degraded=snapshot.degraded,
    )
    if strict:
        assembly.check()
    if limit:
        assembly.keep_to(limit, measure)
    return assembly


def _planned(
    view: View,
    snapshot: Snapshot,
    context: Context,
    offer: Offer,
    facts_of: Callable[[Offer], Facts],
) -> tuple[Plan, Offer, Mapping[str, object]]:
    """Return the plan, and tools and the caller's variables as hooks leave them."""
    given = context.variables
    if not view.hooks:
        plan = plan_of(view, snapshot, context.include, facts_of(offer), given)
        return plan, offer, given
    wanted = Wanted(view, context.include)
    pieces = [piece_of(view, snapshot, *one) for one in collect(view, wanted)]
    pieces, kept, given = run_hooks(view, context, wanted, pieces, offer.tools)
    offer = offer_of(kept)
    return Plan(view, pieces, facts_of(offer), given), offer, given
