"""A passage rendered as Markdown: it looks like one, and does no harm."""

from __future__ import annotations

import sys
import time

import pytest

from prompts_app.admin.markdown import LONGEST, is_available, rendered
from tests.pages import Page


def elements(text):
    """Return the names of the elements that *text* is rendered with."""
    return {one.tag for one in Page(str(rendered(text))).elements}


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Plain & *em* **strong** `code`", "<p>Plain &amp; <em>em</em> "),
        ("- one\n- two", "<ul>\n<li>one</li>\n<li>two</li>\n</ul>"),
        ("3. three", '<ol start="3">\n<li>three</li>\n</ol>'),
        ("> quoted", "<blockquote>\n<p>quoted</p>\n</blockquote>"),
        ("```py\nx < y\n```", "<pre><code>x &lt; y\n</code></pre>"),
        ("one  \ntwo\n\n---", "<p>one<br>\ntwo</p>\n<hr>"),
        ("", ""),
    ],
)
def test_what_commonmark_has_is_rendered(text, html):
    """As any reader of Markdown does it."""
    assert str(rendered(text)).startswith(html)


def test_tables_are_rendered():
    """An empty heading of a column is a plain cell, which no reader reads out."""
    page = Page(str(rendered("| | b |\n|-|-:|\n| c | d |")))

    assert [one.text for one in page.all("th")] == ["b"]
    assert [one.text for one in page.all("td")] == ["", "c", "d"]


def test_headings_are_no_headings_of_the_page():
    """They look like some and stand outside of the outline."""
    html = rendered("# One\n\n###### Six\n\nTwo\n---")

    assert html == (
        '<p class="is-h1">One</p>\n<p class="is-h6">Six</p>\n<p class="is-h2">Two</p>\n'
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[a *b*](https://x.test/_y_)", "a b (https://x.test/_y_)"),
        ('[a](https://x.test "title")', "a (https://x.test title)"),
        ("<https://x.test>", "https://x.test"),
        ("![alt](https://x.test/i.png)", "!alt (https://x.test/i.png)"),
        ("[a][b]\n\n[b]: https://x.test", "[a][b] [b]: https://x.test"),
        ("[a](javascript:alert(1))", "[a](javascript:alert(1))"),
    ],
)
def test_addresses_are_written_out_and_never_followed(text, shown):
    """There is nothing to load and nothing to press, and nothing is lost."""
    page = Page(str(rendered(text)))

    assert " ".join(one.text for one in page.all("p")) == shown
    assert elements(text) <= {"p", "em"}


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<style>*{display:none}</style>",
        "<p class='is-h1' style='color:red' onclick=alert(1)>",
        "![x](data:image/svg+xml;base64,AAAA)",
        "[x](data:text/html,<script>alert(1)</script>)",
        "[x](vbscript:x) [x](JaVaScRiPt:alert(1)) <javascript:alert(1)>",
        '```"><script>\nx\n```',
        "&lt;script&gt; &#60;script&#62;",
        "<!-- detailed --><iframe src=//x.test>",
        "| <svg/onload=alert(1)> |\n|:-:|",
    ],
)
def test_hostile_text_is_harmless(text):
    """Markup stays text, and no attribute but those that the page knows is left."""
    page = Page(str(rendered(text)))

    harmless = {"p", "pre", "code", "table", "thead", "tbody", "tr", "th", "td"}
    assert {one.tag for one in page.elements} <= harmless
    assert {name for one in page.elements for name in one.attributes} == set()


SHAPES = ("> ", "![[", "[a](", "*a **b ", "***a", "`a``", "|-", "- a\n", "a\n=\n", "[[")


@pytest.mark.parametrize("shape", SHAPES)
def test_no_text_takes_long(shape):
    """However often something is opened that never ends."""
    text = (shape * LONGEST)[:LONGEST]
    began = time.process_time()

    rendered(text)

    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    "text", ["> " * 10_000 + "x", ">" * 19 + "x", "x" * (LONGEST + 1)]
)
def test_what_would_be_left_out_is_not_rendered_at_all(text):
    """Then the text itself is shown, which has all of it."""
    assert rendered(text) is None


def test_what_lies_deep_but_not_too_deep_is_all_there():
    """A dozen quotes in each other are no reason to give up."""
    html = str(rendered(">" * 12 + "x"))

    assert html.count("<blockquote>") == 12
    assert "x" in html


@pytest.mark.parametrize("name", ["markdown_it", "nh3"])
def test_without_a_library_nothing_is_rendered(monkeypatch, name):
    """Both are needed: one renders, the other makes sure that it is harmless."""
    assert is_available()

    monkeypatch.setitem(sys.modules, name, None)

    assert not is_available()
    assert rendered("# One") is None


def test_a_library_that_is_not_installed_is_absent(monkeypatch):
    """As on any installation without the extra."""
    monkeypatch.setattr("prompts_app.admin.markdown.LIBRARIES", ("no_such_library",))

    assert not is_available()


def test_a_huge_table_is_shown_as_text():
    """Rows that are short are filled, so few characters make very many cells."""
    head = "|" + "a|" * 200 + "\n|" + "-|" * 200 + "\n"

    assert rendered(head + "|\n" * 20) is not None
    assert rendered(head + "|\n" * 3_000) is None
