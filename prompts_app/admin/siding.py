"""Two prompts side by side: saved and unsaved, lean and detailed, two scenarios."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.http import (
    HttpRequest,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.utils.translation import gettext as _, gettext_lazy

from prompts_app.admin.asking import read_get, read_post
from prompts_app.admin.desk import Desk
from prompts_app.admin.pages import FOLDER, PageViews
from prompts_app.admin.pairing import Both, Prompt, failed, paired
from prompts_app.admin.sampling import samples_of
from prompts_app.admin.saving import carrying
from prompts_app.admin.showing import scope_label
from prompts_app.assembly import Snapshot
from prompts_app.declarations import Level, Scenario
from prompts_app.preview import CANNOT_BE_ASSEMBLED
from prompts_app.wording import level_text

SIDES = ("first", "second")
FIELDS = ("texts", "scenario", "level")
"""What a side is chosen by; a form calls them ``first_texts`` and so on."""
SAVED, UNSAVED, DEFAULTS = "saved", "unsaved", "defaults"
_TEXTS = {
    SAVED: gettext_lazy("Saved texts"),
    UNSAVED: gettext_lazy("Texts with what is unsaved"),
    DEFAULTS: gettext_lazy("Defaults of the software"),
}
_LEGENDS = {"first": gettext_lazy("First"), "second": gettext_lazy("Second")}


@dataclass(frozen=True, slots=True)
class Side:
    """What one of the two prompts is made from."""

    texts: str
    """`SAVED`, `UNSAVED` or `DEFAULTS`."""
    scenario: Scenario | None
    """None: every variable's example."""
    level: Level

    @property
    def label(self) -> str:
        """Return all three in words."""
        scenario = self.scenario
        played = scenario.label if scenario else _("Every variable’s example")
        return " · ".join(
            (str(_TEXTS[self.texts]), str(played), level_text(self.level))
        )

    def snapshot(self, desk: Desk) -> Snapshot:
        """Return the texts that it is made from."""
        if self.texts == DEFAULTS:
            return Snapshot(declarations=desk.snapshot.declarations)
        return desk.edited if self.texts == UNSAVED else desk.snapshot

    def prompt(self, desk: Desk) -> Prompt:
        """
        Return the prompt, with the edited sample values where they belong.

        Raises:
            PromptsError, TypeError, ValueError: as `services.assemble()`.
        """
        scenario = self.scenario
        values = desk.edited_values if scenario is desk.scenario else {}
        assembly = desk.assemble(scenario, self.snapshot(desk), values, self.level)
        return Prompt(assembly, scenario.authored if scenario else "")


def texts_offered(desk: Desk) -> tuple[str, ...]:
    """Return the texts that a side can be made from."""
    return (SAVED, UNSAVED, DEFAULTS) if desk.unsaved else (SAVED, DEFAULTS)


def sides_in(data: Mapping[str, Any], desk: Desk) -> tuple[Side, Side]:
    """
    Return the two sides that a form or link asks for.

    If it says nothing of them, they are what is saved and what is unsaved or, with
    nothing unsaved, lean and detailed.
    """
    level = desk.asked.level
    if not desk.unsaved and not chosen_in(data):
        lean, detailed = (Side(SAVED, desk.scenario, one) for one in Level)
        return lean, detailed
    second = UNSAVED if desk.unsaved else SAVED
    return (
        _side(data, desk, "first", SAVED, level),
        _side(data, desk, "second", second, level),
    )


def chosen_in(data: Mapping[str, Any]) -> dict[str, str]:
    """Return what a form or link says of the sides, by name of the field."""
    names = (f"{side}_{field}" for side in SIDES for field in FIELDS)
    return {name: str(data[name]) for name in names if name in data}


def _side(
    data: Mapping[str, Any], desk: Desk, name: str, texts: str, level: Level | None
) -> Side:
    chosen = chosen_in(data)
    said = {field: chosen.get(f"{name}_{field}") for field in FIELDS}
    scenario = desk.scenario
    if said["scenario"] is not None:
        scenario = desk.view.scenarios.get(said["scenario"])
    if said["texts"] in texts_offered(desk):
        texts = str(said["texts"])
    if said["level"] in tuple(Level):
        level = Level(said["level"])
    return Side(texts, scenario, level or desk.own_level(scenario))


def both_of(
    desk: Desk, sides: tuple[Side, Side], place: Callable[[str], str]
) -> tuple[Both, str]:
    """Return both prompts, and the label of the side that cannot be assembled."""
    side = sides[0]
    try:
        first = side.prompt(desk)
        side = sides[1]
        second = side.prompt(desk)
    except CANNOT_BE_ASSEMBLED as error:
        return failed(error), side.label
    return paired(desk, first, second, place), ""


def siding_context(
    desk: Desk, sides: tuple[Side, Side], place: Callable[[str], str]
) -> dict[str, Any]:
    """Return what the page of both sides shows, with its choices."""
    both, culprit = both_of(desk, sides, place)
    return {
        "both": both,
        "culprit": culprit,
        "labels": [side.label for side in sides],
        "sides": [_choices(desk, *one) for one in zip(SIDES, sides, strict=True)],
        "scope_label": scope_label(desk, desk.asked.scope),
    }


def _choices(desk: Desk, name: str, side: Side) -> dict[str, Any]:
    """Return the choices of one side, as values, labels and whether each is made."""
    scenarios = [("", _("Every variable’s example"), side.scenario is None)]
    scenarios[:0] = [
        (one.key, str(one.label), one is side.scenario)
        for one in desk.view.scenarios.values()
    ]
    return {
        "name": name,
        "legend": _LEGENDS[name],
        "texts": [(t, _TEXTS[t], t == side.texts) for t in texts_offered(desk)],
        "scenarios": scenarios,
        "levels": [(one.value, level_text(one), one is side.level) for one in Level],
    }


def is_typed_in(desk: Desk) -> bool:
    """Return whether texts or sample values were typed that a link would lose."""
    samples = samples_of(desk, None)
    return bool(desk.asked.texts) or any(
        one.value != one.original for one in (*samples.used, *samples.blank)
    )


class SidingViews(PageViews):
    """Shows two prompts side by side, and leads back with all that is typed."""

    def compare_view(self, request: HttpRequest) -> HttpResponseBase:
        """Show two prompts; what is not saved comes with a form, the rest by a link."""
        self.check_view(request)
        is_form = request.method == "POST"
        data = request.POST if is_form else request.GET
        asked = read_post(request) if is_form else read_get(request)
        desk = Desk(asked, request.user)
        keeps = is_form and is_typed_in(desk)
        if is_form and not keeps:
            return HttpResponseRedirect(
                self.place(request, asked, "compare", **chosen_in(data))
            )
        place = partial(self._place_of, request, desk)
        context = {
            "title": _("Side by side"),
            "keeps": keeps,
            "back": self.place(request, asked),
            **siding_context(desk, sides_in(data, desk), place),
        }
        self.warn(request, desk)
        return self.respond(request, f"{FOLDER}/compare.html", carrying(desk), context)

    def _place_of(self, request: HttpRequest, desk: Desk, key: str) -> str:
        return self.place(request, replace(desk.asked, fragment=key))
