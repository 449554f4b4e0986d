"""
Random texts, values, catalogues and calls.

Each is made from one random number generator, not from many small draws: what
matters shows where clauses, gates, scopes and hooks meet, and drawing piece by
piece prefers cases in which next to nothing is declared.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import strategies as st

from prompts_app.declarations import Fragment, Level, Lifetime, Tool, Variable
from tests.assembling import CORE, SEAM, TASKS, tool, variable
from tests.reference_view import Case

SCOPES = ("tenant.acme", "agent.support")
KEYS = (
    *("core.a", "core.b", "core.c-1", "core.c_1", "core.d", "core.e", "ctx.f", "ctx.g"),
    *("ctx.h", "seam.i", "seam.j", "task.k"),
)
OLD_KEYS = ("core.old", "core.older")
GROUPS = ("core", "core", "core", "core", "seam", "tasks", "nowhere")
NAMES = ("who", "place", "now", "plan", "free")
CLAUSES = ("note", "tail")
FAMILIES = ("files", "web")
TOOLS = ("read", "Search", "write", "zoom")
LINES = (
    *("Plain words.", "- item", "é😀 {", "### ", "", "  \t", "\r", "}} {{ {{Who}}"),
    *("{{who}}", "Hi {{who}}.", "  - {{ who }}", "**Now:** {{now}}", "{{{place}}}"),
    *("{{plan}} of {{now}}", "{{\u00a0plan}}", "{{free}}", "{{nope}}", "{{x {{now}}"),
    *(
        "{{note}}",
        "Do it{{note}}.",
        "{{tail}}, {{note}}",
        "- {{tail}}",
        "{{note}}{{plan}}",
    ),
    *("{{lb}}who}}", "{{tool_names}}", "- {{tool_names}} {{place}}"),
)
VALUES = (
    *(
        None,
        False,
        True,
        0,
        2.5,
        "",
        " \t\n",
        "Ada",
        "Eve",
        "Kim",
        "Ulm\n- and\n\nround it",
    ),
    *("{{place}}", "{{note}}", "{{lb}}who}}", "<!-- detailed -->", "- item", "\\1 $1"),
    *("a\r\nb\rc", "```py\n~~~~", "hid\u202eden\x00`\ufeff``", "\U000e0041`\x07`\x9f`"),
)
TEXTS = tuple(value for value in VALUES if isinstance(value, str))


@dataclass(eq=False)
class Provider:
    """A provider of one value, or one that fails; it counts its calls."""

    value: object
    fails: bool
    calls: int = field(default=0, repr=False)

    def __call__(self, context: object) -> object:
        self.calls += 1
        if self.fails:
            raise LookupError
        return self.value

    def peek(self) -> object:
        """Return what a call is worth, without one."""
        return None if self.fails else self.value


def values(dice: Random, count: int) -> list[object]:
    """Return values; half the time nothing but texts, as in most calls."""
    return dice.choices(TEXTS if chance(dice, 0.5) else VALUES, k=count)


def chance(dice: Random, share: float) -> bool:
    """Return whether something happens that happens in that share of cases."""
    return dice.random() < share


def some(dice: Random, names: tuple[str, ...], share: float = 0.1) -> tuple[str, ...]:
    """Return one or two of *names* in that share of cases, else none."""
    return tuple(dice.sample(names, dice.randint(1, 2))) if chance(dice, share) else ()


def layer(dice: Random) -> str:
    """Return the global layer or a scope."""
    return dice.choice(("", "", "", *SCOPES))


def text(dice: Random) -> str:
    """Return a few lines, some of them fenced, now and then not in pairs."""
    lines = []
    for _ in range(dice.choice((0, 1, 1, 1, 2, 2, 2, 3))):
        inside = [dice.choice(LINES) for _ in range(dice.randint(1, 2))]
        if chance(dice, 0.2):
            inside = ["<!-- detailed -->", *inside, "<!-- /detailed -->"]
        lines += inside
    if chance(dice, 0.05):
        lines.insert(0, dice.choice(("<!-- detailed -->", " <!-- /detailed -->\t")))
    return "\n".join(lines)


def fragment(dice: Random, key: str, *, locked: bool) -> Fragment:
    """Return a fragment of *key*, mostly without gates."""
    level = dice.choice(tuple(Level)) if chance(dice, 0.1) else None
    former = some(dice, (*OLD_KEYS, *KEYS), 0.2)
    return Fragment(
        key,
        label=key,
        group=dice.choice(GROUPS),
        default=text(dice),
        order=dice.choice((0, 1, 2, -1.5)),
        families=some(dice, FAMILIES),
        requires=some(dice, (*NAMES, *CLAUSES, "tool_names", "lb")),
        unless=some(dice, (*NAMES, *CLAUSES, "tool_names")),
        when_tools=chance(dice, 0.5) if chance(dice, 0.1) else None,
        level=level,
        lean_reason="for this test" if level == "lean" else "",
        provides=dice.choice(CLAUSES) if chance(dice, 0.25) else "",
        lifetime=dice.choice(tuple(Lifetime)) if chance(dice, 0.2) else None,
        priority=dice.choice((0, 0, 1, -1)),
        optional_lines=chance(dice, 0.3),
        locked=locked,
        former_keys=tuple(one for one in former if one != key),
    )


def declared_variable(dice: Random, name: str) -> Variable:
    """Return a variable, mostly with a provider that mostly succeeds."""
    provider = Provider(dice.choice(VALUES), chance(dice, 0.2))
    return variable(
        name,
        provider if chance(dice, 0.7) else None,
        lifetime=dice.choice(tuple(Lifetime)),
        untrusted=chance(dice, 0.5),
    )


def tools(dice: Random) -> list[Tool]:
    """Return a few tools, doubles among them."""
    families = ("", *FAMILIES)
    count = dice.choice((0, 1, 2, 4))
    return [tool(dice.choice(TOOLS), dice.choice(families)) for _ in range(count)]


@dataclass(eq=False)
class Hook:
    """A hook that takes a few steps, each with a seed of its own."""

    steps: list[tuple[Any, float]]

    def __call__(self, draft: Any, make: Any) -> None:
        for step, seed in self.steps:
            step(draft, make, Random(seed))  # noqa: S311  # a hook has to take the same steps each time


def hook(dice: Random) -> Hook:
    """Return a hook of three steps; a call gives it what makes a section."""
    steps = (_drop, _reword, _add, _turn, _double, _set, _swap_tools)
    return Hook([(dice.choice(steps), dice.random()) for _ in range(3)])


def _drop(draft: Any, make: Any, dice: Random) -> None:
    place = dice.randint(0, 3)
    del draft.sections[place : place + 1]


def _reword(draft: Any, make: Any, dice: Random) -> None:
    for section in draft.sections[dice.randint(0, 3) :][:1]:
        section.text = text(dice)


def _add(draft: Any, make: Any, dice: Random) -> None:
    key = dice.choice((*KEYS, "core.new"))
    if key not in [section.key for section in draft.sections]:
        section = make(key=key, text=text(dice), group=dice.choice((*GROUPS, "")))
        draft.sections.insert(dice.randint(0, 4), section)


def _turn(draft: Any, make: Any, dice: Random) -> None:
    draft.sections.reverse()


def _double(draft: Any, make: Any, dice: Random) -> None:
    draft.sections += map(copy.copy, draft.sections[dice.randint(0, 3) :][:1])


def _set(draft: Any, make: Any, dice: Random) -> None:
    draft.variables[dice.choice((*NAMES, *CLAUSES, "tool_names"))] = dice.choice(VALUES)


def _swap_tools(draft: Any, make: Any, dice: Random) -> None:
    draft.tools[dice.randint(0, 2) :] = tools(dice)


def case(dice: Random) -> Case:
    """Return a call with all that it depends on."""
    protected = [(layer(dice), dice.choice(KEYS)) for _ in range(dice.randint(0, 1))]
    addresses = {(layer(dice), dice.choice(KEYS)): None for _ in range(16)}
    own = [
        (scope, fragment(dice, key, locked=chance(dice, 0.1)))
        for scope, key in addresses
    ]
    fixed = {key for scope, key in protected if not scope}
    fixed |= {one.key for scope, one in own if one.locked and not scope}
    own = [(scope, one) for scope, one in own if not scope or one.key not in fixed]
    named = {(layer(dice), dice.choice((*NAMES, "note"))): None for _ in range(6)}
    chain = dice.choice(((), SCOPES, SCOPES[:1], SCOPES[1:], SCOPES[::-1]))
    keys = tuple(one.key for scope, one in own if scope in ("", *chain))
    wanted = (*("core", "tasks", "seam", "nowhere", "unknown"), *dict.fromkeys(keys))
    return Case(
        registered=[
            *(("", CORE), ("", SEAM), ("", TASKS)),
            *own,
            *((scope, declared_variable(dice, name)) for scope, name in named),
        ],
        sourced=[
            (layer(dice), fragment(dice, dice.choice(KEYS), locked=chance(dice, 0.3)))
            for _ in range(dice.choice((0, 0, 2, 6)))
        ],
        protected=protected,
        protected_tools=[
            (layer(dice), dice.choice(TOOLS)) for _ in range(dice.randint(0, 1))
        ],
        hooks=[(layer(dice), hook(dice)) for _ in range(dice.choice((0, 0, 0, 1, 2)))],
        texts={
            (layer(dice), dice.choice((*KEYS, *OLD_KEYS))): text(dice)
            for _ in range(dice.randint(0, 4))
        },
        chain=chain,
        include=some(dice, wanted, 0.9) if chance(dice, 0.3) else None,
        **_call(dice),
    )


def _call(dice: Random) -> dict[str, Any]:
    order = ["*", "zoom", "Search", "gone"]
    dice.shuffle(order)
    names = [dice.choice((*NAMES, *CLAUSES, "tool_names")) for _ in range(4)]
    return {
        "variables": dict(zip(names, values(dice, 4), strict=True)),
        "level": dice.choice((None, "lean", "lean", "detailed", "loud")),
        "tools": tools(dice),
        "order": order if chance(dice, 0.5) else None,
        "families": some(dice, FAMILIES, 0.7) if chance(dice, 0.5) else None,
        "has_tools": dice.choice((None, None, True, False)),
        "limit": dice.choice((0, 0, 0, 0, 0, 15, 60, 120)),
    }


dices = st.randoms(use_true_random=True)
texts = dices.map(text)
cases = dices.map(case)
