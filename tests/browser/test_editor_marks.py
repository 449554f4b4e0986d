"""What the editor marks in a text: references, fences and problems."""

from __future__ import annotations

import pytest

from prompts_app import services
from tests.browser.steps import box, caret, in_text, put_caret, visit, write

ANSWER = """marks => {
    const real = window.fetch;
    window.fetch = async (...given) => {
        const answer = await real(...given);
        if (!given[0].includes("/preview/")) {
            return answer;
        }
        const told = await answer.json();
        return new Response(JSON.stringify({...told, marks}), {status: 200});
    };
}"""


@pytest.fixture
def page(browse, editor):
    """Return the page with a fragment in view."""
    return visit(browse(editor), fragment="core.style")


def marked(page, kind):
    """Return the pieces of text that bear a mark of that kind."""
    return page.locator(f"prompts-text .cm-content .is-{kind}")


def test_known_and_unknown_names_are_told_apart(page, expect):
    """By the rules of the text language: what stays as typed bears no mark."""
    text = "{{user_name}} {{ today }} {{{today}}} {{nobody}} {{A}} {{a-b}} {today} {{to\n}}"

    write(page, "core.style", text)

    expect(marked(page, "known")).to_have_text(
        ["{{user_name}}", "{{ today }}", "{{today}}"]
    )
    expect(marked(page, "unknown")).to_have_text(["{{nobody}}"])
    said = "No variable of this name is declared."
    expect(marked(page, "unknown")).to_have_attribute("title", said)


def test_marks_follow_the_typing(page, expect):
    """A name is unknown until its last letter is there."""
    box(page, "core.style").fill("")
    in_text(page, "core.style")

    page.keyboard.insert_text("{{toda}}")
    expect(marked(page, "unknown")).to_have_text("{{toda}}")
    put_caret(page, "core.style", len("{{toda"))
    page.keyboard.type("y")

    expect(marked(page, "known")).to_have_text("{{today}}")
    expect(marked(page, "unknown")).to_have_count(0)


def test_fences_are_told_from_other_comments(page, expect):
    """Alone on their lines, white space aside."""
    lines = ["<!-- detailed -->", "One", "  <!-- /detailed --> ", "<!-- other -->"]
    lines += ["x <!-- detailed -->", "<!-- lean -->"]

    write(page, "core.style", "\n".join(lines))

    expect(marked(page, "fence")).to_have_text([lines[0], lines[2].strip()])


def test_a_problem_is_marked_where_it_stands(page, expect):
    """In its own kind, with its words, in code units of the text."""
    text = "👩\u200d💻 Say this, say that.\nEnd"
    start = text.encode("utf-16-le").index("this".encode("utf-16-le")) // 2
    end = len(text.encode("utf-16-le")) // 2
    page.evaluate(
        ANSWER,
        [
            {"code": "a", "severity": "warning", "from": start, "to": start + 4,
             "text": "Which?"},
            {"code": "b", "severity": "error", "from": end, "to": end, "text": "Ends."},
            {"code": "c", "severity": "note", "from": 900, "to": 990, "text": "Far."},
        ],
    )  # fmt: skip

    write(page, "core.style", text)

    expect(marked(page, "problem.is-warning")).to_have_text("this")
    expect(marked(page, "problem.is-warning")).to_have_attribute("title", "Which?")
    expect(marked(page, "problem")).to_have_count(1)
    put_caret(page, "core.style", 0)
    page.keyboard.type("So: ")
    expect(marked(page, "problem.is-warning")).to_have_text("this")


def test_a_line_that_a_problem_names_is_marked_whole(page, expect):
    """Where the server says no more than the line; gone when it is mended."""
    write(page, "core.style", "One\n<!-- detailed -->\nTwo")
    expect(marked(page, "problem.is-error")).to_have_text("<!-- detailed -->")

    write(page, "core.style", "One\nTwo")

    expect(marked(page, "problem")).to_have_count(0)


def test_lines_have_directions_of_their_own(page, expect):
    """Right to left where the words are; names of variables stay as they are."""
    write(page, "core.style", "Hello\nשבת {{user_name}} אבג\nmore")

    lines = page.locator("prompts-text .cm-line")
    directions = lines.evaluate_all(
        "lines => lines.map(line => getComputedStyle(line).direction)"
    )
    assert directions == ["ltr", "rtl", "ltr"]
    isolated = marked(page, "known").evaluate(
        "name => getComputedStyle(name).unicodeBidi"
    )
    assert isolated == "isolate"
    put_caret(page, "core.style", len("Hello\nש"))
    page.keyboard.press("ArrowLeft")
    assert caret(page, "core.style") == [len("Hello\nשל")] * 2


def test_a_line_that_is_seen_in_pieces_keeps_its_marks(page, expect):
    """Of a very long one the editor draws what is near the caret, and what is in view."""
    write(page, "core.style", "Say {{today}}, " * 3_000)
    put_caret(page, "core.style", 5)
    scroller = page.locator("prompts-text .cm-scroller")

    for top in (2_000, 20_000, 0):
        scroller.evaluate("(one, top) => one.scrollTo(0, top)", top)
        page.wait_for_timeout(200)

    expect(marked(page, "known").first).to_be_visible()


def test_what_is_listed_is_marked_when_the_editor_comes(browse, expect, editor):
    """Before anything is typed."""
    services.save({"core.style": "Be\u200bbrief."})
    page = visit(browse(editor), fragment="core.style")

    box(page, "core.style").focus()
    in_text(page, "core.style")

    expect(marked(page, "problem")).to_have_count(1)
    expect(marked(page, "warning")).to_have_count(1)
