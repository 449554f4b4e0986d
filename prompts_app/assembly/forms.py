"""
Texts of which only the values are missing, and how they are joined to longer ones.

Filling one is a list with values put in at odd places, and one join.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from prompts_app.assembly.welding import is_item

Trim = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Weld:
    """A place between two sections where values decide whether items meet."""

    place: int
    """Of the fixed text in which the two line feeds stand."""
    offset: int
    """Where they begin in it."""
    start: str = field(repr=False)
    """The first two characters behind them, or fewer if a value follows."""
    since: int
    """The place behind which the line before them has all its values."""
    head: str = field(repr=False)
    """What is fixed at the beginning of that line."""
    tail: str = field(repr=False)
    """What is fixed at its end."""
    flat: bool | None
    """Whether that line is one of a list if no value has several; None: head decides."""

    def is_tight(self, pieces: Sequence[str]) -> bool:
        """Return whether a line of a list ends and another begins here."""
        start = self.start
        if len(start) < 2:
            start += "".join(pieces[self.place + 1 : self.place + 4])
        if start[:2] != "- ":
            return False
        values = "".join(pieces[self.since + 1 : self.place])
        if "\n" in values:
            return is_item(values[values.rfind("\n") + 1 :] + self.tail)
        if self.flat is None:
            return is_item(self.head + values + self.tail)
        return self.flat


@dataclass(frozen=True, slots=True)
class Form:
    """A text of which only the values are missing."""

    parts: tuple[str, ...] = field(repr=False)
    """Fixed texts at even places; what stands at odd ones is replaced."""
    names: tuple[str, ...] = ()
    """Whose values belong at the odd places, in order; each has one."""
    trims: tuple[tuple[int, Trim], ...] = ()
    """Where a value ends a section and loses its white space, and how."""
    welds: tuple[Weld, ...] = ()
    """Where one line feed too many stands if two items meet; the last ones first."""

    def fill(self, values: Iterable[str]) -> str:
        """Return the text with *values*, those of its names in order."""
        if not self.names:
            return self.parts[0]
        pieces = [*self.parts]
        pieces[1::2] = values
        for place, trim in self.trims:
            pieces[place] = trim(pieces[place])
        for weld in self.welds:
            if weld.is_tight(pieces):
                piece = pieces[weld.place]
                pieces[weld.place] = piece[: weld.offset] + piece[weld.offset + 1 :]
        return "".join(pieces)


def joined(forms: Iterable[Form]) -> Form:
    """Return one form whose text is that of trimmed *forms*, welded."""
    parts: list[str] = []
    fixed: list[str] = []
    names: list[str] = []
    trims: list[tuple[int, Trim]] = []
    welds: list[Weld] = []
    last: Form | None = None
    for form in forms:
        if last is not None:
            between = _between(last, form)
            if between is None:
                welds.append(_weld(parts, fixed, form.parts[0][:2]))
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


def _weld(parts: Sequence[str], fixed: Iterable[str], begin: str) -> Weld:
    """Return the weld between *parts*, *fixed* behind its last value, and *begin*."""
    pending = "".join(fixed)
    place = since = len(parts)
    head = ""
    if "\n" not in pending and parts:
        places = range(place - 2, 0, -2)
        since = next((one for one in places if "\n" in parts[one]), 0)
        head = _last_line(parts[since])
    start = head.lstrip()[:2]
    flat = start == "- " if len(start) > 1 else None
    tail = _last_line(pending)
    return Weld(place, len(pending), begin, since, head, tail, flat)


def _last_line(text: str) -> str:
    return text[text.rfind("\n") + 1 :]


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
