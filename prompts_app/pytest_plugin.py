"""
Fixtures for pytest, which only this module needs.

It is loaded by whoever names it, ``pytest_plugins = ["prompts_app.pytest_plugin"]`` in
a ``conftest.py`` or ``-p prompts_app.pytest_plugin``, which may be before Django is set
up.

`pin_prompts` needs no database, unless a registered source queries, such as that of
`prompts_app.contrib.custom`. Then leave its app out of ``INSTALLED_APPS`` in the settings
of the tests, or have the fixture ``db``, and one that makes the rows, stand before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from prompts_app.assembly import Snapshot
    from prompts_app.registry import Registry


class PinPrompts(Protocol):
    """What `pin_prompts` gives."""

    def __call__(
        self, texts: Mapping[str, str | None] | Snapshot | None = None, scope: str = ""
    ) -> Snapshot:
        """Pin *texts* until the test ends, over those pinned so far."""


@pytest.fixture
def isolated_prompts() -> Iterator[Registry]:
    """Yield the registry, empty; what was declared is back after the test."""
    from prompts_app.testing import isolated_registry  # noqa: PLC0415  # Django is set up now

    with isolated_registry() as registry:
        yield registry


@pytest.fixture
def pin_prompts() -> Iterator[PinPrompts]:
    """
    Yield a function that pins stored texts, as `override_prompts` does.

    Until it is called, no text is stored. Stored texts are not read from the database;
    sources that query still are, when the fixture is set up.
    """
    from prompts_app.testing import override_prompts  # noqa: PLC0415  # Django is set up now

    with ExitStack() as stack:

        def pin(
            texts: Mapping[str, str | None] | Snapshot | None = None, scope: str = ""
        ) -> Snapshot:
            override = override_prompts(texts, scope)
            snapshot = override.enable()
            stack.callback(override.disable)
            return snapshot

        pin()
        yield pin
