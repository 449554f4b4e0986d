"""The notes in the admin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin

from project.notes.models import Note

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Note]
else:
    _ModelAdmin = admin.ModelAdmin


@admin.register(Note)
class NoteAdmin(_ModelAdmin):
    """A plain list of everybody's notes."""

    list_display = ["title", "owner", "created_at"]
    list_select_related = ["owner"]
    search_fields = ["title", "body"]
