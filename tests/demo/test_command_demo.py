"""What the command that fills a new demo site leaves behind."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.management import CommandError, call_command

from project.notes.models import Note
from prompts_app import services
from prompts_app.contrib.custom.models import CustomFragment

CHANGES = ("add", "change", "delete")
SEE = {
    "prompts_app.view_override",
    "prompts_app.view_revision",
    "prompts_app_custom.view_customfragment",
}
CHANGE = {
    "prompts_app.change_override",
    "prompts_app.delete_override",
    *(f"prompts_app_custom.{verb}_customfragment" for verb in CHANGES),
}

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(settings, tmp_path):
    """Return the empty folder of a site that is being tried."""
    settings.DEBUG = True
    settings.DEMO_DIR = tmp_path / "site"
    return settings.DEMO_DIR


@pytest.fixture
def demo(folder, capsys):
    """Return the command, which gives the words of each line it prints."""

    def demo():
        call_command("demo")
        return [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]

    return demo


def test_the_printed_accounts_can_sign_in(demo):
    """Each of the three is printed with the password that opens it."""
    _, *accounts = demo()

    assert [name for name, _ in accounts] == ["editor", "viewer", "admin"]
    for name, password in accounts:
        assert authenticate(username=name, password=password).is_staff
        validate_password(password)


def test_the_accounts_have_the_rights_of_their_names(demo):
    """One changes texts, one only looks, one may do everything."""
    demo()

    editor, viewer, admin = map(User.objects.get_by_natural_key, _names())
    assert editor.get_all_permissions() == SEE | CHANGE
    assert viewer.get_all_permissions() == SEE
    assert [user.is_superuser for user in (editor, viewer, admin)] == [
        False,
        False,
        True,
    ]


def _names():
    return ("editor", "viewer", "admin")


def test_a_second_run_changes_nothing(demo):
    """It prints the same and adds neither account nor note."""
    first = demo()
    models = (User, Note, CustomFragment)
    before = [model.objects.count() for model in models]

    assert demo() == first
    assert [model.objects.count() for model in models] == before
    assert before[0] == 3
    assert before[1] > 0
    assert before[2] == 1


def test_the_sample_fragment_is_part_of_the_prompt(demo):
    """It is a valid row of a declared group."""
    demo()

    row = CustomFragment.objects.get()
    row.full_clean()
    assert row.text in services.assemble().text


def test_what_was_done_since_stays(demo):
    """Another password and deleted samples outlive the next start."""
    demo()
    editor = User.objects.get(username="editor")
    editor.set_password("one that the editor chose")
    editor.save()
    Note.objects.all().delete()
    CustomFragment.objects.all().delete()

    again = dict(demo()[1:])

    assert again["editor"] == "(manage.py changepassword editor)"
    assert authenticate(username="viewer", password=again["viewer"])
    assert not Note.objects.exists()
    assert not CustomFragment.objects.exists()


def test_an_account_that_is_gone_comes_back_alone(demo):
    """Its password is the one that was kept; other people's notes are not doubled."""
    first = demo()
    User.objects.get(username="viewer").delete()
    notes = Note.objects.count()

    assert demo() == first
    assert Note.objects.count() == notes


def test_passwords_are_made_up_and_kept_to_their_owner(demo, folder, settings):
    """They differ by site, and the file is readable by nobody else."""
    first = demo()
    kept = folder / "sign_in.json"
    settings.DEMO_DIR = folder.parent / "other"
    User.objects.all().delete()

    assert kept.stat().st_mode & 0o077 == 0
    assert json.loads(kept.read_text()) == dict(first[1:])
    assert demo() != first


def test_no_account_is_made_without_debug(demo, folder, settings):
    """A site that is not for trying gets no account with a printed password."""
    settings.DEBUG = False

    with pytest.raises(CommandError, match="DEBUG=on"):
        demo()

    assert not User.objects.exists()
    assert not folder.exists()
