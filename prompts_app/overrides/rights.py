"""Who may change which text: Django's permissions alone decide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import PermissionDenied

from prompts_app.registry import View

CHANGE = "prompts_app.change_override"
PRUNE = "prompts_app.delete_override"
HISTORY = "prompts_app.view_revision"


def needed(view: View, scope: str, key: str) -> tuple[str, ...]:
    """Return the permissions that changing *key* in *scope* takes."""
    permissions = [CHANGE]
    if scope in view.scopes:
        permissions.append(view.scopes[scope].permission)
    layered = view.by_key.get(key)
    group = view.groups.get(layered.fragment.group) if layered else None
    if group is not None:
        permissions.append(group.permission)
    return tuple(permission for permission in permissions if permission)


def may_change(user: Any, view: View, scope: str, key: str) -> bool:
    """Return whether *user* may change the text of *key* in *scope*."""
    return bool(user.has_perms(needed(view, scope, key)))


def check_change(author: Any, view: View, scope: str, keys: Iterable[str]) -> None:
    """
    Let *author* through if all of *keys* may be changed; None is trusted code.

    Raises:
        PermissionDenied: a right is missing; the message names it.
    """
    if author is None:
        return
    for permissions in {needed(view, scope, key) for key in keys} or {(CHANGE,)}:
        _check(author, permissions)


def check_prune(author: Any, view: View, scope: str) -> None:
    """
    Let *author* through who may take orphaned overrides of *scope* away for good.

    Raises:
        PermissionDenied: a right is missing; the message names it.
    """
    if author is None:
        return
    _check(author, _needed_to_prune(view, scope))


def may_prune(user: Any, view: View, scope: str) -> bool:
    """Return whether *user* may take orphaned overrides of *scope* away for good."""
    return bool(user.has_perms(_needed_to_prune(view, scope)))


def _needed_to_prune(view: View, scope: str) -> tuple[str, ...]:
    declared = view.scopes.get(scope)
    of_scope = declared.permission if declared else ""
    return (PRUNE, of_scope) if of_scope else (PRUNE,)


def _check(author: Any, permissions: Iterable[str]) -> None:
    missing = [p for p in permissions if not author.has_perm(p)]
    if missing:
        raise PermissionDenied(f"Missing permission: {', '.join(missing)}")
