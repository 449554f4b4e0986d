"""
What an editor or a release should be told about texts and tools.

`examine()` looks at one text as a text of its fragment. Each code is explained in
``docs/lint.md``.
"""

from __future__ import annotations

from prompts_app.lint.examining import examine
from prompts_app.lint.levels import added_lines
from prompts_app.lint.problems import (
    ERROR,
    NOTE,
    SEVERITIES,
    WARNING,
    Problem,
    in_utf16,
)
from prompts_app.lint.references import are_exclusive
from prompts_app.lint.refusals import lost_mentions, refusals
from prompts_app.lint.schemas import schema_faults
from prompts_app.lint.stability import has_fence, lane_of, lane_of_name

__all__ = [
    "ERROR",
    "NOTE",
    "SEVERITIES",
    "WARNING",
    "Problem",
    "added_lines",
    "are_exclusive",
    "examine",
    "has_fence",
    "in_utf16",
    "lane_of",
    "lane_of_name",
    "lost_mentions",
    "refusals",
    "schema_faults",
]
