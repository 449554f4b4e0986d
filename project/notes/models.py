"""What people write down for themselves."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone


class NoteQuerySet(models.QuerySet["Note"]):
    """Notes, to be narrowed down."""

    def of(self, owner: Any) -> NoteQuerySet:
        """Return the notes of *owner*, a user or the key of one, newest first."""
        return self.filter(owner=owner).order_by("-created_at", "-pk")


class Note(models.Model):
    """One note, seen by its owner alone."""

    title = models.CharField(max_length=100)
    body = models.TextField(blank=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE)
    created_at = models.DateTimeField("created", default=timezone.now, editable=False)

    objects = NoteQuerySet.as_manager()

    def __str__(self) -> str:
        return self.title
