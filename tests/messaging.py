"""Assemblies with a text in every lane, for tests of what the APIs are told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from prompts_app import messages
from prompts_app.assembly import Assembly
from prompts_app.declarations import Lifetime, Tool
from tests.assembling import assemble, fragment, registry_of, variable

USER = {"role": "user", "content": "Hello"}
APIS = ("responses", "chat", "anthropic")
CARRIERS = ("message", "reminder", "prompt")


def told(
    fixed: str = "Fixed.",
    conversation: str = "Talk.",
    turn: str = "Turn.",
    call: str = "Call.",
    *,
    seam: str = "Seam.",
    tools: Iterable[Tool] = (),
    seam_lanes: Sequence[Lifetime] = (Lifetime.FIXED,),
) -> Assembly:
    """
    Return an assembly whose lanes are these texts; the least stable stands first.

    The seam has a fragment in each of *seam_lanes*.
    """
    texts = {"fixed": fixed, "conversation": conversation, "turn": turn, "call": call}
    registry = registry_of(
        *(variable(one.name.lower(), lifetime=one) for one in Lifetime),
        *(
            fragment(f"core.{name}", f"{{{{{name}}}}}", order=-number)
            for number, name in enumerate(texts)
        ),
        *(
            fragment(f"seam.lead{n}", seam, order=n, group="seam", lifetime=lane)
            for n, lane in enumerate(seam_lanes)
        ),
    )
    return assemble(registry, variables=texts, tools=tools)


def ask(api: str, assembly: Assembly, **options: Any) -> dict[str, Any]:
    """Return the arguments for one of the three APIs."""
    if api == "anthropic":
        return messages.anthropic(assembly, **options)
    return messages.openai(assembly, api=api, **options)


def conversation(request: dict[str, Any]) -> list[Any]:
    """Return the conversation in *request*, whatever the API calls it."""
    found = request["input" if "input" in request else "messages"]
    assert isinstance(found, list)
    return found


def prompt(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parts of the prompt in *request*, where there is any."""
    if "system" in request:
        return list(request["system"])
    first = [*conversation(request), {}][0]
    is_prompt = first.get("role") in ("developer", "system")
    return list(first["content"]) if is_prompt else []


def texts(parts: Iterable[dict[str, Any]]) -> list[str]:
    """Return the texts of parts."""
    return [part["text"] for part in parts]
