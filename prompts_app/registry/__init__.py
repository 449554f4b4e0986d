"""
All that is declared, by every installed app, and what a chain of scopes sees of it.

`registry` is the one instance that apps register with; tests make their own.
"""

from __future__ import annotations

from prompts_app.registry.records import Record
from prompts_app.registry.store import (
    REST,
    Listener,
    Registration,
    Registry,
)
from prompts_app.registry.view import Layered, LostClaim, View

registry = Registry()
register = registry.register
register_source = registry.register_source
register_tools = registry.register_tools
register_hook = registry.register_hook
protect = registry.protect

__all__ = [
    "REST",
    "Layered",
    "Listener",
    "LostClaim",
    "Record",
    "Registration",
    "Registry",
    "View",
    "protect",
    "register",
    "register_hook",
    "register_source",
    "register_tools",
    "registry",
]
