"""The order of tools, and what hooks may not change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence, Set
from typing import TypeVar

from prompts_app.declarations import Tool
from prompts_app.exceptions import ToolOrderError
from prompts_app.registry import REST

T = TypeVar("T")


def tool_order_fault(order: object) -> str:
    """Return what is wrong with a tool order, in a sentence; ``""`` if nothing is."""
    if not isinstance(order, (list, tuple)):
        return f"A tool order is a list of names, not a {type(order).__name__}."
    if strangers := [name for name in order if not isinstance(name, str)]:
        return f"A tool order holds names only, not {strangers[0]!r}."
    doubles = [name for name, count in Counter(order).items() if count > 1]
    if doubles:
        return f"The tool order names twice: {', '.join(sorted(doubles))}."
    if REST not in order:
        return f"The tool order lacks {REST!r}, the place of tools it does not list."
    return ""


def in_order(
    tools: Iterable[Tool], order: Sequence[str] | None, known: Set[str] | None
) -> list[Tool]:
    """
    Return *tools* by name, or as *order* lists them with the rest at its place.

    Tools of one name stay as they were collected. With *known* None nothing is
    said about names that the order lists and nobody offers.

    Raises:
        ToolOrderError: the order lists what is not *known*.
        ValueError: the order is none.
    """
    by_name = sorted(tools, key=lambda tool: tool.name)
    if order is None:
        return by_name
    if fault := tool_order_fault(order):
        raise ValueError(fault)
    listed = [name for name in order if name != REST]
    if known is not None and not known >= set(listed):
        raise ToolOrderError([name for name in listed if name not in known], known)
    place = {name: number for number, name in enumerate(order)}
    return sorted(by_name, key=lambda tool: place.get(tool.name, place[REST]))


def restore(
    canonical: Sequence[T],
    result: Sequence[T],
    protected: Collection[str],
    name: Callable[[T], str],
) -> list[T]:
    """
    Return *result* with each protected name as it is in *canonical*, absent or once.

    A protected item stands before the first item of the result that was canonically
    later and is not protected, else at the end; protected ones keep their order
    among themselves.
    """
    place: dict[str, int] = {}
    for number, item in enumerate(canonical):
        place.setdefault(name(item), number)
    free = [item for item in result if name(item) not in protected]
    anchors = _anchors([place.get(name(item), -1) for item in free], len(canonical))
    waiting: dict[int, list[T]] = {}
    for number, item in enumerate(canonical):
        if name(item) in protected and place[name(item)] == number:
            waiting.setdefault(anchors[number], []).append(item)
    restored: list[T] = []
    for number, item in enumerate(free):
        restored += (*waiting.get(number, ()), item)
    return restored + waiting.get(len(free), [])


def _anchors(places: Sequence[int], count: int) -> list[int]:
    """Return, for each canonical place, where the first later item stands."""
    first = [len(places)] * count
    for number in range(len(places) - 1, -1, -1):
        if places[number] >= 0:
            first[places[number]] = number
    anchors = [len(places)] * count
    for number in range(count - 2, -1, -1):
        anchors[number] = min(anchors[number + 1], first[number + 1])
    return anchors
