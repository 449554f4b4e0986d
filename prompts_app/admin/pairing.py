"""Two prompts beside each other, passage by passage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from prompts_app.admin.desk import Desk
from prompts_app.admin.previewing import outcomes_shown
from prompts_app.assembly import Assembly
from prompts_app.diffing import Run, differences
from prompts_app.wording import number, signed


@dataclass(frozen=True, slots=True)
class Prompt:
    """One of two prompts, with the authored one that follows it."""

    assembly: Assembly = field(repr=False)
    authored: str = field(default="", repr=False)

    @property
    def text(self) -> str:
        """Return all of it, as it is sent."""
        return self.assembly.join(self.authored)


@dataclass(frozen=True, slots=True)
class Pair:
    """One passage of both prompts."""

    key: str
    """``""`` for an authored prompt."""
    label: str
    first: str | None = field(repr=False)
    """None: it is left out there."""
    second: str | None = field(repr=False)
    """None: it is left out there."""
    runs: tuple[Run, ...] = field(repr=False)
    """From the first to the second."""
    place: str = ""
    """Where its fragment is edited; ``""``: it has no editor, or nobody asked."""

    @property
    def is_same(self) -> bool:
        """Return whether both read the same."""
        return self.first == self.second


@dataclass(frozen=True, slots=True)
class Both:
    """The two prompts."""

    passages: tuple[Pair, ...]
    sizes: tuple[str, str]
    """Characters of each, written out."""
    delta: str
    """How many more the second has, with its sign; ``""``: as many."""
    changed: int
    """How many passages read differently."""
    error: str = ""
    """Why they cannot be assembled."""


def failed(error: Exception) -> Both:
    """Return what is shown where one of the two cannot be assembled."""
    cause = error.__cause__
    said = f"{error}: {cause}" if cause is not None else str(error)
    return Both((), ("", ""), "", 0, said)


def paired(
    desk: Desk,
    first: Prompt,
    second: Prompt,
    place: Callable[[str], str] = lambda key: "",
) -> Both:
    """Return two prompts passage by passage; *place* tells where a key is edited."""
    passages = _pairs(desk, first, second, place)
    before, after = first.text, second.text
    return Both(
        passages=passages,
        sizes=(number(len(before)), number(len(after))),
        delta=signed(len(after) - len(before)),
        changed=sum(not passage.is_same for passage in passages),
    )


def _pairs(
    desk: Desk, first: Prompt, second: Prompt, place: Callable[[str], str]
) -> tuple[Pair, ...]:
    old, new = _shown(first), _shown(second)
    # What stands in both has the order of the second.
    order = [one.key for prompt in (second, first) for one in prompt.assembly.trace]
    keys = [key for key in dict.fromkeys(order) if key in old or key in new]
    # The seam stands after the prompt, whatever its order.
    keys.sort(key=lambda key: (new.get(key) or old[key])[0] == "seam")
    pairs = [_pair(desk, key, old, new, place) for key in keys]
    authored = (first.authored, second.authored)
    if any(text.strip() for text in authored):
        was, now = (text if text.strip() else None for text in authored)
        runs = differences(was or "", now or "")
        pairs.append(Pair("", _("Authored prompt"), was, now, runs))
    return tuple(pairs)


def _shown(prompt: Prompt) -> dict[str, tuple[str, str]]:
    """Return outcome and text of each passage."""
    outcomes = outcomes_shown(prompt.authored)
    return {
        entry.key: (entry.outcome, entry.text)
        for entry in prompt.assembly.trace
        if entry.outcome in outcomes
    }


def _pair(
    desk: Desk,
    key: str,
    old: Mapping[str, tuple[str, str]],
    new: Mapping[str, tuple[str, str]],
    place: Callable[[str], str],
) -> Pair:
    first = old[key][1] if key in old else None
    second = new[key][1] if key in new else None
    layered = desk.view.by_key.get(key)
    return Pair(
        key=key,
        label=str(layered.fragment.label) if layered else key,
        first=first,
        second=second,
        runs=differences(first or "", second or ""),
        place=place(key) if layered else "",
    )
