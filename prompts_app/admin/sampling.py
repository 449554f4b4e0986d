"""The sample values that a preview is filled with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from prompts_app.admin.desk import Desk
from prompts_app.assembly import Assembly
from prompts_app.preview import scenario_arguments
from prompts_app.wording import variable_words

LONG_VALUE = 60
"""A longer sample value, or one with a line break, gets a text area."""
ROWS = 6
"""The most rows of such a text area."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample value."""

    name: str
    label: str
    value: str = field(repr=False)
    original: str = field(repr=False)
    """The scenario's own value."""
    rows: int
    """Rows of its text area; 1: a plain field."""


@dataclass(frozen=True, slots=True)
class Samples:
    """The values of one scenario."""

    used: tuple[Sample, ...]
    """Those that the prompt uses or that say something."""
    blank: tuple[Sample, ...]


def samples_of(desk: Desk, assembly: Assembly | None) -> Samples:
    """Return the sample values; *assembly* tells which of them are used."""
    own = scenario_arguments(desk.view, desk.scenario)["variables"]
    looked_up = assembly.variables if assembly else {}
    used: list[Sample] = []
    blank: list[Sample] = []
    for name, variable in desk.view.variables.items():
        if name in own:
            sample = _sample(desk, name, variable_words(variable)[0], own)
            shown = bool(sample.value) or name in looked_up
            (used if shown else blank).append(sample)
    return Samples(tuple(used), tuple(blank))


def _sample(desk: Desk, name: str, label: str, own: Mapping[str, object]) -> Sample:
    value = own[name]
    original = "" if value is None or value is False else str(value)
    text = desk.edited_values.get(name, original)
    rows = min(ROWS, text.count("\n") + 1 + (len(text) > LONG_VALUE))
    return Sample(name, label, text, original, rows)
