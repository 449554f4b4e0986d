"""Fields for texts, and for lists of names: kept as JSON, typed with commas."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.db import models

from prompts_app.syntax import normalise

_BETWEEN = re.compile(r"[\s,;]+")


class NamesFormField(forms.CharField):
    """Names with commas or white space between them, each once; gives a list."""

    def to_python(self, value: Any) -> Any:
        """Return the names that were typed; *empty_value* where there is none."""
        if isinstance(value, list):
            return value
        typed = str(value or "")
        names = list(dict.fromkeys(filter(None, _BETWEEN.split(typed))))
        return names or self.empty_value

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Return whether other names were typed; a blank field has none to begin with."""
        return (initial or []) != (self.to_python(data) or [])

    def prepare_value(self, value: Any) -> Any:
        """Return the names as they are typed."""
        return ", ".join(map(str, value)) if isinstance(value, list) else value


class TextFormField(forms.CharField):
    """A text of several lines, with line feeds alone and none at its ends."""

    def __init__(self, **options: Any) -> None:
        # Spaces at the ends of a text may be meant.
        super().__init__(**options | {"strip": False})

    def to_python(self, value: Any) -> str:
        """Return the text as it is stored; browsers send other line breaks."""
        return normalise(super().to_python(value) or "")


class NamesField(models.JSONField):
    """A list of names; None, where *null* allows it, says that nobody chose any."""

    def formfield(self, **options: Any) -> Any:
        """Return a field for one line of text."""
        options = {
            "form_class": NamesFormField,
            "empty_value": None if self.null else [],
            "show_hidden_initial": False,
        } | options
        # That of JSONField would ask for an encoder and a decoder as well.
        return models.Field.formfield(self, **options)
