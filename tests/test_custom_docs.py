"""The page about fragments made in the admin says what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from prompts_app.contrib.custom import checks
from prompts_app.contrib.custom.models import CustomFragment
from prompts_app.contrib.custom.standing import LABELS
from tests.test_docs import EXAMPLE, read, run

PAGE = "docs/custom.md"


@pytest.mark.django_db
def test_the_examples_run(with_rows):
    """One after the other, as a reader would try them, and their claims hold."""
    names = {}

    for example in EXAMPLE.findall(read(PAGE)):
        run(example, names)

    assert CustomFragment.objects.get().key == "custom.subject"


def test_every_state_is_explained():
    """In the words of the list."""
    table = re.findall(r"^\| ([A-Z][^|]+) \|", read(PAGE), re.MULTILINE)

    assert sorted(table) == sorted(map(str, LABELS.values()))


def test_every_check_has_a_heading():
    """The ids of the code and of the page are the same."""
    told = re.findall(
        r"^### prompts_app_custom\.([EW]\d{3}):", read(PAGE), re.MULTILINE
    )
    code = Path(checks.__file__).read_text("utf-8")
    there = re.findall(r'"prompts_app_custom\.([EW]\d{3})"', code)

    assert told == sorted(there)
    assert told
