"""How large texts and prompts are, in characters and in the unit that models count in."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from django.utils.translation import ngettext

from prompts_app.assembly import Assembly
from prompts_app.declarations import Lifetime
from prompts_app.tokens import Tokens, count_tokens
from prompts_app.wording import lane_text, number, signed

MOST = 100
"""How many passages are told: of more, the largest and those that changed."""
logger = logging.getLogger("prompts_app")


Part: TypeAlias = tuple[str, str, str, str]
"""What a row is about: kind, label, and its text before and after."""


class Meter:
    """Counts each text once, however often one page tells its size."""

    def __init__(self) -> None:
        self._counted: dict[str, int] = {}
        self.fault = ""
        """What the counter that is set raised, by its name; ``""``: nothing."""
        self.estimated = False
        """Whether what was told is an estimate."""

    def count(self, text: str) -> int:
        """Return the tokens of *text*; 0 once the counter has failed."""
        if self.fault:
            return 0
        if text not in self._counted:
            self._counted[text] = self._asked(text)
        return self._counted[text]

    def words(self, text: str) -> str:
        """Return the tokens of *text* in words, as ``about 88 tokens``."""
        return self._told(self.count(text))

    def change(self, before: str, after: str) -> str:
        """
        Return the tokens of both texts in words, as ``about 45 → 38 tokens``.

        Where they are as many, that stands there once.
        """
        old, new = self.count(before), self.count(after)
        if old == new:
            return self._told(new)
        return self._told(new, f"{number(old)} \N{RIGHTWARDS ARROW} {number(new)}")

    def _asked(self, text: str) -> int:
        try:
            counted: Tokens = count_tokens(text)
        except Exception as error:  # noqa: BLE001  # a project's own counter may raise anything, and costs the tokens alone
            # The message may hold the text.
            self.fault = type(error).__name__
            logger.warning("The token counter raised %s.", self.fault)
            return 0
        self.estimated = counted.estimated
        return counted.count

    def _told(self, count: int, figures: str = "") -> str:
        if self.fault:
            return ""
        said = {"number": figures or number(count)}
        if self.estimated:
            about = ngettext("about %(number)s token", "about %(number)s tokens", count)
            return about % said
        return ngettext("%(number)s token", "%(number)s tokens", count) % said


@dataclass(frozen=True, slots=True)
class SizeRow:
    """The size of one part of a prompt."""

    kind: str
    """``whole``, ``lane`` or ``passage``."""
    label: str
    characters: str
    tokens: str
    more_characters: str
    """How many more than with what is saved, with a sign; ``""``: as many."""
    more_tokens: str


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of a prompt and its parts."""

    rows: tuple[SizeRow, ...]
    further: int
    """How many passages are not in it, each no larger than those that are."""
    estimated: bool
    fault: str
    """What kept the tokens from being counted; ``""``: nothing."""


@dataclass(frozen=True, slots=True)
class Side:
    """A prompt that is measured: as it is sent, and its assembly."""

    text: str
    assembly: Assembly
    passages: Mapping[str, str]
    """The texts of its passages, by key."""


def sizes_of(meter: Meter, now: Side, saved: Side, labels: Mapping[str, str]) -> Sizes:
    """
    Return the sizes of the prompt *now*, its lanes and its passages, in order.

    *saved* is the same with what is saved; *labels* names the passages of both by key.
    """
    parts: list[Part] = [("whole", "", saved.text, now.text)]
    for lane in Lifetime:
        before, after = (side.assembly.lanes[lane].text for side in (saved, now))
        if before or after:
            parts.append(("lane", lane_text(lane), before, after))
    passages = list(_passages(now, saved, labels))
    told = _largest(passages)
    rows = tuple(_row(meter, *part) for part in (*parts, *told))
    return Sizes(rows, len(passages) - len(told), meter.estimated, meter.fault)


def _passages(now: Side, saved: Side, labels: Mapping[str, str]) -> Iterator[Part]:
    for key in dict.fromkeys((*now.passages, *saved.passages)):
        before, after = saved.passages.get(key, ""), now.passages.get(key, "")
        yield "passage", labels[key], before, after


def _largest(passages: list[Part]) -> list[Part]:
    """Return those of *passages* that are told, in their order."""
    ranked = sorted(passages, key=lambda part: (part[2] == part[3], -len(part[3])))
    told = set(map(id, ranked[:MOST]))
    return [part for part in passages if id(part) in told]


def _row(meter: Meter, kind: str, label: str, before: str, after: str) -> SizeRow:
    old, new = meter.count(before), meter.count(after)
    return SizeRow(
        kind=kind,
        label=label,
        characters=number(len(after)),
        tokens=number(new),
        more_characters=signed(len(after) - len(before)),
        more_tokens=signed(new - old),
    )
