"""How the app is wired into Django."""

from __future__ import annotations

from django.apps import AppConfig
from django.core import checks
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _

from prompts_app.registry import Registry, registry
from prompts_app.signals import registry_changed


class PromptsConfig(AppConfig):
    """Registers checks and receivers, then looks for every app's ``prompts.py``."""

    name = "prompts_app"
    verbose_name = _("Prompts")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Wire everything; no query is made and nothing is done twice."""
        from prompts_app import checks as own  # noqa: PLC0415  # checks import models, and apps come before those
        from prompts_app.overrides import receivers  # noqa: PLC0415  # receivers listen to models, loaded by now

        checks.register(own.check_installed, "prompts_app")
        checks.register(own.check_rows, "prompts_app", checks.Tags.database)
        receivers.connect()
        registry.on_change(_announce)
        autodiscover_modules("prompts", register_to=registry)


def _announce(registry: object) -> None:
    registry_changed.send(sender=Registry, registry=registry)
