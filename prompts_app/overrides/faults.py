"""Why a text is refused: one sentence for each fault, with its figures."""

from __future__ import annotations

import re

from prompts_app.declarations import Fragment
from prompts_app.exceptions import Fault, UnbalancedFence
from prompts_app.syntax import at_level, variables_in

_SURROGATE = re.compile("[\ud800-\udfff]")


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
    faults = []
    if len(text) > limit:
        over = len(text) - limit
        message = (
            f"{key}: {len(text)} characters; at most {limit} are allowed."
            f" Shorten it by {over}."
        )
        params = {"length": len(text), "limit": limit, "over": over}
        faults.append(Fault("too_long", scope, key, message, params))
    for code, what, at in (
        ("nul", "NUL", text.find("\0")),
        ("surrogate", "lone surrogate", _surrogate(text)),
    ):
        if at >= 0:
            line = text.count("\n", 0, at) + 1
            message = (
                f"{key} holds a character that cannot be stored ({what}, line {line})."
            )
            faults.append(Fault(code, scope, key, message, {"line": line}))
    try:
        at_level(text, None)
    except UnbalancedFence as error:
        params = {"line": error.line, "opened": error.opened}
        message = f"{key}: {error}."
        faults.append(Fault("unbalanced_fence", scope, key, message, params))
    return faults


def _surrogate(text: str) -> int:
    found = _SURROGATE.search(text)
    return found.start() if found else -1


def lost_mentions(fragment: Fragment, text: str, before: str) -> list[str]:
    """
    Return the variables that *text* has to mention and does not.

    A blank text switches the fragment off, which is a decision of its own; what
    the text in force, *before*, had lost already is not asked about again.
    """
    if not text.strip():
        return []
    mentioned = variables_in(text)
    had = variables_in(before) if before.strip() else fragment.must_mention
    return [
        name for name in fragment.must_mention if name in had and name not in mentioned
    ]


def must_mention(scope: str, key: str, name: str) -> Fault:
    """Return the fault of a text that drops a variable it has to mention."""
    message = f"{key} no longer mentions {{{{{name}}}}}."
    return Fault("must_mention", scope, key, message, {"variable": name})
