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


def test_a_link_may_name_scope_fragment_scenario_and_level():
    """The names are those of the form's own fields, so every view has a permalink."""
    asked = get(
        scope="tenant.acme", fragment="core.a", scenario="plain", level="lean", q="x"
    )

    assert asked == Asked(
        scope="tenant.acme", fragment="core.a", scenario="plain", level=Level.LEAN
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


def test_a_settled_conflict_is_based_on_what_was_looked_at():
    """The tick's etag takes the place of the one that the editor was shown first."""
    asked = post(
        {
            "text:core.a": "Mine",
            "etag:core.a": "a" * 16,
            "settle:core.a": "c" * 16,
            "settle:core.b": "d" * 16,
        }
    )

    assert asked.based_on == {"core.a": "c" * 16}


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
        ({"_discard": ""}, ("discard", "")),
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
