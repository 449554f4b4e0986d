"""
What is to hold for any bytes at all: one function for each surface of texts.

Each takes the bytes of one input and raises if a promise is broken. `.ci/fuzz.py`
looks for such bytes; what it found is kept in ``tests/corpus`` and tried by every run of
the tests. An input is UTF-8; other bytes become lone surrogates. Where several texts are
needed, a record separator stands between them.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from prompts_app.admin.importing import packed
from prompts_app.diffing import differences, line_differences
from prompts_app.exceptions import ReferenceFault, UnbalancedFence
from prompts_app.lint import ERROR, SEVERITIES, Problem, examine, in_utf16, refusals
from prompts_app.lint.problems import MOST
from prompts_app.overrides.exchange import addresses_of, parse as parse_file
from prompts_app.overrides.merge import merge
from prompts_app.syntax import (
    ReferenceLine,
    _parse_cached,
    at_level,
    clean_untrusted,
    fingerprint,
    fold_line_breaks,
    parse,
    substitute,
    substitute_strict,
    variables_in,
)
from tests import reference_text as slow
from tests.assembling import fragment, registry_of
from tests.linting import CATALOGUE
from tests.messaging import APIS, ask, conversation, told

BETWEEN = "\x1e"
"""A record separator."""
LONG = 20_000
PART = 8
"""How many times as long a text is as the part of it that it is compared with."""
GROWTH = 24
"""How many times as long it may take: 64 would be quadratic, and it takes up to 12."""
FLOOR = 0.005
"""Up to how many seconds nothing is compared, since all of it may be chance."""
MESSAGE = 6_000
"""How long a message about a file may be, however long the file is."""
MARKERS = {True: "<!-- detailed -->", False: "<!-- /detailed -->"}
LEVELS = ("lean", "detailed", None, "loud")
EDITED = (
    fragment("core.a", "Default."),
    fragment("core.a", "{{name}} {{day}}", must_mention=("day", "name")),
    fragment(
        "core.a", "Default.", provides="aside", level="detailed", unless=("product",)
    ),
)
VIEWS = tuple(registry_of(*CATALOGUE, one).view() for one in EDITED)


def text_in(data: bytes) -> str:
    """Return the text that an input stands for."""
    return data.decode("utf-8", "surrogateescape")


def values_in(parts: list[str]) -> dict[str, str | None]:
    """Return the values in records ``name=value``; None where there is no sign."""
    pairs = [part.partition("=") for part in parts]
    return {name: value if sign else None for name, sign, value in pairs}


def references(data: bytes) -> None:
    """Try a text, and values for it: filled as by reading it letter by letter."""
    text, *rest = text_in(data).split(BETWEEN)
    known = values_in(rest)
    written = {name: value or "" for name, value in known.items()}
    for optional in (False, True):
        filled = substitute(text, known, optional_lines=optional)
        assert filled == slow.fill(text, written, optional=optional)
    assert variables_in(text) == tuple(dict.fromkeys(slow.names_in(text)))
    assert _rebuilt(text) == text
    assert _strictly(text, known) == slow.strict(text, known)
    # A value that is a reference is a value.
    itself = {name: f"{{{{{name}}}}}" for name in variables_in(text)}
    assert substitute(substitute(text, itself), itself) == substitute(text, itself)


def _rebuilt(text: str) -> str:
    blocks = parse(text)
    return "\n".join(
        "".join(one.parts) if isinstance(one, ReferenceLine) else one for one in blocks
    )


def _strictly(text: str, known: Mapping[str, str | None]) -> str | tuple[str, int]:
    try:
        return substitute_strict(text, known)
    except ReferenceFault as fault:
        return type(fault).__name__, fault.position


def fences(data: bytes) -> None:
    """Try a text at every level: lean is what is detailed and not fenced."""
    text = text_in(data)
    found = {level: _at(text, level) for level in LEVELS}
    expected = {level: slow.at_level(text, level) for level in LEVELS}
    assert found == expected
    lean, detailed = found["lean"], found["detailed"]
    if lean is None or detailed is None:
        assert set(found.values()) == {None}
        return
    assert not Counter(lean.split("\n")) - Counter([*detailed.split("\n"), ""])
    assert {at_level(detailed, level) for level in LEVELS} == {detailed}
    assert at_level(lean, "lean") == lean


def _at(text: str, level: str | None) -> str | None:
    try:
        return at_level(text, level)
    except UnbalancedFence as error:
        line, marker = error.line, MARKERS[error.opened]
    assert text.split("\n")[line - 1].strip() == marker
    return None


def cleaning(data: bytes) -> None:
    """Try a value from outside: what is cleaned once is clean."""
    text = text_in(data)
    cleaned = clean_untrusted(text)
    assert cleaned == slow.clean(text)
    assert clean_untrusted(cleaned) == cleaned
    assert fingerprint(text) == fingerprint(fold_line_breaks(text))


def imports(data: bytes) -> None:
    """Try the bytes of a file: a document, or one short sentence why not."""
    document, goals, fault = None, None, "no"
    try:
        document = parse_file(data)
        goals = addresses_of(document)
    except ValueError as error:
        fault = str(error)
    assert 0 < len(fault) < MESSAGE
    if goals is None:
        return
    # It travels in a form, and says the same there.
    assert addresses_of(parse_file(packed(document).encode())) == goals
    assert addresses_of(parse_file(json.dumps(document).encode())) == goals


def advice(data: bytes) -> None:
    """Try a text and the one before it: what an editor is told has its place."""
    folded = fold_line_breaks(text_in(data).split(BETWEEN)[0])
    for found in advised(data):
        assert all(count <= MOST for count in Counter(p.code for p in found).values())
        assert {p.code for p in found} <= SEVERITIES.keys()
        ends = {end for p in found for end in (p.start, p.start + p.length)}
        assert all(0 <= end <= len(folded) for end in ends)
        assert in_utf16(folded, ends).keys() == ends
        errors = {p for p in found if p.severity == ERROR}
        assert errors == (set(refusals(folded, 200)) if folded.strip() else set())


def advised(data: bytes) -> Iterator[tuple[Problem, ...]]:
    """Yield what an editor is told of a text, as a text of each fragment."""
    text, *rest = text_in(data).split(BETWEEN)
    before = rest[0] if rest else None
    for one, view in zip(EDITED, VIEWS, strict=True):
        yield examine(text, one, view, before=before, limit=200)


def edits(data: bytes) -> None:
    """Try three texts: differences lose nothing, and merging takes no side."""
    texts = [*text_in(data).split(BETWEEN), "", ""]
    ancestor, mine, theirs = texts[:3]
    for before, after in ((ancestor, mine), (mine, theirs)):
        runs = differences(before, after)
        assert "".join(run.text for run in runs if run.kind != "added") == before
        assert "".join(run.text for run in runs if run.kind != "removed") == after
        whole = line_differences(before, after)
        assert all(run.text.endswith("\n") for run in whole)
    assert merge(ancestor, ancestor, mine) == mine
    assert merge(ancestor, mine, mine) == mine
    assert merge(ancestor, mine, theirs) == merge(ancestor, theirs, mine)


def requests(data: bytes) -> None:
    """Try values in every lane: each API is told all of them, and the same again."""
    authored, *values = [*text_in(data).split(BETWEEN), "", "", "", ""][:5]
    assembly = told(*values)
    for api in APIS:
        make = partial(ask, api, assembly, authored=authored, messages=())
        request = make()
        assert json.dumps(request) == json.dumps(make())
        said = [part["text"] for part in request.get("system", ())]
        for message in conversation(request):
            said += [part["text"] for part in message["content"]]
        for lane in assembly.lanes.values():
            assert not lane.text or any(lane.text in one for one in said)


def length(data: bytes) -> None:
    """Try a pattern over and over: the work grows as the text does."""
    pattern = text_in(data)
    # Many a slow match is slow because it fails at the end.
    long, short = (
        pattern * (size // max(1, len(pattern))) + "." for size in (LONG, LONG // PART)
    )
    for step in (
        lambda text: substitute(text, {"a": "x", "b": None}, optional_lines=True),
        lambda text: _strictly(text, {"a": "x"}),
        clean_untrusted,
        lambda text: _at(text, "lean"),
        lambda text: examine(text, EDITED[1], VIEWS[1]),
        lambda text: differences(text, text[::-1]),
    ):
        bound = max(FLOOR, GROWTH * min(_spent(step, short) for _ in range(3)))
        assert any(_spent(step, long) < bound for _ in range(3))


def _spent(step: Callable[[str], object], text: str) -> float:
    """Return how much of the processor a step takes, in seconds."""
    # The next step is to do its own work.
    _parse_cached.cache_clear()
    started = time.process_time()
    step(text)
    return time.process_time() - started


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    one.__name__: one
    for one in (
        references,
        fences,
        cleaning,
        imports,
        advice,
        edits,
        requests,
        length,
    )
}
