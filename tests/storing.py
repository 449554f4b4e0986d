"""The store as plain values, for tests that compare what is in it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import pytest
from django.db import connection, connections

from prompts_app.exceptions import Fault, SaveRefused
from prompts_app.models import Override, Revision, StoredState
from prompts_app.signals import overrides_saved


def rows() -> dict[tuple[str, str], str]:
    """Return every stored text by scope and key."""
    return {(row.scope, row.key): row.text for row in Override.objects.all()}


def written_over() -> dict[tuple[str, str], str]:
    """Return the default that each stored text was written over."""
    return {(row.scope, row.key): row.default_text for row in Override.objects.all()}


def version() -> str | None:
    """Return the store's version; None before the first save."""
    return StoredState.objects.values_list("version", flat=True).first()


def history() -> list[dict[tuple[str, str], tuple[str | None, str | None]]]:
    """Return what each revision changed, oldest first: before and after by address."""
    return [
        {(c.scope, c.key): (c.before, c.after) for c in revision.changes.all()}
        for revision in Revision.objects.order_by("number")
    ]


def everything() -> tuple[object, ...]:
    """Return the whole state of the store, to show that nothing changed."""
    state = StoredState.objects.values_list("version", "revision").first()
    return state, rows(), written_over(), history()


def refused(
    call: Callable[..., object], *arguments: Any, **options: Any
) -> tuple[Fault, ...]:
    """Return the faults for which *call* is refused, having changed nothing."""
    before = everything()
    with pytest.raises(SaveRefused) as caught:
        call(*arguments, **options)
    assert everything() == before
    return caught.value.faults


class Broken:
    """A callable that raises *error* and counts how often it was called."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.calls = 0

    def __call__(self, *arguments: object) -> NoReturn:
        self.calls += 1
        raise self.error


@contextmanager
def announcements() -> Iterator[list[dict[str, Any]]]:
    """Give the list that grows by the arguments of every `overrides_saved`."""
    sent: list[dict[str, Any]] = []

    def receive(signal: object, **arguments: Any) -> None:
        sent.append(arguments)

    overrides_saved.connect(receive)
    try:
        yield sent
    finally:
        overrides_saved.disconnect(receive)


@contextmanager
def before_statement(number: int, do: Callable[[], object]) -> Iterator[None]:
    """
    Call *do* before the statement of that number, from 0, and before all later ones.

    Those that only open, release or take back a transaction do not count.
    """
    count = 0

    def run(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        nonlocal count
        if sql.startswith(("BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK")):
            return execute(sql, *arguments)
        count += 1
        if count > number:
            do()
        return execute(sql, *arguments)

    with connection.execute_wrapper(run):
        yield


def in_threads(*calls: Callable[[], object]) -> list[Exception]:
    """Run *calls* at once, each with a connection of its own; return what failed."""
    barrier = threading.Barrier(len(calls))
    failed: list[Exception] = []

    def run(call: Callable[[], object]) -> None:
        try:
            barrier.wait()
            call()
        except Exception as error:  # noqa: BLE001  # the caller looks at all of them
            failed.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failed
