"""
Writes docs/mutation.md: the figures of the last run, and every mutant that lived.

The reasons stand in mutation.toml, each with the names of its mutants. A survivor
without a reason is a fault, and so is a reason for what does not live.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "mutation.md"
RESULTS = ROOT / ".ci" / "venvs" / "mutation"
DATA = tomllib.loads((ROOT / ".ci" / "mutation.toml").read_text("utf-8"))
EXPLAINED = [name for group in DATA["because"] for name in group["mutants"]]
RESULTS_THAT_COUNT = ("killed", "timed out", "survived")
AREAS: dict[str, dict[str, list[str]]] = DATA["areas"]
INTRODUCTION = """\
# Mutation testing

`make mutate` breaks the code in one place after the other and runs the tests each time.
A test that fails has *killed* the mutant. One that lives shows what no test holds, or
what makes no difference. It takes an hour or two, so it is no part of `make check`.

- The changes are those of mutmut: another operator, a condition turned round, an argument
  left out or `None`, a number one higher, a text in other letters, and so on; in functions,
  methods, properties, defaults of parameters and names of modules. Left alone are
  annotations, decorators, documentation, the fields of classes, f-strings, and what is
  asked of `len()` and `isinstance()`.
- mutmut does not look into functions with decorators, and its own runner calls each
  function by another, which hides who called the registry. So `.ci/mutation_run.py` runs
  them: the tests are collected once; each mutant has a process of its own, in which the
  function has the changed code, and plans and parsed texts are forgotten; there the tests
  that call the function are run, on SQLite, those first that look like its own.
- A mutant lives that lives through three seconds' worth of such tests and then, unless it
  has a reason already, through thirty; `PATIENCE=60 make mutate` tries longer. Random
  examples are few, and the same each time. Tests that start processes are left out. So
  `make test` may notice some of what lives here.
- A mutant has *timed out*, and counts as killed, if a test takes twenty times as long as it
  should, and eight seconds more.
- `make mutate ARGS='"*merge.py*"'` tries those whose names the pattern matches, and
  `ARGS=--continue` those that are neither killed nor explained, after a run that was broken
  off or a test that was added, and all of a module that is another since.
- The reasons below stand in `.ci/mutation.toml`; a survivor without one makes the command
  fail, and so does a mutant that was not tried.

"""


def load(area: str) -> dict:
    """
    Return the names of an area's mutants, the results that are known, and of what.

    Those of a module that is another by now are left out.
    """
    path = RESULTS / f"{area}.json"
    if not path.exists():
        return {"made": [], "results": {}, "modules": {}}
    data = json.loads(path.read_text("utf-8"))
    standing = {
        module for module, was in data["modules"].items() if was == mark(module)
    }
    data["results"] = {
        name: result
        for name, result in data["results"].items()
        if name.partition(" ")[0] in standing
    }
    return data


def mark(module: str) -> str:
    """Return what tells a module from one with another source; ``""`` if it is gone."""
    path = ROOT / module
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""


def write() -> int:
    """Write the page, and return 1 if a survivor has no reason."""
    lived: set[str] = set()
    rows = []
    total: Counter[str] = Counter()
    for area in AREAS:
        data = load(area)
        results = {name: data["results"].get(name, "") for name in data["made"]}
        counts = Counter(results.values())
        counts["made"] = len(results)
        rows.append(row(f"`{area}`", counts))
        total += counts
        lived |= {name for name, result in results.items() if result == "survived"}
    rows.append(row("all", total))
    faults = survivors(lived)
    if unknown := total["made"] - sum(total[one] for one in RESULTS_THAT_COUNT):
        faults.append(f"not tried, or not to be tried: {unknown}")
    PAGE.write_text(
        INTRODUCTION + HEAD + "".join(rows) + "\n" + "".join(sections(lived)), "utf-8"
    )
    for fault in faults:
        sys.stderr.write(f"{fault}\n")
    return int(bool(faults))


HEAD = """\
## Figures

| area | made | killed | timed out | survived | not tried | score |
|---|---|---|---|---|---|---|
"""


def row(name: str, counts: Counter[str]) -> str:
    """Return the line of an area in the table."""
    tried = sum(counts[one] for one in RESULTS_THAT_COUNT)
    killed = tried - counts["survived"]
    score = f"{100 * killed / tried:.1f} %" if tried else "–"
    numbers = [counts[one] for one in ("made", "killed", "timed out", "survived")]
    cells = [name, *numbers, counts["made"] - tried, score]
    return f"| {' | '.join(str(cell) for cell in cells)} |\n"


def survivors(lived: set[str]) -> list[str]:
    """Return what is wrong between the survivors and the reasons."""
    return [
        *(f"without a reason: {name}" for name in sorted(lived - {*EXPLAINED})),
        *(
            f"a reason, yet it does not live: {name}"
            for name in sorted({*EXPLAINED} - lived)
        ),
        *(
            f"two reasons: {name}"
            for name, times in Counter(EXPLAINED).items()
            if times > 1
        ),
    ]


def sections(lived: set[str]) -> list[str]:
    """Return the part of the page that lists the survivors, by reason."""
    lines = ["## Survivors\n"]
    explained: set[str] = set()
    for group in DATA["because"]:
        names = sorted(lived.intersection(group["mutants"]))
        explained |= {*names}
        if names:
            lines += [f"\n{group['reason']}\n\n", *map(entry, names)]
    if left := sorted(lived - explained):
        lines += ["\nNot yet looked at:\n\n", *map(entry, left)]
    return lines


def entry(name: str) -> str:
    """Return the line of a survivor."""
    place, _, change = name.partition(": ")
    path, _, function = place.removeprefix("prompts_app/").partition(" ")
    shown = (code(part) for part in change.split(" → "))
    return f"- {path}, `{function}`: {' → '.join(shown)}\n"


def code(text: str) -> str:
    """Return *text* as code in Markdown, whatever it holds."""
    fence = "``" if "`" in text else "`"
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"
