"""How the notes are wired into Django."""

from __future__ import annotations

from django.apps import AppConfig


class NotesConfig(AppConfig):
    """The notes; `prompts` is found by autodiscovery, as in every installed app."""

    name = "project.notes"
    default_auto_field = "django.db.models.BigAutoField"
