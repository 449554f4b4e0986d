"""What the other process of a test can be told to do."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

from django.db import connections, transaction

from prompts_app import services
from prompts_app.exceptions import EditConflict
from prompts_app.registry import registry
from tests import releases
from tests.assembling import CORE, fragment
from tests.storing import before_statement

KEYS = ("core.a", "core.b")


def declare() -> None:
    """Put two fragments of one text in place of all that is declared."""
    registry._registry = {}
    registry.register(CORE, *(fragment(key, "none") for key in KEYS))


def assemble() -> str:
    """Return the prompt as this process sees it."""
    return services.assemble().text


def save(values: dict[str, str]) -> int | None:
    """Save *values* and return the number of the revision."""
    return services.save(values).revision


def reset(keys: list[str]) -> int | None:
    """Reset *keys* and return the number of the revision."""
    return services.reset(keys).revision


def roll_back(values: dict[str, str]) -> str:
    """Save *values*, return what this process sees of them, and take them back."""
    with transaction.atomic():
        save(values)
        seen = assemble()
        transaction.set_rollback(True)
    return seen


def die_in(values: dict[str, str], statement: int) -> None:
    """Save *values*, and be killed before the statement of that number, from 0."""
    with before_statement(statement, die):
        save(values)


def die() -> None:  # pragma: no cover  # who is killed reports nothing
    """End without a chance to tidy up."""
    os.kill(os.getpid(), signal.SIGKILL)


def append(tag: str) -> int | None:
    """
    Add *tag* to both texts in one save, and again for as long as others are first.

    Each edit is based on what was read, as a person's is.
    """
    while True:
        snapshot = services.stored()
        etags = {key: services.etag("", key, overrides=snapshot) for key in KEYS}
        edited = {
            key: f"{services.resolve(key, overrides=snapshot)} {tag}" for key in KEYS
        }
        try:
            return services.save(edited, comment=tag, based_on=etags).revision
        except EditConflict:
            continue


def contend(name: str, writers: int, readers: int, saves: int) -> dict[str, Any]:
    """
    Let threads of this process write and read at once until all writers are done.

    Returns the tags that were saved with the numbers of their revisions, the number
    of reads, and every text that showed half of a save.
    """
    done = threading.Event()
    saved: dict[str, int | None] = {}
    reads: list[str] = []

    def write(tags: list[str]) -> None:
        for tag in tags:
            saved[tag] = append(tag)

    def read() -> None:
        # The wait leaves the machine to the writers.
        while not done.wait(0.005):
            reads.append(assemble())

    tags = [[f"{name}{w}.{n}" for n in range(saves)] for w in range(writers)]
    writing = [_start(write, own) for own in tags]
    reading = [_start(read) for _ in range(readers)]
    for thread in writing:
        thread.join()
    done.set()
    for thread in reading:
        thread.join()
    torn = [text for text in reads if len(set(text.split("\n\n"))) > 1]
    return {"saved": saved, "reads": len(reads), "torn": torn}


def upgrade(number: int) -> dict[str, Any]:
    """
    Run a release of the throw-away catalogue, as a process that has just begun.

    Returns the prompts of two assemblies, and what was logged meanwhile.
    """
    releases.declare(number)
    with releases.records() as logged:
        prompts = [assemble(), assemble()]
    return {"prompts": prompts, "logged": logged}


def _start(call: Callable[..., None], *arguments: object) -> threading.Thread:
    def run() -> None:
        try:
            call(*arguments)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


COMMANDS: dict[str, Callable[..., object]] = {
    "assemble": assemble,
    "save": save,
    "reset": reset,
    "roll_back": roll_back,
    "contend": contend,
    "upgrade": upgrade,
    "die_in": die_in,
}
