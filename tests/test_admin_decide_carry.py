"""What waits while two texts are decided on, and what comes back with them."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.declarations import Scenario, Variable
from tests.assembling import CORE, TASKS, fragment
from tests.pages import Page, Visitor
from tests.storing import everything, rows

pytestmark = pytest.mark.django_db

BACK = "Back to editing"
SAVE = ("_save", "")


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare texts in two groups, one of which has to mention a variable."""
    registry.register(
        CORE,
        TASKS,
        Variable("name", label="Name"),
        fragment("core.a", "Alpha", label="First", order=1),
        fragment("core.b", "Beta", label="Second", order=2),
        fragment("task.c", "For {{name}}", group="tasks", must_mention=("name",)),
        Scenario("plain", label="Plain", variables={"name": "Jo"}),
        Scenario("other", label="Other", variables={"name": "Kim"}),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def met_on_saving(visitor, changes):
    """Return what comes of saving three texts, with *changes* made on the review."""
    page = visitor.open(fragment="core.a")
    texts = {"text:core.a": "Mine", "text:core.b": "Bee", "text:task.c": "For all"}
    page = visitor.review(page, texts)
    services.save({"core.a": "Theirs"})
    return visitor.send(page, changes, SAVE)


def decide(visitor, page, **fields):
    """Return what comes of going on towards the review."""
    return visitor.send(page, fields, ("_decided", "core.a"))


def ticked(page):
    """Return the changes that are ticked on the review."""
    boxes = page.all("input", name="take")
    return {one.attributes["value"] for one in boxes if "checked" in one.attributes}


@pytest.mark.case(72)
def test_what_was_chosen_on_the_review_comes_back_to_it(visitor):
    """What was left for later stays so, as do the reason and each tick."""
    chosen = {"take": ["core.a", "task.c"], "comment": "Why", "confirm:task.c": "name"}
    page = met_on_saving(visitor, chosen)
    assert page.form.attributes["id"] == "prompts-decide"

    page = decide(visitor, page, choice="mine")

    assert page.form.attributes["id"] == "prompts-review"
    assert ticked(page) == {"core.a", "task.c"}
    assert page.chosen("comment") == "Why"
    assert page.fields()["confirm:task.c"] == ["name"]

    visitor.send(page, press=SAVE)

    assert rows() == {("", "core.a"): "Mine", ("", "task.c"): "For all"}


def test_a_conflict_found_by_the_review_ticks_every_change_after_it(visitor):
    """Nothing has been left for later yet."""
    page = visitor.open(fragment="core.a")
    services.save({"core.a": "Theirs"})
    page = visitor.review(page, {"text:core.a": "Mine", "text:core.b": "Bee"})

    assert ticked(decide(visitor, page, choice="mine")) == {"core.a", "core.b"}


def test_a_text_that_was_left_for_later_is_not_decided_on(visitor):
    """Whoever saves the rest is not asked about it."""
    met_on_saving(visitor, {"take": ["core.b"]})

    assert rows() == {("", "core.a"): "Theirs", ("", "core.b"): "Bee"}


QUERY = {"scenario": "other", "level": "lean", "q": "a", "state": "built-in"}


def test_going_back_brings_everything_back(visitor):
    """Texts, view, sample values; the conflict is still told at its text."""
    page = visitor.open(fragment="core.b", **QUERY)
    services.save({"core.b": "Theirs"})
    typed = {"text:core.a": " Mine\r\n", "text:core.b": "Bee", "value:name": "Lou"}
    page = visitor.review(page, typed)

    page = visitor.send(page, press=BACK)

    assert page.box("core.a").raw == " Mine\n"
    assert page.box("core.b").raw == "Bee"
    assert page.fields()["value:name"] == ["Lou"]
    assert {name: page.chosen(name) for name in QUERY} == QUERY
    assert page.chosen("fragment") == "core.b"
    stale = page.one("p", page.editor("core.b"), data_stale=None)
    assert "hidden" not in stale.attributes

    page = visitor.review(page)

    assert page.form.attributes["id"] == "prompts-decide"


def test_going_back_keeps_what_was_written_by_hand(visitor):
    """It was written beside the other's text, and is no conflict with it any more."""
    page = visitor.open(fragment="core.a")
    services.save({"core.a": "Theirs"})
    page = visitor.review(page, {"text:core.a": "Mine"})

    page = visitor.send(page, {"result": "Both\r\nby hand"}, BACK)

    assert page.box("core.a").raw == "Both\nby hand"
    stale = page.one("p", page.editor("core.a"), data_stale=None)
    assert "hidden" in stale.attributes

    visitor.save(page)

    assert rows() == {("", "core.a"): "Both\nby hand"}


def test_what_was_written_over_an_older_text_is_a_conflict_after_going_back(visitor):
    """The other has saved once more, and that text has to be read too."""
    page = visitor.open(fragment="core.a")
    services.save({"core.a": "Theirs"})
    page = visitor.review(page, {"text:core.a": "Mine"})
    services.save({"core.a": "Third"})

    page = visitor.send(page, {"result": "By hand"}, BACK)
    page = visitor.review(page)

    assert page.form.attributes["id"] == "prompts-decide"
    assert page.all("pre")[0].raw == "Theirs"
    assert page.one("input", value="mine").attributes["data-text"] == "By hand"


@pytest.mark.parametrize("written", [{}, {"result": "By hand"}])
def test_a_fragment_that_goes_meanwhile_keeps_its_text(visitor, declared, written):
    """There is nothing to decide any more, and nothing typed is thrown away."""
    extra = declared.register(fragment("core.z", "Zeta"))
    page = visitor.open(fragment="core.z")
    services.save({"core.z": "Theirs"})
    page = visitor.review(page, {"text:core.z": "Mine"})
    extra.remove()

    page = visitor.send(page, written, ("_decided", "core.z"))

    assert page.box("core.z").raw == written.get("result", "Mine")
    assert "There is no fragment" in page.html


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"_decided": ""},
        {"_decided": "core.none"},
        {"_decided": "core.b", "choice": "mine"},
        {"_decided": "core.a", "choice": "theirs", "settles": "0" * 16},
        {"_decided": "core.a", "choice": "theirs"},
    ],
)
def test_a_choice_that_settles_nothing_is_asked_for_again(visitor, fields):
    """Whatever is posted, no text is replaced by one that nobody read."""
    services.save({"core.a": "Theirs"})
    before = everything()

    visitor.post({"text:core.a": "Mine", "etag:core.a": "1" * 16, **fields}, "decide")

    page = Page(visitor.answer.content.decode())
    assert page.form.attributes["id"] == "prompts-decide"
    assert page.one("input", value="mine").attributes["data-text"] == "Mine"
    assert everything() == before


def test_a_card_is_enough_without_a_result(visitor):
    """Who sends no result at all has not cleared it."""
    services.save({"core.a": "Theirs"})
    now = services.etag("", "core.a")

    visitor.post(
        {
            "text:core.a": "Mine",
            "etag:core.a": "1" * 16,
            "settles": now,
            "_decided": "core.a",
            "choice": "mine",
        },
        "decide",
    )

    page = Page(visitor.answer.content.decode())
    assert page.form.attributes["id"] == "prompts-review"
    assert page.fields()["text:core.a"] == ["Mine"]


def test_a_choice_that_comes_after_the_session_has_ended_is_shown(visitor):
    """With what was written by hand beside what was typed before."""
    page = visitor.open(fragment="core.a")
    services.save({"core.a": "Theirs"})
    page = visitor.review(page, {"text:core.a": "Mine"})
    visitor.client.logout()

    fields = {**page.fields(), "result": "By\r\nhand", "_decided": "core.a"}
    answer = visitor.post(fields, "decide")

    assert answer.status_code == 403
    kept = Page(answer.content.decode()).all("textarea", readonly=None)
    assert [one.raw for one in kept] == ["Mine", "By\nhand"]
