"""Why a text is refused: one sentence for each fault, with its figures."""

from __future__ import annotations

from prompts_app.exceptions import Fault, UnbalancedFence
from prompts_app.lint import Problem, refusals

_SENTENCES = {
    "too_long": (
        ": {length} characters; at most {limit} are allowed. Shorten it by {over}."
    ),
    "nul": " holds a character that cannot be stored (NUL, line {line}).",
    "surrogate": (
        " holds a character that cannot be stored (lone surrogate, line {line})."
    ),
}


def unknown(scope: str, key: str) -> Fault:
    """Return the fault of a key that nobody declares."""
    return Fault("unknown_fragment", scope, key, f"There is no fragment {key!r}.")


def locked(scope: str, key: str) -> Fault:
    """Return the fault of a fragment that is not editable."""
    return Fault("locked", scope, key, f"{key} is locked by the software.")


def conflict(scope: str, key: str, etag: str) -> Fault:
    """Return the fault of a text that changed while it was edited."""
    message = f"{key} was changed by somebody else meanwhile."
    return Fault("conflict", scope, key, message, {"etag": etag})


def total_too_long(scope: str, length: int, limit: int) -> Fault:
    """Return the fault of a scope whose texts together are too long."""
    message = (
        f"All texts together would be {length} characters; at most {limit} are"
        " allowed. Nothing was saved."
    )
    params = {"length": length, "limit": limit}
    return Fault("total_too_long", scope, "", message, params)


def of_text(scope: str, key: str, text: str, limit: int) -> list[Fault]:
    """Return the faults that *text* has by itself."""
    return [
        Fault(one.code, scope, key, f"{key}{_sentence(one)}", one.params)
        for one in refusals(text, limit)
    ]


def _sentence(problem: Problem) -> str:
    params = problem.params
    if problem.code == "unbalanced_fence":
        return f": {UnbalancedFence(params['line'], opened=params['opened'])}."
    return _SENTENCES[problem.code].format(**params)


def must_mention(scope: str, key: str, name: str) -> Fault:
    """Return the fault of a text that drops a variable it has to mention."""
    message = f"{key} no longer mentions {{{{{name}}}}}."
    return Fault("must_mention", scope, key, message, {"variable": name})
