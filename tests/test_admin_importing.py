"""What the review of an import asks, refuses and never loses."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from prompts_app import services
from prompts_app.admin.importing import ETAG, ROOM
from prompts_app.overrides import exchange
from tests.assembling import fragment
from tests.factories import UserFactory
from tests.pages import Page, Visitor, address
from tests.storing import everything, rows
from tests.test_admin_exchange import (
    CONFIRM,
    LEAVE,
    alerts,
    declared,
    difference,
    shown,
    states,
    store,
    upload,
    visitor,
)
from tests.test_overrides_exchange import document, text_of

__all__ = ["declared", "visitor"]
pytestmark = pytest.mark.django_db

GUARDED = text_of("core.guarded", "Mine", "Guarded")


@pytest.mark.case(78)
def test_every_fault_stands_beside_its_text(visitor, settings):
    """By its sentence; what is left out does not stand in the way of the rest."""
    settings.PROMPTS_APP_MAX_FRAGMENT_CHARS = 10
    before = everything()
    texts = document(
        text_of("core.gone"),
        text_of("core.fixed"),
        text_of("core.a", "Eleven char"),
        text_of("core.now", "\ud800", "Now"),
        text_of("core.a", "Good", scope="tenant.x"),
    )

    page = upload(visitor, texts)
    page = store(visitor, page)

    said = {
        key: [one.text for one in page.all("p", shown(page, key), class_="is-error")]
        for key in ("core.gone", "core.fixed", "core.a", "core.now")
    }
    assert said == {
        "core.gone": ["There is no fragment core.gone any more. Your text is below."],
        "core.fixed": [
            (
                "Locked by the software. You can read it, but not change it or switch it"
                " off."
            )
        ],
        "core.a": ["11 characters; at most 10 are allowed. Shorten it by 1."],
        "core.now": [
            (
                "This text holds a character that cannot be stored (lone surrogate, line"
                " 1)."
            )
        ],
    }
    assert alerts(page) == [
        (
            "4 texts cannot be imported. Leave them out, or correct the file and choose it"
            " again."
        )
    ]
    assert states(page, "core.gone") == states(page, "core.fixed") == []
    assert difference(page, "core.now") == ["Now", "\N{REPLACEMENT CHARACTER}"]
    assert everything() == before

    bad = [" core.gone", " core.fixed", " core.a", " core.now"]
    page = store(visitor, page, {LEAVE: bad})

    assert rows() == {("tenant.x", "core.a"): "Good"}
    assert "1 text imported." in page.html


def test_what_is_left_out_stays_left_out(visitor):
    """However often the review comes back, and by the key that the file has."""
    page = upload(
        visitor, document(text_of("core.old", "Mine"), text_of("core.asks", "Ask"))
    )
    ticks = page.all("input", name=LEAVE)
    assert [one.attributes["value"] for one in ticks] == [" core.asks", " core.old"]

    page = store(visitor, page, {LEAVE: [" core.old"]})
    assert [
        one.attributes["value"]
        for one in page.all("input", name=LEAVE)
        if "checked" in one.attributes
    ] == [" core.old"]
    page = store(visitor, page, {LEAVE: [" core.old", " core.asks"]})

    assert "No change was chosen, so nothing was saved." in page.html
    assert rows() == {}


def test_a_renamed_text_comes_in_under_its_new_key(visitor):
    """The file's key is a former one of the fragment that reads it."""
    page = upload(visitor, document(text_of("core.old", "Mine", "Now")))

    assert states(page, "core.now") == ["Built-in", "Changed"]
    store(visitor, page)

    assert rows() == {("", "core.now"): "Mine"}


def test_a_lost_mention_needs_a_tick(visitor):
    """As in the review of any save; the tick is asked for beside the text."""
    page = upload(visitor, document(text_of("core.asks", "Ask", "Ask {{name}}")))
    assert "Save it without {{name}}" in shown(page, "core.asks").text
    assert alerts(page) == []

    page = store(visitor, page)
    assert alerts(page) == ["Nothing was saved: something below needs a tick."]
    assert rows() == {}
    store(visitor, page, {CONFIRM: ["name"]})

    assert rows() == {("", "core.asks"): "Ask"}


def test_a_tick_is_kept_when_something_else_is_refused(visitor, settings):
    """And the comment with it."""
    settings.PROMPTS_APP_MAX_STORED_CHARS = 3
    texts = document(text_of("core.asks", "Ask it", "Ask {{name}}"))
    page = upload(visitor, texts)

    page = store(visitor, page, {CONFIRM: ["name"], "comment": "Because"})

    assert alerts(page) == [
        (
            "All texts together would be 6 characters; at most 3 are allowed. Nothing was"
            " saved."
        )
    ]
    assert "checked" in page.one("input", name=CONFIRM).attributes
    assert page.fields()["comment"] == ["Because"]


@pytest.mark.case(72)
def test_what_others_saved_since_is_shown_before_it_is_overwritten(visitor):
    """Also where the file said nothing new at the time."""
    services.save({"core.now": "Same"})
    page = upload(visitor, document(text_of(), text_of("core.now", "Same", "Now")))
    services.save({"core.a": "Theirs", "core.now": "Theirs too"})

    page = store(visitor, page)

    assert alerts(page) == [
        (
            "Nothing was saved: somebody else has changed texts below since they were shown"
            " to you. Look at them again."
        )
    ]
    assert difference(page, "core.a") == ["Theirs", "Mine"]
    said = "Somebody else has saved this text since you opened it."
    assert all(said in shown(page, key).text for key in ("core.a", "core.now"))
    assert rows() == {("", "core.a"): "Theirs", ("", "core.now"): "Theirs too"}

    store(visitor, page)
    assert rows() == {("", "core.a"): "Mine", ("", "core.now"): "Same"}


def test_enter_never_imports(visitor):
    """The first button of the form shows the review again."""
    page = upload(visitor, document(text_of()))
    before = everything()

    page = visitor.send(page, {"comment": "Why not"})

    assert page.fields()["comment"] == ["Why not"]
    assert everything() == before


def test_nothing_new_is_said_so(visitor):
    """There is nothing to press then."""
    services.save({"core.a": "Mine"})

    page = upload(visitor, services.export_texts())

    assert page.one("h1", page.form).text == "Nothing to import"
    assert not page.has("button", name="_import")


def test_the_document_travels_unharmed(visitor):
    """Quotes, line breaks of all kinds, markup and controls, through the form."""
    text = "\"'<b>&amp;\r\n\t\x7f\x85\u2028\ufeff é😀</textarea>"

    page = upload(visitor, document(text_of(text=text)))
    store(visitor, page)

    assert rows() == {("", "core.a"): text.replace("\r\n", "\n")}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff", "The file is not in UTF-8 (byte 0)"),
        (b"{", "The file is no JSON: "),
        (b"[" * 200_000, "The file is nested too deeply"),
        (b"[]", "The document is a list, not an object"),
        (b'{"format": 2}', "format is 2; this release reads 1"),
        (
            json.dumps({"format": "x" * 9_000}).encode(),
            "this release reads 1",
        ),
        (
            json.dumps({"format": 1, "texts": [{}]}).encode(),
            "texts[0]: has to have scope, key, text, default_text",
        ),
    ],
)
def test_foreign_files_are_refused_by_name(visitor, content, said):
    """With another chance to choose one; the message is short whatever the file."""
    before = everything()

    page = upload(visitor, content)

    assert visitor.answer.status_code == 200
    (alert,) = alerts(page)
    assert alert.startswith("Nothing was saved.")
    assert said in alert
    assert len(alert) < 500
    assert page.has("input", type="file")
    assert everything() == before


def test_giant_files_are_refused_with_the_limit(visitor, settings, monkeypatch):
    """What is too long for any import, and what is too long for this form."""
    monkeypatch.setattr("prompts_app.admin.exchanging.MOST_BYTES", 100)
    giant = upload(visitor, b" " * 101)
    monkeypatch.undo()
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 20_100
    long = upload(visitor, document(text_of(text="x" * 200)))

    assert "The file has 101 bytes; at most 100 are allowed" in alerts(giant)[0]
    assert "bytes; at most 100 can be reviewed here" in alerts(long)[0]
    assert "(DATA_UPLOAD_MAX_MEMORY_SIZE)" in alerts(long)[0]
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = None
    assert alerts(upload(visitor, document(text_of(text="x" * 200)))) == []


def test_what_fits_in_a_review_comes_back_from_it(visitor, settings):
    """The room beside the document is enough for the rest of the form."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 40_000
    empty = len(json.dumps(document(text_of(text="")), separators=(",", ":")))
    text = "é" * ((40_000 - ROOM - ETAG - empty) // 2)
    settings.PROMPTS_APP_MAX_FRAGMENT_CHARS = len(text)

    page = upload(visitor, document(text_of(text=text)))
    store(visitor, page, {"comment": "x" * 1_000})

    assert rows() == {("", "core.a"): text}


def test_no_file_is_no_fault_of_the_server(visitor):
    """A form without one, and fields that no review has written."""
    client = visitor.client
    none = Page(client.post(address("import"), {"scope": ""}).text)
    bad = json.dumps(document(text_of()))

    assert alerts(none) == ["Nothing was saved. Choose a file first."]
    for etags in ("[", "3", '[["a"]]', "[" * 200_000):
        fields = {"document": bad, "etags": etags, "_import": ""}
        assert client.post(address("import"), fields).status_code == 400
    fields = {"document": bad, "comment": "x" * 1_001, "_import": ""}
    assert client.post(address("import"), fields).status_code == 400
    assert rows() == {}


@pytest.mark.case(78, 79)
def test_rights_are_asked_for_each_text(visitor):
    """By name, before the review and when it is sent."""
    kind = ContentType.objects.get_for_model(User)
    Permission.objects.create(
        codename="edit_guarded", content_type=kind, name="edit guarded"
    )
    page = upload(visitor, document(GUARDED, text_of()))
    forged = visitor.post(
        {"document": json.dumps(document(GUARDED)), "_import": ""}, "import"
    )

    assert "Missing permission: auth.edit_guarded" in alerts(page)[0]
    assert visitor.answer.status_code == forged.status_code == 403
    assert rows() == {}
    may = UserFactory(permissions=["prompts_app.change_override", "auth.edit_guarded"])
    store(Visitor(may), upload(Visitor(may), document(GUARDED)))
    assert rows() == {("", "core.guarded"): "Mine"}


def test_a_forged_import_of_a_viewer_is_refused(viewer):
    """Whatever it holds, and without a token for anybody."""
    fields = {"document": json.dumps(document(text_of())), "_import": ""}

    assert Visitor(viewer).post(fields, "import").status_code == 403
    assert Visitor(viewer).client.get(address("import")).status_code == 403
    client = Client(enforce_csrf_checks=True)
    client.force_login(UserFactory(is_superuser=True))
    assert client.post(address("import"), fields).status_code == 403
    assert rows() == {}


def test_who_was_signed_out_meanwhile_is_asked_to_sign_in():
    """The file is still where it was."""
    answer = Client().post(address("import"), {"document": "{}"})

    assert answer.status_code == 302
    assert "/login/" in answer.url


def test_many_texts_need_few_fields(declared, visitor):
    """Django's limit on fields does not limit an import."""
    declared.register(*(fragment(f"core.k{n}", "Old") for n in range(1_100)))
    texts = document(*(text_of(f"core.k{n}", "New", "Old") for n in range(1_100)))

    page = upload(visitor, texts)
    assert page.one("h1", page.form).text == "Review the import of 1,100 texts"
    store(visitor, page)

    assert len(rows()) == 1_100


def test_while_saved_texts_are_ignored_the_review_says_so(visitor, settings):
    """It compares with what is stored, not with what is in force."""
    services.save({"core.a": "Before"})
    settings.PROMPTS_APP_IGNORE_OVERRIDES = True

    page = upload(visitor, document(text_of()))

    assert difference(page, "core.a") == ["Before", "Mine"]
    assert "Saved texts are ignored" in page.html
    assert "once saved texts are not ignored" in store(visitor, page).html
    assert exchange.export_texts() == document(text_of())
