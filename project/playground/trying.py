"""One situation tried out: the prompt, and all there is to know of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils import formats, timezone

from project.playground.forms import LIVE, Choice
from project.playground.sending import Sending, sending
from prompts_app import services
from prompts_app.assembly import Assembly, Entry, Snapshot
from prompts_app.declarations import Scenario
from prompts_app.preview import LaneShare, lane_shares, scenario_arguments
from prompts_app.registry import View
from prompts_app.wording import (
    lane_text,
    number,
    origin_text,
    outcome_text,
    reason_text,
)

IN = ("included", "provided", "seam")


@dataclass(frozen=True, slots=True)
class Situated:
    """What is declared and stored for one choice of the visitor."""

    choice: str
    """The key of a scenario, or one of the ways to do without."""
    scenario: Scenario | None
    snapshot: Snapshot = field(repr=False)
    view: View = field(repr=False)
    arguments: dict[str, Any] = field(repr=False)
    """Those of `services.assemble()`, before anything is edited."""


@dataclass(frozen=True, slots=True)
class Row:
    """One fragment of the trace, in words."""

    key: str
    label: str
    place: str
    """The trace's word for what became of it."""
    outcome: str
    """The same for people."""
    reasons: tuple[str, ...]
    origin: str
    lane: str
    length: str
    """In characters, as the language writes numbers."""
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of it."""

    assembly: Assembly = field(repr=False)
    text: str = field(repr=False)
    """The prompt as it is sent, with seam and authored prompt."""
    passages: tuple[Row, ...]
    """What *text* consists of, in order."""
    trace: tuple[Row, ...]
    left_out: tuple[Row, ...]
    shares: tuple[tuple[LaneShare, str], ...]
    """Each lane with its description."""
    sending: Sending
    """The same as the APIs are sent it."""

    @property
    def length(self) -> str:
        """Return how many characters are sent."""
        return number(len(self.text))

    @property
    def bar(self) -> int:
        """Return the characters of all lanes together."""
        return sum(share.length for share, _ in self.shares)


def situate(choice: str, user: Any) -> Situated:
    """Return what *choice* means, for *user* where nothing is a sample."""
    snapshot = services.stored()
    view = services.view_of((), snapshot)
    scenario = view.scenarios.get(choice)
    if scenario is not None:
        view = services.view_of(scenario.scope, snapshot)
    arguments = scenario_arguments(view, scenario)
    if choice == LIVE:
        arguments = {"variables": _known_here(user), "user": user}
    return Situated(choice, scenario, snapshot, view, arguments)


def attempt(situated: Situated, choice: Choice, edited: Mapping[str, str]) -> Trial:
    """
    Return the prompt for *situated*, *edited* values laid over its own.

    Of the *choice* the level and the carrier count.

    Raises:
        PromptsError: as `services.assemble()`.
    """
    arguments = dict(situated.arguments)
    arguments["variables"] = {**arguments["variables"], **edited}
    if choice.level:
        arguments["level"] = choice.level
    assembly = services.assemble(overrides=situated.snapshot, **arguments)
    authored = situated.scenario.authored if situated.scenario else ""
    trace = tuple(_row(situated.view, entry) for entry in assembly.trace)
    return Trial(
        assembly=assembly,
        text=assembly.join(authored),
        passages=_passages(trace, authored),
        trace=trace,
        left_out=tuple(row for row in trace if row.place not in IN),
        shares=tuple((s, lane_text(s.lifetime)) for s in lane_shares(assembly)),
        sending=sending(assembly, authored, choice.carrier),
    )


def _known_here(user: Any) -> dict[str, str]:
    """Return the values that this site knows, as a caller of its own."""
    now = timezone.localtime()
    return {
        "instance_name": "Demo site",
        "now": now.isoformat(" ", "seconds"),
        "today": formats.date_format(now, "l, j F Y"),
        "user_name": user.get_full_name() or user.get_username(),
    }


def _row(view: View, entry: Entry) -> Row:
    layered = view.by_key.get(entry.key)
    reasons = (entry.reason, *entry.notes) if entry.reason else entry.notes
    return Row(
        key=entry.key,
        label=str(layered.fragment.label) if layered else entry.key,
        place=entry.outcome,
        outcome=outcome_text(entry.outcome),
        reasons=tuple(map(reason_text, reasons)),
        origin=origin_text(entry.origin),
        lane=lane_text(entry.lane),
        length=number(entry.length),
        text=entry.text,
    )


def _passages(trace: tuple[Row, ...], authored: str) -> tuple[Row, ...]:
    """Return what is sent, the authored prompt last, if there is one."""
    included = tuple(row for row in trace if row.place == "included")
    if not authored.strip():
        return included
    seam = tuple(row for row in trace if row.place == "seam" and included)
    length = number(len(authored))
    last = Row("", "Authored prompt", "", "", (), "", "", length, authored)
    return (*included, *seam, last)
