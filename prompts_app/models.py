"""
What is stored: the texts that administrators changed, and every change of them.

Whatever writes an `Override` through the ORM renews the store's version in the
same transaction; that is how other processes notice.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from typing import Any
from weakref import WeakKeyDictionary

from django.conf import settings
from django.db import DatabaseError, connections, models, router, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.translation import gettext_lazy as _

_renewing: ContextVar[frozenset[str]] = ContextVar(
    "prompts_app_renewing", default=frozenset()
)
_renewed_in: WeakKeyDictionary[BaseDatabaseWrapper, object] = WeakKeyDictionary()
"""By connection, the outermost block of the last transaction that renewed."""


@contextmanager
def queued(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """
    Let one at a time wait for the state's row, on MySQL and MariaDB.

    Of several that wait for a row whose insert is taken back, these let one go on and
    end the rest as a deadlock, with whatever their transactions did before.
    """
    # Names have at most 64 characters, and count for all databases of a server.
    name = [f"prompts_app {connection.settings_dict['NAME']}"[:64]]
    errors = connection.wrap_database_errors
    with connection.cursor() as cursor, errors, ExitStack() as stack:
        # Some clusters refuse such locks; then it is as the database has it.
        with suppress(DatabaseError):
            cursor.execute("SELECT GET_LOCK(%s, 60)", name)
            # What fails meanwhile breaks the transaction, for Django's cursor too.
            stack.callback(cursor.cursor.execute, "SELECT RELEASE_LOCK(%s)", name)
        yield


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
        _renewed_in[connection] = connection.atomic_blocks[0]


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


def is_being_written(using: str) -> bool:
    """Return whether the version is new already and the rows are perhaps not."""
    return using in _renewing.get()


def is_contended(using: str) -> bool:
    """Return whether others may be waiting for a first save that is taken back."""
    connection, state = connections[using], StoredState.objects.using(using)
    return (
        connection.vendor == "mysql"
        and not has_renewed(using)
        # To look would fix what a transaction above READ COMMITTED sees to its end.
        and not (is_read_committed(connection) and state.exists())
    )


def is_read_committed(connection: BaseDatabaseWrapper) -> bool:
    """Return whether a transaction on MySQL or MariaDB sees what others commit."""
    return getattr(connection, "isolation_level", None) == "read committed"


def has_renewed(using: str) -> bool:
    """Return whether the open transaction renewed the version, or may have."""
    connection = connections[using]
    blocks = connection.atomic_blocks
    is_by_hand = not (blocks and connection.commit_on_exit)
    is_own = is_by_hand or _renewed_in.get(connection) is blocks[0]
    return is_own and not connection.get_autocommit()


@contextmanager
def renewed_already(using: str) -> Iterator[None]:
    """Write rows inside a transaction that renews the version by itself."""
    reset = _renewing.set(_renewing.get() | {using})
    try:
        yield
    finally:
        _renewing.reset(reset)


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

    delete.queryset_only = True  # type: ignore[attr-defined]  # Django's managers look for it

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

    scope = models.CharField(_("scope"), max_length=100, blank=True, default="")
    key = models.CharField(_("key"), max_length=100)
    text = models.TextField(_("text"), blank=True)
    default_text = models.TextField(_("default it was written over"), blank=True)
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
    before = models.TextField(_("before"), null=True, blank=True)  # noqa: DJ001  # NULL is no override, blank is off
    after = models.TextField(_("after"), null=True, blank=True)  # noqa: DJ001  # NULL is no override, blank is off
    default_text = models.TextField(_("default it was written over"), blank=True)

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
