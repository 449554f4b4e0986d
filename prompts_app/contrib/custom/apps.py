"""The Django app that makes fragments of rows."""

from __future__ import annotations

from django.apps import AppConfig
from django.core import checks
from django.utils.translation import gettext_lazy as _


class CustomPromptsConfig(AppConfig):
    """Fragments made in the admin; `prompts` is found by autodiscovery."""

    name = "prompts_app.contrib.custom"
    label = "prompts_app_custom"
    verbose_name = _("Custom prompts")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the checks, and listen to rows written past the managers."""
        from prompts_app.contrib.custom import (  # noqa: PLC0415  # they import the models
            announcing,
            checks as own,
        )

        checks.register(own.check_place, self.label)
        checks.register(own.check_rows, self.label, checks.Tags.database)
        announcing.connect(self.get_model("CustomFragment"))
