"""``prompts check``: stored texts, sources and scenarios against this release."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from prompts_app import Fragment, Level, Scenario, services
from prompts_app.assembly import DraftSection
from prompts_app.lint import ERROR, SEVERITIES
from prompts_app.overrides import faults
from tests.commanding import DECLARED, cells
from tests.factories import OverrideFactory
from tests.storing import everything

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def catalogue(registry, db):
    """Return a registry that holds a small catalogue without any fault."""
    registry.register(*DECLARED)
    return registry


def findings(*arguments):
    """Return the findings as tuples of severity, code, scopes, scenario and key."""
    report = report_of(*arguments)
    return [
        (one["severity"], one["code"], one["scope"], one["scenario"], one["key"])
        for one in report["findings"]
    ]


def report_of(*arguments):
    """Return the report as another program gets it, whether or not it is a failure."""
    return json.loads(told(*arguments, "--json")[0])


def told(*arguments):
    """Return what is printed, and how the command ended: in words, and failed or not."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("prompts", "check", *arguments, stdout=out, stderr=err)
    except CommandError as error:
        return out.getvalue(), str(error), error.returncode == 1
    return out.getvalue(), err.getvalue().rstrip(), False


def test_a_release_without_faults_passes():
    """Everything was looked at, and nothing is to be said."""
    assert told() == (
        "",
        "0 stored texts and 3 prompts checked: 0 errors, 0 warnings.",
        False,
    )


@pytest.mark.covers("W7", "W20")
@pytest.mark.case(41)
def test_a_text_over_an_older_default_is_drifted():
    """Whoever upgrades learns which texts to look at again."""
    OverrideFactory(key="main.fixed", text="Mine.", default_text="An older one.")
    OverrideFactory(key="main.hello", text="", default_text="Hi.")

    assert findings() == [
        ("warning", "drifted", [], "", "main.hello"),
        ("warning", "drifted", [], "", "main.fixed"),
    ]
    assert told()[1:] == (
        "2 stored texts and 3 prompts checked: 0 errors, 2 warnings.",
        False,
    )


def test_texts_under_what_is_no_scope_are_found():
    """Rows that somebody wrote by hand are named and counted; the rest is looked at."""
    services.save({"main.hello": "{{nme}}"}, scope="tenant.acme")
    OverrideFactory(scope="Acme", key="main.fixed")
    OverrideFactory(scope="Acme", key="main.hello")
    OverrideFactory(scope="tenant.b\n", key="main.hello")

    out, summary, failed = told()

    assert cells(out) == [
        [
            "warning",
            "unknown_variable",
            "main.hello",
            "tenant.acme",
            "{{nme}} names no variable, and is sent as typed. Did you mean {{name}}?",
        ],
        [
            "warning",
            "bad_scope",
            "-",
            "'Acme'",
            "'Acme' is no scope; 2 texts under it are kept and not sent.",
        ],
        [
            "warning",
            "bad_scope",
            "-",
            "'tenant.b\\n'",
            "'tenant.b\\n' is no scope; 1 text under it is kept and not sent.",
        ],
    ]
    assert summary.startswith("4 stored texts and 5 prompts checked: 0 errors, 3 w")
    assert not failed
    assert report_of()["findings"][1]["scope"] == ["Acme"]
    assert findings("--scope", "tenant.b") == []


@pytest.mark.covers("W21")
def test_a_text_that_nothing_reads_is_found_in_every_scope():
    """Its fragment is gone or locked; the text is kept, and named."""
    OverrideFactory(key="gone.key")
    OverrideFactory(key="main.lock", scope="tenant.acme")

    out, _, failed = told()

    assert cells(out) == [
        [
            "warning",
            "orphaned",
            "gone.key",
            "the whole installation",
            "Nobody declares the fragment. The text is kept and not sent.",
        ],
        [
            "warning",
            "locked",
            "main.lock",
            "tenant.acme",
            "The fragment is locked. The text is kept and not sent.",
        ],
    ]
    assert not failed


@pytest.mark.covers("W1")
@pytest.mark.case(89)
def test_what_could_not_be_saved_today_is_an_error(settings):
    """Too long, with characters that no database takes, or with half a fence."""
    settings.PROMPTS_APP_MAX_FRAGMENT_CHARS = 20
    OverrideFactory(key="main.fixed", text="a" * 21, default_text="Fixed.")
    OverrideFactory(
        key="main.hello", text="<!-- detailed -->", default_text="Hello {{name}}{{at}}!"
    )

    out, summary, failed = told()

    assert [line[:3] for line in cells(out)] == [
        ["error", "unbalanced_fence", "main.hello"],
        ["error", "too_long", "main.fixed"],
    ]
    assert "21 characters; at most 20 are allowed. Shorten it by 1." in out
    assert "The level marker in line 1 has no partner." in out
    assert (summary.endswith(": 2 errors, 0 warnings."), failed) == (True, True)


@pytest.mark.case(34)
def test_a_lost_mention_and_an_unknown_name_are_warnings():
    """Somebody may have meant it; what the default names is nobody's mistake."""
    default = "About {{what}}."
    OverrideFactory(key="old.task", text="{{wat}} {{nme}}", default_text=default)
    OverrideFactory(key="first.task", scope="tenant.b", text="", default_text=default)
    OverrideFactory(
        key="first.task", scope="tenant.c", text="{{what}}", default_text=default
    )

    out, _, _ = told()

    assert cells(out) == [
        [
            "warning",
            "must_mention",
            "first.task",
            "the whole installation",
            "The text no longer mentions {{what}}.",
        ],
        [
            "warning",
            "unknown_variable",
            "first.task",
            "the whole installation",
            "{{wat}} names no variable, and is sent as typed. Did you mean {{what}}?",
        ],
        [
            "warning",
            "unknown_variable",
            "first.task",
            "the whole installation",
            "{{nme}} names no variable, and is sent as typed. Did you mean {{name}}?",
        ],
    ]


@pytest.mark.covers("W10")
def test_what_an_editor_would_be_warned_of_is_found():
    """In every stored text; one sentence once, and notes not at all."""
    default = "Fixed."
    OverrideFactory(
        key="main.fixed",
        text="- {{place}}\n{{ place }} {{ place }} {zzz}",
        default_text=default,
    )
    OverrideFactory(
        key="main.fixed", scope="tenant.b", text="open {{ at", default_text=default
    )

    assert findings() == [
        ("warning", "stranded_line", [], "", "main.fixed"),
        ("warning", "space_in_reference", [], "", "main.fixed"),
        ("warning", "unclosed_reference", ["tenant.b"], "", "main.fixed"),
    ]


def test_a_total_over_the_limit_is_told(settings):
    """For each scope, with the figures, orphans included."""
    settings.PROMPTS_APP_MAX_STORED_CHARS = 1_000
    OverrideFactory(key="gone.key", scope="tenant.acme", text="a" * 1_001)

    out, _, _ = told()

    assert [line[1:] for line in cells(out)][1:] == [
        [
            "total_too_long",
            "-",
            "tenant.acme",
            "All texts together have 1,001 characters; at most 1,000 are allowed.",
        ]
    ]


def test_a_claim_of_a_source_that_is_lost_is_told(catalogue):
    """As the system checks word it."""
    catalogue.register_source(
        lambda: [("", Fragment("main.fixed", label="F", group="main", default="Mine."))]
    )

    assert report_of()["findings"][0] | {"scope": 0, "lines": 0} == {
        "severity": "warning",
        "code": "lost_claim",
        "message": "Fragment main.fixed: what a source declares does not count, since"
        " an app registers the same.",
        "scope": 0,
        "key": "",
        "scenario": "",
        "lines": 0,
    }


def declare(catalogue, default, key="main.odd", **options):
    """Register one more fragment of the preamble."""
    catalogue.register(
        Fragment(key, label="Odd", group="main", default=default, **options)
    )


@pytest.mark.covers("A14", "D61", "W8", "W30")
def test_a_fault_of_the_code_is_an_error_and_told_once(catalogue):
    """However many scenarios and levels show it, and every text that has one."""
    declare(catalogue, "{{nme}} {{name}}")
    declare(catalogue, "A {{ b c }} d", "main.more")
    declare(catalogue, "{{" + "Too long " * 5 + "}}", "main.long")
    declare(catalogue, "<!-- detailed -->", "main.fence")

    out, _, failed = told()

    assert failed
    assert cells(out) == [
        [
            "error",
            "unbalanced_fence",
            "main.fence",
            "the whole installation",
            "The level marker in line 1 has no partner.",
        ],
        [
            "error",
            "malformed_reference",
            "main.long",
            "the whole installation",
            "{{Too long Too long Too long Too long Too …}} is no reference.",
        ],
        [
            "error",
            "malformed_reference",
            "main.more",
            "the whole installation",
            "{{ b c }} is no reference.",
        ],
        [
            "error",
            "unknown_variable",
            "main.odd",
            "the whole installation",
            "{{nme}} names no variable.",
        ],
    ]


def test_a_fault_of_a_saved_text_is_a_warning():
    """It is sent all the same; what was told of the text is not told again."""
    services.save({"main.fixed": "{{ x y }}", "main.hello": "{{nme}}"})
    services.save({"main.fixed": "{{Z}}"}, scope="tenant.acme")

    assert findings() == [
        ("warning", "unknown_variable", [], "", "main.hello"),
        ("warning", "malformed_reference", [], "", "main.fixed"),
        ("warning", "malformed_reference", ["tenant.acme"], "", "main.fixed"),
    ]


def test_a_default_is_warned_of_too(catalogue):
    """Once for all scopes, and after what the scenarios show."""
    declare(catalogue, "- {{name}}")
    declare(catalogue, "{{ name }} a\u200b", "main.more")
    catalogue.register(
        Fragment("main.more", label="M", group="main", default="- {{place}}\n{name}"),
        scope="tenant.acme",
    )

    assert findings() == [
        ("error", "malformed_reference", [], "", "main.more"),
        ("warning", "invisible_character", [], "", "main.more"),
        ("warning", "stranded_line", [], "", "main.odd"),
        ("warning", "stranded_line", ["tenant.acme"], "", "main.more"),
        ("warning", "near_reference", ["tenant.acme"], "", "main.more"),
    ]


def test_a_value_that_is_missing_is_told_with_its_scenario(catalogue):
    """None is no value, and under strict that is a fault of the scenario."""
    catalogue.register(Scenario("bare", label="Bare", variables={"name": None}))

    assert findings() == [("error", "missing_value", [], "bare", "main.hello")]


def test_a_fault_in_what_a_hook_wrote_is_an_error(catalogue):
    """It stands in the code, under a key that nobody declares."""
    made = DraftSection("main.made", "{{nme}}", 0, "main")
    catalogue.register_hook(lambda draft, context: draft.sections.append(made))

    assert findings() == [("error", "unknown_variable", [], "", "main.made")]


def test_a_hook_that_fails_is_told_with_its_cause(catalogue):
    """Once for each scenario, since nothing of it can be sent."""

    def fail(draft, context):
        raise RuntimeError("out of paper")

    catalogue.register_hook(fail, scope="tenant.acme")

    out, _, failed = told()

    assert failed
    assert [line[1:4] for line in cells(out)] == [
        ["cannot_be_assembled", name, "tenant.acme"] for name in ("chat", "own", "acme")
    ]
    assert out.count("raised an error: out of paper") == 3


def test_what_is_wrong_everywhere_is_told_of_no_scope(catalogue):
    """A scenario that fails in the whole installation fails in every scope too."""
    services.save({"main.fixed": "As Acme does."}, scope="tenant.acme")
    catalogue.register(
        Scenario("wrong", label="Wrong", variables={"name": ["Jo"]}),
    )

    assert findings() == [("error", "cannot_be_assembled", [], "wrong", "")]


def test_a_scenario_that_cannot_be_played_is_told(catalogue):
    """What it includes has to be there, and values have to be texts."""
    catalogue.register(
        Scenario("odd", label="Odd", include=("main.helo",)),
        Scenario("wrong", label="Wrong", variables={"name": ["Jo"]}),
    )

    found = report_of()["findings"]

    assert [(one["code"], one["scenario"]) for one in found] == [
        ("cannot_be_assembled", "odd"),
        ("cannot_be_assembled", "wrong"),
    ]
    assert "Did you mean main.hello" in found[0]["message"]
    assert "name" in found[1]["message"]


def test_a_hook_that_fails_at_one_level_only_is_told(catalogue):
    """Also where the scenario is never played at it."""

    def fail(draft, context):
        if context.level == Level.DETAILED:
            raise RuntimeError("too much")

    catalogue.register_hook(fail)

    assert ("error", "cannot_be_assembled", ["tenant.acme"], "acme", "") in findings()


@pytest.mark.covers("A17", "A18")
def test_a_line_that_only_lean_has_is_an_error(catalogue):
    """A clause for the detailed level leaves another line behind."""
    declare(catalogue, ", slowly", "main.slow", provides="slowly", level=Level.DETAILED)
    declare(catalogue, "Go on{{slowly}}.")

    out, _, failed = told()

    assert failed
    assert cells(out)[:2] == [
        [
            "error",
            "lean_adds",
            "chat",
            "the whole installation",
            "1 line of the lean prompt is not in the detailed one",
        ],
        ["Go on."],
    ]
    assert [line[2] for line in cells(out)[::2]] == ["chat", "own", "acme"]


@pytest.mark.covers("A16")
def test_what_only_lean_has_on_purpose_is_listed_with_its_reason(catalogue):
    """It is no fault, and nobody has to look for it."""
    declare(catalogue, "Be quick.", level=Level.LEAN, lean_reason="It saves a round.")

    out, _, failed = told()

    assert not failed
    assert out == "On purpose in the lean prompt only: main.odd (It saves a round.)\n"
    assert report_of()["lean_only"] == [
        {"key": "main.odd", "reason": "It saves a round."}
    ]


def test_scopes_are_looked_at_by_themselves():
    """A scenario without a scope is played in each that changes anything."""
    services.save({"main.fixed": "As Acme does."}, scope="tenant.acme")
    services.save({"main.fixed": "As others do."}, scope="tenant.other")

    report = report_of()

    assert (report["texts"], report["situations"]) == (2, 2 * 3 + 1)


def test_one_chain_can_be_looked_at():
    """Texts of other scopes are left aside."""
    services.save({"main.fixed": "{{nme}}"}, scope="tenant.acme")
    services.save({"main.fixed": "{{nme}}"}, scope="tenant.other")

    report = report_of("--scope", "tenant.acme")

    assert (report["texts"], report["situations"]) == (1, 3)
    assert findings("--scope", "tenant.acme") == [
        ("warning", "unknown_variable", ["tenant.acme"], "", "main.fixed")
    ]


def test_warnings_can_be_made_to_fail():
    """A pipeline may want none of them."""
    OverrideFactory(key="gone.key")

    assert told()[2] is False
    assert told("--fail-level", "warning")[2] is True


def test_nothing_to_say_is_no_failure_at_either_level():
    """Without a finding the status is 0, whatever is asked for."""
    assert told("--fail-level", "warning") == told("--fail-level", "error") == told()
    assert told("--fail-level", "warning")[2] is False


@pytest.mark.case(35)
def test_texts_that_are_ignored_are_not_looked_at(settings):
    """What is said is true of what is sent."""
    OverrideFactory(key="gone.key")
    settings.PROMPTS_APP_IGNORE_OVERRIDES = True

    out, remarks, _ = told()

    assert out == ""
    assert remarks.startswith("Saved texts are ignored")
    assert "0 stored texts" in remarks


def test_every_code_is_documented():
    """A program that reads the report can look each of them up."""
    text = (ROOT / "docs/command.md").read_text("utf-8")
    table = text.partition("| code |")[2].partition("\n\n")[0]
    modules = [*(ROOT / "prompts_app/management").glob("*.py"), Path(faults.__file__)]
    code = "\n".join(path.read_text("utf-8") for path in modules)
    saving = {"unknown_fragment", "conflict"}

    documented = re.findall(r"`([a-z_]+)`", table)
    used = re.findall(r'Finding\(\s*\w+,\s*"(\w+)"', code)
    used += map("".join, re.findall(r'\("(\w+)", _\(|Fault\(\s*"(\w+)"', code))
    used += [one for one, severity in SEVERITIES.items() if severity == ERROR]

    names = set(used) - saving
    assert len(documented) == len(set(documented))
    assert set(documented) == names


def test_the_report_of_a_program_has_what_is_documented():
    """Its keys are a contract."""
    OverrideFactory(key="gone.key")
    report = report_of()
    text = (ROOT / "docs/command.md").read_text("utf-8").partition("`--json` is for")[2]

    assert all(f"`{name}`" in text for name in (*report, *report["findings"][0]))


def test_checking_reads_the_texts_of_all_scopes_at_once():
    """The number of statements does not grow with the number of scopes."""
    counts = []
    for scopes in (["tenant.a"], ["tenant.b", "tenant.c", "tenant.d"]):
        for scope in scopes:
            OverrideFactory(key="main.fixed", scope=scope, default_text="Fixed.")
        services.stored()
        with CaptureQueriesContext(connection) as caught:
            told()
        counts.append(len(caught))

    assert counts[0] == counts[1]


def test_checking_writes_nothing():
    """Reading never writes, whatever is found."""
    OverrideFactory(key="gone.key")
    before = everything()

    with CaptureQueriesContext(connection) as caught:
        told()

    assert everything() == before
    assert {query["sql"].split()[0] for query in caught} == {"SELECT"}


def test_saved_texts_are_judged_with_the_clauses_that_are_saved():
    """A clause makes a text one that is cached for a chat, or does so no longer."""
    fenced = "<!-- detailed -->\nA{{at}}.\n<!-- /detailed -->"
    services.save({"main.fixed": fenced})
    before = [code for _, code, *_ in findings()]

    services.save({"main.at": " at home"})

    assert before == ["cached_fence"]
    assert findings() == []
