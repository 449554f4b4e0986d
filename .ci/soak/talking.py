"""Clients: they ask two servers at random, and note what came of each request."""

from __future__ import annotations

import http.client
import random
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from soak.noted import Operation
from tests.serving import Line

TAGS = 25
"""How many edits one text holds; older ones make room."""
IN_A_ROW = 25
"""After so many failures a client has nobody to talk to."""
WEIGHTS = {
    "read": 66.0,
    "save": 12.0,
    "edit": 9.0,
    "restore": 5.0,
    "undone": 5.0,
    "reset": 2.5,
    "killed": 0.3,
}


class Place(NamedTuple):
    """A server as clients see it."""

    port: int
    reads: tuple[str, ...]
    """The addresses of views that show the prompt."""
    save: str
    is_atomic: bool
    """Whether each request is a transaction, which sees its own save."""
    is_one_moment: bool
    """Whether what a view shows after its own save is the state of one moment."""
    share: int
    """How often it is asked, in proportion to others."""


class Task(NamedTuple):
    """What one process of clients is to do."""

    places: tuple[Place, ...]
    defaults: Mapping[str, str]
    sets: tuple[tuple[str, ...], ...]
    edited: tuple[str, ...]
    seed: str
    operations: int
    threads: int


class Client:
    """One client, with one line to each server."""

    def __init__(self, task: Task, name: str) -> None:
        self.task = task
        self.name = name
        self.random = random.Random(f"{task.seed} {name}")  # noqa: S311  # draws what to ask, again as the seed printed says
        self.done: list[Operation] = []
        self.last = 0
        self._count = 0
        self._lines: dict[int, tuple[Line, int]] = {}

    def run(self, wanted: int) -> None:
        """Make *wanted* requests, or give up when nobody answers any more."""
        while len(self.done) < wanted:
            (kind,) = self.random.choices([*WEIGHTS], [*WEIGHTS.values()])
            self._kinds()[kind](self._place())
            latest = self.done[-IN_A_ROW:]
            if len(latest) == IN_A_ROW and all(one.outcome == "cut" for one in latest):
                break
        for line, _ in self._lines.values():
            line.close()

    def _kinds(self) -> dict[str, Callable[[Place], None]]:
        return {
            "read": self._read,
            "save": self._save,
            "edit": self._edit,
            "restore": self._restore,
            "undone": self._undo,
            "reset": self._reset,
            "killed": self._kill,
        }

    def _place(self) -> Place:
        places = self.task.places
        return self.random.choices(places, [place.share for place in places])[0]

    def _read(self, place: Place) -> None:
        self._ask("read", place, self.random.choice(place.reads))

    def _save(self, place: Place) -> None:
        values = self._marked(tag := self._tag())
        self._write("save", place, place.save, tag, {"values": values})

    def _edit(self, place: Place) -> None:
        answer = self._ask("read", place, "shown")
        if not answer:
            return
        tag = self._tag()
        key = self.random.choice(self.task.edited)
        shown = dict(zip(self.task.defaults, answer["text"].split("\n\n"), strict=True))
        first, *tags = shown[key].split()
        body = {
            "values": {key: " ".join([first, *tags[-TAGS:], tag])},
            "based_on": {key: answer["etags"][key]},
        }
        # Perhaps another server than the one that showed it.
        other = self._place()
        self._write("edit", other, other.save, tag, body)
        self.done[-1] = self.done[-1]._replace(shown={key: shown[key]})

    def _restore(self, place: Place) -> None:
        number = max(0, self.last - self.random.randrange(20))
        pairs = [["", key] for key in self._some()]
        body = {"number": number, "keys": pairs}
        self._write("restore", place, "restore", self._tag(), body)
        keys = [key for _, key in pairs]
        self.done[-1] = self.done[-1]._replace(keys=keys, number=number)

    def _reset(self, place: Place) -> None:
        keys = self._some()
        self._write("reset", place, "reset", self._tag(), {"keys": keys})
        self.done[-1] = self.done[-1]._replace(keys=keys)

    def _undo(self, place: Place) -> None:
        tag = f"undone-{self._tag()}"
        values = self._marked(tag)
        answer = self._ask("undone", place, "undone", tag, values=values, comment=tag)
        if answer and not is_in(values, answer["inside"]):
            self._blame("its own save was not seen")

    def _kill(self, place: Place) -> None:
        if not self._ask("read", place, place.reads[0]):
            return
        tag = f"killed-{self._tag()}"
        statement = self.random.randrange(14)
        body = {"values": self._marked(tag), "comment": tag, "statement": statement}
        if self._ask("killed", place, "killed", tag, **body):
            self._blame("answered by the dead")

    def _write(
        self, kind: str, place: Place, path: str, tag: str, body: Mapping[str, Any]
    ) -> None:
        answer = self._ask(kind, place, path, tag, **body, comment=tag)
        values = body.get("values")
        own = self.done[-1]._replace(values=values)
        if answer:
            own = own._replace(revision=answer["revision"])
            self.last = max(self.last, own.revision or 0)
        if not place.is_one_moment:
            own = own._replace(text=None)
        self.done[-1] = own
        is_shown = place.is_atomic and "text" in answer
        if is_shown and not is_in(values or {}, answer["text"]):
            self._blame("its own save was not seen")

    def _ask(
        self, kind: str, place: Place, path: str, tag: str = "", **body: Any
    ) -> dict[str, Any]:
        """Make one request and note it; return the answer if there is one."""
        begin = time.monotonic()
        line, process = self._lines.setdefault(place.port, (Line(place.port), 0))
        try:
            status, answer = line.ask(path, **body)
        except TimeoutError:
            self._hang_up(place)
            status, answer = http.HTTPStatus.GATEWAY_TIMEOUT, {}
        except (OSError, http.client.HTTPException):
            self._hang_up(place)
            status, answer = 0, {}
        end = time.monotonic()
        outcome = {0: "cut", 200: "done", 409: "refused"}.get(status, f"page {status}")
        if answer:
            process = answer["process"]
            self._lines[place.port] = line, process
        if answer.get("degraded"):
            outcome = "old texts stood in"
        own = Operation(kind, begin, end, outcome, tag, text=answer.get("text"))
        self.done.append(own._replace(port=place.port, process=process))
        return answer if status == http.HTTPStatus.OK else {}

    def _hang_up(self, place: Place) -> None:
        line, _ = self._lines.pop(place.port)
        line.close()

    def _blame(self, fault: str) -> None:
        self.done[-1] = self.done[-1]._replace(outcome=fault)

    def _tag(self) -> str:
        self._count += 1
        return f"{self.name}.{self._count}"

    def _marked(self, tag: str) -> dict[str, str]:
        keys = self.random.choice(self.task.sets)
        return {key: f"{key} {tag}" for key in keys}

    def _some(self) -> list[str]:
        return list(
            self.random.choice([*self.task.sets, *((key,) for key in self.task.edited)])
        )


def is_in(values: Mapping[str, str], prompt: str) -> bool:
    """Return whether *prompt* has all of *values*."""
    return set(values.values()) <= set(prompt.split("\n\n"))


def talk(task: Task, name: str) -> list[Operation]:
    """Let the clients of one process talk, and return what they noted."""
    share = -(-task.operations // task.threads)
    clients = [Client(task, f"{name}.{number}") for number in range(task.threads)]
    with ThreadPoolExecutor(task.threads) as pool:
        for talked in [pool.submit(client.run, share) for client in clients]:
            talked.result()
    return [one for client in clients for one in client.done]
