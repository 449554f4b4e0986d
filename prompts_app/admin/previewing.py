"""The live preview: what the model reads, and what is left out and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from prompts_app.admin.desk import Desk
from prompts_app.admin.sizing import Side, Sizes, sizes_of
from prompts_app.assembly import Assembly, Entry, Reason
from prompts_app.diffing import Run, differences
from prompts_app.preview import CANNOT_BE_ASSEMBLED, lane_shares
from prompts_app.wording import lane_text, number, reason_heading, signed

_OF_VARIABLES = ("requires", "unless")


@dataclass(frozen=True, slots=True)
class Passage:
    """One piece of the prompt under the name of its fragment."""

    key: str
    """``""`` for an authored prompt."""
    label: str
    runs: tuple[Run, ...] = field(repr=False)
    """The text, with what was removed from and added to the saved one marked."""
    current: bool = False
    unsaved: bool = False
    declared: bool = False
    """Whether it has an editor, as what a hook adds has not."""


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
class Preview:
    """All that the preview shows of the prompt."""

    assembly: Assembly | None = field(repr=False)
    saved: Assembly | None = field(repr=False)
    """The same without the unsaved texts; None: nothing is unsaved."""
    error: str
    text: str = field(repr=False)
    """The prompt as it is sent, with seam and authored prompt."""
    size: str
    """Its length in characters, written out."""
    delta: str
    """How much longer than with what is saved, with its sign; ``""``: not at all."""
    tokens: str
    """Its length in tokens, in words; ``""``: they could not be counted."""
    sizes: Sizes | None
    """The sizes of its parts; None: it could not be assembled."""
    lanes: tuple[LaneBar, ...]
    passages: tuple[Passage, ...]
    left_out: tuple[LeftOut, ...]
    left_out_count: int
    considered: int
    heading: str
    """What a request of its own is called; ``""`` for a chat's prompt."""


def preview_of(desk: Desk) -> Preview:
    """Return the preview of the desk's scenario with the unsaved texts in it."""
    try:
        assembly = desk.assemble(desk.scenario, desk.edited, desk.edited_values)
        saved = None
        if desk.unsaved:
            saved = desk.assemble(desk.scenario, desk.snapshot, desk.edited_values)
    except CANNOT_BE_ASSEMBLED as error:
        return _faulty(error)
    out = [(one, one.reason) for one in assembly.trace if one.reason is not None]
    text, before = _joined(desk, assembly), _joined(desk, saved or assembly)
    return Preview(
        assembly=assembly,
        saved=saved,
        error="",
        text=text,
        size=number(len(text)),
        delta=signed(len(text) - len(before)),
        tokens=desk.meter.words(text),
        sizes=_sizes(desk, assembly, saved or assembly),
        lanes=_bars(assembly),
        passages=_passages(desk, assembly, saved),
        left_out=_left_out(desk, out),
        left_out_count=len(out),
        considered=len(out) + len(assembly.sections),
        heading=_heading(desk),
    )


def _faulty(error: Exception) -> Preview:
    cause = error.__cause__
    return Preview(
        assembly=None,
        saved=None,
        error=f"{error}: {cause}" if cause is not None else str(error),
        text="",
        size=number(0),
        delta="",
        tokens="",
        sizes=None,
        lanes=(),
        passages=(),
        left_out=(),
        left_out_count=0,
        considered=0,
        heading="",
    )


def _sizes(desk: Desk, assembly: Assembly, saved: Assembly) -> Sizes:
    now, then = (_side(desk, one) for one in (assembly, saved))
    labels = {key: _label(desk, key) for key in (*now.passages, *then.passages)}
    return sizes_of(desk.meter, now, then, labels)


def _side(desk: Desk, assembly: Assembly) -> Side:
    passages = {entry.key: entry.text for entry in _shown(desk, assembly)}
    return Side(_joined(desk, assembly), assembly, passages)


def _joined(desk: Desk, assembly: Assembly) -> str:
    return assembly.join(desk.authored)


def _heading(desk: Desk) -> str:
    """Return the label of the one fragment that the scenario asks for."""
    include = desk.scenario.include if desk.scenario else None
    if include is None or len(include) != 1 or include[0] not in desk.view.by_key:
        return ""
    return str(desk.view.by_key[include[0]].fragment.label)


def _passages(
    desk: Desk, assembly: Assembly, saved: Assembly | None
) -> tuple[Passage, ...]:
    before = {entry.key: entry.text for entry in saved.trace} if saved else {}
    passages = [_passage(desk, entry, before) for entry in _shown(desk, assembly)]
    if desk.authored.strip():
        runs = (Run("same", desk.authored),)
        label = _("Authored prompt")
        passages.append(Passage("", label, runs))
    return tuple(passages)


def _shown(desk: Desk, assembly: Assembly) -> list[Entry]:
    outcomes = outcomes_shown(desk.authored)
    entries = [entry for entry in assembly.trace if entry.outcome in outcomes]
    # The seam stands after the prompt, whatever its order.
    return sorted(entries, key=lambda entry: entry.outcome == "seam")


def outcomes_shown(authored: str) -> tuple[str, ...]:
    """Return what becomes of the fragments that are passages of a prompt."""
    return ("included", "seam") if authored.strip() else ("included",)


def _passage(desk: Desk, entry: Entry, before: Mapping[str, str]) -> Passage:
    old = before.get(entry.key, entry.text if not before else "")
    same = old == entry.text
    return Passage(
        key=entry.key,
        label=_label(desk, entry.key),
        runs=(Run("same", entry.text),) if same else differences(old, entry.text),
        current=entry.key == desk.asked.fragment,
        unsaved=entry.key in desk.unsaved,
        declared=entry.key in desk.view.by_key,
    )


def _label(desk: Desk, key: str) -> str:
    layered = desk.view.by_key.get(key)
    return str(layered.fragment.label) if layered else key


def _left_out(
    desk: Desk, entries: Sequence[tuple[Entry, Reason]]
) -> tuple[LeftOut, ...]:
    groups: dict[str, list[OutFragment]] = {}
    for entry, reason in entries:
        names = reason.names if reason.code in _OF_VARIABLES else ()
        label = _label(desk, entry.key)
        out = OutFragment(entry.key, label, entry.key in desk.unsaved, names)
        groups.setdefault(reason_heading(reason), []).append(out)
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
