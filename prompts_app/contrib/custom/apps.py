"""The Django app that makes fragments of rows."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CustomPromptsConfig(AppConfig):
    """Fragments made in the admin; `prompts` is found by autodiscovery."""

    name = "prompts_app.contrib.custom"
    label = "prompts_app_custom"
    verbose_name = _("Custom prompts")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the checks, and listen to rows written past the managers."""
        from django.core import checks  # noqa: PLC0415  # apps are ready only now

        from prompts_app.contrib.custom.announcing import connect  # noqa: PLC0415
        from prompts_app.contrib.custom.checks import (  # noqa: PLC0415
            check_place,
            check_rows,
        )
        from prompts_app.contrib.custom.models import (  # noqa: PLC0415
            CustomFragment,
        )

        checks.register(check_place, self.label)
        checks.register(check_rows, self.label, checks.Tags.database)
        connect(CustomFragment)
