"""Which tools a call offers, in which order, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from prompts_app.assembly.memo import Memo
from prompts_app.assembly.protection import in_order, restore
from prompts_app.assembly.resolving import Call
from prompts_app.assembly.values import Context
from prompts_app.declarations import Tool, ToolSet, family_names
from prompts_app.registry import View


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """Tools in the order in which they are sent."""

    tools: tuple[Tool, ...]
    names: str
    """Separated by commas, each once."""
    families: frozenset[str]


_offers: Memo[tuple[Offer, tuple[object, ...]]] = Memo(entries=256, weight=20_000)


def offer_of(tools: Iterable[Tool]) -> Offer:
    """Return what follows from *tools*, which have their order already."""
    tools = tuple(tools)
    names = ", ".join(dict.fromkeys(tool.name for tool in tools))
    return Offer(tools, names, frozenset(family_names(tools)))


def collected(
    view: View,
    context: Context,
    tools: Iterable[Tool] | ToolSet | None,
    order: Sequence[str] | None,
    call: Call,
) -> Offer:
    """
    Return the tools of a call, its own or the providers', before any hook.

    Equal offers of the same tools are worked out once.

    Raises:
        ToolOrderError: *order* lists a tool that no provider knows.
        TypeError: something that holds no tools.
    """
    known: frozenset[str] | None = None
    offered: Sequence[Tool]
    if type(tools) is tuple or type(tools) is list:
        # Such a list says what is offered, not what else exists.
        offered = tools
    else:
        sets = _sets(view, context, tools, call)
        offered = [tool for one in sets for tool in one.offered]
        if order is not None and (tools is None or isinstance(tools, ToolSet)):
            known = frozenset(name for one in sets for name in one.known or ())
    order = None if order is None else tuple(order)
    if offered is not tools or type(tools) is not tuple:
        return _offer(view, offered, order, known)
    # That it is the very tuple of an earlier call is seen sooner than what is in it.
    key = (id(tools), id(view), order)
    found = _offers.get(key)
    if found is None:
        found = (_offer(view, tools, order, None), (view, tools))
        _offers.put(key, found, len(found[1]))
    return found[0]


def _offer(
    view: View,
    offered: Sequence[Tool],
    order: tuple[str, ...] | None,
    known: frozenset[str] | None,
) -> Offer:
    """Return the offer of the very same tools, worked out if it is not remembered."""
    key = (id(view), order, known, *map(id, offered))
    found = _offers.renewed(key)
    if found is None:
        found = _worked_out(view, offered, order, known)
        _offers.put(key, found, len(found[1]))
    return found[0]


def _sets(
    view: View, context: Context, tools: Iterable[Tool] | ToolSet | None, call: Call
) -> list[ToolSet]:
    if tools is not None:
        return [tool_set(tools)]
    return [tool_set(call(ask, context)) for _, ask in view.tool_providers]


def _worked_out(
    view: View,
    offered: Sequence[Tool],
    order: tuple[str, ...] | None,
    known: frozenset[str] | None,
) -> tuple[Offer, tuple[object, ...]]:
    """Return an offer, and what has to live as long as its ids stand for it."""
    ordered = in_order(tool_set(offered).offered, order, known)
    if not view.hooks:
        ordered = restore(ordered, ordered, view.protected_tools, _name)
    return offer_of(ordered), (view, *offered)


def _name(tool: Tool) -> str:
    return tool.name


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
