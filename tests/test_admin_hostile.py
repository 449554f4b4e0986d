"""Text that looks like markup, or like a format, stays text wherever it is shown."""

from __future__ import annotations

import html
import json

import pytest
from django.contrib.admin.models import LogEntry

from prompts_app import services
from prompts_app.declarations import Fragment, Group, Scenario, Scope, Variable
from tests.factories import UserFactory
from tests.pages import Page, Visitor
from tests.storing import rows

pytestmark = pytest.mark.django_db

HOSTILE = {
    "image": "<img src=x onerror=alert(1)>",
    "box": "</textarea></pre><script>alert(1)</script>",
    "script": "</script><script>alert(1)</script>",
    "attribute": "\"'><svg onload=alert(1)>",
    "entity": "&lt;b&gt; &amp; &#60;i&#62;",
    "format": "{0} {x} {} %s %(x)s {% now 'Y' %} {{x.y}}",
}
OWN_SCRIPTS = ("application/json", "module")


@pytest.fixture(params=HOSTILE)
def evil(request):
    """Return a text that must come out as it went in."""
    return HOSTILE[request.param]


@pytest.fixture(autouse=True)
def declared(registry, evil):
    """Declare a catalogue that is called by that text throughout."""
    registry.register(
        Group("core", label=evil, description=evil, order=1, role="preamble"),
        Scope("tenant.evil", label=evil),
        Variable("name", label=evil, description=evil, example=evil),
        Fragment(
            "core.a",
            label=evil,
            hint=evil,
            group="core",
            default=f"{evil} {{{{name}}}}",
            must_mention=("name",),
        ),
        Fragment("core.off", label=evil, group="core", default="", order=2),
        Scenario("one", label=evil, variables={"name": evil}, authored=evil),
    )
    return registry


@pytest.fixture
def visitor(db, evil):
    """Return an editor who is called by that text too."""
    name = evil[:150]
    return Visitor(UserFactory(username=name, is_superuser=True))


def foreign(page):
    """Return what on a page no template of ours and no part of the admin wrote."""
    scripts = [
        one
        for one in page.all("script")
        if one.attributes.get("type") not in OWN_SCRIPTS
        and not one.attributes.get("src", "").startswith("/static/admin/")
    ]
    events = [
        one for one in page.elements if any(name[:2] == "on" for name in one.attributes)
    ]
    images = [one for one in page.all("img") if "/static/" not in one.attributes["src"]]
    return scripts + events + images


@pytest.mark.case(83, 84)
@pytest.mark.parametrize(
    "query",
    [{}, {"fragment": "core.a"}, {"fragment": "core.a", "scope": "tenant.evil"}],
)
def test_names_and_texts_are_shown_and_nothing_more(visitor, evil, query):
    """Labels, hints, groups, scopes, scenarios, variables, values and texts."""
    page = visitor.open(**query)

    shown = html.escape(evil)
    assert foreign(page) == []
    assert page.html.count(shown) > 5
    assert page.passages()["core.a"] == f"{evil} {evil}".strip()
    assert page.passages()[""] == evil
    assert page.row("core.a").text.startswith(" ".join(evil.split()))


@pytest.mark.case(83, 84)
def test_a_stored_text_comes_back_as_it_was_typed(visitor, evil):
    """Through the review into the store, and into box, preview and history."""
    text = f"Mine: {evil} {{{{name}}}}"

    page = visitor.save(
        visitor.open(fragment="core.a"), {"text:core.a": text}, comment=evil
    )

    assert rows() == {("", "core.a"): text}
    assert foreign(page) == []
    assert page.box("core.a").raw == text
    assert page.box("core.a").attributes["data-saved"] == text
    start = visitor.open()
    assert foreign(start) == []
    latest = start.one("ul", class_="prompts-latest")
    assert " ".join(evil.split()) in latest.text
    assert not LogEntry.objects.filter(change_message__contains=evil).exists()


@pytest.mark.case(83)
def test_a_refused_text_comes_back_as_it_was_typed(visitor, evil):
    """So does one whose fragment is gone, and the key it was sent under."""
    fields = {"text:core.a": f"{evil}\0", f"text:{evil}": evil}

    page = visitor.save(visitor.open(fragment="core.a"), fields)

    assert foreign(page) == []
    assert page.box("core.a").raw == f"{evil}\0"
    assert page.box(evil).raw == evil


@pytest.mark.case(83)
def test_what_a_script_puts_on_the_page_is_as_safe(visitor, evil):
    """Every part is escaped by the server, since the script only places it."""
    fields = {"fragment": "core.a", "text:core.a": f"{evil} x {{{{name}}}}", "q": evil}

    for part in ("output", "samples", "legend", "note", "comparison", "list"):
        assert foreign(visitor.ask(part, fields)) == []
    editors = visitor.post(fields, "editors").content.decode()
    assert foreign(Page(editors)) == []
    raw = visitor.preview(fields).one("script", id="prompts-raw").raw
    assert evil.strip() in json.loads(raw)


@pytest.mark.case(83)
def test_a_view_named_by_such_text_is_the_start_view(visitor, evil):
    """Parameters of a link come back as values of fields at most."""
    page = visitor.open(fragment=evil, q=evil, scenario=evil, level=evil, state=evil)

    assert foreign(page) == []
    assert page.one("input", name="q").attributes["value"] == evil.strip()


@pytest.mark.case(83)
def test_an_orphans_text_and_an_error_are_shown_as_text(visitor, declared, evil):
    """Neither has a fragment that could vouch for it."""

    def fail(draft, context):
        raise RuntimeError(evil)

    services.save({"core.a": f"{evil} y {{{{name}}}}"})
    declared._registry = {}
    declared.register_hook(fail)

    page = visitor.open(fragment="core.a")

    assert foreign(page) == []
    assert page.one("textarea", page.one("article", id="prompts-orphan")).raw == (
        f"{evil} y {{{{name}}}}"
    )
    assert " ".join(evil.split()) in page.one("p", class_="errornote").text
