"""Documents whose lines each name a test: the tests are there."""

from __future__ import annotations

import ast
import re

import pytest

from tests.documents import DOCUMENTS, ROOT, name_of

NAMED = re.compile(r"\b(tests/[\w/]+\.py)::(\w+)")
RULE = re.compile(r"[|: -]+")
WITH_A_TEST_IN_EACH_LINE = ("docs/failure.md",)
"""Pages of tables with a test in every line; others are held to it once they begin."""


def tables(text):
    """Return the tables of *text*, each as its lines without head and rule."""
    blocks = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    found = [block.splitlines() for block in blocks]
    return [lines[2:] for lines in found if RULE.fullmatch(lines[1])]


def functions_of(path):
    """Return the names of the tests in a module; none if there is no such module."""
    if not path.is_file():
        return set()
    return {
        node.name
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_test_that_a_document_names_is_there(path):
    """In the module that it names, so that nobody is told of a promise without proof."""
    named = NAMED.findall(path.read_text("utf-8"))

    assert [
        f"{module}::{test}"
        for module, test in named
        if test not in functions_of(ROOT / module)
    ] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_a_table_that_names_tests_names_one_in_each_line(path):
    """A line without a test is a claim that nobody holds."""
    for lines in tables(path.read_text("utf-8")):
        without = [line for line in lines if not NAMED.search(line)]

        assert without in ([], lines)


@pytest.mark.parametrize("name", WITH_A_TEST_IN_EACH_LINE)
def test_a_page_of_promises_names_a_test_in_all_of_its_tables(name):
    """There are some, and no table is without."""
    found = tables((ROOT / name).read_text("utf-8"))

    assert found
    assert all(NAMED.search(line) for lines in found for line in lines)
