"""
A passage rendered as Markdown, with the libraries of the extra ``markdown``.

Nothing else imports these, so the app runs without them. What is rendered is harmless
whatever it was: HTML stays text, nothing is loaded from anywhere, and addresses of
links and images are written out instead of being followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe

if TYPE_CHECKING:
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

LIBRARIES = ("markdown_it", "nh3")
LONGEST = 20_000
"""Characters of the longest passage that is rendered."""
_MOST_CELLS = 10_000
"""Cells of the largest table that is rendered, filled or not."""
_DEEPEST = 20
"""How deep blocks may lie in each other; the parser leaves out what lies deeper."""
_HEADINGS = tuple(f"h{level}" for level in range(1, 7))
_BLOCKS = {"p", "br", "hr", "blockquote", "ul", "ol", "li", "pre"}
_TABLES = {"table", "thead", "tbody", "tr", "th", "td"}
_TAGS = {*_BLOCKS, *_TABLES, "em", "strong", "code"}


def is_available() -> bool:
    """Return whether the libraries of the extra are installed."""
    return all(find_spec(name) is not None for name in LIBRARIES)


def rendered(text: str) -> SafeString | None:
    """
    Return *text* as HTML; None if nothing but the text itself shows all of it.

    That is so for a very long text, for a huge table, for blocks that lie too deep in
    each other, and without the libraries. Headings are paragraphs of a class ``is-h1`` to
    ``is-h6``, since they are no headings of the page.
    """
    if len(text) > LONGEST or _cells(text) > _MOST_CELLS or not is_available():
        return None
    import nh3  # noqa: PLC0415  # without the extra that has it, the page is there all the same
    from markdown_it import MarkdownIt  # noqa: PLC0415  # as it may be absent, nobody but this function asks for it

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _DEEPEST})
    # Definitions would vanish from what is shown; an image is a link, with its mark.
    parser.enable("table").disable(["reference", "image"])
    parser.core.ruler.push("plain", _plain)
    tokens = parser.parse(text)
    if any(token.level + token.nesting >= _DEEPEST for token in tokens):
        return None
    html = nh3.clean(
        parser.renderer.render(tokens, parser.options, {}),
        tags=_TAGS,
        attributes={"ol": {"start"}},
        tag_attribute_values={"p": {"class": {f"is-{name}" for name in _HEADINGS}}},
        link_rel=None,
    )
    return mark_safe(html)  # noqa: S308  # nh3 has just cut it down to a short list of tags without addresses


def _cells(text: str) -> int:
    """Return how many cells the tables of *text* have at most: short rows are filled."""
    rows = [line.count("|") for line in text.split("\n") if "|" in line]
    return (max(rows) + 1) * len(rows) if rows else 0


def _plain(state: StateCore) -> None:
    """Take out of the tokens what is more than the look of a text."""
    tokens = state.tokens
    for token in tokens:
        if token.tag in _HEADINGS:
            if token.nesting == 1:
                token.attrSet("class", f"is-{token.tag}")
            token.tag = "p"
        if token.children:
            token.children = list(_spelled_out(token.children))
    for cell, content, end in zip(tokens, tokens[1:], tokens[2:], strict=False):
        # The heading of a column that has none would be read out as one.
        if cell.type == "th_open" and not content.content:
            cell.tag = end.tag = "td"


def _spelled_out(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield *tokens*, with the address behind a link in its place."""
    address = ""
    for token in tokens:
        if token.type == "link_open":
            # One that is written out already is not written twice.
            address = "" if token.info == "auto" else _address(token.attrs)
        elif token.type == "link_close":
            token.type, token.content = "text", address
            yield token
        else:
            yield token


def _address(attributes: Mapping[str, object]) -> str:
    told = [str(attributes[name]) for name in ("href", "title") if name in attributes]
    return f" ({' '.join(told)})"
