"""What a user of the package installs."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Yield the opened wheel of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as opened:
        yield opened


@pytest.fixture
def metadata(wheel):
    """Return the headers that the wheel describes itself with."""
    (name,) = (n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
    return message_from_bytes(wheel.read(name))


def test_the_wheel_holds_every_file_of_the_package(wheel):
    """Templates, static files, migrations, catalogues and py.typed all arrive."""
    kept = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "prompts_app").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    shipped = {name for name in wheel.namelist() if ".dist-info/" not in name}

    assert shipped == kept
    assert "prompts_app/py.typed" in shipped


def test_the_wheel_depends_on_django_and_merge3_alone(metadata):
    """A user gets two libraries with the app and no others unless they are asked for."""
    needs = [need.partition("; ") for need in metadata.get_all("Requires-Dist")]

    assert [need.split(">")[0] for need, _, extra in needs if not extra] == [
        "django",
        "merge3",
    ]
    assert [(need.split(">")[0], extra) for need, _, extra in needs if extra] == [
        ("markdown-it-py", "extra == 'markdown'"),
        ("nh3", "extra == 'markdown'"),
    ]
    assert metadata["Requires-Python"] == ">=3.11"


def test_the_wheel_states_its_licence(wheel, metadata):
    """The licence is named in the headers, and its text is enclosed."""
    assert metadata["License-Expression"] == "MIT"
    assert any(name.endswith("/licenses/LICENSE") for name in wheel.namelist())


def test_the_wheel_says_that_it_is_typed(metadata):
    """Type checkers and people learn that annotations can be relied on."""
    assert metadata["Name"] == "django-prompt-fragments"
    assert "Typing :: Typed" in metadata.get_all("Classifier")
