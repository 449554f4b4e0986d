"""A variable that a text no longer mentions, as every review tells it."""

from __future__ import annotations

from dataclasses import dataclass

from prompts_app.registry import View
from prompts_app.wording import reference, variable_words


@dataclass(frozen=True, slots=True)
class Loss:
    """A variable that the new text no longer mentions."""

    variable: str
    reference: str
    label: str
    """What the variable means."""
    ticked: bool
    missing: bool
    """Whether a save was refused because the tick was missing."""


def loss_of(view: View, name: str, *, ticked: bool, missing: bool) -> Loss:
    """Return the loss of the variable *name*, in the words of its declaration."""
    variable = view.variables.get(name)
    meaning = variable_words(variable)[0] if variable else name
    return Loss(name, reference(name), meaning, ticked, missing)
