"""What the tests of lint share: a small catalogue, and short ways to ask about a text."""

from __future__ import annotations

from typing import Any

from prompts_app.assembly import Snapshot
from prompts_app.declarations import Declaration, Fragment, Level, Lifetime
from prompts_app.lint import Problem, examine
from prompts_app.registry import View
from tests.assembling import fragment, registry_of, variable

CATALOGUE: tuple[Declaration, ...] = (
    variable("name", lifetime=Lifetime.CONVERSATION),
    variable("product", lifetime=Lifetime.FIXED),
    variable("day", lifetime=Lifetime.TURN),
    variable("question", lifetime=Lifetime.CALL, untrusted=True),
    fragment("core.z", ", {{day}}", provides="note"),
    fragment("core.y", ", slowly", provides="slowly", level=Level.DETAILED),
)
VIEW: View = registry_of(*CATALOGUE).view()


def problems(
    text: str,
    default: str = "Default.",
    *,
    before: str | None = None,
    texts: dict[str, str] | None = None,
    limit: int | None = None,
    **options: Any,
) -> tuple[Problem, ...]:
    """Return the problems of *text* in a fragment of these *options*."""
    one: Fragment = fragment("core.a", default, **options)
    view = registry_of(*CATALOGUE, one).view()
    snapshot = Snapshot({("", key): stored for key, stored in (texts or {}).items()})
    return examine(text, one, view, before=before, snapshot=snapshot, limit=limit)


def codes(text: str, default: str = "Default.", **options: Any) -> list[str]:
    """Return the codes of all problems, by place; what a text is new to is left out."""
    found = problems(text, default, **{"before": text} | options)
    return [problem.code for problem in found]


def places(text: str, default: str = "Default.", **options: Any) -> list[str]:
    """Return for each problem the piece of the text that is its place."""
    found = problems(text, default, **{"before": text} | options)
    return [text[one.start : one.start + one.length] for one in found]


def params(text: str, default: str = "Default.", **options: Any) -> dict[str, Any]:
    """Return the params of the only problem."""
    (found,) = problems(text, default, **{"before": text} | options)
    return dict(found.params)
