"""The preview as it can be read: plain text, rendered Markdown, request bodies."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy

from prompts_app import messages
from prompts_app.admin.asking import MARKDOWN, REQUEST, SHOWS, TEXT
from prompts_app.admin.desk import Desk
from prompts_app.admin.markdown import is_available, rendered
from prompts_app.admin.previewing import Passage, Preview
from prompts_app.assembly import Assembly
from prompts_app.preview import CANNOT_BE_ASSEMBLED

_LABELS = {
    TEXT: gettext_lazy("Text"),
    MARKDOWN: gettext_lazy("Markdown"),
    REQUEST: gettext_lazy("Request"),
}
# Breakpoints that a call has to ask for are shown too, since they tell most.
_APIS: dict[str, Callable[[Assembly, str], dict[str, Any]]] = {
    "Anthropic Messages": lambda assembly, authored: messages.anthropic(
        assembly, authored=authored
    ),
    "OpenAI Responses": lambda assembly, authored: messages.openai(
        assembly, authored=authored, ttl="30m"
    ),
    "OpenAI Chat Completions": lambda assembly, authored: messages.openai(
        assembly, api="chat", authored=authored, ttl="30m"
    ),
}
# A name stands first in its line; what looks like one in a text has its quotes escaped.
_OF_CACHE = re.compile(
    r'^( *)"(?:cache_control|prompt_cache_breakpoint)": \{\n(?:.*\n)*?\1\}'
    r'|^ *"prompt_cache_key": ".*"',
    re.MULTILINE,
)


MOST_RENDERED = 60_000
"""Characters of a prompt that are rendered as Markdown in one answer."""


@dataclass(frozen=True, slots=True)
class Body:
    """The request that one API is sent."""

    api: str
    pieces: tuple[tuple[bool, str], ...] = field(repr=False)
    """Its JSON in pieces; whether each is about what the API keeps in its cache."""
    error: str = ""
    """Why there is none."""


def reading_context(desk: Desk, preview: Preview) -> dict[str, Any]:
    """
    Return the prompt in the form asked for, and the forms there are to choose from.

    ``passages`` are pairs of a passage and its HTML, None where it is shown as text;
    ``bodies`` are None unless they are asked for, and then there are no passages.
    """
    offered = [one for one in SHOWS if one != MARKDOWN or is_available()]
    show = desk.asked.show if desk.asked.show in offered else TEXT
    assembly = preview.assembly if preview.text else None
    bodies: tuple[Body, ...] | None = None
    passages: list[tuple[Passage, SafeString | None]] = []
    if show == REQUEST:
        bodies = bodies_of(assembly, desk.authored) if assembly else ()
    else:
        passages = list(_passages(preview, rendering=show == MARKDOWN))
    return {
        "shows": [(one, _LABELS[one], one == show) for one in offered],
        "passages": passages,
        "bodies": bodies,
    }


def _passages(
    preview: Preview, *, rendering: bool
) -> Iterator[tuple[Passage, SafeString | None]]:
    """Yield the passages; when the room is used up, the rest is shown as text."""
    left = MOST_RENDERED
    for passage in preview.passages:
        text = "".join(r.text for r in passage.runs if r.kind != "removed")
        left -= len(text)
        yield passage, rendered(text) if rendering and left >= 0 else None


def bodies_of(assembly: Assembly, authored: str) -> tuple[Body, ...]:
    """Return what each API is sent, or why it could not be made."""
    return tuple(_body(api, assembly, authored) for api in _APIS)


def _body(api: str, assembly: Assembly, authored: str) -> Body:
    try:
        body = {"model": _("chosen by the caller"), **_APIS[api](assembly, authored)}
        written = json.dumps(body, ensure_ascii=False, indent=2)
    except CANNOT_BE_ASSEMBLED as error:
        return Body(api, (), str(error))
    return Body(api, tuple(_pieces(written)))


def _pieces(written: str) -> Iterator[tuple[bool, str]]:
    """Yield a JSON document in pieces, and whether each is about a cache."""
    start = 0
    for found in _OF_CACHE.finditer(written):
        yield False, written[start : found.start()]
        yield True, found[0]
        start = found.end()
    yield False, written[start:]
