"""The notes, and what they contribute to the prompt."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import AnonymousUser

from project.notes.models import Note
from project.notes.prompts import recent_notes
from prompts_app import services
from prompts_app.assembly import Context, Reason
from tests.factories import UserFactory

START = datetime(2026, 11, 1, 12, tzinfo=UTC)


@pytest.fixture
def write(visitor):
    """Return a function that writes a note, each a day younger than the last."""
    days = iter(range(1000))

    def write(title, body="", owner=visitor):
        written = START + timedelta(days=next(days))
        return Note.objects.create(
            title=title, body=body, owner=owner, created_at=written
        )

    return write


def _prompt(user):
    return services.assemble(include=("notes",), user=user, strict=True)


@pytest.mark.parametrize(
    "user", [None, AnonymousUser(), SimpleNamespace()], ids=["none", "anonymous", "odd"]
)
def test_the_provider_copes_without_an_account(user):
    """Where nobody is signed in there is no value, and no query either."""
    assert recent_notes(Context(user=user)) is None


def test_the_latest_five_notes_are_listed(visitor, write):
    """Newest first, one a line, with the day."""
    for number in range(7):
        write(f"Note {number}", "First line.\nSecond line.")

    lines = recent_notes(Context(user=visitor)).splitlines()

    assert [line[:19] for line in lines] == [
        f"- 2026-11-{number + 1:02} Note {number}" for number in (6, 5, 4, 3, 2)
    ]
    assert lines[0] == "- 2026-11-07 Note 6: First line. Second line."


def test_a_long_note_is_shortened(visitor, write):
    """What is left out is marked."""
    write("Long", "word " * 1000)

    line = recent_notes(Context(user=visitor))

    assert line.endswith("word…")
    assert len(line) < 220


def test_other_peoples_notes_stay_theirs(visitor, write):
    """Nobody is told what somebody else wrote."""
    write("Mine")
    write("Theirs", owner=UserFactory())

    assert "Theirs" not in _prompt(visitor).text


def test_both_texts_appear_with_the_first_note(visitor, write):
    """Without one they are left out, for want of the variable's value."""
    before = _prompt(visitor)
    write("Berth", "Pay {{price}}, ```now```.\x07")
    after = _prompt(visitor)

    assert before.text == ""
    left_out = {e.key: e.reason for e in before.trace if e.outcome == "gated"}
    blank = Reason("requires", ("recent_notes",))
    assert left_out == {"notes.recent": blank, "notes.manners": blank}
    assert [section.key for section in after.sections] == [
        "notes.recent",
        "notes.manners",
    ]
    assert "Berth: Pay {{price}}, '''now'''." in after.text


def test_a_note_is_written_on_the_page(signed_in, visitor):
    """It belongs to who wrote it, and shows at once what it adds to the prompt."""
    response = signed_in.post("/notes/", {"title": "Keys", "body": "In the <office>."})
    page = signed_in.get(response.url).content.decode()

    (note,) = Note.objects.of(visitor)
    assert str(note) == "Keys"
    assert page.count("In the &lt;office&gt;.") == 2
    assert "<office>" not in page


def test_the_page_shows_no_note_of_others(signed_in, write):
    """The list is one's own."""
    write("Theirs", owner=UserFactory())

    page = signed_in.get("/notes/").content.decode()

    assert "No note yet." in page
    assert "Nothing, since there is no note" in page


def test_a_note_needs_a_title(signed_in, visitor):
    """The form comes back with the reason and with what was typed."""
    page = signed_in.post("/notes/", {"body": "Kept."}).content.decode()

    assert "This field is required." in page
    assert "Kept.</textarea>" in page
    assert not Note.objects.exists()


def test_the_admin_lists_everybodys_notes(client, superuser, write):
    """Who may see all of them finds them with their owners."""
    write("Keys")
    client.force_login(superuser)

    page = client.get("/admin/notes/note/").content.decode()

    assert "Keys" in page
    assert "visitor" in page
