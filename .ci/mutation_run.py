"""
Runs tests against mutants: a plugin of pytest that stands in for its loop over tests.

The tests are collected once. Then each mutant has a process of its own, forked from
this one: there the changed code takes the place of the code of the function, every
cache is empty, and the tests that call the function are run until one fails.
"""

from __future__ import annotations

import gc
import itertools
import json
import os
import resource
import shutil
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from types import CodeType

from django.db import connection
from mutants import Mutant, codes_of
from mutation_break import (
    Place,
    Raised,
    change,
    functions_of,
    memories,
    place_of,
    rebind,
    watching,
)

WORKERS = 2
PATIENCE = (3.0, float(os.environ.get("PATIENCE", "30")))
"""How many seconds' worth of tests a mutant has to live through, turn by turn."""
EXTRA, TIMES = 8.0, 20
"""A test may take so many seconds, and so many times what it takes as a rule."""
MEMORY = 4 * 2**30
SURVIVED, KILLED, TROUBLE = 0, 1, 2
OUTCOMES = {
    SURVIVED: "survived",
    KILLED: "killed",
    TROUBLE: "trouble",
    -signal.SIGALRM: "timed out",
}


class Run:
    """What is tried, and what came of it."""

    def __init__(
        self,
        mutants: list[Mutant],
        explained: set[str],
        folder: Path,
        keep: Callable[[dict], None],
    ) -> None:
        self.results: dict[str, str] = {}
        self._mutants = mutants
        self._explained = explained
        """Whose lives nothing more has to be known of."""
        self._folder = folder
        self._keep = keep
        self._patience = PATIENCE[0]
        self._failed = False
        self._database = ""
        self._codes: dict[str, dict[tuple[str, int], CodeType]] = {}
        self._calls: dict[Place, set[int]] = defaultdict(set)
        self._seconds: list[float] = []
        self._sound: set[int] = set()
        self._kills: dict[Place, Counter[int]] = defaultdict(Counter)

    def pytest_runtest_logreport(self, report) -> None:
        """Note that a test failed, and say which if it has no mutant to blame."""
        self._failed = self._failed or report.failed
        if report.failed and not self._seconds:
            sys.__stderr__.write(
                f"left out, since it fails as it is: {report.nodeid}\n"
            )

    def pytest_runtestloop(self, session) -> bool:
        """Run the tests as they are, then against each mutant."""
        session.config.pluginmanager.unregister(name="terminalreporter")
        for path, file in {(mutant.path, mutant.file) for mutant in self._mutants}:
            text = Path(file).read_text("utf-8")
            self._codes[path] = codes_of(compile(text, file, "exec"))
        files = {mutant.file for mutant in self._mutants}
        self._measure(session, files)
        self._warm_up(session)
        self._functions = functions_of(files)
        self._memories = memories()
        gc.collect()
        gc.freeze()
        turn = self._mutants
        for self._patience in PATIENCE:
            self._try(session, turn)
            survivors = {n for n, one in self.results.items() if one == "survived"}
            turn = [one for one in turn if one.name in survivors - self._explained]
        return True

    def _try(self, session, turn: list[Mutant]) -> None:
        running: dict[int, Mutant] = {}
        for number, mutant in enumerate(turn):
            if len(running) >= WORKERS:
                self._wait(running)
            running[self._fork(session, mutant)] = mutant
            if number % 100 == 0:
                self._tell(number, len(turn))
        while running:
            self._wait(running)

    def _tell(self, number: int, total: int) -> None:
        self._keep(self.results)
        counts = Counter(self.results.values())
        told = ", ".join(f"{counts[name]} {name}" for name in sorted(counts))
        sys.__stderr__.write(f"{number} of {total}: {told}\n")
        sys.__stderr__.flush()

    def _measure(self, session, files: set[str]) -> None:
        """Run all tests in a process of its own, and note which calls what."""
        notes = self._folder / "calls.json"
        if not os.fork():
            calls: dict[Place, set[int]] = defaultdict(set)
            seconds = []
            broken: list[int] = []
            known = memories()
            for number, item in enumerate(session.items):
                for forget in known:
                    forget()
                started = time.process_time()
                with watching(files, lambda place, n=number: calls[place].add(n)):
                    run(item, session.items[number + 1 : number + 2])
                seconds.append(time.process_time() - started)
                broken += [number] * self._failed
                self._failed = False
            found = [(place, sorted(numbers)) for place, numbers in calls.items()]
            notes.write_text(json.dumps([found, seconds, broken]), "utf-8")
            os._exit(SURVIVED)
        os.wait()
        found, self._seconds, broken = json.loads(notes.read_text("utf-8"))
        for place, numbers in found:
            # A module's own names are used by whatever is called in it.
            for known in (tuple(place), (place[0], "", 0)):
                self._calls[known] |= {*numbers} - {*broken}
        self._sound = {*range(len(session.items))} - {*broken}

    def _warm_up(self, session) -> None:
        """
        Run one test of each file here, so that no process has to begin from nothing.

        They leave a test database, of which each process takes a copy.
        """
        first = {}
        for number in sorted(self._sound):
            item = session.items[number]
            if not flushes(item):
                first.setdefault(item.path, item)
        turns = [*first.values()]
        for item, following in itertools.pairwise([*turns, *turns[:1]]):
            run(item, [following])
        self._failed = False
        if any(item.get_closest_marker("django_db") for item in turns):
            connection.close()
            self._database = connection.settings_dict["NAME"]

    def _place(self, mutant: Mutant) -> Place:
        if not mutant.function:
            return (mutant.file, "", 0)
        return place_of(self._codes[mutant.path][mutant.function, mutant.ordinal])

    def _tests(self, items: list, mutant: Mutant) -> list[int]:
        """Return the places of the tests to run, those first that may kill soon."""
        place = self._place(mutant)
        kills = self._kills[place]
        words = mutant.path.removesuffix(".py").split("/")[1:]
        seconds = self._seconds
        of_file: Counter[Path] = Counter()
        turns = {}
        near = self._calls[place] or self._sound
        if not mutant.function:
            # Its names may be looked at by who calls nothing.
            near |= {n for n in self._sound if words[-1] in items[n].path.name}
        for number in sorted(near, key=seconds.__getitem__):
            file = items[number].path
            of_file[file] += 1
            is_own = all(word in file.name for word in words)
            # Then one of each file, since tests of one file tend to fail together.
            turn = 0 if is_own else of_file[file]
            is_slow = seconds[number] > PATIENCE[0] / 10
            # A test that commits empties the database, as pytest-django knows too.
            commits = flushes(items[number])
            turns[number] = (commits, -kills[number], is_slow, turn, seconds[number])
        ordered = sorted(turns, key=turns.__getitem__)
        return self._patiently([(number, turns[number][0]) for number in ordered])

    def _patiently(self, ordered: list[tuple[int, bool]]) -> list[int]:
        """Return as many of the tests as there is patience for, and the first."""
        spent = {False: 0.0, True: 0.0}
        chosen = []
        for number, commits in ordered:
            # Those that commit have a turn of their own: they come last, and are slow.
            spent[commits] += self._seconds[number]
            if spent[commits] < self._patience or not chosen:
                chosen.append(number)
        return chosen

    def _fork(self, session, mutant: Mutant) -> int:
        numbers = self._tests(session.items, mutant)
        child = os.fork()
        if child:
            return child
        status = TROUBLE
        try:
            folder = self._folder / str(os.getpid())
            folder.mkdir()
            session.config._tmp_path_factory._basetemp = folder  # noqa: SLF001  # the option for it is read once, and each mutant needs a folder of its own
            if self._database:
                copy = shutil.copyfile(self._database, folder / "copy.sqlite3")
                connection.settings_dict["NAME"] = str(copy)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            status = self._judge(mutant, session.items, numbers)
        finally:
            os._exit(status)

    def _judge(self, mutant: Mutant, items: list, numbers: list[int]) -> int:
        try:
            if mutant.function:
                change(mutant, self._functions[self._place(mutant)])
            else:
                rebind(mutant)
        except Raised:
            return KILLED
        for forget in self._memories:
            forget()
        for number, following in itertools.pairwise([*numbers, -1]):
            # A timer of the work done would make the clock of that work too coarse.
            allowed = EXTRA + TIMES * self._seconds[number]
            signal.setitimer(signal.ITIMER_REAL, allowed)
            run(items[number], [items[following]] if following >= 0 else [])
            if self._failed:
                killer = self._folder / str(os.getpid()) / "killer"
                killer.write_text(str(number), "utf-8")
                return KILLED
        return SURVIVED

    def _wait(self, running: dict[int, Mutant]) -> None:
        child, status = os.wait()
        mutant = running.pop(child)
        killer = self._folder / str(child) / "killer"
        if killer.exists():
            self._kills[self._place(mutant)][int(killer.read_text("utf-8"))] += 1
        shutil.rmtree(killer.parent, ignore_errors=True)
        code = os.waitstatus_to_exitcode(status)
        self.results[mutant.name] = OUTCOMES.get(code, "trouble")


def run(item, following: list) -> None:
    """Run one test, given what is run next."""
    nextitem = following[0] if following else None
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=nextitem)


def flushes(item) -> bool:
    """Tell whether a test commits to the database, which is emptied afterwards."""
    marker = item.get_closest_marker("django_db")
    asked = {"transactional_db", "live_server"} & {*item.fixturenames}
    return bool(asked or (marker and marker.kwargs.get("transaction")))
