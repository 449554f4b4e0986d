"""
From declarations and stored texts to a prompt, purely: no Django, no setting.

`build()` is the one path that page, preview, command, service and tests call.
"""

from __future__ import annotations

from prompts_app.assembly.building import build
from prompts_app.assembly.gates import to_level
from prompts_app.assembly.offering import tool_set
from prompts_app.assembly.pieces import override_keys, text_in_force
from prompts_app.assembly.protection import in_order, restore, tool_order_fault
from prompts_app.assembly.result import Assembly
from prompts_app.assembly.shapes import recall, remember
from prompts_app.assembly.values import (
    Context,
    Draft,
    DraftSection,
    Entry,
    Lane,
    Origin,
    Reason,
    Section,
    Snapshot,
)
from prompts_app.assembly.welding import weld

__all__ = [
    "Assembly",
    "Context",
    "Draft",
    "DraftSection",
    "Entry",
    "Lane",
    "Origin",
    "Reason",
    "Section",
    "Snapshot",
    "build",
    "in_order",
    "override_keys",
    "recall",
    "remember",
    "restore",
    "text_in_force",
    "to_level",
    "tool_order_fault",
    "tool_set",
    "weld",
]
