"""The page and the command in German, and catalogues that lack nothing."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from prompts_app import services, wording
from prompts_app.admin import speaking
from prompts_app.assembly import Reason
from prompts_app.declarations import Fragment, Level, Lifetime
from prompts_app.exceptions import Fault
from prompts_app.registry.view import OWN_VARIABLES
from tests.catalogues import (
    GERMAN,
    PLACEHOLDER,
    Message,
    Said,
    left_over,
    patterns,
    read,
    write,
)
from tests.commanding import run
from tests.factories import OverrideFactory
from tests.pages import Visitor
from tests.test_wording import FAULTS, HEADINGS, REASONS

MESSAGES = read(GERMAN)
ENGLISH = patterns(MESSAGES)
MARKUP = re.compile(rf"{PLACEHOLDER.pattern}|</?\w+>|\{{\{{")
needs_gettext = pytest.mark.skipif(
    shutil.which("xgettext") is None, reason="GNU gettext is not installed"
)


@pytest.fixture(autouse=True)
def language():
    """Put the language back that a request has changed for this thread."""
    with translation.override("en"):
        yield


@pytest.fixture
def tree(tmp_path):
    """Return a copy of the package beside the script that checks catalogues."""
    shutil.copytree(settings.BASE_DIR / "prompts_app", tmp_path / "prompts_app")
    shutil.copy(settings.BASE_DIR / ".ci/translations", tmp_path)
    return tmp_path


def check(tree):
    """Return what became of the check of the catalogues in *tree*."""
    return subprocess.run(
        ["./translations", "check"],
        cwd=tree,
        env={"BIN": str(Path(sys.executable).parent), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )


@needs_gettext
def test_every_message_of_the_code_is_translated(tree):
    """A fresh extraction finds nothing that a catalogue lacks."""
    done = check(tree)

    assert (done.returncode, done.stderr) == (0, "")


@needs_gettext
def test_a_message_without_translation_is_found(tree):
    """The check names the message and fails."""
    new = 'from django.utils.translation import gettext as _\n\n_("Quite new")\n'
    (tree / "prompts_app/new.py").write_text(new)

    done = check(tree)

    assert done.returncode == 1
    assert "Quite new" in done.stderr


def test_a_translation_holds_what_its_message_holds():
    """Placeholders, tags and braces are the same, and every plural form is there."""
    wrong = [message.id for message in MESSAGES if not is_faithful(message)]

    assert wrong == []


def is_faithful(message):
    """Tell whether each form of a translation holds what one of its message does."""
    originals = [message.id, message.plural] if message.plural else [message.id]
    held = [sorted(MARKUP.findall(text)) for text in originals]
    return len(message.texts) == len(originals) and all(
        text.strip() and sorted(MARKUP.findall(text)) in held for text in message.texts
    )


@pytest.mark.parametrize(
    "message",
    [
        Message("%(a)s of <b>%(b)s</b>", texts=("%(a)s von %(b)s",)),
        Message("Off", texts=("",)),
        Message("%(n)s change", "%(n)s changes", texts=("%(n)s Änderung",)),
        Message("Writes {{", texts=("Schreibt {",)),
    ],
    ids=lambda message: message.id,
)
def test_an_unfaithful_translation_would_be_noticed(message):
    """A lost tag, an empty text, a missing form and other braces are all found."""
    assert not is_faithful(message)


@pytest.fixture
def stored(db):
    """Store a text in every state that a page speaks of."""
    services.save({"core.style": "Write briefly.", "core.honesty": ""})
    OverrideFactory(key="core.today", text="Now {{today}}.", default_text="Before.")
    OverrideFactory(key="core.identity", text="", default_text="Before.")
    OverrideFactory(key="core.gone", text="Kept.")


class Speaking(Visitor):
    """Somebody who asks for the page in one language."""

    def __init__(self, user, language):
        super().__init__(user, headers={"accept-language": language})

    def walk(self):
        """Yield the pages from the start to the save, by what each shows."""
        yield "start", self.open()
        yield "search", self.open(q="qqqqq")
        yield "orphan", self.open(fragment="core.gone")
        page = self.open(fragment="core.style", scenario="agent_rewound")
        yield "page", page
        typed = {
            "text:core.style": "{{today}} {{nobody}}",
            "text:core.attachments": "",
            "text:task.title": "Without it.",
            "text:core.lost": "Lost.",
            "shown:core.lost": "-",
        }
        yield "typed", self.send(page, typed)
        yield "discard", self.ask_for("discard", page, typed)
        yield "faulty", self.review(page, {"text:core.style": "a\0" + "b" * 9000})
        del typed["text:core.lost"], typed["shown:core.lost"]
        review = self.review(page, typed)
        yield "review", review
        yield "unticked", self.send(review, {}, ("_save", ""))
        services.save({"core.style": "Theirs."})
        yield "decide", self.review(page, typed)
        yield "saved", self.save(self.open(fragment="core.plan"), {})

    def review(self, page, changes=None):
        """Return what comes of asking for the review, whatever its button is called."""
        return self.ask_for("review", page, changes or {})

    def ask_for(self, verb, page, changes):
        """Return the answer of one of the page's views to a form with *changes*."""
        self.post({**page.fields(), **changes}, verb)
        return self._page()


def said_in(page):
    """Return what the app's part of a page says."""
    return Said(page.html, "content-start").words


@pytest.mark.usefixtures("stored")
def test_the_pages_are_german_throughout(editor):
    """Not one sentence or word of ours is left in English, whatever page is shown."""
    pages = dict(Speaking(editor, "de").walk())

    assert {
        name: left_over(said_in(page), ENGLISH) for name, page in pages.items()
    } == {name: [] for name in pages}
    forms = {name: page.form.attributes.get("id") for name, page in pages.items()}
    assert (forms["review"], forms["decide"]) == ("prompts-review", "prompts-decide")
    assert pages["faulty"].problems("core.style")


def test_english_on_a_page_would_be_noticed(editor):
    """The same look at an English page finds words and whole sentences."""
    found = left_over(said_in(Speaking(editor, "en").open()), ENGLISH)

    assert {"Fragments", "Where would you like to begin?"} <= set(found)


@pytest.mark.usefixtures("stored")
def test_what_scripts_are_answered_is_german(editor):
    """The parts of a page that a script puts in speak the same language."""
    visitor = Speaking(editor, "de")
    page = visitor.open(fragment="core.style")
    fields = {**page.fields(), "text:core.style": "{{now}}", "fragment": "core.style"}

    for part in ("output", "samples", "legend", "note", "comparison", "list"):
        html = f"<body>{visitor.ask(part, fields).html}</body>"
        assert left_over(Said(html).words, ENGLISH) == [], part
    assert "Mit {{now}} ist dieser Text mit jedem Aufruf neu." in html_of(
        visitor.ask("note", fields)
    )


def html_of(page):
    """Return the text of a part of the page."""
    return " ".join(page.html.split())


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize(
    "arguments",
    [
        ("list",),
        ("show", "core.today"),
        ("show", "core.gone"),
        ("show", "task.title"),
        ("render", "--scenario", "agent_chat", "--trace", "--set", "plan="),
        ("render", "--include", "core.honesty", "--set", "question=Why?"),
        ("render", "--trace", "--tokens"),
        ("explain", "core.identity"),
        ("explain", "task.title", "--scenario", "plain_chat"),
        ("diff", "--scenario", "tools_chat", "--tokens", "--words"),
        ("diff", "--defaults"),
        ("check",),
        ("reload",),
    ],
    ids=" ".join,
)
def test_the_command_is_german_throughout(arguments):
    """Heads, states, reasons and remarks are those of the active language."""
    with translation.override("de"):
        said = "\n".join(run(*arguments))

    words = re.split(r"\s{2,}|\n|: |; ", said)
    assert left_over(words, ENGLISH) == []


def test_english_from_the_command_would_be_noticed(stored):
    """The same look at the English command finds English."""
    words = re.split(r"\s{2,}|\n", "\n".join(run("list")))

    assert {"FRAGMENT", "Built-in", "the code"} <= set(left_over(words, ENGLISH))


GERMAN_REASONS = {
    Reason("families", ("agent", "web", "files")): (
        "Keine Werkzeuge der Familie agent, web oder files"
    ),
    Reason("level", ("lean",)): "Nur auf der Stufe „Knapp“",
    Reason("requires", ("plan", "day")): "Variable ist leer: {{plan}}, {{day}}",
    Reason("limit", ("12000",)): "Über der Grenze von 12.000",
}


@pytest.mark.parametrize("reason", [*REASONS, *HEADINGS], ids=str)
def test_a_reason_is_german(reason):
    """Why a fragment is out is said in the active language."""
    with translation.override("de"):
        said = [wording.reason_text(reason), wording.reason_heading(reason)]

    assert left_over(said, ENGLISH) == []
    assert said[0] == GERMAN_REASONS.get(reason, said[0])


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.code)
def test_a_fault_is_german(fault):
    """Why a text is refused is said in the active language."""
    with translation.override("de"):
        said = wording.fault_text(fault)

    assert said != FAULTS[fault]
    assert left_over([said], ENGLISH) == []


def test_figures_in_a_fault_are_written_as_in_german():
    """The thousands are set apart with a full stop."""
    params = {"length": 8412, "limit": 8000, "over": 412}

    with translation.override("de"):
        said = wording.fault_text(Fault("too_long", "", "core.a", "", params))

    assert said == "8.412 Zeichen; erlaubt sind höchstens 8.000. Um 412 kürzen."


def test_gates_are_german():
    """When a fragment appears is said in the active language."""
    gated = Fragment(
        "core.a",
        label="A",
        group="core",
        default="",
        when_tools=True,
        families=("agent", "web"),
        level=Level.DETAILED,
        requires=("plan",),
        unless=("today",),
    )

    with translation.override("de"):
        assert wording.gates_text(gated) == [
            "Wenn ein Werkzeug angeboten wird",
            "Mit Werkzeugen der Familie agent oder web",
            "Nur auf der Stufe „Ausführlich“",
            "Wenn {{plan}} einen Wert hat",
            "Wenn {{today}} leer ist",
        ]


@pytest.mark.parametrize("variable", OWN_VARIABLES, ids=lambda one: one.name)
def test_the_registrys_own_variables_are_german(variable):
    """They are declared where there are no translations, and shown where there are."""
    with translation.override("de"):
        words = wording.variable_words(variable)

    translated = {message.id: message.texts[0] for message in MESSAGES}
    assert words == (translated[variable.label], translated[variable.description])


def test_a_projects_own_words_are_left_alone():
    """A label of a project is not looked up in our catalogue."""
    declared = Fragment("core.a", label="Off", group="core", default="")

    with translation.override("de"):
        assert declared.label == "Off"
        assert wording.lifetime_text(Lifetime.FIXED) == "Nie"


def test_a_sign_stays_before_its_number():
    """Where words run from right to left, a mark keeps the two together."""
    with translation.override("ar"):
        said = wording.signed(-21), wording.signed(0)

    assert said == ("\N{LEFT-TO-RIGHT MARK}\N{MINUS SIGN}21", "")


@pytest.fixture
def polish(tmp_path, settings):
    """Return the words for scripts where a language has three plural forms."""
    rule = "n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2"
    forms = ("%(number)s zmiana", "%(number)s zmiany", "%(number)s zmian")
    one, many = "%(number)s unsaved change", "%(number)s unsaved changes"
    write(
        tmp_path / "pl/LC_MESSAGES/django.mo",
        f"nplurals=3; plural=({rule});",
        [Message(one, many, texts=forms)],
    )
    settings.LOCALE_PATHS = [tmp_path]
    speaking._script_words.cache_clear()
    with translation.override("pl"):
        yield json.loads(speaking.script_words())
    speaking._script_words.cache_clear()


def test_scripts_know_every_plural_form(polish):
    """For each number there is the form that the language has for it."""
    forms = polish["unsaved"]

    assert forms == ["%(number)s zmian", "%(number)s zmiana", "%(number)s zmiany"]
    said = [forms[int(polish["plurals"][number])].split()[1] for number in range(200)]
    assert said[:6] == ["zmian", "zmiana", *["zmiany"] * 3, "zmian"]
    assert (said[12], said[21], said[22]) == ("zmian", "zmian", "zmiany")
    assert said[100:120] == ["zmian", "zmian", *said[102:120]]


def test_scripts_write_numbers_as_the_server_does():
    """What stands between the thousands is the language's own."""
    spoken = {}
    for language in ("en", "de", "ar"):
        with translation.override(language):
            spoken[language] = json.loads(speaking.script_words())["thousand"]

    assert spoken == {"en": "1,000", "de": "1.000", "ar": "1000"}
