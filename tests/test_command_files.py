"""Results in files: whole or not at all, and for nobody else than before."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_IMODE

import pytest
from django.core.management import CommandError

from prompts_app.management.files import write_whole


@pytest.fixture
def target(tmp_path):
    """Return the path of a file that others of its group may read."""
    path = tmp_path / "texts.json"
    path.write_text("Old")
    path.chmod(0o640)
    return path


@pytest.fixture
def given_away(monkeypatch):
    """Return the list of who was given a file, and of its mode at that moment."""
    found = []

    def chown(path, owner, group):
        found.append((owner, group, S_IMODE(Path(path).stat().st_mode)))

    monkeypatch.setattr(os, "chown", chown)
    return found


def names(path):
    """Return the names of all files beside *path*."""
    return [one.name for one in path.parent.iterdir()]


def test_an_existing_file_keeps_its_owner_and_its_mode(target, given_away):
    """Until then what is written can be read by nobody else."""
    before = target.stat()

    write_whole(str(target), "Néw")

    assert target.read_text("utf-8") == "Néw"
    assert target.stat().st_ino != before.st_ino
    assert S_IMODE(target.stat().st_mode) == 0o640
    assert given_away == [(-1, before.st_gid, 0o600), (before.st_uid, -1, 0o600)]
    assert names(target) == ["texts.json"]


def test_a_file_that_cannot_be_given_away_is_written(target, monkeypatch):
    """Group and owner are tried one by one, since one of them may be allowed."""
    tried = []

    def chown(path, owner, group):
        tried.append((owner, group))
        raise PermissionError

    monkeypatch.setattr(os, "chown", chown)

    write_whole(str(target), "New")

    assert (target.read_text(), len(tried)) == ("New", 2)


def test_a_system_without_owners_is_written_on(target, monkeypatch):
    """Not every one has them."""
    monkeypatch.delattr(os, "chown")

    write_whole(str(target), "New")

    assert (target.read_text(), S_IMODE(target.stat().st_mode)) == ("New", 0o640)


def test_a_new_file_is_as_any_other(tmp_path, given_away):
    """Its mode is what the process masks, its owner is the process's."""
    path = tmp_path / "texts.json"
    mask = os.umask(0o027)
    try:
        write_whole(str(path), "New\n")
    finally:
        os.umask(mask)

    assert path.read_bytes() == b"New\n"
    assert (S_IMODE(path.stat().st_mode), given_away) == (0o640, [])


def test_a_link_is_followed(target, tmp_path):
    """It stays a link, and what it leads to is replaced."""
    link = tmp_path / "link.json"
    link.symlink_to(target)

    write_whole(str(link), "New")

    assert link.is_symlink()
    assert target.read_text() == "New"


def test_what_fails_leaves_the_old_content(target, monkeypatch):
    """And no draft beside it."""

    def fail(self, other):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)

    with pytest.raises(CommandError, match="cannot be written: No space left on"):
        write_whole(str(target), "New")

    assert (target.read_text(), names(target)) == ("Old", ["texts.json"])


def test_a_file_needs_a_name():
    """A blank one is a mistake, as of a variable that is not set, and not a folder."""
    with pytest.raises(CommandError, match="--output: the name of the file is missing"):
        write_whole("", "New")
