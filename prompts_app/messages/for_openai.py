"""An assembly as OpenAI's client takes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from prompts_app.assembly import Assembly
from prompts_app.declarations import Lifetime, Tool
from prompts_app.messages.parts import (
    CARRIERS,
    TAG,
    Carrier,
    Part,
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

_TEXT = {"responses": "input_text", "chat": "text"}
_CONVERSATION = {"responses": "input", "chat": "messages"}


def openai(
    assembly: Assembly,
    *,
    api: Literal["responses", "chat"] = "responses",
    messages: Iterable[Any] = (),
    authored: str = "",
    carrier: Carrier = "message",
    tag: str = TAG,
    role: Literal["developer", "system"] = "developer",
    ttl: Literal["30m", "12h"] | None = None,
    cache_key: str | None = None,
) -> dict[str, Any]:
    """
    Return the prompt-related arguments of `client.responses.create()`.

    With ``api="chat"`` they are those of `client.chat.completions.create()`. The
    prompt is a first message with a part for each lane, most stable first; what
    is blank leaves no part, no message and no ``tools``.

    Args:
        assembly: What is said and offered.
        api: ``responses`` or ``chat``.
        messages: The conversation so far, in the API's own form.
        authored: A prompt written for this conversation; the seam leads over to it.
        carrier: Where the lanes TURN and CALL go: ``message``, one of their own
            behind the conversation; ``reminder``, wrapped in *tag*, into the
            person's message that ends it, else into one behind it; ``prompt``, the
            first message, behind the stable lanes.
        tag: The name of the tag around a reminder.
        role: Of the messages that are not the person's; ``system`` is for models and
            servers that know no ``developer``.
        ttl: How long an explicit cache breakpoint behind the stable lanes is to hold;
            None: none is set, since older models refuse it.
        cache_key: The ``prompt_cache_key``; None: the fingerprints of the stable
            lanes, ``""``: none.

    Raises:
        DuplicateTool: two tools have the same name.
        TypeError: *messages* is one message or one text.
        ValueError: *api*, *carrier*, *role*, *ttl* or *tag* is none that there is.
    """
    check_choice("api", api, _TEXT)
    check_choice("carrier", carrier, CARRIERS)
    check_choice("role", role, ("developer", "system"))
    check_choice("ttl", ttl, (None, "30m", "12h"))
    check_tag(tag)
    kind = _TEXT[api]
    prompt, carried = split(assembly, authored, carrier)
    told = [_text(part.text, kind) for part in prompt]
    _mark(told, prompt, ttl)
    conversation = copied(messages)
    if carried and carrier == "reminder":
        reminders = [_text(wrap(part, tag), kind) for part in carried]
        _remind(conversation, reminders, kind)
    elif carried:
        texts = [_text(part.text, kind) for part in carried]
        conversation.append({"role": role, "content": texts})
    if told:
        conversation.insert(0, {"role": role, "content": told})
    tools = [_tool(tool, api) for tool in distinct(assembly.tools)]
    key = _cache_key(assembly) if cache_key is None else cache_key
    return {
        _CONVERSATION[api]: conversation,
        **({"tools": tools} if tools else {}),
        **({"prompt_cache_key": key} if key else {}),
    }


def _text(text: str, kind: str) -> dict[str, Any]:
    return {"type": kind, "text": text}


def _mark(
    told: Sequence[dict[str, Any]], prompt: Sequence[Part], ttl: str | None
) -> None:
    if ttl is None:
        return
    for place in breakpoints(prompt):
        told[place]["prompt_cache_breakpoint"] = {"mode": "explicit", "ttl": ttl}


def _remind(
    conversation: list[Any], reminders: Sequence[dict[str, Any]], kind: str
) -> None:
    """Put *reminders* at the very end, where they change nothing that is cached."""
    if not conversation or role_of(conversation[-1]) != "user":
        conversation.append({"role": "user"})
    extend(conversation[-1], reminders, kind)


def _tool(tool: Tool, api: str) -> dict[str, Any]:
    function = {
        **described(tool),
        "parameters": tool.schema(),
        "strict": tool.strict,
    }
    if api == "chat":
        return {"type": "function", "function": function}
    return {"type": "function", **function}


def _cache_key(assembly: Assembly) -> str:
    stable = (assembly.lanes[lane] for lane in (Lifetime.FIXED, Lifetime.CONVERSATION))
    return "-".join(lane.fingerprint for lane in stable if lane.text.strip())
