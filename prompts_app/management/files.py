"""Results in files."""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from django.core.management.base import CommandError


def write_whole(name: str, text: str) -> None:
    """
    Put *text* into the file *name* in one step: the old content, or all of the new.

    A link is followed. An existing file keeps its mode and, where the process may
    give files away, its owner and group.

    Raises:
        CommandError: *name* is blank, or the file cannot be written; it says why.
    """
    if not name:
        raise CommandError("--output: the name of the file is missing.")
    try:
        path = Path(name).resolve()
        if path.exists() and not path.is_file():
            raise CommandError(f"--output: {name} is no regular file.")
        _replace(path, text.encode())
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise CommandError(f"--output: {name} cannot be written: {why}.") from error


def _replace(path: Path, content: bytes) -> None:
    draft = path.with_name(f".prompts-{secrets.token_hex(8)}")
    try:
        if path.exists():
            # What is to be private is never readable for others, not even meanwhile.
            _write_new(draft, content, 0o600)
            _keep_owner(path, draft)
            shutil.copymode(path, draft)
        else:
            _write_new(draft, content, 0o666)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _write_new(path: Path, content: bytes, mode: int) -> None:
    """Write a file that was not there, with *mode* less what the process masks."""

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags, mode)

    with open(path, "xb", opener=opener) as file:
        file.write(content)


def _keep_owner(old: Path, new: Path) -> None:
    if not hasattr(os, "chown"):
        return
    found = old.stat()
    # Only root may give a file away, while its owner may change the group.
    for owner, group in ((-1, found.st_gid), (found.st_uid, -1)):
        with suppress(PermissionError):
            os.chown(new, owner, group)
