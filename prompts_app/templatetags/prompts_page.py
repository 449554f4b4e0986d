"""Numbers as the active language writes them."""

from __future__ import annotations

from django import template

from prompts_app import wording

register = template.Library()


@register.filter
def number(value: int) -> str:
    """Return *value*, a whole number, with the separators of the active language."""
    return wording.number(value)
