"""What stands under an address, what beneath it, and how its state is told apart."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from prompts_app.assembly import Snapshot, override_keys, text_in_force
from prompts_app.registry import View

Texts = Mapping[tuple[str, str], str]


def names_of(view: View, key: str) -> tuple[str, ...]:
    """Return the keys that overrides of *key* count under, its own first."""
    layered = view.by_key.get(key)
    return override_keys(view, layered.fragment) if layered else (key,)


def stored_under(
    view: View, texts: Texts, scope: str, key: str
) -> tuple[str, str] | None:
    """
    Return the key that the override of *key* in *scope* is stored under, and its text.

    That is the key itself or, where it has no row, a former one; None: no override.
    """
    for name in names_of(view, key):
        text = texts.get((scope, name))
        if text is not None:
            return name, text
    return None


def declared_default(view: View, key: str) -> str:
    """Return the default that *view* has for *key*; ``""`` for one nobody declares."""
    layered = view.by_key.get(key)
    return layered.fragment.default if layered else ""


def beneath(view: View, texts: Texts, scope: str, key: str) -> str:
    """
    Return what would be in force for *key* without its override in *scope*.

    *view* is that of the chain of *scope* alone. In a scope that is the scope's own
    declaration, else the global override, else the global default.
    """
    layered = view.by_key[key]
    names = override_keys(view, layered.fragment)
    addresses = (
        (layer, name) for layer, _ in layered.layers if layer != scope for name in names
    )
    left = {address: texts[address] for address in addresses if address in texts}
    return text_in_force(view, Snapshot(left), layered)[0]


def keys_read(view: View) -> frozenset[str]:
    """Return the keys under which a stored override counts for some fragment."""
    return frozenset(
        name
        for layered in view.fragments
        if not layered.fragment.locked
        for name in override_keys(view, layered.fragment)
    )


def etag_of(stored: str | None, default: str) -> str:
    """Return the state of one fragment: 16 hex digits of sha256."""
    data = json.dumps([stored, default]).encode()
    return hashlib.sha256(data).hexdigest()[:16]
