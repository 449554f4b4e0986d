"""
Texts laid out for filling: what is fixed of them once it is known what is blank.

Which lines of a text go away, where it is trimmed and how it is welded to the next one
depends on which of its values are blank, and on nothing else of them. So each text
is worked through once for each combination that occurs, and filling it is one join.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from prompts_app.assembly.welding import is_item
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
Trim = Callable[[str], str]
Element = tuple[bool, str]
"""Whether it is a name, and the name or else a text as it stands."""

_CACHED_PATTERNS = 2048
_FORMS = 16


@dataclass(frozen=True, slots=True)
class Form:
    """A text of which only the values are missing."""

    parts: tuple[str, ...] = field(repr=False)
    """Fixed texts at even places; what stands at odd ones is replaced."""
    names: tuple[str, ...] = ()
    """Whose values belong at the odd places, in order; each has one."""
    trims: tuple[tuple[int, Trim], ...] = ()
    """Where a value ends a section and loses its white space, and how."""
    welds: tuple[tuple[int, int, int], ...] = ()
    """Where one line feed too many stands if two items meet: place and offset of the
    two, and the place since which no fixed text has one; the last ones first."""

    def fill(self, values: Iterable[str]) -> str:
        """Return the text with *values*, those of its names in order."""
        if not self.names:
            return self.parts[0]
        pieces = [*self.parts]
        pieces[1::2] = values
        for place, trim in self.trims:
            pieces[place] = trim(pieces[place])
        for place, offset, since in self.welds:
            if _items_meet(pieces, place, offset, since):
                piece = pieces[place]
                pieces[place] = piece[:offset] + piece[offset + 1 :]
        return "".join(pieces)


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
        self, states: States, *, optional: bool = False, whole: bool = False
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
            if len(self._forms) >= _FORMS:
                self._forms = {}
            self._forms[key] = form
            return form


_cached = lru_cache(maxsize=_CACHED_PATTERNS)(Pattern)


def pattern(text: str, level: str) -> Pattern:
    """Return the pattern of a text at a level, remembered unless it is very long."""
    return (_cached if len(text) <= LONGEST_CACHED else Pattern)(text, level)


def joined(forms: Iterable[Form]) -> Form:
    """Return one form whose text is that of trimmed *forms*, welded."""
    parts: list[str] = []
    fixed: list[str] = []
    names: list[str] = []
    trims: list[tuple[int, Trim]] = []
    welds: list[tuple[int, int, int]] = []
    last: Form | None = None
    for form in forms:
        if last is not None:
            between = _between(last, form)
            if between is None:
                welds.append((len(parts), sum(map(len, fixed)), _last_break(parts)))
            fixed.append(between or "\n\n")
        last = form
        fixed.append(form.parts[0])
        if form.names:
            trims += [(len(parts) + place, trim) for place, trim in form.trims]
            parts.append("".join(fixed))
            parts += form.parts[1:-1]
            names += form.names
            fixed = [form.parts[-1]]
    parts.append("".join(fixed))
    return Form(tuple(parts), tuple(names), tuple(trims), tuple(reversed(welds)))


def _between(one: Form, other: Form) -> str | None:
    """Return what stands between two sections; None if their values decide it."""
    begins = _begins_item(other)
    if begins is False:
        return "\n\n"
    ends = _ends_item(one)
    if ends is False:
        return "\n\n"
    return "\n" if begins and ends else None


def _last_break(parts: Sequence[str]) -> int:
    """Return the place of the last fixed text with a line feed; 0 if there is none."""
    places = range(len(parts) - 2, 0, -2)
    return next((place for place in places if "\n" in parts[place]), 0)


def _items_meet(pieces: Sequence[str], place: int, offset: int, since: int) -> bool:
    """Return whether items of a list end and begin where two line feeds stand."""
    piece = pieces[place]
    start = piece[offset + 2 : offset + 4]
    if len(start) < 2:
        start += "".join(pieces[place + 1 : place + 4])
    if start[:2] != "- ":
        return False
    line = "".join(pieces[since:place]) + piece[:offset]
    return is_item(line[line.rfind("\n") + 1 :])


def _begins_item(form: Form) -> bool | None:
    """Return whether a trimmed text begins an item of a list; None: values decide."""
    first = form.parts[0]
    if len(first) < 2 and form.names:
        return None if first in ("", "-") else False
    return first.startswith("- ")


def _ends_item(form: Form) -> bool | None:
    """Return whether the last line of a text is an item; None: values decide."""
    last = form.parts[-1]
    start = last.rfind("\n") + 1
    if not start and form.names:
        return None
    return is_item(last[start:])


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
