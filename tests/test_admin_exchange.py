"""Texts out of the page as a file, and a file of texts in after a review."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from prompts_app import Group, services
from prompts_app.models import Revision
from tests.assembling import CORE, fragment, variable
from tests.factories import OverrideFactory
from tests.pages import Page, Visitor, address
from tests.storing import everything, rows, written_over
from tests.test_overrides_exchange import document, text_of

pytestmark = pytest.mark.django_db

SITES = ("admin", "ops")
LEAVE, CONFIRM = "leave", "confirm:core.asks"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare four texts: one is locked, one has to mention a name, one was renamed."""
    registry.register(
        CORE,
        Group("guarded", label="Guarded", order=5, permission="auth.edit_guarded"),
        variable("name"),
        fragment("core.a", "Alpha", hint="It opens."),
        fragment("core.fixed", "Fixed", locked=True),
        fragment("core.asks", "Ask {{name}}", must_mention=("name",)),
        fragment("core.now", "Now", former_keys=("core.old",)),
        fragment("core.guarded", "Guarded", group="guarded"),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor on the page."""
    return Visitor(editor)


def upload(visitor, content, **fields):
    """Return the page that comes of choosing a file of *content*."""
    if not isinstance(content, bytes):
        content = json.dumps(content).encode()
    file = SimpleUploadedFile("texts.json", content, "application/json")
    visitor.answer = visitor.client.post(
        address("import", visitor.site), {"file": file, **fields}, follow=True
    )
    return Page(visitor.answer.content.decode())


def store(visitor, page, changes=None):
    """Return the page that comes of importing what *page* reviews."""
    return visitor.send(page, changes, ("_import", ""))


def states(page, key):
    """Return the states before and after that a review shows for *key*."""
    badges = page.all("span", shown(page, key), class_="prompts-badge")
    return [badge.text for badge in badges]


def shown(page, key, scope=""):
    """Return the part of a review that is about one text."""
    return page.one("article", aria_labelledby=f"text:{scope}:{key}")


def difference(page, key, scope=""):
    """Return what a review marks as removed and as added."""
    part = shown(page, key, scope)
    return [one.raw for tag in ("del", "ins") for one in page.all(tag, part)]


def alerts(page):
    """Return what the page says first of all."""
    return [one.text for one in page.elements if one.attributes.get("role") == "alert"]


@pytest.mark.parametrize("site", SITES)
def test_an_export_is_the_document_as_a_file(site, viewer):
    """Whoever may see the texts may have them, in a file that can be compared."""
    services.save({"core.now": "ä\u2028", "core.a": "Mine"})
    services.save({"core.a": "Near"}, scope="tenant.x")
    client = Visitor(viewer, site).client

    everywhere = client.get(address("export", site))
    here = client.get(address("export", site), {"scope": "tenant.x"})
    installation = client.get(address("export", site), {"scope": ""})

    assert json.loads(everywhere.content) == services.export_texts()
    assert "ä\u2028" in everywhere.content.decode()
    assert everywhere.content.endswith(b"\n")
    assert [one["text"] for one in here.json()["texts"]] == ["Near"]
    assert [one["text"] for one in installation.json()["texts"]] == ["Mine", "ä\u2028"]
    assert everywhere.headers["Content-Type"] == "application/json"
    assert "no-store" in everywhere.headers["Cache-Control"]
    assert [
        answer.headers["Content-Disposition"]
        for answer in (everywhere, here, installation)
    ] == [
        'attachment; filename="prompts-all.json"',
        'attachment; filename="prompts-tenant.x.json"',
        'attachment; filename="prompts-installation.json"',
    ]


def test_an_export_is_asked_for_with_get_alone(visitor, stranger):
    """Of a scope that is one, by somebody who may see texts."""
    client = visitor.client

    assert client.post(address("export")).status_code == 405
    assert client.head(address("export")).status_code == 200
    assert client.get(address("export"), {"scope": "X"}).status_code == 400
    assert Visitor(stranger).client.get(address("export")).status_code == 403
    assert client.put(address("import")).status_code == 405


def test_the_page_links_both(declared, visitor, viewer):
    """A page of several scopes offers its own and everything; import asks for a right."""
    plain = visitor.open()
    services.save({"core.a": "Near"}, scope="tenant.x")
    scoped = visitor.open(scope="tenant.x")
    read_only = Visitor(viewer).open()

    def links(page):
        tools = page.one("ul", class_="prompts-tools")
        return [
            (one.text, one.attributes["href"].removeprefix(address()))
            for one in page.all("a", tools)
            if one.text != "History"
        ]

    assert links(plain) == [("Export", "export/"), ("Import", "import/?scope=")]
    assert links(scoped) == [
        ("Export", "export/?scope=tenant.x"),
        ("Export everything", "export/"),
        ("Import", "import/?scope=tenant.x"),
    ]
    assert [name for name, _ in links(read_only)] == ["Export", "Export everything"]
    # A download leaves the page where it is, so unsaved texts need no question.
    assert len(scoped.all("a", download=None)) == 2


@pytest.mark.case(25, 26)
@pytest.mark.parametrize("site", SITES)
def test_an_import_is_reviewed_and_then_stored(site, editor):
    """The file writes nothing; the second form does, with author and reason."""
    services.save({"core.now": "Mine now"})
    OverrideFactory(key="core.a", text="Mine before", default_text="Old")
    before = everything()
    visitor = Visitor(editor, site)

    page = Page(visitor.client.get(address("import", site), {"scope": "tenant.x"}).text)
    assert page.form.attributes["enctype"] == "multipart/form-data"
    page = upload(
        visitor,
        document(
            text_of(text="Mine after", default="Older"),
            text_of("core.now", "Now", "Now"),
            text_of("core.now", "", "Then", scope="tenant.x"),
            text_of("core.asks", "", "Ask {{name}}", scope="tenant.x"),
        ),
        scope="tenant.x",
    )
    assert everything() == before

    assert page.one("h1", page.form).text == "Review the import of 4 texts"
    assert states(page, "core.a") == ["Drifted", "Drifted"]
    assert difference(page, "core.a") == ["before", "after"]
    assert states(page, "core.now") == ["Changed", "Built-in"]
    assert difference(page, "core.now") == ["Mine now", "Now"]
    scoped = shown(page, "core.now", "tenant.x")
    badges = page.all("span", scoped, class_="prompts-badge")
    assert [badge.text for badge in badges] == ["Built-in", "Drifted, off"]
    assert "for tenant.x" in scoped.text
    assert "Switched off. Nothing is sent for it any more." in scoped.text

    page = store(visitor, page, {"comment": "From staging", CONFIRM: ["name"]})

    assert rows() == {
        ("", "core.a"): "Mine after",
        ("tenant.x", "core.now"): "",
        ("tenant.x", "core.asks"): "",
    }
    assert written_over()["", "core.a"] == "Older"
    revision = Revision.objects.get(number=2)
    assert (revision.kind, revision.comment) == ("import", "From staging")
    assert revision.author == editor
    assert "4 texts imported." in page.html
    assert visitor.answer.redirect_chain == [
        (f"{address(site=site)}?scope=tenant.x", 302)
    ]
