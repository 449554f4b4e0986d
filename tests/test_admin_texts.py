"""Texts of every kind on the page: what is typed is what is stored and sent."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.declarations import Variable
from tests.assembling import CORE, fragment
from tests.pages import Visitor
from tests.storing import rows

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a group and a variable."""
    registry.register(CORE, Variable("user", label="The person", example="Ann"))
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def legend(page):
    """Return the variables that the editor of core.a lists."""
    buttons = page.all("button", page.editor("core.a"), data_insert=None)
    return [one.attributes["data-insert"] for one in buttons]


@pytest.mark.case(1, 6)
@pytest.mark.parametrize(
    ("text", "names", "assembled"),
    [
        ('Answer as {"name": "{{user}}"}', ["user"], 'Answer as {"name": "Ann"}'),
        ('{"a": {"b": {"c": [1, {}]}}}', [], '{"a": {"b": {"c": [1, {}]}}}'),
    ],
)
def test_braces_of_json_are_no_variables(visitor, declared, text, names, assembled):
    """Only the reference changes; what is around it is the same to the byte."""
    declared.register(fragment("core.a", "Alpha"))

    page = visitor.save(visitor.open(fragment="core.a"), {"text:core.a": text})

    assert legend(page) == names
    assert page.passages()["core.a"] == assembled
    assert services.render("core.a", {"user": "Ann"}) == assembled


@pytest.mark.case(15)
def test_every_spelling_of_a_reference_is_one_line_of_the_legend(visitor, declared):
    """White space inside the braces makes no other variable."""
    declared.register(fragment("core.a", "{{user}}{{ user }}{{\tuser\t}}"))

    page = visitor.open(fragment="core.a")

    assert legend(page) == ["user"]
    assert page.passages()["core.a"] == "AnnAnnAnn"


@pytest.mark.case(2, 3, 5, 17, 18)
@pytest.mark.covers("L29")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("---\n{{ not a var }} and }}", "---\n{{ not a var }} and }}"),
        ("^{{Ω}rel } and {% raw %}", "^{{Ω}rel } and {% raw %}"),
        ("open {{ a and {{user}}", "open {{ a and Ann"),
        ("{{{user}}}", "{Ann}"),
        ("{% if x %}{{ user.name }}{# no #}", "{% if x %}{{ user.name }}{# no #}"),
        ('[{"a": "' + "x{}" * 700 + '"}]', '[{"a": "' + "x{}" * 700 + '"}]'),
    ],
)
def test_page_preview_and_service_agree_on_any_text(visitor, declared, text, shown):
    """One parser reads it, so nothing raises and nothing has to be escaped."""
    declared.register(fragment("core.a", "Alpha"))

    page = visitor.save(visitor.open(fragment="core.a"), {"text:core.a": text})

    assert rows() == {("", "core.a"): text}
    assert page.box("core.a").raw == text
    assert page.passages()["core.a"] == shown
    assert services.render("core.a", {"user": "Ann"}) == shown


@pytest.mark.case(48)
def test_the_first_line_feed_of_a_text_is_not_eaten(visitor, declared):
    """HTML drops one after the tag of a text area or a preformatted text."""
    declared.register(fragment("core.a", "\n\n  Alpha\n\n\tindented", order=1))
    page = visitor.open(fragment="core.a")

    assert page.box("core.a").raw == "\n\n  Alpha\n\n\tindented"
    assert page.one("pre", class_="prompts-diff").raw == "  Alpha\n\n\tindented"
    assert page.passages()["core.a"] == "Alpha\n\n\tindented"

    visitor.save(page, {})

    assert rows() == {}


@pytest.mark.case(49)
def test_the_counter_counts_what_the_server_counts(visitor, declared):
    """Characters, whatever their kind, and a line break as one."""
    text = "é\n👩\u200d💻\n"
    declared.register(fragment("core.a", text))

    page = visitor.open(fragment="core.a")

    assert page.one("span", id="size:core.a").text == ("6 characters · about 4 tokens")
    assert len(text) == 6
