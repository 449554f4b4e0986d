"""Fragments that are rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models, router
from django.utils.translation import gettext_lazy as _

from prompts_app import Fragment, Level, Lifetime
from prompts_app.contrib.custom.announcing import announced
from prompts_app.contrib.custom.declaring import FIELDS, NAMES, declared, faults
from prompts_app.contrib.custom.fields import NamesField
from prompts_app.contrib.custom.texts import unfenced, unstorable

LEVELS = (
    ("", _("At either level")),
    (Level.LEAN.value, _("At the lean level only")),
    (Level.DETAILED.value, _("At the detailed level only")),
)
LIFETIMES = (
    (None, _("As its variables do")),
    (Lifetime.FIXED.value, _("Never")),
    (Lifetime.CONVERSATION.value, _("Per chat")),
    (Lifetime.TURN.value, _("Every turn")),
    (Lifetime.CALL.value, _("Every call")),
)
TOOLS = (
    (None, _("With tools or without")),
    (True, _("When a tool is offered")),
    (False, _("When no tool is offered")),
)


class CustomFragmentQuerySet(models.QuerySet["CustomFragment"]):
    """Announces every bulk change."""

    def _written(self) -> str:
        self._for_write = True
        return self.db

    def update(self, **fields: Any) -> int:
        """See `QuerySet.update()`; every process reads anew."""
        with announced(self._written()):
            return super().update(**fields)

    def delete(self) -> tuple[int, dict[str, int]]:
        """See `QuerySet.delete()`; every process reads anew."""
        with announced(self._written()):
            return super().delete()

    delete.queryset_only = True  # type: ignore[attr-defined]  # a mark of Django's: managers get no such method

    def bulk_create(self, *args: Any, **options: Any) -> list[CustomFragment]:
        """See `QuerySet.bulk_create()`; every process reads anew."""
        with announced(self._written()):
            return super().bulk_create(*args, **options)

    def bulk_update(
        self,
        objs: Iterable[CustomFragment],
        fields: Iterable[str],
        batch_size: int | None = None,
    ) -> int:
        """See `QuerySet.bulk_update()`; every process reads anew."""
        with announced(self._written()):
            return super().bulk_update(objs, fields, batch_size)


_CustomFragmentManager = models.Manager.from_queryset(CustomFragmentQuerySet)


class CustomFragmentManager(_CustomFragmentManager["CustomFragment"]):
    """Finds rows, by natural key too."""

    def get_by_natural_key(self, scope: str, key: str) -> CustomFragment:
        """Return the row of *key* in *scope*."""
        found: CustomFragment = self.get(scope=scope, key=key)
        return found


class CustomFragment(models.Model):
    """
    A fragment that somebody made; its text is the default that overrides replace.

    There is no flag to switch one off: a blank text does, here or on the page of
    fragments, and a second switch could disagree with it.
    """

    scope = models.CharField(
        _("scope"),
        max_length=100,
        blank=True,
        default="",
        help_text=_(
            "Blank: the whole installation. Else the layer it is for, such as "
            "tenant.acme."
        ),
    )
    key = models.CharField(
        _("key"),
        max_length=100,
        help_text=_(
            "Its address, such as custom.greeting: lower case letters, digits and "
            "underscores, a dot, then hyphens as well."
        ),
    )
    label = models.CharField(_("label"), max_length=200)
    group = models.CharField(
        _("group"),
        max_length=100,
        help_text=_("Where the page shows it, and in which prompts it is."),
    )
    text = models.TextField(
        _("text"),
        blank=True,
        help_text=_("Blank: nothing is sent. It can refer to variables: {{name}}."),
    )
    hint = models.TextField(
        _("hint"), blank=True, help_text=_("For people; never sent to a model.")
    )
    order = models.FloatField(
        _("order"),
        default=0,
        help_text=_("Place in the prompt, over all groups; ties go by key."),
    )
    when_tools = models.BooleanField(
        _("with tools"), null=True, blank=True, choices=TOOLS
    )
    families = NamesField(
        _("tool families"),
        default=list,
        blank=True,
        help_text=_("At least one of them is offered."),
    )
    level = models.CharField(_("level"), max_length=20, blank=True, choices=LEVELS)
    lean_reason = models.TextField(
        _("reason for lean only"),
        blank=True,
        help_text=_("Why the lean prompt may say what the detailed one does not."),
    )
    requires = NamesField(
        _("requires"),
        default=list,
        blank=True,
        help_text=_("Variables, each of which has a value."),
    )
    unless = NamesField(
        _("unless"),
        default=list,
        blank=True,
        help_text=_("Variables, each of which is blank."),
    )
    must_mention = NamesField(
        _("must mention"),
        default=list,
        blank=True,
        help_text=_("Variables that nobody drops from the text without a tick."),
    )
    variables = NamesField(
        _("documented variables"),
        null=True,
        blank=True,
        help_text=_("Blank: those of the text."),
    )
    provides = models.CharField(
        _("provides"),
        max_length=100,
        blank=True,
        help_text=_(
            "Name of the variable that the text becomes, in the middle of other texts."
        ),
    )
    lifetime = models.PositiveSmallIntegerField(
        _("how often it changes"),
        null=True,
        blank=True,
        choices=LIFETIMES,
        help_text=_("How stable the text is promised to be."),
    )
    priority = models.IntegerField(
        _("priority"),
        default=0,
        help_text=_("Over a limit of length the lowest goes first."),
    )
    optional_lines = models.BooleanField(
        _("optional lines"),
        default=False,
        help_text=_("A line that names variables goes unless all of them have values."),
    )
    locked = models.BooleanField(
        _("locked"),
        default=False,
        help_text=_("Changed here only: not on the page, by scopes or by hooks."),
    )
    former_keys = NamesField(
        _("former keys"),
        default=list,
        blank=True,
        help_text=_("Earlier keys whose saved texts still count."),
    )
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated at"), auto_now=True)

    objects = CustomFragmentManager()

    class Meta:
        verbose_name = _("custom fragment")
        verbose_name_plural = _("custom fragments")
        constraints = (
            models.UniqueConstraint(
                fields=("scope", "key"), name="prompts_app_custom_scope_key"
            ),
        )

    def __str__(self) -> str:
        return f"{self.scope} {self.key}" if self.scope else self.key

    def save(self, *args: Any, **options: Any) -> None:
        """See `Model.save()`; every process reads anew."""
        using = options.get("using") or router.db_for_write(type(self), instance=self)
        with announced(using):
            super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> tuple[int, dict[str, int]]:
        """See `Model.delete()`; every process reads anew."""
        using = options.get("using") or router.db_for_write(type(self), instance=self)
        with announced(using):
            return super().delete(*args, **options)

    @classmethod
    def from_fragment(cls, fragment: Fragment, scope: str = "") -> CustomFragment:
        """Return a row that is not saved yet, of which `declaration()` is *fragment*."""
        values: dict[str, Any] = {name: getattr(fragment, name) for name in FIELDS}
        for name in NAMES:
            values[name] = None if values[name] is None else list(values[name])
        values["text"] = values.pop("default")
        values |= {name: str(values[name]) for name in ("label", "hint")}
        values["level"] = fragment.level.value if fragment.level else ""
        lifetime = fragment.lifetime
        values["lifetime"] = None if lifetime is None else lifetime.value
        return cls(scope=scope, key=fragment.key, **values)

    def declaration(self) -> tuple[str, Fragment]:
        """
        Return scope and fragment of this row.

        Raises:
            InvalidDeclaration: the row was written without being validated.
        """
        return declared(self.scope, self._values())

    def clean(self) -> None:
        """
        Refuse what could not be declared, or not be stored, beside its field.

        Raises:
            ValidationError: with every fault.
        """
        found: dict[str, list[Any]] = {}
        for name, fault in faults(self.scope, self._values()):
            field = "text" if name == "default" else name
            # What is missing is told by the field itself.
            if getattr(self, field) or field not in ("key", "label", "group"):
                found.setdefault(field, []).append(fault)
        for field in ("label", "text", "hint", "lean_reason"):
            found.setdefault(field, []).extend(unstorable(getattr(self, field)))
        found["text"].extend(unfenced(self.text))
        errors = {field: told for field, told in found.items() if told}
        if errors:
            raise ValidationError(errors)

    def natural_key(self) -> tuple[str, str]:
        """Return scope and key."""
        return self.scope, self.key

    def _values(self) -> dict[str, Any]:
        own = {name: getattr(self, name) for name in FIELDS if name != "default"}
        return own | {
            "key": self.key,
            "default": self.text,
            "level": self.level or None,
        }
