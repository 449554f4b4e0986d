"""The documents say what is there, and their examples run."""

from __future__ import annotations

import ast
import inspect
import re
import shlex
import subprocess
import sys
from dataclasses import fields

import pytest
from asgiref.sync import SyncToAsync
from django.core.management import get_commands, load_command_class
from django.dispatch import Signal
from django.test import override_settings

import prompts_app
from prompts_app import (
    Group,
    Lifetime,
    Variable,
    conf,
    messages,
    services,
    signals,
    testing,
)
from prompts_app.checks import check_all
from prompts_app.exceptions import Fault
from prompts_app.lint import SEVERITIES
from tests.apis import serve
from tests.documents import (
    DOCUMENTS,
    ROOT,
    commands,
    examples,
    name_of,
    read,
    run,
    sections,
    try_page,
)
from tests.pages import Visitor

CHECKS = ROOT / "prompts_app" / "checks"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
WITHOUT_EXAMPLES = {
    "docs/behaviours.md": "a table of tests",
    "docs/benchmarks/assembly.md": "tables of figures",
    "docs/benchmarks/page.md": "a table of figures",
    "docs/benchmarks/soak.md": "a table of figures",
    "docs/cases.md": "a table of tests",
    "docs/design-decisions.md": "reasons",
    "docs/examples/README.md": "a list of pages",
    "docs/freshness.md": "a table of tests",
    "docs/mutation.md": "a list of what no test notices",
    "docs/plans.md": "how it works inside",
    "docs/threat-model.md": "a table of threats and tests",
}
OWN_TESTS = {
    "docs/checks.md": "test_the_examples_of_a_check_are_wrong_and_right",
    "docs/messages.md": "test_the_examples_of_talking_to_a_model_run",
    "docs/settings.md": "test_a_documented_setting_is_as_documented",
    "docs/tour.md": "test_the_tour_can_be_walked",
}
"""Pages whose examples are no story to be read from top to bottom."""
TRIED = [page for page in PAGES if name_of(page) not in {*WITHOUT_EXAMPLES, *OWN_TESTS}]
# Other sites are not asked.
LINK = re.compile(r"\]\((?!https:)([^)\s]+)\)")


CHECK_SECTIONS = {
    heading.partition(":")[0].removeprefix("prompts_app."): text
    for heading, text in sections("docs/checks.md").items()
}
WITHOUT_EXAMPLE = {"E001", "E005"}


def test_every_check_has_a_heading_and_a_test():
    """The ids in code, document and tests are the same, in the same order."""
    code = "\n".join(path.read_text() for path in CHECKS.glob("*.py"))
    ids = sorted(set(re.findall(r"\b[EW]0\d\d\b", re.sub(r'""".*?"""', "", code))))
    tests = (ROOT / "tests" / "test_checks.py").read_text()

    assert ids
    assert list(CHECK_SECTIONS) == ids
    for number in ids:
        assert f"def test_{number.lower()}_" in tests, number


@pytest.mark.parametrize("number", sorted(CHECK_SECTIONS.keys() - WITHOUT_EXAMPLE))
def test_the_examples_of_a_check_are_wrong_and_right(registry, number):
    """The wrong one has that fault and no other, the right one has none."""
    found = []
    for example in examples(CHECK_SECTIONS[number]):
        with testing.isolated_registry():
            registry.register(
                Group("support", label="Support", order=10, role="preamble"),
                Variable("product", label="Product", lifetime=Lifetime.FIXED),
                Variable("day", label="Day"),
            )
            run(example, dict(vars(prompts_app)))
            found.append({message.id for message in check_all(databases=["default"])})

    assert found == [{f"prompts_app.{number}"}, set()]


def test_the_examples_of_a_bad_setting_are_wrong_and_right(registry):
    """The wrong line is reported, the right one is not."""
    found = []
    for example in examples(CHECK_SECTIONS["E001"]):
        values = {}
        run(example, values)
        del values["__builtins__"]
        with override_settings(**values):
            found.append([message.id for message in check_all()])

    assert found == [["prompts_app.E001"], []]


def test_every_code_of_lint_is_documented():
    """The table and the code have the same codes, as bad as each is, in one order."""
    rows = re.findall(
        r"^\| `(\w+)` \| (\w+) \| .+ \| .+ \|$", read("docs/lint.md"), re.M
    )

    assert rows == list(SEVERITIES.items())


def test_every_setting_is_documented():
    """Each has a heading, and nothing else has."""
    names = [conf.PREFIX + read.__name__.upper() for read in conf.READERS]

    assert list(sections("docs/settings.md")) == names


@pytest.mark.parametrize("reader", conf.READERS, ids=lambda reader: reader.__name__)
def test_a_documented_setting_is_as_documented(reader):
    """The default is the one that is told, and the example can be used."""
    section = sections("docs/settings.md")[conf.PREFIX + reader.__name__.upper()]
    (default,) = re.findall("^Default: `(.*)`$", section, re.MULTILINE)
    (example,) = examples(section)
    values = {}
    run(example, values)
    del values["__builtins__"]

    with override_settings(**values):
        if "preferences" not in example:
            assert reader() != eval(default)  # noqa: S307  # our own document
    assert reader() == eval(default)  # noqa: S307  # our own document


def public_names():
    """Return the names that other apps import."""
    found = {*prompts_app.__all__, *messages.__all__}
    found |= {name for name, value in vars(signals).items() if type(value) is Signal}
    for module in (services, testing):
        for name, value in vars(module).items():
            home = str(getattr(value, "__module__", ""))
            own = f"{home}.".startswith(f"{module.__name__}.")
            made_here = inspect.isroutine(value) or inspect.isclass(value)
            if isinstance(value, SyncToAsync) or (own and made_here):
                found.add(name)
    return sorted(name for name in found if not name.startswith("_"))


def test_every_public_name_is_documented():
    """Whoever looks for a function finds it named in the documents."""
    told = "\n".join(path.read_text("utf-8") for path in DOCUMENTS)

    assert [name for name in public_names() if f"`{name}`" not in told] == []


def test_every_error_is_documented_with_what_it_carries():
    """A line of the table names each and its attributes, and a fault is told as well."""
    told = sections("docs/services.md")["What is raised"]
    lines = dict(re.findall(r"^\| `([A-Z]\w+)` \|(.*)$", told, re.MULTILINE))
    errors = {
        node.name: {
            part.attr
            for part in ast.walk(node)
            if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)
        }
        for node in ast.parse(read("prompts_app/exceptions.py")).body
        if isinstance(node, ast.ClassDef) and node.name != "Fault"
    }

    assert sorted(lines) == sorted(errors)
    for name, carried in errors.items():
        assert {one for one in carried if f"`{one}`" not in lines[name]} == set(), name
    assert {field.name for field in fields(Fault)} <= set(re.findall(r"`(\w+)`", told))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("page", TRIED, ids=name_of)
def test_the_examples_of_a_page_run(registry, request, page, tmp_path, monkeypatch):
    """One after the other, as a reader would try them, and their claims hold."""
    monkeypatch.chdir(tmp_path)

    assert try_page(page, request.getfixturevalue)


@pytest.mark.django_db
def test_the_first_example_gives_the_prompt_that_it_promises(registry):
    """Whoever types what the front page shows has both texts, and the value in one."""
    names = {}
    for example in examples(read("README.md")):
        run(example, names)

    assert names["prompt"] == "Be brief.\n\nPeople ask about Kettle 3."


def test_every_page_has_an_example_that_runs():
    """Or a test of its own, or a reason to have none."""
    apart = {*WITHOUT_EXAMPLES, *OWN_TESTS}

    assert apart <= {name_of(page) for page in PAGES}
    assert all(inspect.isfunction(globals()[name]) for name in OWN_TESTS.values())
    assert not [name for name in WITHOUT_EXAMPLES if examples(read(name))]


@pytest.mark.django_db
def test_the_tour_can_be_walked(editor):
    """What it says of each step is there, and so is every word that it points to."""
    told = read("docs/tour.md")
    visitor = Visitor(editor)
    start = visitor.open()
    chosen = visitor.open(fragment="core.style")
    text = chosen.box("core.style").raw.replace("restat", "repeat")
    review = visitor.review(chosen, {"text:core.style": text})
    saved = visitor.send(review, {}, ("_save", ""))
    found = visitor.open(q="repeat")

    seen = "".join(page.html for page in (start, chosen, review, saved, found))
    assert 'data-editor="core.style"' not in start.html
    assert "repeat" in services.resolve("core.style")
    assert "core.style" in found.html
    for words in re.findall(r"(?<!\*)\*([A-Z][^*|]+)\*(?!\*)", told):
        assert words in seen, words


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_the_commands_of_a_document_exist(path):
    """Each target of make, each command of Django's, with its arguments."""
    targets = set(re.findall(r"^(\w+):", read("Makefile"), re.MULTILINE))
    for program, rest in commands(path.read_text("utf-8")):
        words = shlex.split(rest)
        if program == "make":
            assert {word for word in words if "=" not in word} <= targets, rest
        elif words[1:]:
            command = load_command_class(get_commands()[words[0]], words[0])
            command.create_parser("manage.py", words[0]).parse_args(words[1:])


@pytest.mark.django_db
def test_the_examples_of_talking_to_a_model_run(registry, monkeypatch):
    """One after the other, through the APIs' own clients, as their users would."""
    names = {}
    with serve() as apis:
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        for name in ("OPENAI", "ANTHROPIC"):
            monkeypatch.setenv(f"{name}_API_KEY", "none")
        monkeypatch.setenv("OPENAI_BASE_URL", f"{apis.address}/v1")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", apis.address)
        for example in examples(read("docs/messages.md")):
            run(example, names)

    called = [body["model"].partition("-")[0] for body in apis.bodies]
    assert called == ["claude", "gpt", "gpt", "claude", "gpt", "gpt"]
    assert all(isinstance(value, str | list) for value in names["attributes"].values())


def anchors(text):
    """Return the anchors of a document's headings."""
    headings = re.findall("^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(path):
    """A link to a file of this repository, or to a heading in it, is not broken."""
    text = path.read_text("utf-8")
    for target in LINK.findall(text):
        file, _, anchor = target.partition("#")
        linked = (path.parent / file) if file else path
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked.read_text("utf-8")), target


def test_the_tables_of_behaviours_are_current():
    """No row is empty, and the tables name the tests that bear the marks."""
    tried = subprocess.run(
        [sys.executable, ".ci/behaviours.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (tried.returncode, tried.stdout, tried.stderr) == (0, "", "")
