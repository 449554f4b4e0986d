"""What a request asks for, before anything is looked up."""

from __future__ import annotations

import pytest
from django.core.exceptions import BadRequest
from django.test import RequestFactory

from prompts_app.admin.asking import Asked, read_get, read_post
from prompts_app.declarations import Level
from prompts_app.syntax import fingerprint

BAD_SCOPES = (
    "acme",
    "Tenant.acme",
    "tenant.",
    ".acme",
    "tenant.a b",
    "tenant.a\n",
    "*",
)


def get(**query):
    """Return what a link with *query* asks for."""
    return read_get(RequestFactory().get("/", query))


def post(fields):
    """Return what a form with *fields* asks for."""
    return read_post(RequestFactory().post("/", fields))


def test_a_bare_link_asks_for_the_start_view():
    """Without parameters it is the whole installation, and the page's choice of all."""
    assert get() == Asked()


def test_a_link_may_name_every_choice_of_the_page():
    """The names are those of the form's own fields, so every view has a permalink."""
    asked = get(
        scope="tenant.acme",
        fragment="core.a",
        scenario="plain",
        level="lean",
        show="markdown",
        q=" two words ",
        state="off",
        p="2",
    )

    assert asked == Asked(
        scope="tenant.acme",
        fragment="core.a",
        scenario="plain",
        level=Level.LEAN,
        show="markdown",
        q="two words",
        state="off",
    )


def test_a_blank_scenario_is_not_the_same_as_none():
    """Blank asks for every variable's example, none leaves the choice to the page."""
    assert (get(scenario="").scenario, get().scenario) == ("", None)


@pytest.mark.parametrize("level", ["", "LEAN", "detailed ", "0"])
def test_what_is_no_level_asks_for_none(level):
    """The scenario's level, or the installation's, stands then."""
    assert get(level=level).level is None


@pytest.mark.parametrize("ask", [lambda s: get(scope=s), lambda s: post({"scope": s})])
@pytest.mark.parametrize("scope", BAD_SCOPES)
def test_what_is_no_scope_is_a_bad_request(ask, scope):
    """Guessing another scope could change a text for the wrong people."""
    with pytest.raises(BadRequest, match="scope has to be"):
        ask(scope)


@pytest.mark.case(44)
@pytest.mark.covers("L40")
def test_a_box_counts_by_the_fingerprint_of_what_it_was_shown():
    """A box as it was shown is no change, whatever kind of line break it comes with."""
    shown = {"shown:core.a": fingerprint("One\nTwo"), "etag:core.a": "0" * 16}

    for text in ("One\nTwo", "One\r\nTwo", "One\rTwo"):
        assert post({"text:core.a": text, **shown}).texts == {}
    for text in ("One Two", "One\n\nTwo", "One\nTwo\n", " One\nTwo", ""):
        assert post({"text:core.a": text, **shown}).texts == {"core.a": text}


@pytest.mark.case(44, 47)
def test_a_changed_text_is_kept_but_for_its_line_breaks():
    """Browsers send CRLF; nothing else of a text is touched."""
    text = "\tTab  \r\n\r\n```\r\ncafe\u0301 \u200d \u00a0 👩\u200d💻\r{{x}}\r\n"

    assert post({"text:core.a": text}).texts == {
        "core.a": "\tTab  \n\n```\ncafe\u0301 \u200d \u00a0 👩\u200d💻\n{{x}}\n"
    }


def test_a_text_without_a_fingerprint_counts_as_changed():
    """Who sends only changed texts need not say what was shown."""
    assert post({"text:core.a": "A", "text:core.b": ""}).texts == {
        "core.a": "A",
        "core.b": "",
    }


def test_only_changed_texts_are_based_on_an_etag():
    """The etag of an untouched box would make a conflict of somebody else's save."""
    asked = post(
        {
            "text:core.a": "Mine",
            "etag:core.a": "a" * 16,
            "text:core.b": "As shown",
            "shown:core.b": fingerprint("As shown"),
            "etag:core.b": "b" * 16,
            "text:core.c": "Without etag",
        }
    )

    assert asked.based_on == {"core.a": "a" * 16}


def test_without_a_review_every_changed_text_is_chosen():
    """Only there is a change left for later."""
    asked = post({"text:core.a": "A", "text:core.b": "B"})

    assert asked.chosen == {"core.a": "A", "core.b": "B"}
    assert asked.left.texts == {}


def test_a_review_chooses_what_is_ticked_there():
    """The rest is left as it was typed; comment and ticks belonged to the save."""
    asked = post(
        {
            "text:core.a": "A",
            "text:core.b": "B",
            "reviewed": "1",
            "take": ["core.b", "core.gone"],
            "comment": "Why",
            "confirm:core.b": "name",
        }
    )

    assert asked.chosen == {"core.b": "B"}
    assert asked.left.texts == {"core.a": "A"}
    assert (asked.left.comment, asked.left.confirmed) == ("", frozenset())


def test_a_review_without_a_tick_chooses_nothing():
    """Unticked boxes are not sent at all, so their absence has to count."""
    assert post({"text:core.a": "A", "reviewed": "1"}).chosen == {}


def test_another_text_can_be_based_on_another_state():
    """As after a conflict, when what was stored has been looked at."""
    asked = post({"text:core.a": "Mine", "etag:core.a": "a" * 16})

    assert asked.with_text("core.a", "Merged", "b" * 16).based_on == {
        "core.a": "b" * 16
    }
    assert asked.with_text("core.a", "Merged").based_on == {"core.a": "a" * 16}
    assert asked.with_text("core.b", "New").texts == {
        "core.a": "Mine",
        "core.b": "New",
    }


@pytest.mark.parametrize(
    ("typed", "result"), [("As\r\nshown", None), ("By\r\nhand", "By\nhand"), ("", "")]
)
def test_a_result_counts_when_it_was_written_by_hand(typed, result):
    """Else the card that was chosen decides, even where no script filled it in."""
    asked = post(
        {
            "choice": "theirs",
            "result": typed,
            "result_shown": fingerprint("As\nshown"),
            "settles": "c" * 16,
        }
    )

    assert (asked.choice, asked.result, asked.settles) == ("theirs", result, "c" * 16)


def test_a_script_names_the_parts_it_wants():
    """So no more is worked out than is shown."""
    assert post({"parts": ["output", "list"]}).parts == {"output", "list"}


def test_ticks_name_what_may_go():
    """One text may give up several variables."""
    asked = post({"confirm:core.a": ["one", "two"], "confirm:core.b": "one"})

    assert asked.confirmed == {
        ("core.a", "one"),
        ("core.a", "two"),
        ("core.b", "one"),
    }


@pytest.mark.parametrize(
    ("fields", "button"),
    [
        ({}, ("update", "")),
        ({"_update": ""}, ("update", "")),
        ({"_save": ""}, ("save", "")),
        ({"_decided": "core.a"}, ("decided", "core.a")),
        ({"_discard": ""}, ("update", "")),
        ({"_restore": "core.a"}, ("restore", "core.a")),
        ({"_off": "core.a"}, ("off", "core.a")),
        ({"_history": "core.a"}, ("update", "")),
    ],
)
def test_the_button_is_told_from_its_name(fields, button):
    """What no button is called only updates the page."""
    asked = post(fields)

    assert (asked.action, asked.target) == button


def test_a_button_for_a_scenario_beats_the_choice():
    """The link below a text that is left out picks the scenario by itself."""
    asked = post({"scenario": "plain", "_scenario": "agent"})

    assert (asked.action, asked.scenario) == ("update", "agent")


def test_sample_values_belong_to_the_scenario_they_were_shown_for():
    """With another scenario its own values come; else the edited ones stay."""
    fields = {"value:name": "Jo\r\nKim", "scenario": "plain"}

    assert post({**fields, "values_of": "plain"}).values == {"name": "Jo\nKim"}
    assert post(fields).values == {"name": "Jo\nKim"}
    assert post({**fields, "values_of": "agent"}).values == {}
    assert post({**fields, "values_of": "plain", "_scenario": "x"}).values == {}
    assert post({**fields, "_samples": ""}).values == {}


def test_a_comment_is_kept_for_the_history():
    """It comes as it will be stored."""
    assert post({"comment": " Because.\r\nYes. "}).comment == "Because.\nYes."


@pytest.mark.parametrize("comment", ["x" * 1_001, "a\0b"])
def test_a_comment_that_cannot_be_stored_is_a_bad_request(comment):
    """The page's own field does not let one be typed."""
    with pytest.raises(BadRequest):
        post({"comment": comment})


def test_nothing_typed_shows_in_a_repr():
    """A repr ends up in logs, texts and values do not."""
    shown = repr(post({"text:core.a": "Secret text", "value:name": "Secret value"}))

    assert "Secret" not in shown
