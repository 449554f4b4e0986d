"""What the tests of other apps need: a registry of their own, and pinned texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.test.utils import TestContextDecorator

from prompts_app.assembly import Snapshot
from prompts_app.overrides import snapshots
from prompts_app.registry import Registry, registry


@contextmanager
def isolated_registry(*, empty: bool = True) -> Iterator[Registry]:
    """
    Give the registry, to be changed at will, and put everything back afterwards.

    With *empty* it starts without anything; else with what the apps declared.
    """
    before = registry._registry  # noqa: SLF001  # the name that Django restores
    if empty:
        registry._registry = {}  # noqa: SLF001
    try:
        yield registry
    finally:
        registry._registry = before  # noqa: SLF001


class override_prompts(TestContextDecorator):  # noqa: N801  # reads like override_settings
    """
    Pin the stored texts for a block, a test function (also async) or a test class.

    *texts* maps keys of *scope* to texts, a blank one switching its fragment off;
    a `Snapshot` is pinned as it is. What an outer block pinned stays beneath.
    Nothing is read from the database and nothing is written to it.
    """

    def __init__(
        self, texts: Mapping[str, str | None] | Snapshot | None = None, scope: str = ""
    ) -> None:
        super().__init__()
        self.texts = texts or {}
        self.scope = scope
        self._resets: list[Any] = []

    def enable(self) -> Snapshot:
        """Pin the texts and return the snapshot that is in force."""
        if isinstance(self.texts, Snapshot):
            snapshot = self.texts
        else:
            outer = snapshots.pinned.get() or Snapshot(declarations=snapshots.gather())
            snapshot = outer.replace(self.texts, self.scope)
        self._resets.append(snapshots.pinned.set(snapshot))
        return snapshot

    def disable(self) -> None:
        """Take the pinned texts away again."""
        snapshots.pinned.reset(self._resets.pop())
