"""The Django app that contributes the chat catalogue."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChatPromptsConfig(AppConfig):
    """The chat catalogue; its `prompts` module is found by autodiscovery."""

    name = "prompts_app.contrib.chat"
    label = "prompts_app_chat"
    verbose_name = _("Chat prompts")
    default_auto_field = "django.db.models.BigAutoField"
