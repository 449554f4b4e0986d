"""What a visitor of the playground chooses and types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django import forms

from prompts_app.declarations import RESERVED_VARIABLES, Level, Variable
from prompts_app.registry import View
from prompts_app.wording import level_text

EXAMPLES = ""
# Neither can be the key of a scenario.
LIVE = "-live"
OTHER = {
    EXAMPLES: "No scenario: each variable’s example",
    LIVE: "For you, now: the apps are asked for values and tools",
}
CARRIERS = {
    "": "As usual for each API",
    "message": "A message of its own",
    "reminder": "A reminder in the person’s message",
    "prompt": "The prompt",
}
LONG = 60
MOST_ROWS = 12


class Choice(NamedTuple):
    """What was chosen; ``""`` stands for the usual."""

    scenario: str = EXAMPLES
    level: str = ""
    carrier: str = ""


class Situation(forms.Form):
    """A scenario or a way to do without, a level, and where what changes is sent."""

    def __init__(self, view: View, data: Mapping[str, Any]) -> None:
        first = next(iter(view.scenarios), EXAMPLES)
        chosen = Choice(first)._asdict()
        super().__init__({name: data.get(name, chosen[name]) for name in chosen})
        scenarios = ((one.key, one.label) for one in view.scenarios.values())
        self._offer("scenario", (*scenarios, *OTHER.items()))
        levels = ((level.value, level_text(level)) for level in Level)
        self._offer("level", (("", "As usual"), *levels))
        self._offer("carrier", CARRIERS.items(), "What changes goes to")

    def chosen(self) -> Choice:
        """Return what was chosen; nothing, where one of it is not on offer."""
        return Choice(**self.cleaned_data) if self.is_valid() else Choice()

    def _offer(
        self, name: str, choices: Iterable[tuple[str, Any]], label: str | None = None
    ) -> None:
        self.fields[name] = forms.ChoiceField(
            required=False, choices=list(choices), label=label
        )


class Sample(forms.CharField):
    """The value of one variable, white space and all."""

    def __init__(self, variable: Variable, value: str) -> None:
        lines = value.count("\n") + 1 + len(value) // LONG
        widget: forms.Widget = forms.TextInput()
        if lines > 1:
            widget = forms.Textarea(attrs={"rows": min(lines, MOST_ROWS)})
        super().__init__(
            required=False,
            strip=False,
            initial=value,
            label=variable.label,
            help_text=variable.description,
            widget=widget,
        )
        self.variable = variable

    def to_python(self, value: Any) -> str:
        """Return *value* with line breaks as the declarations have them."""
        text = super().to_python(value) or ""
        return text.replace("\r\n", "\n")


class Samples(forms.Form):
    """A field for each variable that a person can give a value."""

    def __init__(
        self, view: View, values: Mapping[str, object], data: Mapping[str, Any] | None
    ) -> None:
        # Prefixed, so that no variable's name meets that of another field.
        super().__init__(data, prefix="value")
        for name, variable in view.variables.items():
            if name not in RESERVED_VARIABLES and name not in view.clauses:
                value = values.get(name)
                text = "" if value is None or value is False else str(value)
                self.fields[name] = Sample(variable, text)

    def edited(self) -> dict[str, str]:
        """Return the values that differ from what the page offered."""
        if not self.is_valid():
            return {}
        return {name: self.cleaned_data[name] for name in self.changed_data}

    def filled(self) -> list[forms.BoundField]:
        """Return the fields that hold a value."""
        return [field for field in self if field.value()]

    def blank(self) -> list[forms.BoundField]:
        """Return the fields that hold nothing."""
        return [field for field in self if not field.value()]
