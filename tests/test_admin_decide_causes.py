"""What made two texts of one: another save, one taken back, a default that moved."""

from __future__ import annotations

import pytest

from prompts_app import services
from tests.assembling import CORE, TASKS, fragment
from tests.factories import OverrideFactory, UserFactory
from tests.pages import Visitor

pytestmark = pytest.mark.django_db

BEFORE = "Answer in one line.\nBe kind.\nEnd."
MINE = "Answer in two lines.\nBe kind.\nEnd."
THEIRS = "Answer in one line.\nBe kind and brief.\nEnd."
MERGED = "Answer in two lines.\nBe kind and brief.\nEnd."


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two texts of the prompt, and a task."""
    registry.register(
        CORE,
        TASKS,
        fragment("core.a", BEFORE, label="First", order=1),
        fragment("core.b", "Beta", label="Second", order=2),
        fragment("task.c", "Gamma", label="Task", group="tasks"),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


@pytest.fixture
def jonas(db):
    """Return somebody else who may change every text."""
    return UserFactory(username="jonas", is_superuser=True)


def conflict(visitor, mine=MINE, theirs=THEIRS, author=None, **others):
    """Return what comes of reviewing *mine* after somebody has saved *theirs*."""
    page = visitor.open(fragment="core.a")
    services.save({"core.a": theirs}, author=author)
    fields = {f"text:{key.replace('_', '.')}": text for key, text in others.items()}
    return visitor.review(page, {"text:core.a": mine, **fields})


def decide(visitor, page, key="core.a", **fields):
    """Return what comes of going on towards the review."""
    assert page.form.attributes["id"] == "prompts-decide"
    return visitor.send(page, fields, ("_decided", key))


def reviewed(page):
    """Return the texts that the review would save, by key."""
    assert page.form.attributes["id"] == "prompts-review"
    return {
        one.attributes["data-draft"]: one.raw
        for one in page.all("textarea", data_draft=None)
    }


def test_who_saved_is_named_with_the_time(visitor, jonas):
    """And that nothing of mine is lost."""
    page = conflict(visitor, author=jonas, core_b="Bee")

    said = page.one("p", class_="prompts-notice").text
    assert said.startswith("jonas saved this text at ")
    assert said.endswith(
        ", while you were editing it. Nothing of yours is lost and nothing has been "
        "saved. Your other change waits until this is decided."
    )


def test_a_save_by_nobody_is_told_by_its_time_alone(visitor):
    """Code may have saved it, or an account that is gone."""
    page = conflict(visitor)

    said = page.one("p", class_="prompts-notice").text
    assert said.startswith("This text was saved at ")
    assert said.endswith("Nothing of yours is lost and nothing has been saved.")


@pytest.mark.case(72)
def test_an_override_that_was_taken_back_is_a_conflict_too(visitor, jonas):
    """History knows what both began with; what is saved now is the default."""
    services.save({"core.a": THEIRS}, author=jonas)
    page = visitor.open(fragment="core.a")
    services.reset(["core.a"])

    page = visitor.review(page, {"text:core.a": f"{THEIRS} Mine."})

    assert page.one("p", class_="prompts-notice").text.startswith(
        "Somebody else has changed this text, or its default, while you were editing it."
    )
    assert page.all("pre")[0].raw == THEIRS
    assert page.one("input", value="theirs").attributes["data-text"] == BEFORE
    assert page.one("textarea", name="result").raw == f"{BEFORE} Mine."


def upgrade(declared, **changes):
    """Let the next release declare core.a otherwise."""
    declared._registry = {}
    options = {"key": "core.a", "default": "New default", "label": "First"} | changes
    declared.register(CORE, TASKS, fragment(**options))


def test_a_default_that_moves_under_an_override_names_nobody(visitor, declared, jonas):
    """The last save was long before; what was saved then is still in force."""
    services.save({"core.a": THEIRS}, author=jonas)
    page = visitor.open(fragment="core.a")
    upgrade(declared)

    page = visitor.review(page, {"text:core.a": f"{THEIRS} Mine."})

    assert page.one("p", class_="prompts-notice").text.startswith(
        "Somebody else has changed this text, or its default, while you were editing it."
    )
    assert [one.text for one in page.all("h2")][-1] == "The text that is saved now"
    assert page.all("pre")[0].raw == THEIRS
    assert reviewed(decide(visitor, page)) == {"core.a": f"{THEIRS} Mine."}


def test_a_default_that_moves_under_the_editor_is_a_conflict(visitor, declared):
    """Without an override nobody knows the old one any more; the new one is shown."""
    page = visitor.open(fragment="core.a")
    upgrade(declared)

    page = visitor.review(page, {"text:core.a": MINE})

    assert page.all("pre")[0].raw == "New default"
    assert page.one("input", value="theirs").attributes["data-text"] == "New default"
    assert reviewed(decide(visitor, page, choice="mine")) == {"core.a": MINE}


def test_a_fragment_that_is_renamed_meanwhile_keeps_the_common_text(
    visitor, declared, jonas
):
    """What was saved under its former key is what both began with."""
    upgrade(declared, key="core.new", former_keys=("core.a",), default=BEFORE)
    OverrideFactory(key="core.a", text=THEIRS, default_text=BEFORE)
    page = visitor.open(fragment="core.new")
    services.save({"core.new": THEIRS.replace("End", "The end")}, author=jonas)

    page = visitor.review(page, {"text:core.new": f"{THEIRS} Mine."})

    assert page.all("pre")[0].raw == THEIRS
    assert page.one("textarea", name="result").raw == (
        THEIRS.replace("End", "The end") + " Mine."
    )
