"""The page about fragments made in the admin says what is there."""

from __future__ import annotations

import re
from pathlib import Path

from prompts_app.contrib.custom import checks
from prompts_app.contrib.custom.standing import LABELS
from tests.documents import read

PAGE = "docs/custom.md"


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
