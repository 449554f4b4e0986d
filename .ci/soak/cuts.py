"""Lines that were cut, held against the deaths of workers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from soak.noted import Kill, Operation

SLACK = 0.1
"""Seconds within which a death ends a request on a line that was new."""
LATE = 1.0
"""As much where the worker is known, so that another death is not taken for its own."""


def faults(operations: Sequence[Operation], kills: Sequence[Kill]) -> list[str]:
    """Return error pages, and lines that were cut by none of *kills*, in words."""
    deaths, heard = by_process(kills), answers(operations)
    found = []
    for one in operations:
        if one.outcome not in {"done", "refused", "cut"}:
            found.append(f"error: {one.kind} {one.tag}: {one.outcome}")
        elif one.outcome == "cut" and not (
            was_killed(one, deaths.get(one.process, []), heard.get(one.process, []))
            if one.process
            else may_be_killed(one, kills)
        ):
            found.append(
                f"error: {one.kind} {one.tag}: no answer, and nobody was killed"
            )
    return found


def was_killed(one: Operation, kills: Iterable[Kill], heard: Sequence[float]) -> bool:
    """
    Return whether one of *kills*, of the worker of a request, cut it off.

    *heard* are the times of what that worker answered: who does is not dead.
    """
    return any(
        kill.begin <= one.end <= max(one.begin, kill.end) + LATE
        and not any(kill.end < time < one.end for time in heard)
        for kill in kills
    )


def may_be_killed(one: Operation, kills: Iterable[Kill]) -> bool:
    """Return whether a worker of the server was killed just when a request was cut."""
    return any(
        kill.port == one.port and kill.begin <= one.end <= kill.end + SLACK
        for kill in kills
    )


def by_process(kills: Iterable[Kill]) -> Mapping[int, Sequence[Kill]]:
    """Return *kills* by process; the system may give one's number to another later."""
    found: dict[int, list[Kill]] = {}
    for kill in kills:
        found.setdefault(kill.process, []).append(kill)
    return found


def answers(operations: Iterable[Operation]) -> Mapping[int, Sequence[float]]:
    """Return, by process, when the requests began that it answered."""
    found: dict[int, list[float]] = {}
    for one in operations:
        if one.outcome in {"done", "refused"}:
            found.setdefault(one.process, []).append(one.begin)
    return found


def asked_for(operations: Iterable[Operation]) -> list[Kill]:
    """Return the deaths that came of requests to die."""
    return [
        Kill(one.begin, one.end, one.process, one.port)
        for one in operations
        if one.kind == "killed" and one.outcome == "cut"
    ]


def unknown(operations: Iterable[Operation]) -> list[Operation]:
    """Return the requests that were cut off before it was known who would answer."""
    return [one for one in operations if one.outcome == "cut" and not one.process]
