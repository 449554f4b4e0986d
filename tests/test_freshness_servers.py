"""What several workers of real servers serve: forked, threaded and asynchronous."""

from __future__ import annotations

import http.client
from contextlib import ExitStack, closing

import pytest

from prompts_app import services
from tests import served
from tests.serving import Line, gunicorn, uvicorn

pytestmark = pytest.mark.django_db(transaction=True)

WORKERS = 2


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare here what the servers declare."""
    served.declare()


@pytest.fixture
def servers(process_environ):
    """
    Run both servers on a store that holds a text, and return them.

    Each request of gunicorn's is a transaction of its own.
    """
    services.save({"set0.a": "At the start"})
    with ExitStack() as stack:
        atomic = {"ATOMIC_REQUESTS": "on", "CONN_MAX_AGE": "60"}
        forked = gunicorn(process_environ | atomic, workers=WORKERS)
        alone = uvicorn(process_environ)
        yield stack.enter_context(forked), stack.enter_context(alone)


@pytest.fixture
def lines(servers):
    """Return a function that gives open lines to *count* processes of a server."""
    with ExitStack() as stack:

        def opened(server, count, apart_from=()):
            found = {}
            while len(found) < count:
                line = stack.enter_context(closing(Line(server.port)))
                process = line.ask("prompt")[1]["process"]
                if process not in apart_from:
                    found.setdefault(process, line)
            return found

        yield opened


def first(line, path="prompt"):
    """Return the first text of the prompt that is served over *line*."""
    status, content = line.ask(path)
    assert (status, content["degraded"]) == (200, False)
    return content["text"].split("\n\n")[0]


def everybody(*asked):
    """Return what is served over each of the lines *asked*, and here."""
    return {*map(first, asked), services.assemble().text.split("\n\n")[0]}


@pytest.mark.case(62)
def test_forked_and_asynchronous_workers_serve_every_save_at_once(servers, lines):
    """What a fork was born with is no staler than what a process read by itself."""
    forked, alone = servers
    one, two = lines(forked, WORKERS).values()
    (other,) = lines(alone, 1).values()

    assert "At the start" in one.ask("prompt")[1]["began_with"][0]
    assert everybody(one, two, other) == {"At the start"}
    services.save({"set0.a": "From outside"})
    assert everybody(one, two, other) == {"From outside"}
    assert first(other, "asynchronous-prompt") == "From outside"
    assert one.ask("save", values={"set0.a": "From a fork"})[0] == 200
    assert everybody(one, two, other) == {"From a fork"}
    saved = other.ask("asynchronous-save", values={"set0.a": "From a coroutine"})
    assert saved[0] == 200
    assert everybody(one, two, other) == {"From a coroutine"}
    assert first(other, "asynchronous-prompt") == "From a coroutine"
    assert two.ask("reset", keys=["set0.a"])[0] == 200
    assert everybody(one, two, other) == {"set0.a none"}


@pytest.mark.case(62, 65)
def test_what_a_worker_takes_back_is_served_by_none(servers, lines):
    """Whether a block, a request or the death of the worker takes it back."""
    forked, alone = servers
    workers = lines(forked, WORKERS)
    one, two = workers.values()
    (other,) = lines(alone, 1).values()
    values = {"set0.a": "Taken back"}
    services.save({"set0.a": "Kept"})

    for line in (one, other):
        undone = line.ask("undone", values=values)[1]
        assert undone["inside"].startswith("Taken back")
        assert undone["text"].startswith("Kept")
    assert two.ask("failing", values=values)[0] == 500
    assert everybody(one, two, other) == {"Kept"}
    with pytest.raises((OSError, http.client.HTTPException)):
        two.ask("killed", values=values, statement=4)
    (born,) = lines(forked, 1, workers).values()
    assert everybody(one, born, other) == {"Kept"}
