"""The live preview: what the model reads, and what is left out and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from prompts_app.admin.desk import CANNOT_BE_ASSEMBLED, Desk
from prompts_app.assembly import Assembly, Entry
from prompts_app.declarations import RESERVED_VARIABLES
from prompts_app.preview import lane_shares, scenario_arguments
from prompts_app.wording import lane_text, number, reason_heading, signed

_OF_VARIABLES = ("requires", "unless")
LONG_VALUE = 60
"""A longer sample value, or one with a line break, gets a text area."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One piece of the prompt under the name of its fragment."""

    key: str
    """``""`` for an authored prompt."""
    label: str
    text: str = field(repr=False)
    current: bool
    unsaved: bool


@dataclass(frozen=True, slots=True)
class OutFragment:
    """A fragment that is left out."""

    key: str
    label: str
    unsaved: bool
    names: tuple[str, ...]
    """The variables that the reason is about."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Fragments that one reason keeps out."""

    reason: str
    fragments: tuple[OutFragment, ...]


@dataclass(frozen=True, slots=True)
class LaneBar:
    """One lane as it is drawn, in percent of the whole bar."""

    code: str
    label: str
    percent: int
    """Its share, as it is written."""
    start: int
    width: int


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample value."""

    name: str
    label: str
    value: str = field(repr=False)
    rows: int
    """Rows of its text area; 1: a plain field."""


@dataclass(frozen=True, slots=True)
class Preview:
    """All that the preview shows."""

    assembly: Assembly | None = field(repr=False)
    error: str
    text: str = field(repr=False)
    """The prompt as it is sent, with seam and authored prompt."""
    size: str
    """Its length in characters, written out."""
    delta: str
    """How much longer than with what is saved, with its sign; ``""``: not at all."""
    lanes: tuple[LaneBar, ...]
    passages: tuple[Passage, ...]
    left_out: tuple[LeftOut, ...]
    left_out_count: int
    considered: int
    used: tuple[Sample, ...]
    blank: tuple[Sample, ...]
    values: Mapping[str, object] = field(repr=False)


def preview_of(desk: Desk) -> Preview:
    """Return the preview of the desk's scenario with the unsaved texts in it."""
    values = scenario_arguments(desk.view, desk.scenario, _edited_values(desk))
    given = values["variables"]
    try:
        assembly = desk.assemble(desk.scenario, desk.edited, _edited_values(desk))
        before = _saved_length(desk) if desk.unsaved else None
    except CANNOT_BE_ASSEMBLED as error:
        return _faulty(desk, given, error)
    passages = _passages(desk, assembly)
    out = [entry for entry in assembly.trace if entry.reason is not None]
    text = _joined(desk, assembly)
    used, blank = _samples(desk, given, assembly)
    return Preview(
        assembly=assembly,
        error="",
        text=text,
        size=number(len(text)),
        delta=signed(len(text) - (len(text) if before is None else before)),
        lanes=_bars(assembly),
        passages=passages,
        left_out=_left_out(desk, out),
        left_out_count=len(out),
        considered=len(out) + len(assembly.sections),
        used=used,
        blank=blank,
        values=given,
    )


def _faulty(desk: Desk, given: Mapping[str, object], error: Exception) -> Preview:
    used, blank = _samples(desk, given, None)
    cause = error.__cause__
    said = f"{error}: {cause}" if cause is not None else str(error)
    return Preview(
        assembly=None,
        error=said,
        text="",
        size=number(0),
        delta="",
        lanes=(),
        passages=(),
        left_out=(),
        left_out_count=0,
        considered=0,
        used=used,
        blank=blank,
        values=given,
    )


def _edited_values(desk: Desk) -> dict[str, str]:
    known = desk.view.variables
    return {n: v for n, v in desk.asked.values.items() if n in known and n != "lb"}


def _authored(desk: Desk) -> str:
    return desk.scenario.authored if desk.scenario else ""


def _joined(desk: Desk, assembly: Assembly) -> str:
    return assembly.join(_authored(desk))


def _saved_length(desk: Desk) -> int:
    saved = desk.assemble(desk.scenario, desk.snapshot, _edited_values(desk))
    return len(_joined(desk, saved))


def _passages(desk: Desk, assembly: Assembly) -> tuple[Passage, ...]:
    authored = _authored(desk)
    shown = [entry for entry in assembly.trace if entry.outcome == "included"]
    if authored.strip():
        shown += [entry for entry in assembly.trace if entry.outcome == "seam"]
    passages = [_passage(desk, entry) for entry in shown]
    if authored.strip():
        label = _("Authored prompt")
        passages.append(Passage("", label, authored, current=False, unsaved=False))
    return tuple(passages)


def _passage(desk: Desk, entry: Entry) -> Passage:
    return Passage(
        key=entry.key,
        label=_label(desk, entry.key),
        text=entry.text,
        current=entry.key == desk.asked.fragment,
        unsaved=entry.key in desk.unsaved,
    )


def _label(desk: Desk, key: str) -> str:
    layered = desk.view.by_key.get(key)
    return str(layered.fragment.label) if layered else key


def _left_out(desk: Desk, entries: Sequence[Entry]) -> tuple[LeftOut, ...]:
    groups: dict[str, list[OutFragment]] = {}
    for entry in entries:
        if entry.reason is not None:
            names = entry.reason.names if entry.reason.code in _OF_VARIABLES else ()
            label = _label(desk, entry.key)
            out = OutFragment(entry.key, label, entry.key in desk.unsaved, names)
            groups.setdefault(reason_heading(entry.reason), []).append(out)
    return tuple(LeftOut(reason, tuple(out)) for reason, out in groups.items())


def _bars(assembly: Assembly) -> tuple[LaneBar, ...]:
    """Return the lanes as bars that leave no gap, whatever the percents round to."""
    shares = lane_shares(assembly)
    total = sum(share.length for share in shares)
    bars = []
    for share in shares:
        start = round(100 * share.start / total)
        end = round(100 * (share.start + share.length) / total)
        code, label = share.lifetime.name.lower(), lane_text(share.lifetime)
        bars.append(LaneBar(code, label, share.percent, start, end - start))
    return tuple(bars)


def _samples(
    desk: Desk, given: Mapping[str, object], assembly: Assembly | None
) -> tuple[tuple[Sample, ...], tuple[Sample, ...]]:
    """Return the samples that the prompt uses or that have a value, and the rest."""
    looked_up = assembly.variables if assembly else {}
    used: list[Sample] = []
    blank: list[Sample] = []
    for name, variable in desk.view.variables.items():
        if name in RESERVED_VARIABLES and name not in desk.asked.values:
            continue
        value = given.get(name)
        text = "" if value is None or value is False else str(value)
        rows = min(6, text.count("\n") + 1 + (len(text) > LONG_VALUE))
        sample = Sample(name, str(variable.label), text, rows)
        (used if text or name in looked_up else blank).append(sample)
    return tuple(used), tuple(blank)
