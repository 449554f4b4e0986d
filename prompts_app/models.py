"""
What is stored: the texts that administrators changed, and every change of them.

Whatever writes an `Override` through the ORM renews the store's version in the
same transaction; that is how other processes notice.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import connections, models, router, transaction
from django.utils.translation import gettext_lazy as _

from prompts_app.transactions import (
    has_renewed,
    is_being_written,
    is_read_committed,
    note_renewed,
    queued,
    renewed_already,
)

if TYPE_CHECKING:
    _Field = models.Field[Any, Any]
    _TextField = models.TextField[Any, Any]
    _CharField = models.CharField[Any, Any]
else:
    _Field, _TextField, _CharField = models.Field, models.TextField, models.CharField

as_text = partial(str, encoding="utf-8", errors="replace")
"""Returns the text of bytes, whatever they are, as SQLite may hold some."""


class _Stored(_Field):
    """Reads a text, also where somebody wrote bytes by hand, as SQLite lets them."""

    def from_db_value(self, value: Any, *_arguments: object) -> str | None:
        """Return what the database holds as a text; None for NULL."""
        return as_text(value) if isinstance(value, bytes) else value

    def deconstruct(self) -> Any:
        """Return what a migration writes: the column is that of any text."""
        name, _path, args, options = super().deconstruct()
        plain = next(one for one in type(self).__mro__ if one.__module__ != __name__)
        return name, f"django.db.models.{plain.__name__}", args, options


class StoredText(_Stored, _TextField):
    """A text of any length."""


class StoredName(_Stored, _CharField):
    """A scope or a key."""


class StateManager(models.Manager["StoredState"]):
    """Renews the version, which is also the lock of all writers."""

    def renew(self, using: str) -> None:
        """
        Give the store a new version; until the transaction ends, others wait.

        One statement makes the row or changes it, so two first writers neither
        fail nor deadlock.
        """
        connection = connections[using]
        target = connection.features.supports_update_conflicts_with_target
        with queued(connection) if is_contended(using) else nullcontext():
            self.db_manager(using).bulk_create(
                [self.model(pk=1, version=secrets.token_hex(16))],
                update_conflicts=True,
                update_fields=["version"],
                unique_fields=["id"] if target else None,
            )
        note_renewed(connection)


class StoredState(models.Model):
    """The state of the store: one row, made by the first save."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    version = models.CharField(_("version"), max_length=32)
    revision = models.PositiveIntegerField(_("last revision"), default=0)

    objects = StateManager()

    class Meta:
        verbose_name = _("stored state")
        verbose_name_plural = _("stored states")
        constraints = (
            models.CheckConstraint(
                condition=models.Q(id=1), name="prompts_app_one_stored_state"
            ),
        )

    def __str__(self) -> str:
        return self.version


@contextmanager
def renewing(using: str) -> Iterator[None]:
    """
    Make what is written inside one transaction that begins with a new version.

    All writers take the state's row first, so none waits for another in a circle.
    """
    if is_being_written(using):
        yield
        return
    with transaction.atomic(using=using), renewed_already(using):
        StoredState.objects.renew(using)
        yield


def is_contended(using: str) -> bool:
    """Return whether others may be waiting for a first save that is taken back."""
    connection, state = connections[using], StoredState.objects.using(using)
    return (
        connection.vendor == "mysql"
        and not has_renewed(using)
        # To look would fix what a transaction above READ COMMITTED sees to its end.
        and not (is_read_committed(connection) and state.exists())
    )


class OverrideQuerySet(models.QuerySet["Override"]):
    """Renews the store's version with every bulk change."""

    def _written(self) -> str:
        self._for_write = True
        return self.db

    def update(self, **fields: Any) -> int:
        """See `QuerySet.update()`; renews the store's version."""
        with renewing(self._written()):
            return super().update(**fields)

    def delete(self) -> tuple[int, dict[str, int]]:
        """See `QuerySet.delete()`; renews the store's version."""
        with renewing(self._written()):
            return super().delete()

    delete.queryset_only = True  # type: ignore[attr-defined]  # else the manager would have it too, and take every text away

    def bulk_create(self, *args: Any, **options: Any) -> list[Override]:
        """See `QuerySet.bulk_create()`; renews the store's version."""
        with renewing(self._written()):
            return super().bulk_create(*args, **options)

    def bulk_update(
        self,
        objs: Iterable[Override],
        fields: Iterable[str],
        batch_size: int | None = None,
    ) -> int:
        """See `QuerySet.bulk_update()`; renews the store's version."""
        with renewing(self._written()):
            return super().bulk_update(objs, fields, batch_size)


_OverrideManager = models.Manager.from_queryset(OverrideQuerySet)


class OverrideManager(_OverrideManager["Override"]):
    """Finds overrides, by natural key too."""

    def get_by_natural_key(self, scope: str, key: str) -> Override:
        """Return the override of *key* in *scope*."""
        found: Override = self.get(scope=scope, key=key)
        return found


class Override(models.Model):
    """A text that an administrator saved; a blank one switches its fragment off."""

    scope = StoredName(_("scope"), max_length=100, blank=True, default="")
    key = StoredName(_("key"), max_length=100)
    text = StoredText(_("text"), blank=True)
    default_text = StoredText(_("default it was written over"), blank=True)
    updated_at = models.DateTimeField(_("updated at"), auto_now=True)
    updated_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("updated by"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )

    objects = OverrideManager()

    class Meta:
        verbose_name = _("fragment")
        verbose_name_plural = _("fragments")
        constraints = (
            models.UniqueConstraint(
                fields=("scope", "key"), name="prompts_app_override_scope_key"
            ),
        )

    def __str__(self) -> str:
        return f"{self.scope} {self.key}" if self.scope else self.key

    def save(self, *args: Any, **options: Any) -> None:
        """See `Model.save()`; renews the store's version."""
        using = options.get("using") or router.db_for_write(Override, instance=self)
        with renewing(using):
            super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> tuple[int, dict[str, int]]:
        """See `Model.delete()`; renews the store's version."""
        using = options.get("using") or router.db_for_write(Override, instance=self)
        with renewing(using):
            return super().delete(*args, **options)

    def natural_key(self) -> tuple[str, str]:
        """Return scope and key."""
        return self.scope, self.key


class Revision(models.Model):
    """One save: who, when, why."""

    number = models.PositiveIntegerField(_("number"), unique=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("author"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    author_name = models.CharField(_("author's name"), max_length=255, blank=True)
    comment = models.TextField(_("comment"), blank=True)
    kind = models.CharField(_("kind"), max_length=20)
    restores = models.PositiveIntegerField(_("restores"), null=True, blank=True)

    class Meta:
        verbose_name = _("revision")
        verbose_name_plural = _("revisions")
        indexes = (
            models.Index(fields=("created_at",), name="prompts_app_revision_created"),
        )

    def __str__(self) -> str:
        return f"{self.number}"


class Change(models.Model):
    """One text before and after a save; NULL is no override."""

    revision = models.ForeignKey(
        Revision,
        verbose_name=_("revision"),
        on_delete=models.CASCADE,
        related_name="changes",
    )
    scope = models.CharField(_("scope"), max_length=100, blank=True)
    key = models.CharField(_("key"), max_length=100)
    # Of both, NULL is no override, and blank is off.
    before = StoredText(_("before"), null=True, blank=True)
    after = StoredText(_("after"), null=True, blank=True)
    default_text = StoredText(_("default it was written over"), blank=True)

    class Meta:
        verbose_name = _("change")
        verbose_name_plural = _("changes")
        constraints = (
            models.UniqueConstraint(
                fields=("revision", "scope", "key"), name="prompts_app_change_once"
            ),
        )
        indexes = (
            models.Index(fields=("scope", "key"), name="prompts_app_change_key"),
        )

    def __str__(self) -> str:
        return f"{self.scope} {self.key}" if self.scope else self.key
