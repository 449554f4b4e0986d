"""Clients of the soak note what they asked for, and a run tells what it tried."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

from tests.checkout import ROOT


@pytest.fixture
def sent():
    """Return the list of what is asked of the server, path and body."""
    return []


@pytest.fixture
def place(soak):
    """Return a server."""
    return soak("talking").Place(
        8000,
        reads=("prompt",),
        save="save",
        is_atomic=True,
        is_one_moment=True,
        share=1,
    )


@pytest.fixture
def line(sent):
    """Return what stands in for lines to that server, which answers all."""

    class Line:
        def __init__(self, port):
            """See `tests.serving.Line`."""

        def ask(self, path, **body):
            sent.append((path, body))
            return 200, {"process": 7, "revision": 5, "inside": ""}

        def close(self):
            """Hang up."""

    return Line


@pytest.fixture
def client(soak, monkeypatch, place, line):
    """Return a client of that server."""
    talking = soak("talking")
    monkeypatch.setattr(talking, "Line", line)
    task = talking.Task(
        (place,),
        defaults={"a": "a none", "b": "b none"},
        sets=(("a", "b"),),
        edited=("b",),
        seed="",
        operations=1,
        threads=1,
    )
    return talking.Client(task, "c")


def test_a_client_notes_what_it_resets(client, place, sent):
    """By key; a reset has no texts and no revision of its own."""
    client._reset(place)
    ((path, body),), (noted,) = sent, client.done

    assert path == "reset"
    assert noted.keys == body["keys"] in (["a", "b"], ["b"])
    assert (noted.number, noted.values) == (None, None)
    assert (noted.port, noted.process, noted.revision) == (8000, 7, 5)


def test_a_client_notes_what_it_restores(client, place, sent):
    """By key, with the number of the revision that the texts are to come from."""
    client.last = 30
    client._restore(place)
    ((path, body),), (noted,) = sent, client.done

    assert path == "restore"
    assert [["", key] for key in noted.keys] == body["keys"] != []
    assert 10 < noted.number == body["number"] <= 30
    assert noted.values is None


@pytest.mark.parametrize("kind", ["save", "undone", "killed", "restore", "reset"])
def test_every_write_carries_its_tag(client, place, sent, kind):
    """So that it is known in the history, also where it should not be."""
    client._kinds()[kind](place)

    assert sent[-1][1]["comment"] == client.done[-1].tag != ""


def test_a_kill_is_noted_with_its_worker_and_its_server(soak, line, monkeypatch):
    """Whoever is no child of the server is left alone."""
    killing, died = soak("killing"), []
    server = killing.Server(8000, 3)
    killer = killing.Killer([server], "")
    monkeypatch.setattr(killing, "Line", line)
    monkeypatch.setattr(killing.os, "kill", lambda process, _: died.append(process))
    for parent in (3, 4):
        monkeypatch.setattr(killing, "parent_of", lambda _, parent=parent: parent)
        killer._kill(server)

    assert [(kill.process, kill.port) for kill in killer.kills] == [(7, 8000)]
    assert died == [7]


def test_only_who_did_not_answer_died_as_it_was_asked(soak):
    """An answer is a fault, and excuses no other line."""
    operation = soak("noted").Operation
    cut = operation("killed", 1, 2, "cut", "x", port=1, process=7)
    done = [
        cut,
        cut._replace(outcome="answered by the dead"),
        cut._replace(kind="save"),
    ]

    assert soak("cuts").asked_for(done) == [soak("noted").Kill(1, 2, 7, 1)]


def test_cuts_on_lines_to_nobody_known_are_told_apart(soak):
    """They are excused more easily, so how many there were is printed."""
    operation = soak("noted").Operation
    done = [
        operation("read", 1, 2, "cut", process=7),
        operation("read", 1, 2, "cut"),
        operation("read", 1, 2, "done"),
    ]
    lines = soak("reporting").Figures("", "", "", done, 0, 1, 1.0, []).lines()

    assert "| requests that a death cut off | 2 |" in lines
    assert "| — on a line where nobody had answered | 1 |" in lines


def test_a_run_that_tries_nothing_fails():
    """Nobody is to take it for one that found no violation."""
    with socket.socket() as taken:
        # Who does not listen refuses.
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        ran = subprocess.run(
            [sys.executable, "-m", "soak", "--no-page"],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONPATH": ".ci",
                "POSTGRESQL_URL": f"postgres://x@127.0.0.1:{port}/x",
                "MARIADB_URL": f"mysql://x@127.0.0.1:{port}/x",
            },
            capture_output=True,
            text=True,
            check=False,
        )

    assert ran.stdout.splitlines()[-2:] == [
        "0 operations, 0 violations",
        "nothing was tried: no database can be used",
    ]
    assert ran.returncode == 1
