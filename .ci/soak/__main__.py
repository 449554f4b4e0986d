"""Try every database that answers; exit with 1 if a promise was broken."""

from __future__ import annotations

import argparse
import multiprocessing
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import IO

from soak import cuts, databases
from soak.databases import DATABASES, ROOT, Database
from soak.judging import violations
from soak.killing import killing
from soak.noted import Kill, Operation
from soak.reporting import Figures, page
from soak.talking import Place, Task, talk
from tests.serving import DEFAULTS, EDITED, SETS, Server, gunicorn, uvicorn

REPORT = ROOT / "docs" / "benchmarks" / "soak.md"
PROCESSES, THREADS = 2, 6
COMPLAINTS = 5_000
"""How many characters of the servers' own words are shown then, the last ones."""
SHOWN = 20
"""How many violations are named one by one."""


def tell(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def tried(database: Database, operations: int, seed: str) -> Figures:
    """Put one database through *operations*, and return what came of it."""
    with ExitStack() as stack:
        environment = stack.enter_context(databases.made(database))
        log = stack.enter_context(tempfile.TemporaryFile())
        servers = served(stack, environment, database.isolation, log)
        begin = time.monotonic()
        with killing(servers, seed) as killer:
            done = talked(asked_of(servers, database, operations, seed))
        seconds = time.monotonic() - begin
        figures = judged(database, done, killer.kills, seconds)
        if len(done) < operations:
            figures.violations.append(f"clients gave up after {len(done)} operations")
        if figures.violations:
            log.seek(0)
            tell(log.read().decode()[-COMPLAINTS:])
        return figures


def judged(
    database: Database,
    done: Sequence[Operation],
    kills: Sequence[Kill],
    seconds: float,
) -> Figures:
    """Return the figures of what was done, with every promise that was broken."""
    told = databases.history(database, DEFAULTS)
    return Figures(
        name=database.name,
        version=databases.version(database),
        isolation=database.isolation,
        operations=done,
        revisions=len(told.revisions),
        kills=len(kills),
        seconds=seconds,
        violations=violations(told, done, [*kills, *cuts.asked_for(done)]),
    )


def served(
    stack: ExitStack,
    environment: Mapping[str, str],
    isolation: str,
    log: IO[bytes],
) -> tuple[Server, Server]:
    """Run both servers until *stack* is left."""
    atomic = {"ATOMIC_REQUESTS": "on", "CONN_MAX_AGE": "600", "ISOLATION": isolation}
    forked = gunicorn({**environment, **atomic}, workers=4, threads=4, log=log)
    other = uvicorn(environment, workers=2, log=log)
    return stack.enter_context(forked), stack.enter_context(other)


def asked_of(
    servers: tuple[Server, Server], database: Database, operations: int, seed: str
) -> Task:
    """Return what each process of clients is to do."""
    return Task(
        places(servers, database),
        defaults=DEFAULTS,
        sets=SETS,
        edited=EDITED,
        seed=seed,
        operations=-(-operations // PROCESSES),
        threads=THREADS,
    )


def places(servers: tuple[Server, Server], database: Database) -> tuple[Place, Place]:
    """Return the servers as clients see them."""
    forked, other = servers
    atomic = Place(
        forked.port,
        reads=("prompt",),
        save="save",
        is_atomic=True,
        is_one_moment=not database.isolation,
        share=3,
    )
    asynchronous = Place(
        other.port,
        reads=("prompt", "asynchronous-prompt"),
        save="asynchronous-save",
        is_atomic=False,
        is_one_moment=True,
        share=1,
    )
    return atomic, asynchronous


def talked(task: Task) -> list[Operation]:
    """Let several processes of clients talk, and return what all of them noted."""
    spawned = multiprocessing.get_context("spawn")
    # Whoever interrupts means this process, which ends the others.
    deaf = (signal.SIGINT, signal.SIG_IGN)
    with spawned.Pool(PROCESSES, signal.signal, deaf) as pool:
        names = [(task, f"c{number}") for number in range(PROCESSES)]
        return [one for told in pool.starmap(talk, names, 1) for one in told]


def chosen() -> tuple[list[Database], int]:
    """Return the databases that can be used, and how many answer but cannot."""
    found, unusable = [], 0
    for database in DATABASES:
        if not database.answers():
            tell(f"skipped: {database.name}: no answer from its port")
        elif not database.has_driver():
            tell(f"skipped: {database.name}: {database.driver} is not installed")
            unusable += 1
        else:
            found.append(database)
    return found, unusable


def main() -> int:
    """Try all databases, print the figures and write the page."""
    asked = argparse.ArgumentParser(prog="soak")
    asked.add_argument("--operations", type=int, default=104_000, help="over all")
    asked.add_argument("--seed", default=secrets.token_hex(4))
    asked.add_argument("--no-page", action="store_true", help="write no page")
    options = asked.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    tell(f"seed {options.seed}")
    databases.configure()
    usable, unusable = chosen()
    found = []
    for database in usable:
        tell(f"{database.name}: …")
        share = -(-options.operations // len(usable))
        found.append(tried(database, share, options.seed))
        tell("\n".join([f"{database.name} {found[-1].version}", *found[-1].lines()]))
    broken = [f"{one.name}: {what}" for one in found for what in one.violations]
    report(found, broken, options)
    return 1 if broken or unusable or not found else 0


def report(
    found: Sequence[Figures], broken: Sequence[str], options: argparse.Namespace
) -> None:
    """Name what was broken; write the page if nothing was and all were tried."""
    for what in broken[:SHOWN]:
        tell(f"violation: {what}")
    total = sum(len(one.operations) for one in found)
    tell(f"{total} operations, {len(broken)} violations")
    if not found:
        tell("nothing was tried: no database can be used")
    if len(found) == len(DATABASES) and not broken and not options.no_page:
        REPORT.write_text(page(found, options.seed), encoding="utf-8")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
