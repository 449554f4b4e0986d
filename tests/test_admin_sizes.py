"""Sizes on the page: characters and tokens, of each part, before and after."""

from __future__ import annotations

import pytest

from prompts_app.declarations import Lifetime, Scenario, Variable
from tests.assembling import CORE, SEAM, fragment
from tests.pages import Visitor
from tests.storing import rows

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a prompt of two lanes, and one that leads over to an authored one."""
    registry.register(
        CORE,
        SEAM,
        Variable("name", label="Name", lifetime=Lifetime.CONVERSATION),
        fragment("core.a", "One two three", label="Fixed", order=1),
        fragment("core.b", "Dear {{name}}", label="Named", order=2),
        fragment("seam.lead", "And then:", group="seam", label="Lead", order=3),
        Scenario("plain", label="Plain", variables={"name": "Jo"}),
        Scenario("led", label="Led", variables={"name": "Jo"}, authored="Over to you"),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return somebody who may change texts."""
    return Visitor(editor)


def words(text):
    """Count words, as a project's own counter may."""
    return len(text.split())


def told(page):
    """Return the lines of the table of sizes: part, characters, tokens."""
    table = page.one("table", page.one("details", class_="prompts-sizes"))
    return [
        (page.one("th", row).text, *(cell.text for cell in page.all("td", row)))
        for row in page.all("tr", table)[1:]
    ]


def size(page):
    """Return the line above the prompt."""
    return page.one("p", class_="prompts-size").text


def under(page, key):
    """Return what stands below a text about its size."""
    return page.one("span", id=f"size:{key}").text


def test_without_a_counter_tokens_are_called_an_estimate(visitor):
    """In the lines, and above the table."""
    page = visitor.open(fragment="core.a")

    assert size(page) == "22 characters · about 6 tokens as saved"
    assert under(page, "core.a") == "13 characters · about 4 tokens"
    assert "Tokens are an estimate, one for four bytes." in page.html
    assert told(page) == [
        ("The whole prompt", "22", "6"),
        ("same in every chat", "13", "4"),
        ("same within a chat", "7", "2"),
        ("Fixed", "13", "4"),
        ("Named", "7", "2"),
    ]


def test_a_counter_counts_exactly(visitor, settings):
    """Then nothing is about right."""
    settings.PROMPTS_APP_TOKEN_COUNTER = words

    page = visitor.open(fragment="core.a")

    assert size(page) == "22 characters · 5 tokens as saved"
    assert under(page, "core.a") == "13 characters · 3 tokens"
    assert "estimate" not in page.html


def test_what_is_unsaved_is_told_against_what_is_saved(visitor, settings):
    """Lane by lane and passage by passage, also where one comes or goes."""
    settings.PROMPTS_APP_TOKEN_COUNTER = words

    typed = {"text:core.a": "One", "text:core.b": ""}
    page = visitor.send(visitor.open(fragment="core.a"), typed)

    assert told(page) == [
        ("The whole prompt", "3 \N{MINUS SIGN}19", "1 \N{MINUS SIGN}4"),
        ("same in every chat", "3 \N{MINUS SIGN}10", "1 \N{MINUS SIGN}2"),
        ("same within a chat", "0 \N{MINUS SIGN}7", "0 \N{MINUS SIGN}2"),
        ("Fixed", "3 \N{MINUS SIGN}10", "1 \N{MINUS SIGN}2"),
        ("Named", "0 \N{MINUS SIGN}7", "0 \N{MINUS SIGN}2"),
    ]
    assert under(page, "core.a") == "3 characters · 1 token"


def test_seam_and_authored_prompt_count_as_part_of_the_whole(visitor, settings):
    """They belong to no lane."""
    settings.PROMPTS_APP_TOKEN_COUNTER = words

    page = visitor.open(scenario="led")

    assert told(page)[0] == ("The whole prompt", "46", "10")
    assert told(page)[-1] == ("Lead", "9", "2")


def test_of_very_many_passages_the_largest_are_told(visitor, declared):
    """And those that changed, whatever their size; the rest is counted."""
    declared.register(
        *(
            fragment(f"core.n{n:03}", "x" * (n + 20), label=f"N {n:03}", order=n + 9)
            for n in range(120)
        )
    )
    few = visitor.open(fragment="core.a")

    many = visitor.send(few, {"text:core.n000": "y"})

    assert len(told(few)) == len(told(many)) == 103
    assert "22 smaller passages are not listed." in many.html
    assert ("N 119", "139", "35") in told(many)
    assert [row for row in told(many) if "N 000" <= row[0] < "N 021"] == [
        ("N 000", "1 \N{MINUS SIGN}19", "1 \N{MINUS SIGN}4")
    ]


def test_a_script_is_told_the_tokens_of_the_text_in_view(visitor, settings):
    """Of what is typed, as it is saved: with simple line ends."""
    settings.PROMPTS_APP_TOKEN_COUNTER = len
    fields = {
        "scope": "",
        "text:core.a": "a\r\nb",
        "shown:core.a": "",
        "parts": "output",
    }

    told = visitor.post({**fields, "fragment": "core.a"}, "preview").json()

    assert told["tokens"] == "3 tokens"


def test_the_review_tells_tokens_before_and_after(visitor, settings):
    """Of each text, and of each scenario's prompt."""
    settings.PROMPTS_APP_TOKEN_COUNTER = words

    page = visitor.review(visitor.open(fragment="core.a"), {"text:core.a": "One"})

    change = page.one("article", class_="prompts-change")
    assert "13 \N{RIGHTWARDS ARROW} 3 characters · 3 \N{RIGHTWARDS ARROW} 1 token" in (
        change.text
    )
    plain, led = (one.text for one in page.all("summary"))
    assert "characters · 5 \N{RIGHTWARDS ARROW} 3 tokens · " in plain
    assert "characters · 10 \N{RIGHTWARDS ARROW} 8 tokens · " in led


@pytest.mark.parametrize("fault", [ValueError("canary"), RuntimeError("canary")])
def test_a_counter_that_fails_takes_no_page_down(visitor, settings, caplog, fault):
    """The page says so once; what it raised may hold a text, so its name alone."""

    def counter(text):
        raise fault

    settings.PROMPTS_APP_TOKEN_COUNTER = counter

    page = visitor.open(fragment="core.a")
    visitor.save(page, {"text:core.a": "Saved all the same"})

    name = type(fault).__name__
    assert size(page) == "22 characters as saved"
    assert under(page, "core.a") == "13 characters"
    assert f"the counter that is set raised {name}." in page.html
    assert told(page)[0] == ("The whole prompt", "22")
    assert f"The token counter raised {name}." in caplog.text
    assert "canary" not in caplog.text
    assert "canary" not in page.html
    assert rows() == {("", "core.a"): "Saved all the same"}


def test_each_text_is_counted_once(visitor, settings):
    """However often the page tells its size."""
    counted = []

    def counter(text):
        counted.append(text)
        return len(text)

    settings.PROMPTS_APP_TOKEN_COUNTER = counter

    visitor.open(fragment="core.a")

    assert sorted(counted) == sorted(set(counted))
    assert "One two three" in counted


def test_a_prompt_that_cannot_be_assembled_has_no_sizes(visitor, registry):
    """The page says why instead."""

    def hook(draft, context):
        raise ValueError("broken")

    registry.register_hook(hook)

    page = visitor.open(fragment="core.a")

    assert not page.has("details", class_="prompts-sizes")
    assert under(page, "core.a") == "13 characters · about 4 tokens"
