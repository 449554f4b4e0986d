"""Results in files."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path

from django.core.management.base import CommandError


def write_whole(name: str, text: str) -> None:
    """
    Put *text* into the file *name* in one step: the old content, or all of the new.

    A link is followed, and who may read an existing file stays as it is.

    Raises:
        CommandError: the file cannot be written; it says why.
    """
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
        draft.write_bytes(content)
        if path.exists():
            shutil.copymode(path, draft)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
