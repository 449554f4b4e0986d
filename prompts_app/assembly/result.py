"""What an assembly is once it is made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType

from prompts_app.assembly.accounts import Account, Frame, Later, looked_up
from prompts_app.assembly.gates import failed_gate
from prompts_app.assembly.plans import Layout, Plan
from prompts_app.assembly.resolving import Values
from prompts_app.assembly.values import Entry, Lane, Reason, Section
from prompts_app.assembly.welding import fit, weld
from prompts_app.declarations import Fragment, Level, Lifetime, Tool


class Assembly:
    """
    A prompt, with the reason for each of its parts.

    All but the text is computed when it is looked at.
    """

    def __init__(
        self,
        frame: Frame,
        layout: Layout,
        values: Values | Later,
        text: str | None = None,
    ) -> None:
        self.frame = frame
        """What it shares with the assemblies of other values."""
        self.layout = layout
        """What it is but for its values."""
        self._values = values
        self.text = self._account.filled(layout.text) if text is None else text
        """The prompt; ``""`` means that the task is switched off."""

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Return the tools to send with it, in order."""
        return self.frame.offer.tools

    @property
    def level(self) -> Level:
        """Return the level it was assembled at."""
        return self._plan.facts.level

    @property
    def scope(self) -> tuple[str, ...]:
        """Return the chain of scopes, from far to near."""
        return self._plan.view.chain

    @property
    def version(self) -> str:
        """Return the store's state; ``""`` if the texts were not the stored ones."""
        return self.frame.version

    @property
    def degraded(self) -> bool:
        """Return whether these are the last known texts, as the database is gone."""
        return self.frame.degraded

    @property
    def _plan(self) -> Plan:
        return self.frame.plan

    @cached_property
    def _account(self) -> Account:
        values = looked_up(self.frame, self._values)
        return Account(self.frame.plan, self.layout, values)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        included, shown = len(self._account.included), len(self._account.shown)
        return (
            f"<Assembly: {included} of {shown} fragments,"
            f" {len(self.text)} characters, {len(self.tools)} tools>"
        )

    def join(self, authored: str) -> str:
        """
        Return this prompt, the seam and an *authored* prompt, a blank line apart.

        If the prompt or the authored one is blank, the other stands alone.
        """
        if not authored.strip():
            return self.text
        if not self.text.strip():
            return authored
        return "\n\n".join(part for part in (self.text, self.seam, authored) if part)

    def failed_gate(self, fragment: Fragment) -> Reason | None:
        """
        Return the first gate that would keep *fragment* out of this prompt, or None.

        It is judged by the tools, the level and the values of this assembly, whether
        or not it was asked for. A provider that was not asked so far may be asked.
        """
        return failed_gate(fragment, self._plan.facts, self._account.values.is_blank)

    def keep_to(self, limit: int, measure: Callable[[str], int]) -> None:
        """
        Drop fragments until the text has *limit* units of *measure*, or fewer.

        Raises:
            PromptTooLong: the limit is not met without all that may go.
        """
        if measure(self.text) <= limit:
            return
        account, plan = self._account, self._plan
        numbers = account.included
        texts = [account.text_of(number) for number in numbers]
        pieces = [plan.pieces[number] for number in numbers]
        expendable = [
            place
            for place, piece in enumerate(pieces)
            if piece.key not in plan.view.protected
        ]
        priorities = [one.fragment.priority if one.fragment else 0 for one in pieces]
        expendable.sort(key=lambda place: (priorities[place], -place))
        gone = fit(texts, expendable, limit, measure)
        reason = Reason("limit", (str(limit),))
        account.dropped = {numbers[place]: reason for place in gone}
        self.text = weld([text for n, text in enumerate(texts) if n not in gone])

    @cached_property
    def seam(self) -> str:
        """Return what leads over to an authored prompt; see `join()`."""
        return self._account.filled(self.layout.seam)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """Return what is in `text`, in order."""
        account, pieces = self._account, self._plan.pieces
        return tuple(
            Section(
                pieces[number].key,
                account.text_of(number),
                pieces[number].group,
                account.lanes.of(pieces[number]),
            )
            for number in account.included
        )

    @cached_property
    def trace(self) -> tuple[Entry, ...]:
        """Return an entry for each fragment that was asked for or used, in order."""
        return tuple(map(self._account.entry, self._account.shown))

    def check(self) -> None:
        """
        Read every admitted text strictly, clauses first.

        Raises:
            TextError: the first fault of one.
            TypeError: a value that is needed is a collection or bytes.
        """
        self._account.check()

    @cached_property
    def lanes(self) -> Mapping[Lifetime, Lane]:
        """Return each lifetime's part of the text, most stable first."""
        texts: dict[Lifetime, list[str]] = {lifetime: [] for lifetime in Lifetime}
        for section in self.sections:
            texts[section.lane].append(section.text)
        welded = {lifetime: weld(parts) for lifetime, parts in texts.items()}
        return MappingProxyType(
            {lane: Lane(text, _digest(text)) for lane, text in welded.items()}
        )

    @cached_property
    def variables(self) -> Mapping[str, str]:
        """Return what the variables that were looked up are worth, as written."""
        values, clauses = self._account.values, self._account.clauses.texts
        known = values.known.items()
        plain = {name: text or "" for name, text in known if name in values}
        return MappingProxyType({**plain, **clauses})

    @cached_property
    def fingerprint(self) -> str:
        """Return 16 hex digits of sha256 over text and tools."""
        tools = [[t.name, t.description, t.schema(), t.strict] for t in self.tools]
        return _digest(json.dumps([self.text, tools]))


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:16]
