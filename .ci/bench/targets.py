"""What was aimed at, and what was seen of it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.ratios import Ratio, figure
from bench.results import table

WHY = Path(__file__).with_name("why.toml")


@dataclass(frozen=True, slots=True)
class Target:
    """One ratio and its bound."""

    name: str
    ratio: str
    """Under which chapters hand it over."""
    bound: float
    least: bool = False
    """Whether the bound is the least that will do, not the most."""

    def met(self, seen: Ratio) -> bool:
        """Return whether the median keeps to the bound."""
        return seen.median >= self.bound if self.least else seen.median <= self.bound

    @property
    def aim(self) -> str:
        """Return the bound in words."""
        return f"at {'least' if self.least else 'most'} {self.bound:g} ×"

    def off(self, seen: Ratio) -> str:
        """Return how far the median is from the bound, as a factor."""
        pair = sorted((seen.median, self.bound))
        return f"{figure(pair[1] / pair[0])} ×"


TARGETS = (
    Target("plan hit, beside Jinja2", "plan hit", 0.4),
    Target(
        "plan hit, faster than the regular expression", "regular / hit", 15, least=True
    ),
    Target("plan miss, no text of the prompt new, beside Jinja2", "plan miss", 1.5),
    Target("the statement on SQLite, beside the SELECT", "statement: SQLite", 1.1),
    Target("the statement on PostgreSQL", "statement: PostgreSQL", 1.3),
    Target("the statement on MariaDB", "statement: MariaDB", 1.3),
    *(
        Target(
            f"{to} fragments beside a tenth of them, {way}",
            f"fragments: {way}, {to}",
            12,
        )
        for to in ("1 000", "10 000")
        for way in ("plan hit", "plan miss")
    ),
    *(
        Target(f"10 000 overrides beside none, {way}", f"overrides: {way}, 10 000", 1.5)
        for way in ("plan hit", "plan miss")
    ),
    *(
        Target(f"ten times the {what}, {way}", f"{key}: {way}", 15)
        for what, key, ways in (
            ("prose", "text", ("plan hit", "plan miss", "text never seen")),
            (
                "hostile text, the worst kind",
                "hostile",
                ("plan hit", "text never seen"),
            ),
            ("lines with a reference", "lines", ("plan hit", "text never seen")),
        )
        for way in ways
    ),
)
UNSEEN = "not measured"
MISSED = """\
### What was missed

{lines}"""


def told(ratios: Mapping[str, Ratio]) -> str:
    """Return the table of targets, and a paragraph for each that was missed."""
    rows = []
    for one in TARGETS:
        seen = ratios.get(one.ratio)
        if seen is None:
            rows.append((one.name, one.aim, UNSEEN, "", ""))
        else:
            met = "yes" if one.met(seen) else "no"
            rows.append((one.name, one.aim, str(seen), seen.spread, met))
    text = table(("target", "aimed at", "seen", "spread", "met"), rows)
    why = reasons()
    lines = [
        f"- *{one.name}*, by {one.off(ratios[one.ratio])}: {why.get(one.name, '?')}"
        for one in missed(ratios)
    ]
    return f"{text}\n\n{MISSED.format(lines=chr(10).join(lines))}" if lines else text


def reasons() -> dict[str, str]:
    """Return why targets were missed, by their names."""
    kept = tomllib.loads(WHY.read_text("utf-8"))
    return {name: " ".join(text.split()) for name, text in kept.items()}


def missed(ratios: Mapping[str, Ratio]) -> list[Target]:
    """Return the targets that were measured and not met."""
    return [
        one for one in TARGETS if one.ratio in ratios and not one.met(ratios[one.ratio])
    ]
