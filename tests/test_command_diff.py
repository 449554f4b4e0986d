"""``prompts diff``: two prompts beside each other."""

from __future__ import annotations

import pytest
from django.core.management import CommandError

from prompts_app import Fragment, Level, Scenario, services
from tests.commanding import DECLARED, cells, facts, run

MINUS = "\N{MINUS SIGN}"
FENCED = "One.\nTwo.\nThree.\n<!-- detailed -->\nCoaching.\n<!-- /detailed -->\nFour."


@pytest.fixture(autouse=True)
def catalogue(registry, db):
    """Return a registry that holds a small catalogue, and a text at two levels."""
    registry.register(*DECLARED)
    registry.register(
        Fragment("main.fence", label="Fence", group="main", default=FENCED, order=5)
    )
    return registry


@pytest.mark.covers("A10", "A63")
def test_diff_compares_the_levels_by_itself():
    """With what the lean prompt saves, in characters and percent."""
    out, err = run("diff", "--scenario", "own")

    assert out.splitlines() == [
        "--- Detailed",
        "+++ Lean",
        "  … 7 equal lines",
        "  Two.",
        "  Three.",
        "- Coaching.",
        "  Four.",
        "",
        "  … 3 equal lines",
    ]
    assert facts(err) == {
        "Detailed": "84 characters",
        "Lean": "74 characters",
        "difference": f"{MINUS}10 characters ({MINUS}12 %)",
    }


def test_diff_compares_two_scenarios():
    """A line that only one has bears its sign."""
    out, err = run("diff", "--scenario", "chat", "--to-scenario", "own")

    assert out.splitlines()[:3] == ["--- chat", "+++ own", "- Hello Jo at !"]
    assert "- Use search." in out
    assert "+ I am Acme." in out
    assert facts(err).keys() == {"chat", "own", "difference"}


def test_diff_compares_with_the_examples_where_no_scenario_is_named():
    """They are a prompt as well."""
    out, _ = run("diff", "--to-scenario", "own", "--level", "lean")

    assert out.splitlines()[:4] == [
        "--- Examples",
        "+++ own",
        "- Hello Ines at Quay 4!",
        "+ Hello  at !",
    ]


def test_diff_compares_two_scopes():
    """Also with none, which is written as an empty one."""
    services.save({"main.fixed": "As Acme does."}, scope="tenant.acme")

    there, _ = run("diff", "--scenario", "own", "--to-scope", "tenant.acme")
    back, err = run(
        *("diff", "--scenario", "acme", "--to-scope", "", "--context", "0"),
    )

    assert {"--- the whole installation", "+++ tenant.acme"} < set(there.splitlines())
    assert {"- Fixed.", "+ As Acme does."} < set(there.splitlines())
    assert back.splitlines() == [
        "--- tenant.acme",
        "+++ the whole installation",
        "  … 2 equal lines",
        "- As Acme does.",
        "+ Fixed.",
        "  … 7 equal lines",
    ]
    assert facts(err)["tenant.acme"] == "67 characters"


def test_diff_compares_what_is_in_force_with_the_defaults(catalogue):
    """What sources declare is no saved text, and stands on both sides."""
    catalogue.register_source(
        lambda: [("", Fragment("main.row", label="R", group="main", default="Row."))]
    )
    services.save({"main.fixed": "Changed."})

    out, _ = run("diff", "--defaults", "--context", "-1")

    assert out.splitlines()[:8] == [
        "--- Defaults",
        "+++ In force",
        "  Hello Ines at Quay 4!",
        "",
        "  Row.",
        "",
        "- Fixed.",
        "+ Changed.",
    ]
    assert "…" not in out


def test_diff_can_mark_words(catalogue):
    """The line stands once, with what went and what came in it."""
    catalogue.register(
        Fragment(
            "main.long",
            label="Long",
            group="main",
            default="It is said that nothing is new under the old sun.",
            order=-1,
        )
    )
    services.save({"main.long": "It is said that little is new\nunder the old sun."})

    out, _ = run("diff", "--defaults", "--words", "--context", "0")

    assert out.splitlines() == [
        "--- Defaults",
        "+++ In force",
        "  It is said that [-nothing is new -]{+little is new+}",
        "  … 13 equal lines",
    ]


def test_diff_keeps_equal_lines_after_a_marked_one():
    """A line break that came is no mark on the line behind it."""
    services.save({"main.fixed": "New.\n\nFixed."})

    out, _ = run("diff", "--defaults", "--words", "--context", "0")

    assert out.splitlines()[2:] == [
        "  … 2 equal lines",
        "  {+New.+}",
        "  … 10 equal lines",
    ]


@pytest.mark.covers("A61")
def test_diff_marks_in_colours_where_they_show():
    """By itself on a terminal only, and never where they are switched off."""
    colored, _ = run("diff", "--scenario", "own", "--force-color")
    plain, _ = run("diff", "--scenario", "own", "--no-color")

    assert "\x1b[31;1m- Coaching.\x1b[0m" in colored
    assert "\x1b[31;1m" not in colored.splitlines()[4]
    assert plain == run("diff", "--scenario", "own")[0]
    assert "\x1b" not in plain


def test_diff_tells_sizes_in_tokens(settings):
    """Counted, or else estimated."""
    _, estimated = run("diff", "--scenario", "own", "--tokens")
    settings.PROMPTS_APP_TOKEN_COUNTER = len
    _, counted = run("diff", "--scenario", "own", "--tokens")

    assert cells(estimated)[0] == ["Detailed", "84 characters", "about 21 tokens"]
    assert cells(counted)[0] == ["Detailed", "84 characters", "84 tokens"]


@pytest.mark.covers("A17", "A63")
def test_diff_warns_of_lines_that_lean_adds(catalogue):
    """And lists what is there on purpose."""
    catalogue.register(
        Fragment(
            "main.slow",
            label="Slow",
            group="main",
            default=", slowly",
            provides="slowly",
            level=Level.DETAILED,
        ),
        Fragment("main.go", label="Go", group="main", default="Go on{{slowly}}."),
        Fragment(
            "main.quick",
            label="Quick",
            group="main",
            default="Be quick.",
            level=Level.LEAN,
            lean_reason="It saves a round.",
        ),
    )

    _, err = run("diff", "--scenario", "chat", "--context", "0")

    assert err.splitlines()[-3:] == [
        "1 line of the lean prompt is not in the detailed one",
        "    Go on.",
        "On purpose in the lean prompt only: main.quick (It saves a round.)",
    ]


def test_diff_says_that_nothing_differs():
    """Nothing else is printed, and this is not a failure."""
    assert run("diff", "--defaults", "--exit-code") == ("", "The two are the same.\n")


def test_diff_can_fail_where_the_two_differ():
    """For a pipeline that wants to know."""
    with pytest.raises(CommandError, match="The two differ") as failed:
        run("diff", "--scenario", "own", "--exit-code")

    assert failed.value.returncode == 1


@pytest.mark.covers("A63")
def test_diff_of_a_prompt_that_is_blank(catalogue):
    """There is no percentage of nothing."""
    services.save({"main.fixed": "Now there."})
    catalogue.register(
        Scenario("none", label="None", include=("first.task",), variables={})
    )

    out, err = run("diff", "--scenario", "none", "--to-scenario", "own")

    assert out.splitlines()[2] == "+ Hello  at !"
    assert facts(err)["difference"] == "+88 characters"


def test_diff_of_two_of_one_length():
    """The change is written out all the same."""
    services.save({"main.fixed": "Mixed."})

    _, err = run("diff", "--defaults")

    assert facts(err)["difference"] == "0 characters (0 %)"


def test_diff_ignores_what_is_ignored(settings):
    """With stored texts left aside both sides are the defaults."""
    services.save({"main.fixed": "Mixed."})
    settings.PROMPTS_APP_IGNORE_OVERRIDES = True

    _, err = run("diff", "--defaults")

    assert err.startswith("The two are the same.\nSaved texts are ignored")
