"""Announcing every change of rows in the transaction that makes it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import models, transaction
from django.db.models.signals import post_delete, post_save, pre_delete, pre_save

from prompts_app import services

_announcing: ContextVar[frozenset[str]] = ContextVar(
    "prompts_app_custom_announcing", default=frozenset()
)


@contextmanager
def announced(using: str) -> Iterator[None]:
    """
    Make what is written inside one transaction after which everybody reads anew.

    It is announced at both ends. The first takes the lock that all writers take
    first, so none waits for another in a circle, and whatever assembles in between
    does so under a version that a rollback takes away again.
    """
    if using in _announcing.get():
        yield
        return
    reset = _announcing.set(_announcing.get() | {using})
    try:
        with transaction.atomic(using=using):
            services.touch(using=using)
            yield
            services.touch(using=using)
    finally:
        _announcing.reset(reset)


def connect(model: type[models.Model]) -> None:
    """Announce rows of *model* that are written past its managers, as by loaddata."""
    for signal in (pre_save, post_save, pre_delete, post_delete):
        signal.connect(_touch, sender=model, dispatch_uid="prompts_app_custom.touch")


def _touch(using: str, **_arguments: object) -> None:
    if using not in _announcing.get():
        services.touch(using=using)
