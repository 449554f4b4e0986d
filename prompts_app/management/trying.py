"""Every scenario, strictly and at both levels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext_lazy as _

from prompts_app.assembly import Origin, text_in_force
from prompts_app.exceptions import (
    Fault,
    MalformedReference,
    MissingValue,
    ReferenceFault,
    UnbalancedFence,
    UnknownVariable,
)
from prompts_app.lint import ERROR, WARNING
from prompts_app.management.findings import Finding, lean_adds_text
from prompts_app.management.verbs import cause_of
from prompts_app.preview import CANNOT_BE_ASSEMBLED, Situation
from prompts_app.proofs import prove_lean, strict_faults
from prompts_app.wording import fault_text, reference

_REFERENCES = {
    UnknownVariable: ("unknown_variable", _("%(reference)s names no variable.")),
    MissingValue: ("missing_value", _("%(reference)s has no value.")),
    MalformedReference: ("malformed_reference", _("%(reference)s is no reference.")),
}
_STRICTLY = {
    "unclosed_reference": ("malformed_reference",),
    "space_in_reference": ("malformed_reference",),
    "template_tag": ("malformed_reference", "unknown_variable"),
}
"""What a strict assembly says of a place that lint knows more of."""
_SHOWN = 40
"""How many characters of what stands between braces are shown."""


@dataclass(eq=False)
class Trial:
    """What was found in the scenarios played so far, each thing once."""

    known: Iterable[Finding]
    """What the stored texts were found to have, which is not told again."""
    findings: list[Finding] = field(init=False, default_factory=list)
    lean_only: dict[str, str] = field(init=False, default_factory=dict)
    """The reason of each fragment that only lean prompts have, by key."""
    count: int = field(init=False, default=0)
    """How many scenarios were played."""

    def __post_init__(self) -> None:
        self._told = {
            (code, one.scope, one.key) for one in self.known for code in _codes(one)
        }
        self._seen: set[Finding] = set()

    def play(self, situation: Situation) -> None:
        """Note what is wrong with the prompts of *situation*."""
        self.count += 1
        for level in situation.levels:
            for fault in strict_faults(situation, level):
                self._add(_finding(situation, fault))
        try:
            proof = prove_lean(situation)
        except CANNOT_BE_ASSEMBLED as error:
            self._add(_finding(situation, error))
            return
        self.lean_only.update(proof.excused)
        if proof.added:
            self._add(_lean_adds(situation, proof.added))

    def add_all(self, findings: Iterable[Finding]) -> None:
        """Note what is odd about declared texts, unless a scenario has shown it."""
        shown = {(one.code, one.scope, one.key) for one in self.findings}
        for finding in findings:
            places = ((), finding.scope)
            same = {(c, s, finding.key) for c in _codes(finding) for s in places}
            if shown.isdisjoint(same):
                self._add(finding)

    def _add(self, finding: Finding) -> None:
        """Keep *finding*, unless it was found in the whole installation as well."""
        everywhere = replace(finding, scope=())
        if (finding.code, finding.scope, finding.key) in self._told:
            return
        if finding not in self._seen and everywhere not in self._seen:
            self._seen.add(finding)
            self.findings.append(finding)


def _codes(finding: Finding) -> tuple[str, ...]:
    return finding.code, *_STRICTLY.get(finding.code, ())


def _finding(situation: Situation, fault: Exception) -> Finding:
    name = situation.scenario.key if situation.scenario else ""
    if not isinstance(fault, ReferenceFault | UnbalancedFence):
        chain, message = situation.view.chain, cause_of(fault)
        return Finding(ERROR, "cannot_be_assembled", message, chain, scenario=name)
    origin = _origin(situation, fault.fragment)
    # What people save is sent all the same; what the code says has to be right.
    severity = WARNING if origin.kind == "override" else ERROR
    code, message = _words(fault)
    return Finding(
        severity,
        code,
        message,
        (origin.scope,) if origin.scope else (),
        fault.fragment,
        name if isinstance(fault, MissingValue) else "",
    )


def _words(fault: ReferenceFault | UnbalancedFence) -> tuple[str, str]:
    if isinstance(fault, UnbalancedFence):
        params = {"line": fault.line}
        told = Fault("unbalanced_fence", "", fault.fragment, "", params)
        return told.code, fault_text(told)
    code, words = _REFERENCES[type(fault)]
    shown = fault.reference[:_SHOWN] + "…" * (len(fault.reference) > _SHOWN)
    return code, str(words) % {"reference": reference(shown)}


def _origin(situation: Situation, key: str) -> Origin:
    layered = situation.view.by_key.get(key)
    if layered is None:
        return Origin("hook")
    return text_in_force(situation.view, situation.snapshot, layered)[1]


def _lean_adds(situation: Situation, added: tuple[str, ...]) -> Finding:
    return Finding(
        ERROR,
        "lean_adds",
        lean_adds_text(len(added)),
        situation.view.chain,
        scenario=situation.scenario.key if situation.scenario else "",
        lines=added,
    )
