"""
The documents of this repository: what stands in them, and how a reader tries them.

The Python blocks of a page run one after another in one namespace, with an empty
registry; ``await`` may stand at the top, as in an asynchronous shell. What a block
prints has to stand in the ``text`` block after it, and nothing else may stand there.
Functions named ``test_…`` and test cases that a block defines are run. A block in a
comment, from a line ``<!-- python`` to a line ``-->``, runs as well and is not shown;
it may leave in ``afterwards``, an ``ExitStack``, what has to be put right when the page
has been tried. In a ``console`` block each line that begins ``$ manage.py`` is run
(``> file`` and ``< file`` as a shell has them) and what it prints has to stand under
it; a line ``…`` stands for any lines, ``…`` in a line for any characters.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import re
import shlex
import unittest
import unittest.mock
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from asgiref.sync import async_to_sync
from django.core.management import CommandError, call_command

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
SECTION = re.compile(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(
    r"^(?:```(?P<shown>\w*)\n|<!-- (?P<hidden>python)\n)(?P<text>.*?)^(?:```|-->)$",
    re.MULTILINE | re.DOTALL,
)
COMMAND = re.compile(r"(?:^\$ |^ {4}|`)(make|manage\.py) ([^`#<>\n]+)", re.MULTILINE)


class Block(NamedTuple):
    """A block of code or output in a document."""

    language: str
    text: str
    line: int
    """Where its text begins, from 1."""
    hidden: bool


def read(name):
    """Return the text of a document."""
    return (ROOT / name).read_text("utf-8")


def name_of(path):
    """Return how a document is called, from the top of the repository."""
    return path.relative_to(ROOT).as_posix()


def sections(name):
    """Return the sections of a document by heading, in order."""
    return dict(SECTION.findall(read(name)))


def blocks(text):
    """Return the blocks of a document's text, in order."""
    return [
        Block(
            found["shown"] or found["hidden"] or "",
            found["text"],
            text.count("\n", 0, found.start("text")) + 1,
            found["hidden"] is not None,
        )
        for found in BLOCK.finditer(text)
    ]


def examples(text):
    """Return the Python blocks of a document's text that readers see."""
    return [b.text for b in blocks(text) if b.language == "python" and not b.hidden]


def commands(text):
    """Return the commands that a document's text names, as pairs of program and rest."""
    return COMMAND.findall(text)


def run(example, names, file="example", line=1):
    """Run *example* with *names*; *file* and *line* are where it stands."""
    code = compile(
        "\n" * (line - 1) + example,
        file,
        "exec",
        flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT,
        dont_inherit=True,
    )
    waiting = eval(code, names)  # noqa: S307  # our own documents
    if inspect.isawaitable(waiting):
        async_to_sync(_wait)(waiting)


async def _wait(waiting):
    await waiting


def try_page(path, fixture):
    """
    Do what a page shows, from top to bottom, and return how many examples it has.

    *fixture* returns the fixture of a name, for tests that a page shows.
    """
    found = blocks(path.read_text("utf-8"))
    tried = 0
    with contextlib.ExitStack() as afterwards:
        names = {"__name__": "example", "afterwards": afterwards}
        for block, after in pairwise([*found, None]):
            if block.language == "python":
                told = _try_python(block, names, str(path), fixture)
                shown = after.text if after and after.language == "text" else ""
                assert told.rstrip() == shown.rstrip(), f"It prints:\n{told}"
                tried += not block.hidden
            elif block.language == "console":
                tried += _try_console(block)
    return tried


def _try_python(block, names, file, fixture):
    before = dict(names)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        run(block.text, names, file, block.line)
    made = [v for name, v in names.items() if before.get(name) is not v]
    for one in made:
        if inspect.isclass(one) and issubclass(one, unittest.TestCase):
            _run_case(one)
        elif inspect.isfunction(one) and one.__name__.startswith("test_"):
            _run_test(one, fixture)
    return out.getvalue()


def _run_case(case):
    if case.__module__ == "example":
        result = unittest.TestResult()
        unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
        assert result.testsRun, f"{case.__name__} holds no test"
        assert [*result.errors, *result.failures] == []


def _run_test(test, fixture):
    waiting = test(
        **{name: fixture(name) for name in inspect.signature(test).parameters}
    )
    if inspect.isawaitable(waiting):
        async_to_sync(_wait)(waiting)


def _try_console(block):
    typed = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert typed[0] == "", f"a console block begins with a command: {block.text}"
    for one in typed[1:]:
        command, _, shown = one.partition("\n")
        told = "\n".join(line.rstrip() for line in _type(command).strip().split("\n"))
        assert re.fullmatch(_pattern(shown), told, re.DOTALL), told
    return len(typed) - 1


def _type(command):
    """Return what *command* prints, errors as ``manage.py`` words them."""
    words = shlex.split(command, comments=True)
    files = {sign: words[words.index(sign) + 1] for sign in "<>" if sign in words}
    end = min([words.index(sign) for sign in files], default=len(words))
    assert words[0] == "manage.py", command
    out = io.StringIO()
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(out))
        if "<" in files:
            stdin = stack.enter_context(Path(files["<"]).open(encoding="utf-8"))
            stack.enter_context(unittest.mock.patch("sys.stdin", stdin))
        try:
            call_command(*words[1:end], stderr=out)
        except CommandError as error:
            out.write(f"CommandError: {error}")
    if ">" in files:
        Path(files[">"]).write_text(out.getvalue(), "utf-8")
        return ""
    return out.getvalue()


def _pattern(shown):
    return "\n".join(
        ".*" if line.strip() == "…" else re.escape(line.rstrip()).replace("…", "[^\n]*")
        for line in shown.strip().split("\n")
    )
