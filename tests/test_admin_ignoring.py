"""Editing while stored texts are ignored: it works on what is stored."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.declarations import Scenario
from tests.assembling import CORE, fragment
from tests.pages import Visitor
from tests.storing import rows

pytestmark = [pytest.mark.django_db, pytest.mark.case(35)]

IGNORED = (
    "Saved texts are ignored (PROMPTS_APP_IGNORE_OVERRIDES). The defaults are in "
    "force; nothing was deleted."
)


@pytest.fixture(autouse=True)
def declared(registry, settings):
    """Declare two texts, store one of them, and switch stored texts off."""
    registry.register(
        CORE,
        fragment("core.a", "Alpha", label="First", order=1),
        fragment("core.b", "Beta", label="Second", order=2),
        Scenario("plain", label="Plain", variables={}),
    )
    services.save({"core.a": "Stored"})
    settings.PROMPTS_APP_IGNORE_OVERRIDES = True
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def banners(page):
    """Return the admin's warnings."""
    return [one.text for one in page.all("li", class_="warning")]


def test_the_review_compares_with_what_is_stored(visitor):
    """And says that it is not what is sent."""
    page = visitor.review(visitor.open(fragment="core.a"), {"text:core.a": "Better"})

    article = page.one("article")
    assert page.one("del", article).raw == "Stored"
    assert page.one("ins", article).raw == "Better"
    badges = [one.text for one in page.all("span", article, class_="prompts-badge")]
    assert badges == ["Changed", "Changed"]
    assert banners(page) == [IGNORED]


def test_a_save_reaches_the_store_and_no_prompt(visitor):
    """Nothing is deleted, and the setting alone decides what is sent."""
    page = visitor.save(
        visitor.open(fragment="core.a"), {"text:core.a": "Better", "text:core.b": ""}
    )

    assert rows() == {("", "core.a"): "Better", ("", "core.b"): ""}
    assert services.assemble().text == "Alpha\n\nBeta"
    assert banners(page) == [IGNORED]
    assert page.box("core.a").raw == "Better"


def test_the_default_typed_again_takes_the_row_away(visitor):
    """It is what stands beneath, ignored or not."""
    visitor.save(visitor.open(fragment="core.a"), {"text:core.a": "Alpha"})

    assert rows() == {}


def test_a_conflict_is_one_with_what_is_stored(visitor):
    """Somebody else may save all the same."""
    page = visitor.open(fragment="core.a")
    services.save({"core.a": "Theirs"})

    page = visitor.review(page, {"text:core.a": "Mine"})

    assert page.all("pre")[0].raw == "Stored"
    assert page.one("input", value="theirs").attributes["data-text"] == "Theirs"


@pytest.mark.parametrize(
    ("press", "text"), [(("_restore", "core.a"), "Alpha"), (("_off", "core.a"), "")]
)
def test_the_buttons_work_on_what_is_stored(visitor, press, text):
    """The text that is kept can be taken back or switched off."""
    page = visitor.send(visitor.open(fragment="core.a"), press=press)

    assert page.box("core.a").raw == text
    assert "Unsaved" in page.row("core.a").text


def test_in_a_scope_the_stored_text_of_all_stands_beneath(visitor):
    """A box there shows it, and a text equal to it makes no row."""
    page = visitor.open(fragment="core.a", scope="tenant.acme")
    assert page.box("core.a").raw == "Stored"

    visitor.save(page, {"text:core.a": "  Stored\n"})

    assert rows() == {("", "core.a"): "Stored"}


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"core.a": "Mine"}, "1 change saved. It is in use once"),
        ({"core.a": "Mine", "core.b": "Mine"}, "2 changes saved. They are in use once"),
    ],
)
def test_a_save_does_not_claim_to_be_in_use(visitor, texts, said):
    """It will be when saved texts are no longer ignored."""
    page = visitor.open(fragment="core.a")

    page = visitor.save(page, {f"text:{key}": text for key, text in texts.items()})

    news = page.one("li", class_="success").text
    assert news == f"{said} saved texts are not ignored. Undo"
