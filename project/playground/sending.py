"""What would be sent of an assembly: lanes, tools, and the requests themselves."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from django.utils.text import capfirst

from prompts_app import messages
from prompts_app.assembly import Assembly
from prompts_app.declarations import Lifetime, Tool
from prompts_app.exceptions import DuplicateTool
from prompts_app.lint import schema_faults
from prompts_app.wording import lane_text, number

SAID = "What does berth 14 cost in winter?"


@dataclass(frozen=True, slots=True)
class Fold:
    """A long text under a short name."""

    name: str
    text: str = field(repr=False)
    code: str = ""
    """A fingerprint, or the call that the text is for."""
    about: str = field(default="", repr=False)
    """What there is to say before the text."""
    faults: tuple[str, ...] = ()
    """What strict APIs refuse of it."""

    @property
    def length(self) -> str:
        """Return the characters of the text, as the language writes numbers."""
        return number(len(self.text))


@dataclass(frozen=True, slots=True)
class Sending:
    """All that is sent; no requests where there is a *fault*."""

    lanes: tuple[Fold, ...]
    tools: tuple[Fold, ...]
    requests: tuple[Fold, ...] = ()
    fault: str = ""
    """Why no API would take it."""


def sending(assembly: Assembly, authored: str, carrier: str) -> Sending:
    """Return what is sent; *carrier* ``""`` is what each API has without one."""
    lanes = (
        Fold(capfirst(lane_text(lifetime)), lane.text, code=lane.fingerprint)
        for lifetime in Lifetime
        if (lane := assembly.lanes[lifetime]).text
    )
    parts = tuple(lanes), tuple(map(_tool, assembly.tools))
    try:
        return Sending(*parts, _requests(assembly, authored, carrier))
    except DuplicateTool as fault:
        return Sending(*parts, fault=f"{fault}, and no API takes that.")


def _tool(tool: Tool) -> Fold:
    mode = "strict" if tool.strict else "not strict"
    return Fold(
        tool.name,
        _json(tool.schema()),
        code=", ".join(filter(None, (tool.family, mode))),
        about=tool.description,
        faults=tuple(schema_faults(tool)),
    )


def _requests(assembly: Assembly, authored: str, carrier: str) -> tuple[Fold, ...]:
    options: dict[str, Any] = {
        "messages": [{"role": "user", "content": SAID}],
        "authored": authored,
        **({"carrier": carrier} if carrier else {}),
    }
    return (
        Fold(
            "OpenAI, Responses",
            _json(messages.openai(assembly, **options)),
            code="client.responses.create",
        ),
        Fold(
            "OpenAI, chat completions",
            _json(messages.openai(assembly, api="chat", **options)),
            code="client.chat.completions.create",
        ),
        Fold(
            "Anthropic, Messages",
            _json(messages.anthropic(assembly, **options)),
            code="client.messages.create",
        ),
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
