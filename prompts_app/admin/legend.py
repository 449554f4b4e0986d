"""What is said of variables beside a text, and of how stable they make it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _, gettext_lazy

from prompts_app.admin.desk import Desk
from prompts_app.admin.previewing import Preview
from prompts_app.advice import unsteady_text
from prompts_app.declarations import Fragment, Lifetime
from prompts_app.preview import scenario_arguments
from prompts_app.registry import View
from prompts_app.syntax import parse, variables_in
from prompts_app.wording import lifetime_text, reference, variable_words

_STEADIER = {
    Lifetime.FIXED: gettext_lazy(
        "This text is now the same in every chat, and can be cached."
    ),
    Lifetime.CONVERSATION: gettext_lazy(
        "This text is now the same only within a chat, and can be cached."
    ),
    Lifetime.TURN: gettext_lazy("This text is now new every turn, and can be cached."),
}


@dataclass(frozen=True, slots=True)
class LegendRow:
    """One variable of the legend."""

    name: str
    reference: str
    """The name in its braces."""
    label: str
    description: str
    value: str = field(repr=False)
    """What it is worth in the preview."""
    example: str = field(repr=False)
    """That value, or the declared example where it is blank."""
    changes: str
    """How often it changes, in words."""
    uses: int
    """How often the text refers to it."""
    untrusted: bool
    provided: bool
    """Whether a clause of the catalogue is its value."""
    declared: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """What the preview shows, as far as editors speak of it."""

    places: Mapping[str, int]
    """Number of each passage by key, from 1."""
    values: Mapping[str, str] = field(repr=False)
    """What each variable is worth."""
    lanes: Mapping[str, tuple[Lifetime, Lifetime]]
    """How stable each passage was as it is saved, and is as it is typed."""


def shown_in(desk: Desk, preview: Preview) -> Shown:
    """Return what editors say of a preview."""
    samples = scenario_arguments(desk.view, desk.scenario, desk.edited_values)
    plain = {
        name: "" if value is None or value is False else str(value)
        for name, value in samples["variables"].items()
    }
    assembly = preview.assembly
    if assembly is None:
        return Shown({}, plain, {})
    keys = (section.key for section in assembly.sections)
    places = {key: number for number, key in enumerate(keys, start=1)}
    saved = preview.saved or assembly
    before = {entry.key: entry.lane for entry in saved.trace}
    lanes = {e.key: (before.get(e.key, e.lane), e.lane) for e in assembly.trace}
    return Shown(places, {**plain, **assembly.variables}, lanes)


def legend_of(
    desk: Desk, shown: Shown, fragment: Fragment, text: str
) -> tuple[LegendRow, ...]:
    """Return the legend of one text: what it uses, then what its fragment documents."""
    names = dict.fromkeys((*variables_in(text), *fragment.documented))
    uses = _uses(text)
    return tuple(legend_row(desk, shown, name, uses.get(name, 0)) for name in names)


def names_known(view: View) -> tuple[str, ...]:
    """Return all that a text may refer to: variables, then what clauses provide."""
    return tuple(dict.fromkeys((*view.variables, *view.clauses)))


def legend_row(desk: Desk, shown: Shown, name: str, uses: int = 0) -> LegendRow:
    """Return what the legend says of one variable."""
    variable = desk.view.variables.get(name)
    clauses = desk.view.clauses.get(name, ())
    if variable is not None:
        label, description = variable_words(variable)
    else:
        label, description = str(clauses[0].fragment.label) if clauses else "", ""
    value = shown.values.get(name, "")
    return LegendRow(
        name=name,
        reference=reference(name),
        label=label,
        description=description,
        value=value,
        example=value or (str(variable.example) if variable else ""),
        changes=lifetime_text(variable.lifetime) if variable else "",
        uses=uses,
        untrusted=variable is not None and variable.untrusted,
        provided=bool(clauses),
        declared=variable is not None or bool(clauses),
    )


def lane_note(shown: Shown, key: str, text: str, desk: Desk) -> str:
    """Return what an unsaved text changes about caching; ``""``: nothing."""
    before, after = shown.lanes.get(key, (Lifetime.FIXED, Lifetime.FIXED))
    if after is before or not desk.saved_text(key).strip():
        return ""
    if after < before:
        return str(_STEADIER[after])
    names = [
        reference(name)
        for name in variables_in(text)
        if _lifetime(desk, shown, name) is after
    ]
    # Translators: stands for names of variables, after “With”.
    culprits = ", ".join(names) or _("its conditions")
    return unsteady_text(before, after, culprits)


def _lifetime(desk: Desk, shown: Shown, name: str) -> Lifetime:
    clauses = desk.view.clauses.get(name, ())
    lanes = [shown.lanes[one.key][1] for one in clauses if one.key in shown.lanes]
    if lanes:
        return max(lanes)
    variable = desk.view.variables.get(name)
    return variable.lifetime if variable else Lifetime.CALL


def _uses(text: str) -> dict[str, int]:
    uses: dict[str, int] = {}
    for block in parse(text):
        if not isinstance(block, str):
            for name in block.names:
                uses[name] = uses.get(name, 0) + 1
    return uses
