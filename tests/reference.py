"""
A second assembler, slow and obvious, to hold the real one against.

It shares no code with the assembly or the text language of the package: it takes
declarations as data, and says each step out loud.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from prompts_app.declarations import Fragment, Lifetime
from tests.reference_text import at_level, clean, fill, names_in, weld
from tests.reference_view import Case, Seen, put_back


@dataclass
class Part:
    """One fragment, or a section that a hook made, on its way."""

    key: str
    text: str
    group: str
    fragment: Fragment | None = None
    origin: tuple[str, str] = ("hook", "")
    place: str = ""
    outcome: str = ""
    reason: tuple[str, tuple[str, ...]] | None = None
    notes: list[str] = field(default_factory=list)
    force: str = ""
    lane: Lifetime = Lifetime.CALL

    def out(self, outcome: str, code: str, *names: str) -> None:
        """Settle that it contributes nothing."""
        self.outcome, self.reason, self.text = outcome, (code, names), ""


@dataclass
class Draft:
    """What a hook may change."""

    sections: list[Part]
    tools: list[Any]
    variables: dict[str, object]


class Reference:
    """One assembly, made at once: `text`, `seam`, `parts`, `lanes` and `tools`."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.seen = Seen(case)
        self.worth: dict[str, str | None] = {}
        self.may_ask: set[str] = set()
        """Names whose provider may run."""
        self.too_long = 0
        """The least length that can be had, if that is over the limit."""
        self.parts = self._wanted()
        self._let_hooks_change()
        for part in self.parts:
            part.force = part.force or part.text
        self._judge()
        for part in self.parts:
            part.lane = self._lane(part)
        self.parts = [part for part in self.parts if part.place != "aside"]
        self._shorten()
        self.text = self._weld("included")
        self.seam = self._weld("seam")
        self.lanes = {
            lane: weld([p.text for p in self._all("included") if p.lane is lane])
            for lane in Lifetime
        }

    def _all(self, outcome: str) -> list[Part]:
        return [part for part in self.parts if part.outcome == outcome]

    def _weld(self, outcome: str) -> str:
        return weld([part.text for part in self._all(outcome)])

    def _wanted(self) -> list[Part]:
        parts = []
        for one in self.seen.fragments:
            text, origin, stored = self.seen.in_force(one)
            place = self.seen.place(one.key, one.group, one)
            part = Part(one.key, text, one.group, one, origin, place)
            if stored not in ("", one.key):
                part.notes = [*part.notes, "former_key"]
            if origin[0] == "override" and not text.strip():
                part.out("off", "off")
            if place:
                parts.append(part)
        return parts

    def _offered(self) -> list[Any]:
        by_name = sorted(self.case.tools, key=lambda tool: tool.name)
        order = ["*"] if self.case.order is None else self.case.order
        rest = [tool for tool in by_name if tool.name not in order]
        ordered = []
        for name in order:
            named = [tool for tool in by_name if tool.name == name]
            ordered += rest if name == "*" else named
        return ordered

    def _let_hooks_change(self) -> None:
        before = [part for part in self.parts if not part.outcome]
        offered = self._offered()
        after = [copy.copy(part) for part in before]
        draft = Draft(after, list(offered), dict(self.case.variables))
        self._run_hooks(draft)
        for part in draft.sections:
            place = self.seen.place(part.key, part.group, part.fragment)
            part.place = place or "text"
        sections = put_back(before, draft.sections, self.seen.protected, "key")
        self.tools = put_back(offered, draft.tools, self.seen.tools, "name")
        self.given = draft.variables
        present = {part.key for part in sections}
        absent = [part for part in self.parts if part.key not in present]
        for part in absent:
            if not part.outcome:
                part.force = part.text
                part.out("dropped", "hook")
        self.parts = put_back(self.parts, sections, {p.key for p in absent}, "key")

    def _run_hooks(self, draft: Draft) -> None:
        """Run them, and say which sections they made or changed, and for which layer."""
        before = {part.key: part.text for part in draft.sections}
        last, changed = dict(before), {}
        for layer in ("", *self.case.chain):
            for hook in [hook for at, hook in self.case.hooks if at == layer]:
                hook(draft, Part)
                for part in draft.sections:
                    if last.get(part.key) != part.text:
                        last[part.key], changed[part.key] = part.text, layer
        for part in draft.sections:
            if before.get(part.key) != part.text:
                part.origin, part.notes = ("hook", changed.get(part.key, "")), []

    def _judge(self) -> None:
        self._admit(part for part in self.parts if part.place != "aside")
        asked = [part for part in self.parts if part.place != "aside"]
        used = {n for p in asked if not p.outcome for n in names_in(p.text)}
        for part in self.parts:
            if part.place == "aside" and _provides(part) in used:
                part.place = "clause"
                self._admit([part])
        clauses = dict.fromkeys(self.seen.provided, "")
        for part in self.parts:
            if part.place == "clause" and not part.outcome:
                if self.seen.provided & set(names_in(part.text)):
                    part.notes = [*part.notes, "clause_in_clause"]
                text = self._filled(part, {}).strip("\n")
                self._settle(part, text, "provided")
                name = _provides(part)
                clauses[name] = clauses[name] or part.text
        given = self.given
        self.clauses = {n: text for n, text in clauses.items() if n not in given}
        for part in self.parts:
            if part.place in ("text", "seam") and not part.outcome:
                text = self._filled(part, self.clauses).strip()
                outcome = "included" if part.place == "text" else "seam"
                self._settle(part, text, outcome)

    def _settle(self, part: Part, text: str, outcome: str) -> None:
        part.text, part.outcome = text, outcome
        if not text.strip():
            part.out("empty", "empty")

    def _admit(self, parts: Iterable[Part]) -> None:
        for part in parts:
            if part.outcome:
                continue
            failed = self._failed(part.fragment) if part.fragment else None
            if failed:
                part.out("gated", failed[0], *failed[1])
                continue
            text = at_level(part.text, self.case.level)
            if text is None:
                part.notes = [*part.notes, "unbalanced_fence"]
            else:
                part.text = text
            self.may_ask |= set(names_in(part.text))

    def _failed(self, one: Fragment) -> tuple[str, tuple[str, ...]] | None:
        case = self.case
        has_tools = bool(self.tools) if case.has_tools is None else case.has_tools
        offered = [tool.family for tool in self.tools]
        families = offered if case.families is None else case.families
        level = "lean" if case.level == "lean" else "detailed"
        if one.when_tools is True and not has_tools:
            return "when_tools", ("with",)
        if one.when_tools is False and has_tools:
            return "when_tools", ("without",)
        if one.families and not set(one.families) & set(families):
            return "families", one.families
        if one.level is not None and one.level.value != level:
            return "level", (one.level.value,)
        self.may_ask |= {*one.requires, *one.unless}
        blank = tuple(name for name in one.requires if self._is_blank(name))
        if blank:
            return "requires", blank
        full = tuple(name for name in one.unless if not self._is_blank(name))
        return ("unless", full) if full else None

    def _is_blank(self, name: str) -> bool:
        return not (self._value(name) or "").strip()

    def _value(self, name: str) -> str | None:
        """Return what *name* is worth; None for no value, or no such name."""
        if name not in self.worth:
            self.worth[name] = self._find_value(name)
        return self.worth[name]

    def _find_value(self, name: str) -> str | None:
        declared = self.seen.variables.get(name)
        value = None
        if name in self.given:
            value = self.given[name]
        elif name == "lb":
            value = "{{"
        elif name == "tool_names":
            value = ", ".join(dict.fromkeys(tool.name for tool in self.tools)) or None
        elif declared and declared.provider:
            value = declared.provider.peek()
        if value is None or value is False:
            return None
        return clean(str(value)) if declared and declared.untrusted else str(value)

    def _filled(self, part: Part, clauses: Mapping[str, str]) -> str:
        known: dict[str, str] = {}
        for name in names_in(part.text):
            if name in clauses:
                known[name] = clauses[name]
            elif name in {"lb", "tool_names", *self.given, *self.seen.variables}:
                known[name] = self._value(name) or ""
        optional = part.fragment is not None and part.fragment.optional_lines
        return fill(part.text, known, optional=optional)

    def _lane(self, part: Part) -> Lifetime:
        one = part.fragment
        if one is None or part.origin[0] == "hook":
            return Lifetime.CALL
        names = [*names_in(part.force), *one.requires, *one.unless]
        lanes = [one.lifetime or Lifetime.FIXED]
        for name in names:
            if name in self.clauses and not one.provides:
                providing = [p for p in self.parts if _provides(p) == name]
                lanes += [self._lane(clause) for clause in providing]
            else:
                lanes.append(self._lifetime(name))
        return max(lanes)

    def _lifetime(self, name: str) -> Lifetime:
        own = {"lb": Lifetime.FIXED, "tool_names": Lifetime.CONVERSATION}
        declared = self.seen.variables.get(name)
        return declared.lifetime if declared else own.get(name, Lifetime.CALL)

    def _shorten(self) -> None:
        while self.case.limit and len(self._weld("included")) > self.case.limit:
            included = self._all("included")
            may_go = [p for p in included if p.key not in self.seen.protected]
            if not may_go:
                self.too_long = len(self._weld("included"))
                return
            lowest = min(map(_priority, may_go))
            last = [part for part in may_go if _priority(part) == lowest][-1]
            last.out("dropped", "limit", str(self.case.limit))


def _provides(part: Part) -> str:
    return part.fragment.provides if part.fragment else ""


def _priority(part: Part) -> int:
    return part.fragment.priority if part.fragment else 0
