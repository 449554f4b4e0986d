"""
Break the code in every way that mutmut knows, and see whether the tests notice.

mutate.py [--continue] [PATTERN…]: only the mutants whose names one of the patterns
matches, such as "*registry/store.py Registry.view*"; to continue leaves those out that
are killed or have a reason to live. The results are kept beside the virtual environment,
and docs/mutation.md is written from them. A survivor without a reason in mutation.toml is
a fault.
"""

from __future__ import annotations

import fnmatch
import functools
import json
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import pytest
from mutants import mutants_of
from mutation_page import AREAS, EXPLAINED, RESULTS, ROOT, load, mark, write
from mutation_run import Run

CONTINUE = "--continue"
OPTIONS = (
    *("-p", "no:cacheprovider"),
    *("-p", "no:xdist"),
    "--no-cov",
    "--nomigrations",
    *("--hypothesis-profile", "few"),
    *("--hypothesis-seed", "0"),
)


def files_of(area: str) -> list[str]:
    """Return the modules of an area, as paths from the root."""
    place = ROOT / "prompts_app" / area
    found = place.glob("*.py") if place.is_dir() else [place.with_suffix(".py")]
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def tests_of(area: str) -> list[str]:
    """Return the files with the tests that an area is tried by."""
    folder = ROOT / "tests"
    found = {path for pattern in AREAS[area]["tests"] for path in folder.glob(pattern)}
    left_out = AREAS[area].get("without", ())
    return sorted(f"tests/{path.name}" for path in found if path.name not in left_out)


def try_area(area: str, patterns: list[str]) -> int:
    """Try mutants of one area in this process, and keep the results."""
    made = [mutant for path in files_of(area) for mutant in mutants_of(ROOT, path)]
    names = {mutant.name for mutant in made}
    if not patterns:
        (RESULTS / f"{area}.json").unlink(missing_ok=True)
    known = settled(area) if CONTINUE in patterns else set()
    wanted = [one for one in patterns if one != CONTINUE] or ["*"]
    asked = [
        mutant
        for mutant in made
        if mutant.name not in known
        and any(fnmatch.fnmatchcase(mutant.name, pattern) for pattern in wanted)
    ]
    # Mixed, so that a run that is broken off says something of every module.
    asked.sort(key=lambda mutant: zlib.crc32(mutant.name.encode()))
    sys.stdout.write(f"{area}: {len(asked)} of {len(made)} mutants\n")
    sys.stdout.flush()
    keep(area, names, {})
    if not asked:
        return 0
    with tempfile.TemporaryDirectory() as folder:
        kept = functools.partial(keep, area, names)
        run = Run(asked, {*EXPLAINED}, Path(folder), kept)
        options = [*OPTIONS, "--basetemp", f"{folder}/tests", *tests_of(area)]
        status = pytest.main(options, [run])
    keep(area, names, run.results)
    return int(status)


def settled(area: str) -> set[str]:
    """Return the mutants of which nothing more has to be known."""
    return {
        name
        for name, result in load(area)["results"].items()
        if result in ("killed", "timed out") or name in EXPLAINED
    }


def keep(area: str, names: set[str], results: dict[str, str]) -> None:
    """Put *results* beside the earlier ones of an area, and forget who is no more."""
    kept = load(area)["results"] | results
    known = {name: result for name, result in kept.items() if name in names}
    modules = {path: mark(path) for path in files_of(area)}
    data = {"made": sorted(names), "results": known, "modules": modules}
    text = json.dumps(data, indent=1, sort_keys=True)
    (RESULTS / f"{area}.json").write_text(text, "utf-8")


def main(arguments: list[str]) -> int:
    """Try each area in a process of its own, then write the page."""
    if arguments[:1] == ["--area"]:
        return try_area(arguments[1], arguments[2:])
    for area in AREAS:
        command = [sys.executable, __file__, "--area", area, *arguments]
        subprocess.run(command, cwd=ROOT, check=True)
    return write()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
