"""
Texts laid out for filling: what is fixed of them once it is known what is blank.

Which lines of a text go away, where it is trimmed and how it is welded to the next one
depends on which of its values are blank, and on nothing else of them. So each text
is worked through once for each combination that occurs, and filling it is one join.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from prompts_app.assembly.forms import Form, Trim
from prompts_app.assembly.memo import Memo
from prompts_app.exceptions import UnbalancedFence
from prompts_app.syntax import (
    LONGEST_CACHED,
    ReferenceLine,
    at_level,
    names_of,
    parse,
)

UNKNOWN, EMPTY, SPACE, FULL = range(4)
"""What a name can be worth: no variable, ``""``, white space only, more than that."""

States = Mapping[str, int]
Element = tuple[bool, str]
"""Whether it is a name, and the name or else a text as it stands."""

_FORMS = 16
"""How many forms a pattern keeps; a very long one keeps the last."""
_patterns: Memo[Pattern] = Memo(entries=2048, weight=32_000_000)
"""Those of texts that are not very long, by text and level."""


class Pattern:
    """A text at its level."""

    __slots__ = ("_blocks", "_forms", "fault", "names", "text")

    def __init__(self, text: str, level: str) -> None:
        self.fault: UnbalancedFence | None = None
        """A marker without partner, for which the text stays whole."""
        try:
            text = at_level(text, level)
        except UnbalancedFence as fault:
            self.fault = fault.with_traceback(None)
        self.text = text
        """What is to be filled."""
        self._blocks = parse(text)
        self.names = names_of(self._blocks)
        """The names that can expand in it, in order of first use, once."""
        self._forms: dict[tuple[object, ...], Form | None] = {}

    def form(
        self, states: States, *, optional: bool, whole: bool = False
    ) -> Form | None:
        """
        Return what *states*, those of its names, make of it; None: a blank text.

        *optional*: a line goes unless all its known names are full. *whole*: it is
        not trimmed.
        """
        key = (optional, whole, *map(states.__getitem__, self.names))
        try:
            return self._forms[key]
        except KeyError:
            form = _form(self._blocks, states, optional=optional, whole=whole)
            most = _FORMS if len(self.text) <= LONGEST_CACHED else 1
            if len(self._forms) >= most:
                self._forms = {}
            self._forms[key] = form
            return form


def pattern(text: str, level: str) -> Pattern:
    """Return the pattern of a text at a level, remembered unless it is very long."""
    key = (text, level)
    found = _patterns.get(key)
    if found is None:
        found = Pattern(text, level)
        if len(text) <= LONGEST_CACHED:
            _patterns.put(key, found, _FORMS * len(text))
    return found


def _form(
    blocks: Sequence[str | ReferenceLine],
    states: States,
    *,
    optional: bool,
    whole: bool,
) -> Form | None:
    elements: list[Element] = []
    for block in blocks:
        if isinstance(block, str):
            line: list[Element] | None = [(False, block)]
        else:
            line = _line(block, states, optional=optional)
        if line is not None:
            if elements:
                elements.append((False, "\n"))
            elements += line
    if all(_is_blank(element, states) for element in elements):
        return None
    if whole:
        return _laid_out(elements, ())
    return _trimmed(elements, states)


def _line(
    line: ReferenceLine, states: States, *, optional: bool
) -> list[Element] | None:
    """Return what is left of a line; None if it goes."""
    known = [states[name] for name in line.names if states[name] != UNKNOWN]
    if optional and any(state != FULL for state in known):
        return None
    elements = list(_elements(line, states))
    gone = known and all(_is_blank(element, states) for element in elements)
    return None if gone else elements


def _elements(line: ReferenceLine, states: States) -> Iterator[Element]:
    for number, part in enumerate(line.parts):
        state = states[line.names[number // 2]] if number % 2 else UNKNOWN
        if state == UNKNOWN:
            yield False, part
        elif state != EMPTY:
            yield True, line.names[number // 2]


def _is_blank(element: Element, states: States) -> bool:
    is_name, text = element
    return states[text] != FULL if is_name else not text or text.isspace()


def _trimmed(elements: list[Element], states: States) -> Form:
    """Return the form of a text that is not blank, without its outer white space."""
    while _is_blank(elements[0], states):
        del elements[0]
    while _is_blank(elements[-1], states):
        del elements[-1]
    starts, ends = elements[0][0], elements[-1][0]
    if not starts:
        elements[0] = (False, elements[0][1].lstrip())
    if not ends:
        elements[-1] = (False, elements[-1][1].rstrip())
    last = 2 * sum(is_name for is_name, _ in elements) - 1
    if starts and ends and last == 1:
        return _laid_out(elements, ((1, str.strip),))
    left = ((1, str.lstrip),) if starts else ()
    right = ((last, str.rstrip),) if ends else ()
    return _laid_out(elements, (*left, *right))


def _laid_out(elements: Sequence[Element], trims: tuple[tuple[int, Trim], ...]) -> Form:
    parts: list[str] = []
    names: list[str] = []
    fixed: list[str] = []
    for is_name, text in elements:
        if is_name:
            parts += ("".join(fixed), "")
            names.append(text)
            fixed = []
        else:
            fixed.append(text)
    parts.append("".join(fixed))
    return Form(tuple(parts), tuple(names), trims)
