"""
Puts one mutant into this process, and tells which functions are called in it.

A changed function gets the code of its mutant: whatever holds on to the function, be it
a class, a property or a cache, runs it from then on.
"""

from __future__ import annotations

import ast
import functools
import gc
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType

from mutants import Mutant, codes_of

Place = tuple[str, str, int]
"""File, qualified name and first line of a function."""


def place_of(code: CodeType) -> Place:
    """Return where a function stands."""
    return (code.co_filename, code.co_qualname, code.co_firstlineno)


def functions_of(files: set[str]) -> dict[Place, list[FunctionType]]:
    """Return every living function of some files, by where it stands."""
    found: dict[Place, list[FunctionType]] = defaultdict(list)
    for one in gc.get_objects():
        if type(one) is FunctionType and one.__code__.co_filename in files:
            found[place_of(one.__code__)].append(one)
    return found


def memories() -> list[Callable[[], None]]:
    """Return what makes the package forget what it remembers, memory by memory."""
    cache = functools._lru_cache_wrapper  # noqa: SLF001  # functools gives the type of its caches no public name
    memo = sys.modules["prompts_app.assembly.memo"].Memo
    found = [one for one in gc.get_objects() if type(one) in (cache, memo)]
    return [
        one.clear if type(one) is memo else one.cache_clear
        for one in found
        if one.__module__.startswith("prompts_app")
    ]


@contextmanager
def watching(files: set[str], note: Callable[[Place], object]) -> Iterator[None]:
    """Tell *note* of every function of some *files* that is called meanwhile."""

    def called(frame: FrameType, _event: str, _argument: object) -> None:
        if frame.f_code.co_filename in files:
            note(place_of(frame.f_code))

    # As a tracer of calls it is not told of C's functions, nor of lines.
    threading.settrace(called)
    sys.settrace(called)
    try:
        yield
    finally:
        sys.settrace(None)
        threading.settrace(None)


def change(mutant: Mutant, functions: list[FunctionType]) -> None:
    """Let *functions*, which are the one of the mutant, do what it does."""
    place = (mutant.function, mutant.ordinal)
    changed = codes_of(compile(mutant.source, mutant.file, "exec"))[place]
    if not functions:
        raise LookupError(mutant.name)
    for function in functions:
        if not mutant.parameter:
            function.__code__ = changed
        elif mutant.parameter in (function.__kwdefaults__ or {}):
            function.__kwdefaults__[mutant.parameter] = mutant.default
        else:
            named = changed.co_varnames[: changed.co_argcount]
            defaults = list(function.__defaults__ or ())
            defaults[named.index(mutant.parameter) - len(named)] = mutant.default
            function.__defaults__ = tuple(defaults)


class Raised(Exception):
    """A changed statement of a module raised an error, as it would at its import."""


def rebind(mutant: Mutant) -> None:
    """
    Give names of a module, and those made of them, the values of the mutant.

    Raises:
        Raised: a statement of the mutant did.
    """
    path = mutant.path.removesuffix(".py").replace("/", ".")
    module = sys.modules[path.removesuffix(".__init__")]
    values = dict(vars(module))
    changed: set[str] = set()
    before = ast.parse(Path(mutant.file).read_text("utf-8"))
    for old, new in zip(before.body, ast.parse(mutant.source).body, strict=True):
        names = {node for node in ast.walk(new) if isinstance(node, ast.Name)}
        used = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        follows = isinstance(new, ast.Assign | ast.AnnAssign) and used & changed
        if follows or ast.dump(old) != ast.dump(new):
            code = compile(ast.Module([new], []), mutant.file, "exec")
            try:
                exec(code, values)  # noqa: S102  # a statement of this repository with one change, in a process made for it
            except Exception as error:
                raise Raised(mutant.name) from error
            changed |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
    # A name that is stored to in a comprehension is none of the module's.
    changed &= vars(module).keys()
    pairs = {name: (vars(module)[name], values[name]) for name in changed}
    for holder in [*sys.modules.values()]:
        if getattr(holder, "__name__", "").startswith(("prompts_app", "tests")):
            exchange(holder, pairs)


def exchange(holder: ModuleType, values: dict[str, tuple[object, object]]) -> None:
    """Give *holder* new values for the names under which it holds the old ones."""
    for name, (old, new) in values.items():
        if vars(holder).get(name) is old:
            setattr(holder, name, new)
