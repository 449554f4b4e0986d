"""What a model is told, in parts: by lane what is said, by tool what is offered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Literal

from prompts_app.assembly import Assembly
from prompts_app.declarations import Lifetime, Tool
from prompts_app.exceptions import DuplicateTool

Carrier = Literal["message", "reminder", "prompt"]
CARRIERS = ("message", "reminder", "prompt")
TAG = "system-reminder"
_TAG = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_STABLE = Lifetime.CONVERSATION


@dataclass(frozen=True, slots=True)
class Part:
    """A text that the model is given by itself, and how long it stays the same."""

    lane: Lifetime
    text: str = field(repr=False)
    fingerprint: str = ""
    """That of a whole lane."""


def split(
    assembly: Assembly, authored: str, carrier: Carrier
) -> tuple[list[Part], list[Part]]:
    """
    Return the parts of the prompt, and those that go into the conversation.

    Seam and authored prompt stand last in the prompt, as `Assembly.join()` has it.
    """
    lanes = [
        Part(lifetime, lane.text, lane.fingerprint)
        for lifetime, lane in assembly.lanes.items()
        if lane.text.strip()
    ]
    kept = [one for one in lanes if carrier == "prompt" or one.lane <= _STABLE]
    return [*kept, *_authored(assembly, authored)], lanes[len(kept) :]


def _authored(assembly: Assembly, authored: str) -> list[Part]:
    if not authored.strip():
        return []
    own = Part(Lifetime.CONVERSATION, authored)
    if not assembly.text.strip() or not assembly.seam:
        return [own]
    lanes = (entry.lane for entry in assembly.trace if entry.outcome == "seam")
    return [Part(max(lanes), assembly.seam), own]


def breakpoints(parts: Iterable[Part]) -> list[int]:
    """
    Return which of *parts* end a prefix that a cache should keep, in order.

    What is FIXED serves every conversation, what is stable this one, so there are
    two of them at most. Nothing behind a part that changes can be kept.
    """
    lanes = [part.lane for part in parts]
    runs = (_run(lanes, limit) for limit in (Lifetime.FIXED, _STABLE))
    return sorted({run - 1 for run in runs if run})


def _run(lanes: Iterable[Lifetime], limit: Lifetime) -> int:
    return sum(1 for _ in takewhile(lambda lane: lane <= limit, lanes))


def wrap(lane: Part, tag: str) -> str:
    """
    Return the text of *lane* between an opening and a closing *tag*, on their own lines.

    If the text closes such a tag itself, the lane's fingerprint becomes a part of the
    name, which no text can foresee.
    """
    if f"</{tag.lower()}" in lane.text.lower():
        tag = f"{tag}-{lane.fingerprint}"
    return f"<{tag}>\n{lane.text}\n</{tag}>"


def distinct(tools: Iterable[Tool]) -> tuple[Tool, ...]:
    """
    Return *tools*, in order.

    Raises:
        DuplicateTool: two of them have the same name.
    """
    seen: dict[str, Tool] = {}
    for tool in tools:
        if tool.name in seen:
            raise DuplicateTool(tool.name)
        seen[tool.name] = tool
    return tuple(seen.values())


def described(tool: Tool) -> dict[str, Any]:
    """Return name and description as all APIs call them; a blank one is left out."""
    told = {"name": tool.name}
    if tool.description.strip():
        told["description"] = tool.description
    return told


def copied(messages: Iterable[Any]) -> list[Any]:
    """
    Return *messages* in dicts and lists of their own, keys in the order given.

    What is neither, such as an item of a client's answer, is taken over as it is.
    Only what the app itself declares is sorted, as `Tool.schema()` says: a conversation
    was sent before, and a cache finds it again by its bytes.

    Raises:
        TypeError: *messages* is one message or one text.
    """
    if isinstance(messages, (str, bytes, Mapping)):
        kind = type(messages).__name__
        raise TypeError(f"messages has to be a collection of messages, not one {kind}")
    return [_copy(message) for message in messages]


def _copy(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copy(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_copy(item) for item in value]
    return value


def role_of(message: Any) -> str:
    """Return the role of a copied message; ``""`` for what has none of ours to read."""
    return str(message.get("role", "")) if isinstance(message, dict) else ""


def extend(message: dict[str, Any], blocks: Iterable[Any], kind: str) -> None:
    """Put *blocks* behind the content of *message*; *kind* is a text block's type."""
    content = message.get("content") or ()
    if isinstance(content, str):
        content = [{"type": kind, "text": content}]
    message["content"] = [*content, *blocks]


def check_choice(field: str, value: object, allowed: Iterable[object]) -> None:
    """
    Check an argument that has to be one of a few.

    Raises:
        ValueError: it is none of *allowed*; the message names them.
    """
    known = tuple(allowed)
    if value not in known:
        raise ValueError(f"{field} {value!r} is none of {', '.join(map(repr, known))}")


def check_tag(tag: str) -> None:
    """
    Check the name that a reminder is wrapped in.

    Raises:
        ValueError: it could not be the name of a tag.
    """
    if not _TAG.fullmatch(tag):
        raise ValueError(f"tag {tag!r} does not match {_TAG.pattern}")
