"""
The mutants of a module: its source with one small change each.

Which changes there are is mutmut's to say. What it leaves alone is left alone here
too (annotations, decorators, documentation, the arguments of `len` and `isinstance`),
but for functions with decorators: these are broken as any other. What stands in the
body of a class and outside of its methods is left alone.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import CodeType

import libcst as cst
from libcst.metadata import MetadataWrapper
from mutmut.mutation.mutators import mutation_operators

UNTOUCHED_CALLS = {"len", "isinstance"}
CONTEXT = 24


@dataclass(frozen=True)
class Mutant:
    """One change of one module."""

    path: str
    function: str
    """The qualified name of the outermost function; ``""`` is the module itself."""
    ordinal: int
    """Which of the functions of that name: a property's setter is the second."""
    parameter: str
    """The parameter whose default it is; ``""``: it is in the body."""
    default: object
    """What that default becomes."""
    change: str
    file: str
    source: str
    """The whole module with the change."""

    @property
    def name(self) -> str:
        """Return what tells it from all others."""
        return f"{self.path} {self.function or 'module'}: {self.change}"


@dataclass(frozen=True)
class Found:
    """A node of a module, and what may stand in its place."""

    old: cst.CSTNode
    new: cst.CSTNode
    function: str
    ordinal: int
    parameter: str
    statement: int
    """Which of the module's statements it is in."""


class Finder(cst.CSTVisitor):
    """Walks a module and collects what can be changed in it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Found] = []
        self.statement = 0
        self._seen: Counter[str] = Counter()
        self._names: list[str] = []
        self._outer: cst.FunctionDef | None = None
        self._parameters: cst.Parameters | None = None
        self._parameter = ""

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Note what can be changed at *node*, and say whether to look into it."""
        if is_left_alone(node):
            return False
        if isinstance(node, cst.ClassDef) and not self._outer:
            self._names.append(node.name.value)
        elif isinstance(node, cst.FunctionDef) and not self._outer:
            self._outer = node
            self._names.append(node.name.value)
            self._seen[".".join(self._names)] += 1
            self._parameters = node.params
        elif isinstance(node, cst.Param) and self._parameters:
            self._parameter = node.name.value
        if self._outer or not self._names:
            self._collect(node)
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        """Forget where the walk is once it has left *original_node*."""
        if original_node is self._parameters:
            self._parameters, self._parameter = None, ""
        if original_node is self._outer:
            self._outer = None
            self._names.pop()
        elif isinstance(original_node, cst.ClassDef) and not self._outer:
            self._names.pop()

    def _collect(self, node: cst.CSTNode) -> None:
        function = ".".join(self._names)
        for kind, operator in mutation_operators:
            if isinstance(node, kind):
                for new in operator(node):
                    place = (function, self._seen[function] - 1, self._parameter)
                    self.found.append(Found(node, new, *place, self.statement))


def is_left_alone(node: cst.CSTNode) -> bool:
    """Tell whether nothing in *node* is changed."""
    if isinstance(node, cst.Annotation | cst.Decorator | cst.Import | cst.ImportFrom):
        return True
    if isinstance(node, cst.If):
        return cst.ensure_type(node, cst.If).test.deep_equals(cst.Name("TYPE_CHECKING"))
    if isinstance(node, cst.Assign):
        return node.targets[0].target.deep_equals(cst.Name("__all__"))
    called = node.func if isinstance(node, cst.Call) else None
    return isinstance(called, cst.Name) and called.value in UNTOUCHED_CALLS


def mutants_of(root: Path, path: str) -> Iterator[Mutant]:
    """Yield every mutant of the module at *path* that is still Python."""
    text = (root / path).read_text("utf-8")
    standing = codes_of(compile(text, path, "exec"))
    times: Counter[str] = Counter()
    for found, new, source in changes_of(text):
        try:
            compiled = compile(source, path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            continue
        place = (found.function, found.ordinal)
        is_in_body = found.function and not found.parameter
        if is_in_body and codes_of(compiled)[place] == standing[place]:
            continue
        default = ast.literal_eval(new) if found.parameter else None
        change, file = told(text, source), str(root / path)
        mutant = Mutant(path, *place, found.parameter, default, change, file, source)
        times[mutant.name] += 1
        again = times[mutant.name]
        yield replace(mutant, change=f"{change} ({again})") if again > 1 else mutant


def changes_of(text: str) -> Iterator[tuple[Found, str, str]]:
    """Yield what can be changed, what stands there then, and the source with it."""
    module = MetadataWrapper(cst.parse_module(text)).module
    finder = Finder()
    for finder.statement, statement in enumerate(module.body):
        statement.visit(finder)
    parts = [module.code_for_node(one) for one in (*module.header, *module.body)]
    lengths = [0, *itertools.accumulate(len(part) for part in parts)]
    starts = lengths[len(module.header) :]
    for found in finder.found:
        source = changed(module, found, text, starts[found.statement])
        yield found, module.code_for_node(found.new), source


def changed(module: cst.Module, found: Found, text: str, start: int) -> str:
    """Return the source *text* of *module* with a change in what begins at *start*."""
    statement = module.body[found.statement]
    before, after = (
        module.code_for_node(one)
        for one in (statement, statement.deep_replace(found.old, found.new))
    )
    return text[:start] + after + text[start + len(before) :]


def codes_of(code: CodeType) -> dict[tuple[str, int], CodeType]:
    """Return the code of every function in a module by qualified name and ordinal."""
    found: dict[tuple[str, int], CodeType] = {}
    times: Counter[str] = Counter()
    waiting = [code]
    while waiting:
        for inner in waiting.pop(0).co_consts:
            if isinstance(inner, CodeType):
                found[inner.co_qualname, times[inner.co_qualname]] = inner
                times[inner.co_qualname] += 1
                waiting.append(inner)
    return found


def told(before: str, after: str) -> str:
    """Return in a few words what tells one source from another."""
    one, other = before.split("\n"), after.split("\n")
    start = shared(one, other)
    end = shared(one[start:][::-1], other[start:][::-1])
    old, new = (
        re.sub(r"\s+", " ", " ".join(lines[start : len(lines) - end]).strip())
        for lines in (one, other)
    )
    front = shared(old, new)
    back = shared(old[front:][::-1], new[front:][::-1])
    front = old.rfind(" ", 0, max(front - CONTEXT, 0)) + 1
    back = max(back - CONTEXT, 0)
    back -= max((old[len(old) - back :] + " ").find(" "), 0) if back else 0
    ends = ("… " if front else "", " …" if back > 0 else "")
    cut = [
        ends[0] + text[front : len(text) - max(back, 0)] + ends[1]
        for text in (old, new)
    ]
    return " → ".join(cut)


def shared(one: str | list[str], other: str | list[str]) -> int:
    """Return how many items two sequences share at their beginning."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
