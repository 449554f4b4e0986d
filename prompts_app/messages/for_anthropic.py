"""An assembly as Anthropic's client takes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from prompts_app.assembly import Assembly
from prompts_app.declarations import Tool
from prompts_app.messages.parts import (
    CARRIERS,
    TAG,
    Carrier,
    breakpoints,
    check_choice,
    check_tag,
    copied,
    described,
    distinct,
    extend,
    role_of,
    split,
    wrap,
)

_CACHE = {"5m": {"type": "ephemeral"}, "1h": {"type": "ephemeral", "ttl": "1h"}}
_MOST_BREAKPOINTS = 4


def anthropic(
    assembly: Assembly,
    *,
    messages: Iterable[Any] = (),
    authored: str = "",
    carrier: Carrier = "reminder",
    tag: str = TAG,
    ttl: Literal["5m", "1h"] | None = "5m",
) -> dict[str, Any]:
    """
    Return the prompt-related arguments of `client.messages.create()`.

    ``system`` has a block for each lane, most stable first. A cache breakpoint
    stands behind the FIXED lane and one behind the last stable one, or behind the
    tools if nothing else is stable. What is blank leaves no block, no ``system`` and
    no ``tools``.

    Args:
        assembly: What is said and offered.
        messages: The conversation so far, in the API's own form.
        authored: A prompt written for this conversation; the seam leads over to it.
        carrier: Where the lanes TURN and CALL go: ``reminder``, wrapped in *tag*, to
            the end of the last user message; ``message``, into a system message right
            behind that, which only newer models take; ``prompt``, into ``system``,
            behind the stable lanes.
        tag: The name of the tag around a reminder.
        ttl: How long the breakpoints hold; None: none is set. Together with those in
            *messages* there are never more than the API's four, of which the
            conversation's own count first.

    Raises:
        DuplicateTool: two tools have the same name.
        TypeError: *messages* is one message or one text.
        ValueError: *carrier*, *ttl* or *tag* is none that there is; or a system
            message has no user message to stand behind.
    """
    check_choice("carrier", carrier, CARRIERS)
    check_choice("ttl", ttl, (None, *_CACHE))
    check_tag(tag)
    prompt, carried = split(assembly, authored, carrier)
    system = [_text(part.text) for part in prompt]
    tools = [_tool(tool) for tool in distinct(assembly.tools)]
    conversation = copied(messages)
    if ttl is not None:
        ends = [system[place] for place in breakpoints(prompt)] or tools[-1:]
        free = max(_MOST_BREAKPOINTS - _count_breakpoints(conversation), 0)
        for block in ends[max(len(ends) - free, 0) :]:
            block["cache_control"] = dict(_CACHE[ttl])
    if carried and carrier == "reminder":
        _remind(conversation, [_text(wrap(part, tag)) for part in carried])
    elif carried:
        _tell(conversation, [_text(part.text) for part in carried])
    return {
        **({"system": system} if system else {}),
        "messages": conversation,
        **({"tools": tools} if tools else {}),
    }


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _tool(tool: Tool) -> dict[str, Any]:
    return {
        **described(tool),
        "input_schema": tool.schema(),
        **({"strict": True} if tool.strict else {}),
    }


def _last_user(conversation: Sequence[Any]) -> int | None:
    """Return the place of the last user message; results of tools are in such too."""
    places = range(len(conversation) - 1, -1, -1)
    return next((at for at in places if role_of(conversation[at]) == "user"), None)


def _remind(conversation: list[Any], reminders: Sequence[dict[str, Any]]) -> None:
    place = _last_user(conversation)
    if place is None:
        place = 0
        conversation.insert(place, {"role": "user"})
    extend(conversation[place], reminders, "text")


def _tell(conversation: list[Any], blocks: Sequence[dict[str, Any]]) -> None:
    place = _last_user(conversation)
    if place is None:
        raise ValueError(
            "A system message has to follow a user message, and messages holds none;"
            ' use carrier="reminder" or carrier="prompt"'
        )
    behind = place + 1
    # Two system messages in a row are refused.
    if behind == len(conversation) or role_of(conversation[behind]) != "system":
        conversation.insert(behind, {"role": "system"})
    extend(conversation[behind], blocks, "text")


def _count_breakpoints(items: Iterable[Any]) -> int:
    """Return how many of messages, blocks and blocks in blocks have one."""
    count = 0
    for item in items:
        if isinstance(item, dict):
            count += item.get("cache_control") is not None
            content = item.get("content")
            count += _count_breakpoints(content if isinstance(content, list) else ())
    return count
