"""What is tracked in this checkout; an unpacked sdist is none."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
in_checkout = pytest.mark.skipif(
    not (ROOT / ".git").exists(), reason="nothing says here what is tracked"
)


def tracked():
    """Return the paths of all tracked files, from the top of the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return listed.stdout.split("\0")[:-1]
