"""The measurements: their arithmetic, their candidates, and the pages they write."""

from __future__ import annotations

import importlib
import re

import pytest

from prompts_app.assembly import Snapshot
from tests.documents import ROOT, read

PAGE = "docs/benchmarks/assembly.md"
RATIO = r"[\d ]+(?:\.\d+)? ×"


@pytest.fixture
def bench(monkeypatch):
    """Return what imports a module of the measurements."""
    monkeypatch.syspath_prepend(str(ROOT / ".ci"))
    return lambda name: importlib.import_module(f"bench.{name}")


def test_each_way_of_ours_gives_the_prompt(bench):
    """Before it is timed, and without a database."""
    scenario = bench("scenario")
    snapshot = Snapshot(scenario.stored_texts(), version="stored")
    length = len(bench("chat").assembly(snapshot).text)

    for one in bench("chat").ours(snapshot):
        if one.name != bench("chat").LOOKING:
            for _ in range(3):
                text = one.call(one.supply()) if one.supply else one.call()
                assert length <= len(text) < 1.1 * length


def test_what_is_looked_through_is_what_a_call_cleans(bench):
    """Values of untrusted variables, and each of them new."""
    chat, values = bench("chat"), bench("scenario").values()
    (one,) = (c for c in chat.ours(Snapshot()) if c.name == chat.LOOKING)

    first, second = one.call(one.supply()), one.call(one.supply())

    assert len(first) == len(chat.foreign(values)) == 6
    assert not {*first} & {*second}


def test_a_ratio_is_of_samples_of_one_round(bench):
    """A round in which everything is slow changes no ratio."""
    samples = {"ours": [2.0, 200.0, 4.0], "theirs": [1.0, 100.0, 1.0]}

    found = bench("ratios").ratio(samples, "ours", "theirs")

    assert found.median == 2.0


def test_the_spread_leaves_out_a_tenth_at_either_end(bench):
    """It is interpolated where no sample stands at that place."""
    ratios = bench("ratios")

    assert ratios.spread(list(range(11))) == (5, 1, 9)
    assert ratios.spread([1.0, 2.0]) == pytest.approx((1.5, 1.1, 1.9))
    assert ratios.spread([7.0]) == (7.0, 7.0, 7.0)


def test_a_time_is_told_in_microseconds(bench):
    """Samples are nanoseconds, and the median of them counts."""
    found = bench("ratios").microseconds({"ours": [1_000, 2_000, 90_000]}, "ours")

    assert found == 2.0


@pytest.mark.parametrize(
    ("value", "told"),
    [(0.314, "0.31"), (9.996, "10.00"), (14.25, "14.2"), (12_345.6, "12 346")],
)
def test_a_figure_has_the_digits_that_count(bench, value, told):
    """Few for a large one, two decimals for a small one."""
    assert bench("ratios").figure(value) == told


@pytest.mark.parametrize(
    ("least", "median", "met"),
    [(False, 0.4, True), (False, 0.41, False), (True, 0.4, True), (True, 0.39, False)],
)
def test_a_target_is_met_at_its_bound(bench, least, median, met):
    """Whether the bound is the most or the least that will do."""
    target = bench("targets").Target("name", "ratio", 0.4, least=least)

    assert target.met(bench("ratios").Ratio(median, 0, 1)) is met


def test_a_missed_target_is_told_with_how_far_it_is_off(bench):
    """As a factor, whichever side of the bound is the wrong one."""
    targets, ratios = bench("targets"), bench("ratios")
    seen = {"regular / hit": ratios.Ratio(5.0, 4.0, 6.0)}

    told = targets.told(seen)

    assert [one.ratio for one in targets.missed(seen)] == ["regular / hit"]
    assert "at least 15 × | 5.00 × | 4.00 to 6.00 | no |" in told
    assert "by 3.00 ×" in told
    assert "at most 0.4 × | not measured |" in told


def test_an_explanation_is_of_a_target_that_there_is(bench):
    """None is kept for what is no longer aimed at."""
    targets = bench("targets")

    explained = targets.reasons()

    assert explained.keys() <= {one.name for one in targets.TARGETS}
    assert all(text.strip() for text in explained.values())


def test_a_condition_is_written_without_parentheses(bench):
    """Alternatives of combinations, and their opposite, read the same everywhere."""
    conditions = bench("conditions")
    either = conditions.any_of((('"a" in families', "b"),), (("c",),))

    assert conditions.words(either) == '"a" in families and b or c'
    assert conditions.words(conditions.opposite(either)) == (
        '"a" not in families and not c or not b and not c'
    )
    assert conditions.opposite(conditions.ALWAYS) == conditions.NEVER
    assert conditions.opposite(conditions.NEVER) == conditions.ALWAYS


def test_candidates_give_our_text_in_every_situation(bench):
    """Those that need no library beside Django, made from the same catalogue."""
    candidates, scenario = bench("candidates"), bench("scenario")
    parts = scenario.parts()
    names = [n for n in scenario.given({}) if n not in candidates.FACTS]
    nodes = candidates.translate(parts)
    renders = {
        "by hand": candidates.by_hand(nodes, names),
        "Django": candidates.django(nodes),
        "regular": candidates.regular(parts),
    }
    others = [candidates.Other(name, "", one) for name, one in renders.items()]
    stored = bench("equality").Snapshot(scenario.stored_texts())

    assert bench("equality").check(others, stored) > 30


def test_a_candidate_with_another_text_is_refused(bench):
    """Nothing is measured that does something else."""
    candidates, equality = bench("candidates"), bench("equality")
    wrong = candidates.Other("wrong", "", lambda given: "wrong")

    with pytest.raises(equality.Different, match="wrong gives another text"):
        equality.check([wrong], equality.Snapshot())


def rows(page, heading):
    """Return the cells of each row of the first table under *heading*."""
    told = page.partition(f"## {heading}\n")[2]
    table = re.search(r"(?:^\|.*\n)+", told, re.MULTILINE).group()
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in table.splitlines()[2:]
    ]


def test_the_page_has_a_line_of_figures_for_each_target(bench):
    """With the bound, what was seen, how far it spread, and whether that will do."""
    found = {row[0]: row[1:] for row in rows(read(PAGE), "Targets")}

    assert list(found) == [one.name for one in bench("targets").TARGETS]
    for name, (aim, seen, spread, met) in found.items():
        assert re.fullmatch(rf"at (?:most|least) {RATIO}", aim), name
        assert re.fullmatch(RATIO, seen), name
        assert " to " in spread, name
        assert met in ("yes", "no"), name


def test_the_page_explains_each_target_that_was_missed():
    """By how much, why, and what was tried."""
    page = read(PAGE)
    missed = [row[0] for row in rows(page, "Targets") if row[-1] == "no"]

    explained = re.findall(r"^- \*(.+)\*, by [\d. ]+ ×: \w.{20}", page, re.MULTILINE)

    assert explained == missed


@pytest.mark.parametrize(
    "named",
    [
        *("Jinja2", "f-strings", "Mako", "Django templates", "chevron", "langfuse"),
        *("langchain-core", "banks", "regular expression", "join of ready parts"),
        *(
            "SQLite",
            "PostgreSQL",
            "MariaDB",
            "`aassemble`",
            "Memory",
            "1 500 fragments",
        ),
    ],
)
def test_the_page_tells_what_was_compared(named):
    """Each library, each database, and what else an assembly costs."""
    assert named in read(PAGE)


def test_the_plot_is_white_and_names_no_day():
    """It is legible on a dark page, and the same figures are the same bytes."""
    plot = read("docs/benchmarks/assembly.svg")

    assert "fill: #ffffff" in plot
    assert "plan hit" in plot
    assert "dc:date" not in plot
