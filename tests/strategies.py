"""Random texts, values, catalogues and calls, small enough to be read when they fail."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

from hypothesis import strategies as st

from prompts_app.declarations import Fragment, Level, Lifetime, Tool
from tests.assembling import CORE, SEAM, TASKS, tool, variable
from tests.reference_view import Case

SCOPES = ("tenant.acme", "agent.support")
KEYS = ("core.a", "core.b", "core.c-1", "core.c_1", "ctx.d", "seam.e", "task.f")
OLD_KEYS = ("core.old", "core.older")
GROUPS = ("core", "core", "core", "seam", "tasks", "nowhere")
NAMES = ("who", "place", "now", "plan", "free")
CLAUSES = ("note", "tail")
FAMILIES = ("files", "web")
TOOLS = ("read", "Search", "write", "zoom")
PIECES = (
    *("plain", "words", "- ", "### ", "{", "}}", "{{", " ", "\t", "\r", "é😀", ""),
    *("{{who}}", "{{ place }}", "{{now}}", "{{\u00a0plan}}", "{{free}}", "{{nope}}"),
    *("{{{who}}}", "{{note}}", "{{tail}}", "{{lb}}", "{{tool_names}}", "{{Who}}"),
)
VALUES = (
    *(None, False, True, 0, 7, 2.5, "", " \t", "\n", "Ada", "Ulm\n- and\n\nround it"),
    *("{{place}}", "{{note}}", "{{lb}}who}}", "<!-- detailed -->", "- item", "\\1 $1"),
    *("a\r\nb\rc", "```py\n~~~~", "hid\u202eden\x00`\ufeff``", "\U000e0041`\x07`\x9f`"),
)


class Provider:
    """A provider of one value, or one that fails; it counts its calls."""

    def __init__(self, value: object, *, fails: bool) -> None:
        self.value = value
        self.fails = fails
        self.calls = 0

    def __call__(self, context: object) -> object:
        self.calls += 1
        if self.fails:
            raise LookupError
        return self.value

    def peek(self) -> object:
        """Return what a call is worth, without one."""
        return None if self.fails else self.value


def mostly(value: object, *others: object) -> st.SearchStrategy:
    """Return *value* three times out of four, else one of *others*."""
    return st.sampled_from([value] * 3 * len(others) + list(others))


def subset(names: tuple[str, ...]) -> st.SearchStrategy:
    """Return a tuple of some of *names*, in any order, mostly empty."""
    some = st.lists(st.sampled_from(names), unique=True, max_size=2).map(tuple)
    return st.one_of(st.just(()), st.just(()), some)


lines = st.lists(st.sampled_from(PIECES), max_size=4).map("".join)
markers = st.sampled_from(["<!-- detailed -->", " <!-- /detailed -->\t"])
fenced = st.lists(lines, max_size=2).map(
    lambda inside: "\n".join(["<!-- detailed -->", *inside, "<!-- /detailed -->"])
)
balanced = st.lists(st.one_of(lines, lines, fenced), max_size=4).map("\n".join)
broken = st.lists(st.one_of(lines, fenced, markers), max_size=4).map("\n".join)
texts = st.one_of(balanced, balanced, balanced, broken, st.sampled_from(["", " \n"]))
values = st.sampled_from(VALUES)
names = st.sampled_from((*NAMES, *CLAUSES, "tool_names"))
tools = st.lists(
    st.builds(tool, st.sampled_from(TOOLS), st.sampled_from(("", *FAMILIES))),
    max_size=4,
)


def _fragment(key: str, **options: Any) -> Fragment:
    former = tuple(one for one in options.pop("former_keys") if one != key)
    reason = "for this test" if options["level"] == "lean" else ""
    return Fragment(key, label=key, lean_reason=reason, former_keys=former, **options)


gates: dict[str, st.SearchStrategy] = {
    "families": subset(FAMILIES),
    "requires": subset((*NAMES, *CLAUSES, "tool_names", "lb")),
    "unless": subset((*NAMES, *CLAUSES, "tool_names")),
    "when_tools": mostly(None, True, False),
    "level": mostly(None, *Level),
}
unlocked = st.builds(
    _fragment,
    st.sampled_from(KEYS),
    group=st.sampled_from(GROUPS),
    default=texts,
    order=st.sampled_from([0, 1, 2, -1.5]),
    provides=mostly("", *CLAUSES),
    lifetime=mostly(None, *Lifetime),
    priority=st.sampled_from([0, 0, 1, -1]),
    optional_lines=st.booleans(),
    former_keys=subset((*OLD_KEYS, *KEYS)),
    **gates,
)
fragments = st.tuples(unlocked, mostly(False, True)).map(
    lambda pair: dataclasses.replace(pair[0], locked=pair[1])
)
made = st.builds(Provider, values, fails=mostly(False, True))
variables = st.builds(
    variable,
    st.sampled_from((*NAMES, "note")),
    st.one_of(made, made, st.none()),
    lifetime=st.sampled_from(Lifetime),
    untrusted=st.booleans(),
)


@dataclasses.dataclass
class Hook:
    """A hook that takes *steps*; it is given what makes a section."""

    steps: list[tuple[Any, ...]]

    def __call__(self, draft: Any, make: Any) -> None:
        for step, *arguments in self.steps:
            step(draft, make, *arguments)


def _drop(draft: Any, make: Any, place: int) -> None:
    del draft.sections[place : place + 1]


def _reword(draft: Any, make: Any, place: int, text: str) -> None:
    for section in draft.sections[place : place + 1]:
        section.text = text


def _add(draft: Any, make: Any, place: int, key: str, text: str) -> None:
    if key not in [section.key for section in draft.sections]:
        group = GROUPS[place % len(GROUPS)]
        draft.sections.insert(place, make(key=key, text=text, group=group))


def _turn(draft: Any, make: Any) -> None:
    draft.sections.reverse()


def _double(draft: Any, make: Any, place: int) -> None:
    draft.sections += map(copy.copy, draft.sections[place : place + 1])


def _set(draft: Any, make: Any, name: str, value: object) -> None:
    draft.variables[name] = value


def _swap_tools(draft: Any, make: Any, place: int, offered: list[Tool]) -> None:
    draft.tools[place:] = offered


place = st.integers(0, 9)
steps = st.one_of(
    st.tuples(st.just(_drop), place),
    st.tuples(st.just(_reword), place, texts),
    st.tuples(st.just(_add), place, st.sampled_from((*KEYS, "core.new")), texts),
    st.tuples(st.just(_turn)),
    st.tuples(st.just(_double), place),
    st.tuples(st.just(_set), names, values),
    st.tuples(st.just(_swap_tools), place, tools),
)
layers = st.sampled_from(("", "", *SCOPES))
hooks = st.lists(
    st.tuples(layers, st.builds(Hook, st.lists(steps, max_size=3))), max_size=2
)


def layered(declarations: st.SearchStrategy, most: int) -> st.SearchStrategy:
    """Return up to *most* pairs of scope and declaration, no address twice."""
    return st.lists(
        st.tuples(layers, declarations),
        max_size=most,
        unique_by=lambda pair: (pair[0], getattr(pair[1], "name", "") or pair[1].key),
    )


def _case(own: list[Any], named: list[Any], **options: Any) -> Case:
    fixed = {key for scope, key in options["protected"] if not scope}
    fixed |= {one.key for scope, one in own if one.locked and not scope}
    kept = [(scope, one) for scope, one in own if not scope or one.key not in fixed]
    groups = [("", CORE), ("", SEAM), ("", TASKS)]
    include = options.pop("include")
    if include is not None:
        seen = {one.key for scope, one in kept if scope in ("", *options["chain"])}
        include = tuple(n for n in include if "." not in n or n in seen)
    return Case(registered=groups + kept + named, include=include, **options)


cases = st.builds(
    _case,
    layered(fragments, 8),
    layered(variables, 6),
    sourced=st.one_of(st.just([]), layered(unlocked, 2)),
    protected=st.lists(st.tuples(layers, st.sampled_from(KEYS)), max_size=2),
    protected_tools=st.lists(st.tuples(layers, st.sampled_from(TOOLS)), max_size=2),
    hooks=st.one_of(st.just([]), hooks),
    texts=st.dictionaries(
        st.tuples(layers, st.sampled_from((*KEYS, *OLD_KEYS))), texts, max_size=4
    ),
    chain=st.sampled_from([(), SCOPES, SCOPES[:1], SCOPES[1:], SCOPES[::-1]]),
    include=st.one_of(
        st.none(), subset(("core", "tasks", "seam", "nowhere", "unknown", *KEYS))
    ),
    variables=st.dictionaries(names, values, max_size=4),
    level=st.sampled_from([None, "lean", "lean", "detailed", "loud"]),
    tools=tools,
    order=st.one_of(st.none(), st.permutations(["*", "zoom", "Search", "gone"])),
    families=st.one_of(st.none(), subset(FAMILIES)),
    has_tools=st.sampled_from([None, None, True, False]),
    limit=st.sampled_from([0, 0, 5, 20, 60, 200]),
)
