"""The accounts that the demo site comes with."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

from django.contrib.auth.models import Group, User

from project.secret import kept_text

GROUPS = {"editor": "Prompt editors", "viewer": "Prompt viewers", "admin": ""}
"""The group of each account; ``""``: it holds every right."""


def passwords(folder: Path) -> dict[str, str]:
    """Return the password of each account, made at the first call and kept."""
    kept: dict[str, str] = json.loads(kept_text(folder, "sign_in.json", _fresh))
    return kept


def _fresh() -> str:
    made = {name: secrets.token_urlsafe(12) for name in GROUPS}
    return json.dumps(made, indent=2)


def make(name: str, password: str) -> bool:
    """Make the account *name* unless it is there; return whether it was made."""
    user, is_new = User.objects.get_or_create(
        username=name, defaults={"is_staff": True, "is_superuser": not GROUPS[name]}
    )
    if is_new:
        user.set_password(password)
        user.save()
        user.groups.set(Group.objects.filter(name=GROUPS[name]))
    return is_new
