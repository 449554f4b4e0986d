"""A default has moved under a saved text: three texts, and what becomes of it."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from prompts_app import services
from prompts_app.declarations import Group, Scope
from prompts_app.overrides.planning import DEFAULT
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory
from tests.pages import Visitor, address
from tests.storing import everything, history, refused, rows, written_over

pytestmark = pytest.mark.django_db

THEN = "Answer in one line.\nBe kind.\nEnd."
MINE = "Answer in two lines.\nBe kind.\nEnd."
NOW = "Answer in one line.\nBe kind and brief.\nEnd."
MERGED = "Answer in two lines.\nBe kind and brief.\nEnd."
CLASH = "Answer in three lines.\nBe kind.\nEnd."


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare texts whose defaults are those of a later release."""
    registry.register(
        CORE,
        Scope("tenant.acme", label="Acme"),
        fragment("core.a", NOW, label="First", order=1),
        fragment("core.b", "Beta now", label="Second", order=2),
        fragment("core.c", "Gamma now", label="Third", order=3),
        fragment("core.d", "Delta", label="Fourth", order=4),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


@pytest.fixture
def drifted(editor):
    """Store a text over the default of an earlier release."""
    return OverrideFactory(
        key="core.a", text=MINE, default_text=THEN, updated_by=editor
    )


def drift(visitor, key="core.a", changes=None, **query):
    """Return the three texts of *key*, reached from its editor."""
    page = visitor.open(fragment=key, **query)
    page = visitor.send(page, changes, ("_drift", key))
    assert page.one("input", name="about").attributes["value"] == "default"
    return page


def cards(page):
    """Return the words of each card by its choice, and which one is chosen."""
    inputs = page.all("input", name="choice")
    said = {one.attributes["value"]: one.parent.text for one in inputs}
    (chosen,) = (one for one in inputs if "checked" in one.attributes)
    return said, chosen.attributes["value"]


def decide(visitor, page, **fields):
    """Return the review that the choice leads to."""
    review = visitor.send(page, fields, "Continue to review")
    assert review.form.attributes["id"] == "prompts-review"
    return review


def save(visitor, review):
    """Save from the review and return the page."""
    return visitor.send(review, press=("_save", ""))


def test_three_texts_stand_side_by_side(visitor, drifted):
    """Each with what it changes in the default of then, its size, and its source."""
    before = everything()

    page = drift(visitor)

    assert page.one("h1").text == "A newer default for “First”"
    columns = page.all("section", page.one("div", class_="prompts-three"))
    assert [page.one("h2", one).text for one in columns] == [
        "Default then",
        "Your text",
        "Default now",
    ]
    sources = [page.all("p", one)[0].text for one in columns]
    assert sources[0] == "when your text was saved"
    assert sources[1].startswith("in force; saved on ")
    assert sources[1].endswith(" by editor")
    assert sources[2] == "in the software as it is installed"
    then, mine, now = (page.one("pre", one) for one in columns)
    assert then.raw == THEN
    assert [one.raw for one in page.all("ins", mine)] == ["two lines"]
    assert [one.raw for one in page.all("ins", now)] == [" and brief"]
    assert page.all("p", columns[2])[1].text == f"{len(NOW)} characters"
    assert "Your text stays in force until you decide." in page.html
    assert everything() == before


def test_who_saved_it_may_not_be_known(visitor):
    """A text that code saved has a date alone."""
    OverrideFactory(key="core.a", text=MINE, default_text=THEN)

    page = drift(visitor)

    (source,) = (
        one.text for one in page.all("p") if one.text.startswith("in force; saved on")
    )
    assert " by " not in source


def test_a_clean_merge_is_chosen_before_anything_is_done(visitor, drifted):
    """Three cards, each saying what it means."""
    said, chosen = cards(drift(visitor))

    assert chosen == "merged"
    assert said == {
        "merged": "Both, merged They touch different places, so they fit together.",
        "mine": "Keep my text The new default stays unused. You will be told of the"
        " next one.",
        "theirs": "Take the new default Your text goes to the history. Later defaults"
        " arrive by themselves.",
    }


def test_where_the_same_words_changed_there_is_no_merge(visitor):
    """The own text is chosen, and the card says why there is none."""
    OverrideFactory(key="core.b", text="Beta mine", default_text="Beta then")

    page = drift(visitor, "core.b")
    said, chosen = cards(page)

    assert chosen == "mine"
    assert set(said) == {"mine", "theirs"}
    assert said["mine"].endswith("Both changed the same words; join them by hand.")
    assert page.one("textarea", id="prompts-result").raw == "Beta mine"


@pytest.mark.parametrize(
    ("choice", "text", "over", "state"),
    [
        ("merged", MERGED, NOW, "Changed"),
        ("mine", MINE, NOW, "Changed"),
        ("theirs", None, None, "Built-in"),
        ("made up", MINE, NOW, "Changed"),
    ],
)
def test_each_choice_is_one_revision(visitor, drifted, choice, text, over, state):
    """It goes through the review, and afterwards nothing is drifted any more."""
    review = decide(visitor, drift(visitor), choice=choice)
    badges = [one.text for one in review.all("span", class_="prompts-badge")]

    page = save(visitor, review)

    assert badges == ["Drifted", state]
    address = ("", "core.a")
    assert rows() == ({} if text is None else {address: text})
    assert written_over() == ({} if over is None else {address: over})
    assert history() == [{address: (MINE, text)}]
    assert page.row("core.a").text.endswith(state)
    assert not page.has("button", name="_drift")


def test_the_review_says_that_a_kept_text_is_kept(visitor, drifted):
    """There is no difference to show, so a sentence stands for it."""
    kept = decide(visitor, drift(visitor), choice="mine")
    merged = decide(visitor, drift(visitor), choice="merged")

    said = "You have looked at the new default."
    notes = [page.all("p", class_="prompts-problem") for page in (kept, merged)]
    assert [[one.text for one in found] for found in notes] == [
        [f"The text stays as it is. {said}"],
        [said],
    ]


def test_what_is_written_counts_before_the_card(visitor, drifted):
    """The result may be written on by hand."""
    page = drift(visitor)

    save(visitor, decide(visitor, page, choice="theirs", result="By hand"))

    assert rows() == {("", "core.a"): "By hand"}
    assert written_over() == {("", "core.a"): NOW}


@pytest.mark.parametrize(
    ("choice", "text", "state"),
    [("mine", "", "Off"), ("theirs", None, "Built-in")],
)
def test_a_drifted_text_that_is_off_is_left_off_or_takes_the_default(
    visitor, choice, text, state
):
    """There is nothing to merge, and both cards say what they do."""
    OverrideFactory(key="core.a", text="", default_text=THEN)
    page = drift(visitor)
    said, chosen = cards(page)

    page = save(visitor, decide(visitor, page, choice=choice))

    assert chosen == "mine"
    assert said["mine"].startswith("Leave it off The new default stays unused.")
    assert set(said) == {"mine", "theirs"}
    assert rows() == ({} if text is None else {("", "core.a"): text})
    assert page.row("core.a").text.endswith(state)


def test_deciding_later_changes_nothing(visitor, drifted):
    """The text is shown in its editor, drifted as before."""
    before = everything()

    page = visitor.send(drift(visitor), press="Decide later")

    assert page.chosen("fragment") == "core.a"
    assert page.box("core.a").raw == MINE
    assert page.one("span", role="status").text == ""
    assert everything() == before


@pytest.mark.parametrize("press", ["Decide later", "Next: Second"])
def test_what_was_written_by_hand_outlives_the_screen(visitor, drifted, press):
    """It becomes an unsaved text of its fragment, and settles nothing."""
    OverrideFactory(key="core.b", text="Beta mine", default_text="Beta then")

    page = visitor.send(drift(visitor), {"result": "By hand"}, press)
    carried = page.box("core.a").raw
    page = visitor.open(fragment="core.a") if page.has("input", name="about") else page
    visitor.save(page, {"text:core.a": carried})

    assert carried == "By hand"
    assert rows()["", "core.a"] == "By hand"
    assert written_over()["", "core.a"] == THEN


def test_drifted_texts_follow_one_another(visitor, drifted):
    """Each with its place among all of them; after the last comes the first."""
    for key in ("core.b", "core.c"):
        OverrideFactory(key=key, text="Mine", default_text="Was")

    page = drift(visitor)
    places = []
    for label in ("Second", "Third", "First"):
        places.append(
            next(
                one.text
                for one in page.all("span")
                if one.text.startswith("Drifted fragment")
            )
        )
        page = visitor.send(page, press=f"Next: {label}")

    assert places == [f"Drifted fragment {n} of 3" for n in (1, 2, 3)]
    assert page.one("h1").text == "A newer default for “First”"


def test_a_single_one_has_no_next(visitor, drifted):
    """One of one is all there is."""
    page = drift(visitor)

    assert "Drifted fragment 1 of 1" in page.html
    assert not page.has("button", name="_drift")


def test_several_decisions_and_other_changes_are_one_revision(visitor, drifted):
    """Nothing has to be saved before the next one is decided."""
    OverrideFactory(key="core.b", text="Beta mine", default_text="Beta then")
    review = decide(
        visitor, drift(visitor, changes={"text:core.d": "Typed"}), choice="mine"
    )
    page = visitor.send(review, press="Back to editing")
    page = visitor.send(page, press=("_drift", "core.b"))

    save(visitor, decide(visitor, page, choice="theirs"))

    assert history() == [
        {
            ("", "core.a"): (MINE, MINE),
            ("", "core.b"): ("Beta mine", None),
            ("", "core.d"): (None, "Typed"),
        }
    ]
    assert written_over() == {("", "core.a"): NOW, ("", "core.d"): "Delta"}


def test_a_decision_is_kept_while_editing_goes_on(visitor, drifted):
    """The editor says that it waits, and a further change goes with it."""
    page = visitor.send(
        decide(visitor, drift(visitor), choice="mine"), press="Back to editing"
    )

    assert "What becomes of it is decided and waits to be saved." in page.html
    assert "data-settled" in page.box("core.a").attributes
    assert page.one("span", role="status").text == "1 unsaved change"
    visitor.save(page, {"text:core.a": "Better"})
    assert rows() == {("", "core.a"): "Better"}
    assert written_over() == {("", "core.a"): NOW}


def test_a_decision_left_for_later_in_the_review_is_kept(visitor, drifted):
    """An unticked change stays in the form with all that was decided."""
    page = drift(visitor, changes={"text:core.d": "Typed"})
    review = decide(visitor, page, choice="mine")

    page = visitor.send(review, {"take": ["core.d"]}, ("_save", ""))
    first = written_over()
    visitor.save(page)

    assert first == {("", "core.a"): THEN, ("", "core.d"): "Delta"}
    assert written_over()["", "core.a"] == NOW


def test_a_typed_text_is_the_own_one(visitor, drifted):
    """It is laid over the default before it is saved, and says so."""
    page = drift(visitor, changes={"text:core.a": f"{MINE}\nTyped."})

    assert "as you typed it, not saved yet" in page.html
    save(visitor, decide(visitor, page))
    assert rows() == {("", "core.a"): f"{MERGED}\nTyped."}


def test_a_text_that_somebody_saved_meanwhile_is_settled_first(visitor, drifted):
    """Two people's texts come before the software's."""
    page = visitor.open(fragment="core.a")
    services.save({"core.a": "Theirs"})

    page = visitor.send(page, {"text:core.a": "Typed"}, ("_drift", "core.a"))

    assert page.one("h1").text == "First core.a"
    assert "The text that is saved now" in page.html
    review = visitor.send(page, {"choice": "mine"}, ("_decided", "core.a"))
    save(visitor, review)
    assert rows() == {("", "core.a"): "Typed"}
    assert written_over() == {("", "core.a"): THEN}


def test_a_choice_over_other_texts_has_to_be_made_again(visitor, drifted):
    """What is stored changed while somebody decided; nothing was saved."""
    page = drift(visitor)
    services.save({"core.a": "Theirs"})
    before = everything()

    again = visitor.send(page, {"choice": "mine"}, "Continue to review")

    assert "It was saved once more while you decided." in again.html
    assert again.one("textarea", id="prompts-result").raw == "Theirs"
    assert everything() == before


def test_what_was_written_over_other_texts_meets_them(visitor, drifted):
    """It is laid beside what was saved meanwhile, as any typed text is."""
    page = drift(visitor)
    services.save({"core.a": "Theirs"})

    page = visitor.send(page, {"result": "By hand"}, "Continue to review")

    assert "The text that is saved now" in page.html
    assert page.one("textarea", id="prompts-result").raw == "By hand"


@pytest.mark.parametrize("typed", [False, True])
def test_what_somebody_else_decided_needs_no_decision(visitor, drifted, typed):
    """The page says so, with everything typed in it."""
    page = drift(visitor, changes={"text:core.d": "Typed"} if typed else {})
    services.acknowledge(["core.a"])
    before = everything()

    page = visitor.send(page, press="Continue to review")

    assert page.one("li", class_="info").text.startswith("There is nothing to decide")
    assert page.box("core.a").raw == MINE
    assert page.one("span", role="status").text == ("1 unsaved change" if typed else "")
    assert everything() == before


def test_a_default_that_moves_once_more_is_not_settled_unseen(declared, visitor):
    """Between the look and the save another release came; the save is a conflict."""
    registration = declared.register(fragment("core.e", "Now"))
    OverrideFactory(key="core.e", text="Mine", default_text="Then")
    review = decide(visitor, drift(visitor, "core.e"), choice="mine")
    registration.remove()
    declared.register(fragment("core.e", "Now again"))

    page = save(visitor, review)

    assert page.form.attributes["id"] == "prompts-decide"
    assert written_over() == {("", "core.e"): "Then"}
    page = visitor.send(page, {"choice": "mine"}, ("_decided", "core.e"))
    assert page.row("core.e").text.endswith("Drifted")
    assert written_over() == {("", "core.e"): "Then"}


def test_the_service_refuses_to_confirm_a_default_that_moved_on(drifted):
    """The etag says which default was looked at."""
    (fault,) = refused(
        services.save,
        {"core.a": MINE},
        based_on={"core.a": "0" * 16},
        confirm=[("core.a", DEFAULT)],
    )

    assert fault.code == "conflict"


def test_a_scope_takes_the_text_of_the_whole_installation(visitor):
    """Without its own text that one is in force there, and the card says so."""
    services.save({"core.a": "For all"})
    OverrideFactory(scope="tenant.acme", key="core.a", text=MINE, default_text=THEN)
    page = drift(visitor, scope="tenant.acme")
    said, _ = cards(page)

    page = save(visitor, decide(visitor, page, choice="theirs"))

    assert said["theirs"].startswith("Take the text of the whole installation")
    assert rows() == {("", "core.a"): "For all"}
    assert page.chosen("scope") == "tenant.acme"
    assert page.box("core.a").raw == "For all"


def test_a_scope_keeps_its_own_text(visitor):
    """The whole installation has a drift of its own, which stays."""
    OverrideFactory(key="core.a", text="All", default_text=THEN)
    OverrideFactory(scope="tenant.acme", key="core.a", text=MINE, default_text=THEN)

    save(visitor, decide(visitor, drift(visitor, scope="tenant.acme"), choice="mine"))

    assert written_over() == {("", "core.a"): THEN, ("tenant.acme", "core.a"): NOW}


def test_a_row_under_a_former_key_moves_with_the_decision(declared, visitor):
    """A renamed fragment whose default moved is decided under its new name."""
    declared.register(fragment("core.new", "New now", former_keys=("core.old",)))
    OverrideFactory(key="core.old", text="Mine", default_text="New then")

    save(visitor, decide(visitor, drift(visitor, "core.new"), choice="mine"))

    assert rows() == {("", "core.new"): "Mine"}
    assert written_over() == {("", "core.new"): "New now"}


def test_it_is_reached_from_the_start_view_and_from_the_filter(visitor, drifted):
    """Beside the editor's own notice."""
    start = visitor.send(visitor.open(), press="Decide… First")
    filtered = visitor.open(state="drifted")
    listed = visitor.send(filtered, press="Decide them one after another…")

    headings = [page.one("h1").text for page in (start, listed)]
    assert headings == ["A newer default for “First”"] * 2
    assert "Decide them" not in visitor.open(state="changed").html


def test_the_screen_takes_as_many_statements_for_many(visitor, drifted):
    """Rows are read once, however many are drifted."""

    def count():
        page = visitor.open(fragment="core.a")
        with CaptureQueriesContext(connection) as caught:
            visitor.send(page, press=("_drift", "core.a"))
        return len(caught)

    visitor.open()
    few = count()
    for key in ("core.b", "core.c", "core.d"):
        OverrideFactory(key=key, text="Mine", default_text="Was")
    services.stored()

    assert count() == few


@pytest.mark.parametrize("site", ["admin", "ops"])
def test_every_step_stays_on_its_admin_site(editor, drifted, site):
    """Screen, review and page are those of the site it began on."""
    visitor = Visitor(editor, site)
    page = drift(visitor)
    review = decide(visitor, page, choice="mine")

    actions = [one.form.attributes["action"] for one in (page, review)]
    save(visitor, review)

    assert actions == [address("decide", site), address(site=site)]
    assert written_over() == {("", "core.a"): NOW}


def test_who_may_only_read_decides_nothing(viewer, drifted):
    """No button leads there, and a form of one's own is refused."""
    visitor = Visitor(viewer)
    before = everything()
    pages = [
        visitor.open(),
        visitor.open(fragment="core.a"),
        visitor.open(state="drifted"),
    ]

    answer = visitor.post({"_drift": "core.a", "scope": ""}, "decide")

    assert not any(page.has("button", name="_drift") for page in pages)
    assert answer.status_code == 403
    assert everything() == before


def test_a_group_guards_its_own_drift(declared, visitor):
    """Who may not change a text may not decide it, and is led past it."""
    declared.register(
        Group("guarded", label="Guarded", order=9, permission="auth.add_group"),
        fragment("core.guarded", "Now", group="guarded"),
    )
    for key in ("core.guarded", "core.a"):
        OverrideFactory(key=key, text="Mine", default_text="Was")
    before = everything()
    page = drift(visitor)

    shown = visitor.post({"_drift": "core.guarded", "scope": ""}, "decide")
    fields = {
        "_decided": "core.guarded",
        "about": "default",
        "choice": "theirs",
        "settles": services.etag("", "core.guarded"),
        "scope": "",
    }
    taken = visitor.post(fields, "decide")

    assert "Drifted fragment 1 of 1" in page.html
    assert (shown.status_code, taken.status_code) == (403, 403)
    assert everything() == before


@pytest.mark.parametrize("key", ["core.d", "core.nobody", ""])
def test_what_has_not_drifted_needs_no_decision(visitor, key):
    """A built-in text, and keys that nobody declares."""
    answer = visitor.post({"_drift": key, "scope": "", "fragment": key}, "decide")

    assert answer.status_code == 200
    assert "There is nothing to decide" in answer.content.decode()


def test_the_screen_reads_right_to_left(visitor, drifted):
    """The page's direction is the language's, each text has its own."""
    visitor.client.cookies["django_language"] = "ar"
    page = visitor.open(fragment="core.a")

    page = visitor.send(page, press=("_drift", "core.a"))

    assert page.one("html", dir=None).attributes["dir"] == "rtl"
    texts = [*page.all("pre"), page.one("textarea", id="prompts-result")]
    assert {one.attributes["dir"] for one in texts} == {"auto"}


def test_nothing_on_the_screens_breaks_a_strict_policy(superuser, drifted):
    """No script, style or handler stands in the markup."""
    OverrideFactory(key="core.gone", text="Kept")
    visitor = Visitor(superuser)
    page = drift(visitor)
    orphan = visitor.open(fragment="core.gone")
    asked = [
        visitor.send(orphan, {"adopts": "core.d"}, ("_adopt", "core.gone")),
        visitor.send(orphan, press=("_remove", "core.gone")),
    ]

    for shown in (page, *asked):
        scripts = shown.all("script")
        assert all("src" in one.attributes for one in scripts)
        names = {name for one in shown.elements for name in one.attributes}
        assert not any(n == "style" or n.startswith("on") for n in names)
