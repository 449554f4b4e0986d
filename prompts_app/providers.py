"""How providers are run where Django is: coroutines too."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable

from asgiref.sync import async_to_sync

from prompts_app.assembly import Context


def call(provider: Callable[[Context], object], context: Context) -> object:
    """Return what *provider* gives for *context*, waited for if it is a coroutine."""
    result = provider(context)
    if not inspect.isawaitable(result):
        return result
    try:
        return async_to_sync(_wait)(result)
    finally:
        # Inside a running event loop it was never begun.
        if inspect.iscoroutine(result):
            result.close()


async def _wait(result: Awaitable[object]) -> object:
    return await result
