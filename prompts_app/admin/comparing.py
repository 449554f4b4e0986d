"""The prompt as it was after a save beside the prompt of today."""

from __future__ import annotations

from typing import Any

from prompts_app import services
from prompts_app.admin.desk import Desk
from prompts_app.admin.pairing import Both, Prompt, failed, paired
from prompts_app.admin.showing import scope_label, scopes_of
from prompts_app.declarations import Level
from prompts_app.preview import CANNOT_BE_ASSEMBLED
from prompts_app.wording import level_text


def both_of(desk: Desk, moment: int) -> Both:
    """
    Return the desk's scenario as of *moment* and as of now, in the desk's scope.

    Raises:
        ValueError: history does not know that moment.
    """
    then = services.as_of(moment)
    try:
        was, now = (
            Prompt(desk.assemble(desk.scenario, snapshot), desk.authored)
            for snapshot in (then, desk.snapshot)
        )
    except CANNOT_BE_ASSEMBLED as error:
        return failed(error)
    return paired(desk, was, now)


def comparing_context(desk: Desk, moment: int) -> dict[str, Any]:
    """
    Return what the page of both prompts shows, with its choices.

    Raises:
        ValueError: history does not know that moment.
    """
    scenario = desk.scenario
    return {
        "both": both_of(desk, moment),
        "moment": moment,
        "asked": desk.asked,
        "scopes": scopes_of(desk),
        "scope_label": scope_label(desk, desk.asked.scope),
        "scenarios": [
            (one.key, one.label, one is scenario)
            for one in desk.view.scenarios.values()
        ],
        "scenario": scenario.key if scenario else "",
        "levels": [(one.value, level_text(one), one is desk.level) for one in Level],
    }
