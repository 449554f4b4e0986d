"""
Prompt fragments that administrators edit in the Django admin.

Declare them in a ``prompts.py`` beside an app's models::

    from prompts_app import Fragment, Group, register

    register(
        Group("support", label="Support", order=10, role="preamble"),
        Fragment("support.tone", label="Tone", group="support", default="Be brief."),
    )

and ask for the prompt where it is needed: ``services.assemble(variables={…}).text``
(from ``prompts_app import services``). What nobody changed stays in the code; what
an administrator changed is a row; a blank row switches its fragment off.
"""

from __future__ import annotations

from prompts_app.declarations import (
    Fragment,
    Group,
    Level,
    Lifetime,
    Scenario,
    Scope,
    Tool,
    ToolSet,
    Variable,
    object_schema,
)
from prompts_app.registry import (
    REST,
    protect,
    register,
    register_hook,
    register_source,
    register_tools,
    registry,
)

__all__ = [
    "REST",
    "Fragment",
    "Group",
    "Level",
    "Lifetime",
    "Scenario",
    "Scope",
    "Tool",
    "ToolSet",
    "Variable",
    "object_schema",
    "protect",
    "register",
    "register_hook",
    "register_source",
    "register_tools",
    "registry",
]
