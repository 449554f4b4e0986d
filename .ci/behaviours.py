"""
Write docs/behaviours.md and docs/cases.md, or check that they are current.

behaviours.py [--check]: the rows stand in behaviours.toml, the tests are those whose
decorators bear a row's mark. A row without test, decision or plan is a fault.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INTRODUCTIONS = {
    "behaviours": """\
# Behaviours

What the systems before this one did, row by row, and what holds it here: the tests
that bear the row's mark, or the decision that it is otherwise.
""",
    "cases": """\
# Cases

Faults that people reported of other systems of this kind, by number, and the tests
that rule them out here.
""",
}
MARKS = {"covers", "case"}


def collect() -> dict[str, set[str]]:
    """Return the tests that bear a mark of each row, as ``file::name``."""
    tests: dict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for test in ast.walk(tree):
            if isinstance(test, ast.FunctionDef | ast.AsyncFunctionDef):
                for row in marked(test):
                    tests[row].add(f"{path.relative_to(ROOT).as_posix()}::{test.name}")
    return tests


def marked(test: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Return the rows that a test is marked with, by itself or for a parameter."""
    return {
        str(argument.value)
        for decorator in test.decorator_list
        for call in ast.walk(decorator)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in MARKS
        for argument in call.args
        if isinstance(argument, ast.Constant)
    }


def held_by(row: str, tests: set[str], data: dict[str, dict[str, str]]) -> str:
    """Return the last cell of a row; ``""`` is a fault."""
    links = []
    for test in sorted(tests):
        path, _, name = test.partition("::")
        links.append(f"[{name}](../{path})")
    said = [data["decided"].get(row, ""), ", ".join(links)]
    return " ".join(filter(None, said))


def tables(data: dict, tests: dict[str, set[str]]) -> tuple[dict[str, str], list[str]]:
    """Return the text of each document by its name, and the faults of the rows."""
    faults = []
    documents = {}
    rows = set()
    for name, introduction in INTRODUCTIONS.items():
        lines = [introduction]
        for heading, titles in data[name].items():
            lines.append(f"## {heading}\n\n| | what | held by |\n|---|---|---|")
            for row, title in titles.items():
                rows.add(row)
                cell = held_by(row, tests.get(row, set()), data)
                if not cell:
                    faults.append(f"{row} has no test and no decision: {title}")
                lines.append(f"| {row} | {title} | {cell} |")
            lines.append("")
        documents[name] = "\n".join(lines)
    named = {*tests, *data["decided"]}
    faults += [f"{row} is no row" for row in sorted(named - rows)]
    return documents, faults


def main(arguments: list[str]) -> int:
    """Write or check the documents and say what is wrong."""
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    documents, faults = tables(data, collect())
    for name, text in documents.items():
        path = ROOT / "docs" / f"{name}.md"
        if "--check" not in arguments:
            path.write_text(text, "utf-8")
        elif not path.exists() or path.read_text("utf-8") != text:
            faults.append(f"docs/{name}.md is not current: make behaviours")
    for fault in faults:
        sys.stderr.write(f"{fault}\n")
    return len(faults) > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
