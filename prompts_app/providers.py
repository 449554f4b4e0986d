"""How providers are run where Django is: coroutines too, and which errors count."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable

from asgiref.sync import async_to_sync
from django.db import DatabaseError, InterfaceError, connections

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


def is_fatal(error: BaseException) -> bool:
    """Return whether swallowing *error* would go on in a broken transaction."""
    return isinstance(error, (DatabaseError, InterfaceError)) and any(
        connection.in_atomic_block
        for connection in connections.all(initialized_only=True)
    )
