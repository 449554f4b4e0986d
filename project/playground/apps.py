"""How the playground is wired into Django."""

from __future__ import annotations

from django.apps import AppConfig


class PlaygroundConfig(AppConfig):
    """Pages and a command; no model, no prompt of its own."""

    name = "project.playground"
