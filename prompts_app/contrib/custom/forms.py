"""The form of a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from prompts_app import services
from prompts_app.contrib.custom.declaring import is_key
from prompts_app.contrib.custom.fields import TextFormField
from prompts_app.contrib.custom.models import CustomFragment
from prompts_app.contrib.custom.standing import (
    COUNTS,
    INVALID,
    groups_of,
    missing_rights,
    standing_of,
    view_for,
)

if TYPE_CHECKING:
    from prompts_app.assembly import Snapshot

    _ModelForm = forms.ModelForm[CustomFragment]
else:
    _ModelForm = forms.ModelForm

SHORT = {"hint", "lean_reason"}
NOT_ALLOWED = _("Texts there may be changed with a right of their own only.")


class CustomFragmentForm(_ModelForm):
    """
    A row, with the declared groups to choose from.

    Another group would have no heading and belong to no prompt; one that a row has
    already stays a choice. *user* and *snapshot* are set by the admin; without a user
    no right is asked for.
    """

    user: Any = None
    snapshot: Snapshot | None = None

    keep_texts = forms.BooleanField(
        label=_("Keep saved texts when the key changes"),
        help_text=_(
            "What was saved on the page of fragments counts under the new key as well: "
            "the key so far becomes a former key."
        ),
        initial=True,
        required=False,
    )

    class Meta:
        model = CustomFragment
        exclude = ("created_at", "updated_at")
        field_classes = dict.fromkeys(("text", *SHORT), TextFormField)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._seen = self.snapshot or services.stored()
        for name in SHORT & self.fields.keys():
            self.fields[name].widget.attrs["rows"] = 3
        if "group" in self.fields:
            self._offer_groups()

    def clean_variables(self) -> Any:
        """Return the names; what says that there are none is kept."""
        names = self.cleaned_data["variables"]
        if not names and self.instance.variables == []:
            return []
        return names

    def clean(self) -> None:
        """Keep what was saved under the key so far, and ask for the rights."""
        super().clean()
        self._carry_former_key()
        if self.user is not None:
            self._check_rights()

    def _offer_groups(self) -> None:
        declared = groups_of(self._seen)
        choices = [(key, f"{group.label} ({key})") for key, group in declared.items()]
        current = self.instance.group
        if current and current not in declared:
            choices.append((current, current))
        old = self.fields["group"]
        self.fields["group"] = forms.ChoiceField(
            choices=[("", "---------"), *choices],
            label=old.label,
            help_text=old.help_text,
        )

    def _carry_former_key(self) -> None:
        old, new = self.instance.key, self.cleaned_data.get("key")
        former = self.cleaned_data.get("former_keys")
        if not self.instance.pk or not new or former is None or old == new:
            return
        keep = self.cleaned_data.get("keep_texts") and self._had_key()
        kept = [old, *former] if keep else former
        self.cleaned_data["former_keys"] = [
            key for key in dict.fromkeys(kept) if key != new
        ]

    def _had_key(self) -> bool:
        """Return whether texts of the key so far are this row's and nobody else's."""
        standing = standing_of(self.instance, self._seen)
        return standing.code in (COUNTS, INVALID) and is_key(self.instance.key)

    def _check_rights(self) -> None:
        scope = self.cleaned_data.get("scope", "")
        key = self.cleaned_data.get("key", "")
        group = self.cleaned_data.get("group", "")
        view = view_for(scope, self._seen)
        for field in missing_rights(self.user, view, scope, key, group):
            self.add_error(field, NOT_ALLOWED)
