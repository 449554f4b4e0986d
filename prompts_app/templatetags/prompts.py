"""Fragments in HTML templates: ``{% load prompts %}``, then ``{% prompt "key" %}``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

from prompts_app import services

register = template.Library()

ARGUMENTS = ("scope", "level", "model", "user", "tools")
"""What of `services.render()` a template may give; any other name is a variable."""


@register.simple_tag
def prompt(
    key: str, variables: Mapping[str, object] | None = None, **given: Any
) -> str:
    """
    Return the text of one fragment, which the template escapes as any other value.

    Names that are no `ARGUMENTS` are values of variables; they beat *variables*.

    Raises:
        UnknownFragment: nobody declares *key*; beside what `services.render()` raises.
    """
    arguments = {name: given.pop(name) for name in ARGUMENTS if name in given}
    return services.render(key, {**(variables or {}), **given}, **arguments)
