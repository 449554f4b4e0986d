"""What is printed, and the page of the documents that keeps it."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from typing import NamedTuple

from soak.cuts import LATE, SLACK, unknown
from soak.noted import Operation

KINDS = {
    "read": "prompts read",
    "save": "sets saved",
    "edit": "texts edited",
    "restore": "earlier texts restored",
    "reset": "texts reset",
    "undone": "saves rolled back",
    "killed": "saves killed before their commit",
}


class Figures(NamedTuple):
    """What one database was put through."""

    name: str
    version: str
    isolation: str
    operations: Sequence[Operation]
    revisions: int
    kills: int
    seconds: float
    violations: list[str]

    def lines(self) -> list[str]:
        """Return the figures as a table."""
        kinds = Counter(one.kind for one in self.operations)
        outcomes = Counter(one.outcome for one in self.operations)
        count = len(self.operations)
        figures = [
            ("operations", count),
            *((f"— {words}", kinds[kind]) for kind, words in KINDS.items()),
            ("edits refused as conflicts", outcomes["refused"]),
            ("other workers killed", self.kills),
            ("requests that a death cut off", outcomes["cut"]),
            ("— on a line where nobody had answered", len(unknown(self.operations))),
            ("revisions in the history", self.revisions),
            (
                "slowest answer, seconds",
                round(max(one.end - one.begin for one in self.operations)),
            ),
            ("seconds", round(self.seconds)),
            ("operations a second", round(count / self.seconds)),
            ("violations", len(self.violations)),
        ]
        rows = [f"| {words} | {spaced(number)} |" for words, number in figures]
        return ["| | |", "|---|---:|", *rows]


def spaced(number: int) -> str:
    """Return a number with spaces between thousands."""
    return f"{number:,}".replace(",", " ")


def page(found: Sequence[Figures], seed: str) -> str:
    """Return the page of the documents."""
    total = sum(len(one.operations) for one in found)
    sections = []
    for one in found:
        isolated = f" Its transactions were at {one.isolation.upper()}."
        sections.append(
            f"## {one.name} {one.version}\n\n"
            "Gunicorn made each request a transaction."
            + isolated * bool(one.isolation)
            + "\n\n"
            + "\n".join(one.lines())
        )
    return PAGE.format(
        total=spaced(total),
        sections="\n\n".join(sections),
        seed=seed,
        slack=SLACK,
        late=LATE,
        python=platform.python_version(),
        **{name: version(name) for name in ("django", "gunicorn", "uvicorn")},
    )


PAGE = """# Servers with several workers, for long

{total} operations on two servers over one database: gunicorn, with four workers forked from a
process that had loaded the application and assembled already, and uvicorn, with two.
Clients with open connections to both asked at random for prompts, and for saves of sets of
texts, edits of single ones, restores, resets and saves that were rolled back. Meanwhile
workers were killed, some of them inside a save. Each request counts as one operation.

Afterwards every answer was held against the history that the database has:

- a prompt is, as a whole, the state after one revision: at least the last that was
  acknowledged before the request, and none that was begun after the answer. So no text is
  stale after an acknowledged commit and no set is torn;
- no text of a save that was rolled back or killed was ever seen or stored;
- every acknowledged save or edit is one revision of just the texts that were sent. A restore
  changed just the texts that it named, to what they were after the revision that it named;
  a reset left none of its texts stored. Where nothing had to be changed, that was so at some
  moment during the request;
- every edit went over the very text that it was shown, and each revision goes on from the
  one before it; an edit was refused as a conflict only if its text had been changed;
- no answer was an error page, and no line was cut but by a kill. Where a worker had answered
  on the line before, it is that one that was killed, at most {late:g} s before the cut or else
  before the request began, and it had answered nobody since. Where none had, it is a worker
  of the same server, killed at most {slack:g} s before the cut.

One thing is looked at less closely: what a transaction at REPEATABLE READ shows after its
own save is a mixture by the rules of MariaDB, so of that the saver's own texts alone.

{sections}

Python {python}, Django {django}, gunicorn {gunicorn}, uvicorn {uvicorn}; seed {seed}.
`make soak` tries anew and writes this page. [What is served when](../freshness.md) tells
what holds in other situations.
"""
