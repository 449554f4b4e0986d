"""
Playwright in a thread of its own.

Its synchronous interface keeps an event loop running in the thread that uses
it, and Django refuses to query there. So every call, every attribute and
every block goes to one thread that does nothing else, and what comes back is
wrapped again: a test reads as if it used Playwright directly.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

PLAIN = (str, bytes, int, float, bool, type(None))


class Thread:
    """The one thread that may touch Playwright objects."""

    def __init__(self):
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="playwright")

    def call(self, function, *arguments, **options):
        """Return what *function* gives when it is called in that thread."""
        future = self._executor.submit(
            function,
            *self._unwrapped(list(arguments)),
            **self._unwrapped(options),
        )
        return self._wrapped(future.result())

    def close(self):
        """End the thread."""
        self._executor.shutdown()

    def _wrapped(self, value):
        if isinstance(value, PLAIN):
            return value
        if isinstance(value, list):
            return [self._wrapped(item) for item in value]
        if isinstance(value, dict):
            return {name: self._wrapped(item) for name, item in value.items()}
        return Remote(self, value)

    def _unwrapped(self, value):
        if isinstance(value, Remote):
            return value._value
        if isinstance(value, list):
            return [self._unwrapped(item) for item in value]
        if isinstance(value, dict):
            return {name: self._unwrapped(item) for name, item in value.items()}
        return value


class Remote:
    """A Playwright object, or a method of one, that lives in the thread."""

    def __init__(self, thread, value):
        self._thread = thread
        self._value = value

    def __getattr__(self, name):
        return self._thread.call(getattr, self, name)

    def __call__(self, *arguments, **options):
        return self._thread.call(self._value, *arguments, **options)

    def __enter__(self):
        return self._thread.call(type(self._value).__enter__, self)

    def __exit__(self, *exception):
        return self._thread.call(type(self._value).__exit__, self, *exception)

    def __repr__(self):
        return f"<in the browser's thread: {self._value!r}>"
