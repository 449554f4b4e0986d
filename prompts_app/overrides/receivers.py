"""Noticing rows that are written past the managers, as by loaddata."""

from __future__ import annotations

from django.db.models.signals import post_delete, post_save

from prompts_app.models import Override, StoredState, renewing


def connect() -> None:
    """Renew the store's version whenever a row of it is written; call it at start."""
    for signal, model in (
        (post_save, Override),
        (post_delete, Override),
        (post_save, StoredState),
    ):
        signal.connect(_renew, sender=model, dispatch_uid="prompts_app.renew")


def _renew(using: str, **_arguments: object) -> None:
    with renewing(using):
        pass
