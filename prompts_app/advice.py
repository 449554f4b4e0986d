"""The words in which an editor is told what lint found, in the active language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _, ngettext_lazy

from prompts_app.declarations import Lifetime
from prompts_app.exceptions import Fault
from prompts_app.lint import ERROR, NOTE, WARNING, Problem
from prompts_app.wording import fault_text, lane_text, number, reference

_SEVERITIES = {ERROR: _("Error"), WARNING: _("Warning"), NOTE: _("Note")}
_SENTENCES = {
    "unknown_variable": _("%(snippet)s names no variable, and is sent as typed."),
    "malformed_reference": _("%(snippet)s is no reference, and is sent as typed."),
    "unclosed_reference": _("Two braces open here and never close: %(snippet)s"),
    "space_in_reference": _(
        "%(snippet)s is filled here, but strict calls refuse it. Write %(variable)s."
    ),
    "near_reference": _("%(snippet)s is sent as typed. The value is %(variable)s."),
    "template_tag": _(
        "%(snippet)s is sent as typed: texts have variables, but no tags."
    ),
    "clause_in_clause": _(
        "%(variable)s is sent as typed: a clause cannot hold a clause."
    ),
    "always_blank": _("%(variable)s is always blank where this text is sent."),
    "repeated_variable": _(
        "%(variable)s stands here again, so its value is sent more than once."
    ),
    "mistyped_fence": _(
        "%(snippet)s marks no level, and is sent. The markers are <!-- detailed --> "
        "and <!-- /detailed -->, each alone on its line."
    ),
    "stranded_line": _("Without a value for %(names)s this stands alone: %(snippet)s"),
    "cached_fence": _(
        "This text is cached (%(lane)s), so it should not differ between levels: what "
        "is cached does not follow a change of level."
    ),
    "foreign_placeholder": _("%(snippet)s is sent as typed."),
    "much_longer": _("%(length)s characters; the default has %(default)s."),
}
_COUNTED = {
    "invisible_character": ngettext_lazy(
        "%(count)s invisible character: %(name)s (%(codepoint)s)",
        "%(count)s invisible characters: %(name)s (%(codepoint)s)",
        "number",
    ),
    "bidirectional_control": ngettext_lazy(
        "%(count)s invisible character that turns the direction: %(name)s "
        "(%(codepoint)s)",
        "%(count)s invisible characters that turn the direction: %(name)s "
        "(%(codepoint)s)",
        "number",
    ),
    "tag_character": ngettext_lazy(
        "%(count)s invisible letter that only models read: %(name)s (%(codepoint)s)",
        "%(count)s invisible letters that only models read, the first: %(name)s "
        "(%(codepoint)s)",
        "number",
    ),
    "direction_mark": ngettext_lazy(
        "%(count)s invisible mark of direction: %(name)s (%(codepoint)s)",
        "%(count)s invisible marks of direction: %(name)s (%(codepoint)s)",
        "number",
    ),
}
_NEAR = _("Did you mean %(near)s?")
_LITERAL = _("Braces that are meant are written %(lb)s.")
_IS = {
    Lifetime.CONVERSATION: _(
        "With %(names)s this text is the same only within a chat."
    ),
    Lifetime.TURN: _("With %(names)s this text is new every turn."),
    Lifetime.CALL: _("With %(names)s this text is new every call."),
}
_WAS = {
    Lifetime.FIXED: _("It was the same in every chat, and could be cached."),
    Lifetime.CONVERSATION: _(
        "It was the same only within a chat, and could be cached."
    ),
    Lifetime.TURN: _("It was new every turn, and could be cached."),
}


def severity_text(severity: str) -> str:
    """Return the name of a *severity*."""
    return str(_SEVERITIES[severity])


def problem_text(problem: Problem) -> str:
    """Return the sentence that says what is odd about a text."""
    code, params = problem.code, problem.params
    if code in _COUNTED:
        counted = {"number": params["count"], "count": number(params["count"])}
        return str(_COUNTED[code] % {**params, **counted})
    if code == "leaves_prefix":
        culprits = _listed(params["variables"])
        return unsteady_text(params["before"], params["lane"], culprits)
    if code not in _SENTENCES:
        return fault_text(Fault(code, "", "", "", params))
    sentence = str(_SENTENCES[code] % _spelled(params))
    return " ".join((sentence, *_hint(code, params)))


def unsteady_text(before: Lifetime, after: Lifetime, culprits: str) -> str:
    """Return that a text changes more often than before, and what makes it do so."""
    return f"{_IS[after] % {'names': culprits}} {_WAS[before]}"


def _hint(code: str, params: Mapping[str, Any]) -> Iterable[str]:
    if params.get("near"):
        yield _NEAR % {"near": reference(params["near"])}
    elif code == "malformed_reference":
        yield _LITERAL % {"lb": reference("lb")}


def _spelled(params: Mapping[str, Any]) -> dict[str, str]:
    spelled = {}
    for name, value in params.items():
        if name == "variables":
            spelled["names"] = _listed(value)
        elif name == "variable":
            spelled[name] = reference(value)
        elif isinstance(value, Lifetime):
            spelled[name] = lane_text(value)
        else:
            spelled[name] = number(value) if isinstance(value, int) else str(value)
    return spelled


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(reference, names))
