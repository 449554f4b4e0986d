"""
The words in which pages and commands speak of fragments, reasons and faults.

Every function gives a text in the active language.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.formats import number_format
from django.utils.text import get_text_list
from django.utils.translation import (
    get_language_bidi,
    gettext,
    gettext_lazy as _,
    gettext_noop,
    ngettext,
)

from prompts_app import validation as valid
from prompts_app.assembly import Origin, Reason
from prompts_app.declarations import (
    RESERVED_VARIABLES,
    Fragment,
    Level,
    Lifetime,
    Variable,
)
from prompts_app.exceptions import Fault

_OUTCOMES = {
    "included": _("In the prompt"),
    "provided": _("In another text"),
    "seam": _("Before an authored prompt"),
    "off": _("Off"),
    "gated": _("Left out"),
    "empty": _("Empty"),
    "dropped": _("Dropped"),
}
_ORIGINS = {
    "default": _("Built-in"),
    "override": _("Changed"),
    "hook": _("From a hook"),
}
_LEVELS = {Level.LEAN: _("Lean"), Level.DETAILED: _("Detailed")}
_ONLY_AT = {
    Level.LEAN: _("At the lean level only"),
    Level.DETAILED: _("At the detailed level only"),
}
_LIFETIMES = {
    Lifetime.FIXED: _("Never"),
    Lifetime.CONVERSATION: _("Per chat"),
    Lifetime.TURN: _("Every turn"),
    Lifetime.CALL: _("Every call"),
}
_LANES = {
    Lifetime.FIXED: _("same in every chat"),
    Lifetime.CONVERSATION: _("same within a chat"),
    Lifetime.TURN: _("new every turn"),
    Lifetime.CALL: _("new every call"),
}
_HEADINGS = {
    "off": _("Switched off"),
    "families": _("No %(names)s tools"),
    "level": _("Other level"),
    "requires": _("Variable is blank"),
    "unless": _("Variable has a value"),
    "empty": _("Rendered empty"),
    "limit": _("Over the limit of %(names)s"),
    "hook": _("Taken out by a hook"),
    "unbalanced_fence": _("The level marker in line %(names)s has no partner"),
    "clause_in_clause": _("A clause cannot hold a clause"),
    "provider_failed": _("The value could not be found out"),
    "former_key": _("Saved under an earlier key"),
}
# The registry's own variables are declared below Django, in plain English.
gettext_noop("Two opening braces")
gettext_noop("Writes {{ without starting a reference.")
gettext_noop("Tools of this request")
gettext_noop("Comma separated; blank without tools.")
_ABOUT_VARIABLES = ("requires", "unless", "clause_in_clause", "provider_failed")
_FAULTS = {
    "unknown_fragment": _("There is no fragment %(key)s any more. Your text is below."),
    "locked": _(
        "Locked by the software. You can read it, but not change it or switch it off."
    ),
    "too_long": _(
        "%(length)s characters; at most %(limit)s are allowed. Shorten it by %(over)s."
    ),
    "total_too_long": _(
        "All texts together would be %(length)s characters; at most %(limit)s are "
        "allowed. Nothing was saved."
    ),
    "nul": _("This text holds a character that cannot be stored (NUL, line %(line)s)."),
    "surrogate": _(
        "This text holds a character that cannot be stored (lone surrogate, line "
        "%(line)s)."
    ),
    "unbalanced_fence": _("The level marker in line %(line)s has no partner."),
    "must_mention": _("The text no longer mentions %(variable)s."),
    "conflict": _("Somebody else has saved this text since you opened it."),
}


def reason_text(reason: Reason) -> str:
    """Return why a fragment is out, or what else is to be said of it."""
    if reason.code == "level":
        return str(_ONLY_AT[Level(reason.names[0])])
    about_variables = reason.code in _ABOUT_VARIABLES
    if not about_variables and reason.code != "former_key":
        return reason_heading(reason)
    names = map(reference, reason.names) if about_variables else reason.names
    return gettext("%(reason)s: %(names)s") % {
        "reason": reason_heading(reason),
        "names": ", ".join(names),
    }


def reason_heading(reason: Reason) -> str:
    """Return *reason* without the variables and keys it names, to list many under."""
    if reason.code == "when_tools":
        missing = reason.names == ("with",)
        return gettext("No tools") if missing else gettext("Tools are offered")
    names = (number(name) if name.isdecimal() else name for name in reason.names)
    return _HEADINGS[reason.code] % {"names": _any_of(names)}


def gates_text(fragment: Fragment) -> list[str]:
    """Return the conditions under which *fragment* appears, a phrase for each."""
    phrases = []
    if fragment.provides:
        provided = {"variable": reference(fragment.provides)}
        phrases.append(gettext("Where a text names %(variable)s") % provided)
    if fragment.when_tools is not None:
        when = gettext("When a tool is offered"), gettext("When no tool is offered")
        phrases.append(when[0] if fragment.when_tools else when[1])
    if fragment.families:
        names = {"names": _any_of(fragment.families)}
        phrases.append(gettext("With %(names)s tools") % names)
    if fragment.level is not None:
        phrases.append(str(_ONLY_AT[fragment.level]))
    for name in fragment.requires:
        required = {"variable": reference(name)}
        phrases.append(gettext("When %(variable)s has a value") % required)
    for name in fragment.unless:
        unwanted = {"variable": reference(name)}
        phrases.append(gettext("When %(variable)s is blank") % unwanted)
    return phrases or [gettext("Always")]


def outcome_text(outcome: str) -> str:
    """Return what became of a fragment, by the *outcome* of its trace entry."""
    return str(_OUTCOMES[outcome])


def origin_text(origin: Origin) -> str:
    """Return where a text comes from: the code, a save or a hook, and which scope."""
    kind = str(_ORIGINS[origin.kind])
    if not origin.scope:
        return kind
    return gettext("%(origin)s for %(scope)s") % {"origin": kind, "scope": origin.scope}


def place(scope: str) -> str:
    """Return whom the texts of *scope* are for; what is no scope stands in quotes."""
    if not valid.is_scope(scope):
        # It may hold anything, line feeds and control characters as well.
        return repr(scope)
    # Translators: whom a text is for; stands in a column, and after “for”.
    return scope or gettext("the whole installation")


def bad_scope_text(scope: str, count: int) -> str:
    """Return that *count* texts are stored under what is no scope."""
    words = ngettext(
        "%(scope)s is no scope; %(count)s text under it is kept and not sent.",
        "%(scope)s is no scope; %(count)s texts under it are kept and not sent.",
        count,
    )
    return words % {"scope": place(scope), "count": count}


def level_text(level: Level) -> str:
    """Return the name of *level*."""
    return str(_LEVELS[level])


def lifetime_text(lifetime: Lifetime) -> str:
    """Return how often the value of a variable changes."""
    return str(_LIFETIMES[lifetime])


def lane_text(lifetime: Lifetime) -> str:
    """Return how long a part of a prompt keeps the same bytes."""
    return str(_LANES[lifetime])


def variable_words(variable: Variable) -> tuple[str, str]:
    """Return label and description of *variable*, ``""`` where it has none."""
    words = str(variable.label), str(variable.description)
    if variable.name not in RESERVED_VARIABLES:
        return words
    return gettext(words[0]), gettext(words[1])


def fault_text(fault: Fault) -> str:
    """Return the sentence that says why a text, or a whole save, is refused."""
    spelled = {"key": fault.key}
    for name, value in fault.params.items():
        if name == "variable":
            spelled[name] = reference(value)
        else:
            spelled[name] = number(value) if isinstance(value, int) else str(value)
    return _FAULTS[fault.code] % spelled


def number(value: int | str) -> str:
    """Return a whole number with the separators of the active language."""
    return number_format(int(value), use_l10n=True, force_grouping=True)


def signed(value: int) -> str:
    """Return a difference with its sign and separators; ``""`` for none."""
    if not value:
        return ""
    sign = "+" if value > 0 else "\N{MINUS SIGN}"
    # Without the mark the sign would stand behind the number.
    mark = "\N{LEFT-TO-RIGHT MARK}" if get_language_bidi() else ""
    return f"{mark}{sign}{number(abs(value))}"


def reference(name: str) -> str:
    """Return how a text refers to the variable *name*."""
    return f"{{{{{name}}}}}"


def _any_of(names: Iterable[str]) -> str:
    return get_text_list(list(names), gettext("or"))
