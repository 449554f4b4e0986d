"""Rules for the tools that are known: what strict APIs would refuse."""

from __future__ import annotations

from collections.abc import Iterator

from django.core.checks import CheckMessage

from prompts_app import lint, providers
from prompts_app.assembly import Context
from prompts_app.checks.findings import Flaw, subject_of, told
from prompts_app.declarations import Tool, ToolSet
from prompts_app.registry import Record, registry

_HINT = (
    "Build each object with object_schema() and describe each property, or declare the"
    " tool with strict=False."
)


def check_tools(*, ask: bool) -> Iterator[CheckMessage]:
    """
    Yield W033 for each tool with faults, where it is first met.

    Tools are met in scenarios and, with *ask*, in what tool providers offer to a
    context that says nothing.
    """
    seen: list[Tool] = []
    for subject, place, tool in _met(ask=ask):
        if tool not in seen:
            seen.append(tool)
            faults = "; ".join(lint.schema_faults(tool))
            if faults:
                fault = f"its tool {tool.name} is strict, but {faults}"
                yield told(Flaw("W033", fault, _HINT), subject, place)


def _met(*, ask: bool) -> Iterator[tuple[str, str, Tool]]:
    for record in registry.records("scenario"):
        for tool in record.value.tools:
            yield subject_of("scenario", "", record.value.key), record.place, tool
    for record in registry.records("tools") if ask else ():
        name = getattr(record.value, "__qualname__", type(record.value).__qualname__)
        for tool in _offered(record):
            yield f"Tool provider {name}", record.place, tool


def _offered(record: Record) -> tuple[Tool, ...]:
    context = Context(scope=(record.scope,) if record.scope else ())
    try:
        found = providers.call(record.value, context)
        offered = found if isinstance(found, ToolSet) else ToolSet(found)  # type: ignore[arg-type]  # what it is shows here
    except Exception:  # noqa: BLE001  # `migrate` checks too, when tables are missing
        return ()
    return offered.offered
