"""How the app is wired into Django."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _


class PromptsConfig(AppConfig):
    """Registers checks and receivers, then looks for every app's ``prompts.py``."""

    name = "prompts_app"
    verbose_name = _("Prompts")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Wire everything; no query is made and nothing is done twice."""
        from django.core import checks  # noqa: PLC0415  # apps are ready only now

        from prompts_app.checks import check_installed, check_rows  # noqa: PLC0415
        from prompts_app.overrides.receivers import connect  # noqa: PLC0415
        from prompts_app.registry import registry  # noqa: PLC0415

        checks.register(check_installed, "prompts_app")
        checks.register(check_rows, "prompts_app", checks.Tags.database)
        connect()
        registry.on_change(_announce)
        autodiscover_modules("prompts", register_to=registry)


def _announce(registry: object) -> None:
    from prompts_app.registry import Registry  # noqa: PLC0415  # apps import late
    from prompts_app.signals import registry_changed  # noqa: PLC0415

    registry_changed.send(sender=Registry, registry=registry)
