"""A page of the documents is tried as a reader would try it, and can fail."""

from __future__ import annotations

import pytest

from tests.documents import blocks, commands, examples, try_page

PYTHON = "```python\n{}\n```\n"
CONSOLE = "```console\n{}\n```\n"


@pytest.fixture
def tried(tmp_path, request, monkeypatch):
    """Return a function that tries a page of a text and returns its examples' number."""
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"

    def try_text(text):
        page.write_text(text, "utf-8")
        return try_page(page, request.getfixturevalue)

    return try_text


def test_blocks_are_found_with_their_languages_and_lines():
    """Those in a comment are hidden; other comments are none."""
    text = "One\n\n```python\na = 1\n```\n<!-- python\nb = 2\n-->\n<!-- note -->\n```\nc\n```"

    found = [(b.language, b.text, b.line, b.hidden) for b in blocks(text)]

    assert found == [
        ("python", "a = 1\n", 4, False),
        ("python", "b = 2\n", 7, True),
        ("", "c\n", 11, False),
    ]
    assert examples(text) == ["a = 1\n"]


def test_commands_are_found_where_readers_would_type_them():
    """In blocks, set in by four spaces, and within a line."""
    text = "    make run  # it\nUse `make test` or `manage.py x`.\n$ manage.py check --tag a\n"

    assert commands(text) == [
        ("make", "run  "),
        ("make", "test"),
        ("manage.py", "x"),
        ("manage.py", "check --tag a"),
    ]


def test_examples_follow_each_other_in_one_namespace(tried):
    """Hidden ones run too and do not count; one may wait."""
    text = "<!-- python\nfrom asyncio import sleep\na = 1\n-->\n"
    text += PYTHON.format("a = await sleep(0, a + 1)") + PYTHON.format("assert a == 2")

    assert tried(text) == 2
    assert tried("Nothing to try.") == 0


SET_UP = """
<!-- python
from pathlib import Path

done = Path("done")
done.unlink(missing_ok=True)
afterwards.callback(done.touch)
-->
"""


def test_what_a_page_sets_up_is_put_right_again(tried, tmp_path):
    """When all of it was tried, and when one of its claims does not hold."""
    assert tried(SET_UP + PYTHON.format("assert not done.exists()")) == 1
    assert (tmp_path / "done").exists()
    with pytest.raises(ZeroDivisionError):
        tried(SET_UP + PYTHON.format("assert not done.exists(); 1 / 0"))
    assert (tmp_path / "done").exists()


def test_a_claim_that_does_not_hold_is_found_with_its_line(tried):
    """The trace leads to the line of the page."""
    with pytest.raises(AssertionError) as caught:
        tried("A\n\n" + PYTHON.format("a = 1\nassert a == 2"))

    last = caught.traceback[-1]
    assert (last.path.name, last.lineno + 1) == ("page.md", 5)


@pytest.mark.parametrize(
    ("after", "right"),
    [
        ("```text\nHello\n\nyou\n```\n", True),
        ("```text\nHello\nyou\n```\n", False),
        ("```python\npass\n```\n", False),
        ("", False),
    ],
)
def test_what_is_printed_stands_in_the_block_after_it(tried, after, right):
    """To the letter, and nowhere else."""
    text = PYTHON.format("print('Hello\\n\\nyou')") + after

    if right:
        assert tried(text) == 1
    else:
        with pytest.raises(AssertionError):
            tried(text)


def test_what_is_shown_of_code_that_prints_nothing_is_a_mistake(tried):
    """A reader who tries it would wait for it."""
    with pytest.raises(AssertionError, match="It prints"):
        tried(PYTHON.format("a = 1") + "```text\nHello\n```\n")


CASE = """
import pathlib
from unittest import TestCase

class A(TestCase):
    def test_a(self):
        assert pathlib.Path.cwd().name == {}
"""


@pytest.mark.parametrize(
    "test",
    [
        "def test_a(tmp_path):\n    assert tmp_path.name == {}",
        "async def test_a(tmp_path):\n    assert tmp_path.name == {}",
        CASE,
    ],
)
def test_tests_that_a_page_shows_are_run(tried, tmp_path, test):
    """With the fixtures that they ask for, and they can fail."""
    assert tried(PYTHON.format(test.format(repr(tmp_path.name)))) == 1
    with pytest.raises(AssertionError):
        tried(PYTHON.format(test.format("'elsewhere'")))


def test_a_test_case_without_a_test_is_a_mistake(tried):
    """It would pass whatever it says."""
    with pytest.raises(AssertionError, match="A holds no test"):
        tried(PYTHON.format("from unittest import TestCase\nclass A(TestCase): pass"))


VERSION = '$ manage.py shell -v0 -c "print(1, 2)"'
PROGRAM = "$ manage.py shell -v0 -c \"print('print(3)')\""


@pytest.mark.parametrize(
    ("shown", "right"),
    [
        (f"{VERSION}\n1 2", True),
        (f"{VERSION}\n1 3", False),
        (f"{VERSION}", False),
        (f"{VERSION}\n…2", True),
        (f"{VERSION}\n…", True),
        (f"{VERSION}\n1 2\n{VERSION}  # again\n1 2", True),
        ("$ manage.py shell -v0 -c \"print('a\\n\\nb\\nc')\"\na\n…\nc", True),
        ("$ manage.py shell -v0 -c \"print('a\\n\\nb\\nc')\"\na…\nc", False),
        ("$ manage.py check --tag none\nCommandError: …none…", True),
        (f"{VERSION} > out.txt", True),
        (f"{PROGRAM} > out.py\n$ manage.py shell -v0 < out.py\n3", True),
        ("1 2", False),
        ("$ ls\n…", False),
    ],
)
def test_a_command_prints_what_is_shown(tried, shown, right):
    """Each of them; dots stand for what may differ."""
    if right:
        assert tried(CONSOLE.format(shown)) == shown.count("$ ")
    else:
        with pytest.raises(AssertionError):
            tried(CONSOLE.format(shown))
