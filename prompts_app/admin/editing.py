"""The editors of the group in view: one fragment each, with all that is said of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from prompts_app.admin.desk import Desk
from prompts_app.assembly import Assembly
from prompts_app.declarations import Fragment, Scenario, Variable
from prompts_app.exceptions import Fault
from prompts_app.states import DRIFTED, OFF, after_saving
from prompts_app.syntax import fingerprint, variables_in
from prompts_app.wording import fault_text, gates_text, lifetime_text, reference

PAGE = 100
"""How many editors one page holds; Django limits the number of form fields."""


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
    changes: str
    """How often it changes, in words."""
    untrusted: bool
    declared: bool


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a text was refused, and what can be ticked to save it all the same."""

    code: str
    text: str
    variable: str = ""
    """The variable that a tick gives up."""
    reference: str = ""
    """The same in its braces."""
    etag: str = ""
    """The state that a tick overwrites."""


@dataclass(frozen=True, slots=True)
class Editor:
    """One fragment, ready to be edited."""

    key: str
    label: str
    hint: str
    group: str
    number: int
    """Its place in the group, from 1."""
    count: int
    previous: str
    next: str
    state: str
    state_label: str
    drifted_off: bool
    current: bool
    readonly: bool
    locked: bool
    unsaved: bool
    becomes_off: bool
    off: bool
    gates: tuple[str, ...]
    passage: int
    """Its place in the preview, from 1; 0: it is left out there."""
    passages: int
    elsewhere: Scenario | None
    """A scenario in which it appears, where it is left out of this one."""
    text: str = field(repr=False)
    saved: str = field(repr=False)
    beneath: str = field(repr=False)
    theirs: str | None = field(repr=False)
    """The stored text, where it changed while another was typed."""
    their_name: str
    etag: str
    shown: str
    length: int
    legend: tuple[LegendRow, ...]
    problems: tuple[Problem, ...]
    ticked: tuple[tuple[str, str], ...]
    """Names of the variables that may go, each with its reference."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the preview shows, as far as editors speak of it."""

    places: Mapping[str, int]
    """Number of each passage by key, from 1."""
    values: Mapping[str, str] = field(repr=False)
    """What each variable is worth."""


def shown_in(assembly: Assembly | None, values: Mapping[str, object]) -> Shown:
    """Return what editors say of a preview; None: there is none."""
    if assembly is None:
        return Shown({}, {})
    keys = (section.key for section in assembly.sections)
    places = {key: number for number, key in enumerate(keys, start=1)}
    plain = {
        name: "" if value is None else str(value) for name, value in values.items()
    }
    return Shown(places, {**plain, **assembly.variables})


def fragments_here(desk: Desk) -> tuple[Fragment, ...]:
    """Return the fragments whose editors are on this page."""
    if desk.current is None:
        return ()
    fragments = desk.groups[desk.current.group][1]
    start = fragments.index(desk.current) // PAGE * PAGE
    return fragments[start : start + PAGE]


def editors_of(desk: Desk, shown: Shown) -> tuple[Editor, ...]:
    """Return the editors of this page, in order."""
    if desk.current is None:
        return ()
    fragments = desk.groups[desk.current.group][1]
    keys = [fragment.key for fragment in fragments]
    here = fragments_here(desk)
    start = keys.index(here[0].key)
    return tuple(
        _editor(desk, shown, fragment, keys, number)
        for number, fragment in enumerate(here, start=start)
    )


def legend_row(desk: Desk, shown: Shown, name: str) -> LegendRow:
    """Return what the legend says of one variable."""
    variable = desk.view.variables.get(name)
    clause = desk.view.clauses.get(name, ())
    label = clause[0].fragment.label if clause and variable is None else ""
    return LegendRow(
        name=name,
        reference=reference(name),
        label=str(variable.label) if variable else str(label),
        description=str(variable.description) if variable else "",
        value=shown.values.get(name, ""),
        changes=lifetime_text(variable.lifetime) if variable else "",
        untrusted=variable is not None and variable.untrusted,
        declared=isinstance(variable, Variable) or bool(clause),
    )


def _editor(
    desk: Desk, shown: Shown, fragment: Fragment, keys: list[str], number: int
) -> Editor:
    key = fragment.key
    state, saved, below = desk.state(key), desk.saved_text(key), desk.beneath(key)
    text = desk.unsaved.get(key, saved)
    unsaved = key in desk.unsaved
    group = desk.view.groups.get(fragment.group)
    conflict = any(fault.code == "conflict" for fault in desk.faults_of(key))
    return Editor(
        key=key,
        label=str(fragment.label),
        hint=str(fragment.hint),
        group=str(group.label) if group else fragment.group,
        number=number + 1,
        count=len(keys),
        previous=keys[number - 1] if number else "",
        next=keys[number + 1] if number + 1 < len(keys) else "",
        state=state.code,
        state_label=state.label,
        drifted_off=state.code == DRIFTED and state.is_off,
        current=desk.current is fragment,
        readonly=not desk.may_change(key),
        locked=fragment.locked,
        unsaved=unsaved,
        becomes_off=unsaved and after_saving(text, below) == OFF,
        off=state.is_off and not unsaved,
        gates=tuple(gates_text(fragment)),
        passage=shown.places.get(key, 0),
        passages=len(shown.places),
        elsewhere=None if key in shown.places else desk.appearances.get(key),
        text=text,
        saved=saved,
        beneath=below,
        theirs=saved if conflict else None,
        their_name=state.row.author if conflict and state.row else "",
        etag=desk.etag(key),
        shown=fingerprint(saved),
        length=len(text),
        legend=legend_of(desk, shown, fragment, text),
        problems=tuple(_problem(fault) for fault in desk.faults_of(key)),
        ticked=tuple((name, reference(name)) for name in desk.ticked(key)),
    )


def legend_of(
    desk: Desk, shown: Shown, fragment: Fragment, text: str
) -> tuple[LegendRow, ...]:
    """Return the legend of one text: what it uses, then what its fragment documents."""
    names = dict.fromkeys((*variables_in(text), *fragment.documented))
    return tuple(legend_row(desk, shown, name) for name in names)


def _problem(fault: Fault) -> Problem:
    variable = fault.params.get("variable", "")
    return Problem(
        code=fault.code,
        text=fault_text(fault),
        variable=variable,
        reference=reference(variable) if variable else "",
        etag=fault.params.get("etag", ""),
    )
