"""A list of names: kept as JSON, typed with commas between them."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.db import models

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

    def prepare_value(self, value: Any) -> Any:
        """Return the names as they are typed."""
        return ", ".join(map(str, value)) if isinstance(value, list) else value


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
