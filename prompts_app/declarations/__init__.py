"""
What can be declared: frozen values, validated as they are made.

A declaration knows nothing of other declarations; what is wrong between them
is found by the system checks.
"""

from __future__ import annotations

from prompts_app.declarations.kinds import RESERVED_VARIABLES, Level, Lifetime
from prompts_app.declarations.places import Group, Scope
from prompts_app.declarations.situations import (
    Scenario,
    Tool,
    ToolSet,
    family_names,
    object_schema,
)
from prompts_app.declarations.texts import Fragment, Variable

Declaration = Fragment | Variable | Group | Scope | Scenario

__all__ = [
    "RESERVED_VARIABLES",
    "Declaration",
    "Fragment",
    "Group",
    "Level",
    "Lifetime",
    "Scenario",
    "Scope",
    "Tool",
    "ToolSet",
    "Variable",
    "family_names",
    "object_schema",
]
