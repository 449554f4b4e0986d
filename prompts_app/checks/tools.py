"""Rules for the tools that are known: what strict APIs would refuse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.core.checks import CheckMessage

from prompts_app import lint, providers
from prompts_app.assembly import Context, tool_set
from prompts_app.checks.findings import Flaw, subject_of, told
from prompts_app.declarations import Tool
from prompts_app.registry import Record, registry

_HINT = (
    "Build each object with object_schema() and describe each property, or declare the"
    " tool with strict=False."
)


def check_scenario_tools() -> Iterator[CheckMessage]:
    """Yield W033 for each tool of a scenario with faults, where it is first met."""
    seen: list[Tool] = []
    for record in registry.records("scenario"):
        subject = subject_of("scenario", "", record.value.key)
        yield from _faults(record.value.tools, seen, subject, record.place)


def check_offered_tools() -> Iterator[CheckMessage]:
    """
    Yield W033 for each further tool with faults that tool providers offer.

    They are asked with a context that says nothing.
    """
    scenarios = registry.records("scenario")
    seen = [tool for record in scenarios for tool in record.value.tools]
    for record in registry.records("tools"):
        name = getattr(record.value, "__qualname__", type(record.value).__qualname__)
        subject = f"Tool provider {name}"
        yield from _faults(_offered(record), seen, subject, record.place)


def _faults(
    tools: Iterable[Tool], seen: list[Tool], subject: str, place: str
) -> Iterator[CheckMessage]:
    for tool in tools:
        if tool not in seen:
            seen.append(tool)
            faults = "; ".join(lint.schema_faults(tool))
            if faults:
                fault = f"its tool {tool.name} is strict, but {faults}"
                yield told(Flaw("W033", fault, _HINT), subject, place)


def _offered(record: Record) -> tuple[Tool, ...]:
    context = Context(scope=(record.scope,) if record.scope else ())
    try:
        return tool_set(providers.call(record.value, context)).offered
    except Exception:  # noqa: BLE001  # any fault of theirs; tables may be missing yet
        return ()
