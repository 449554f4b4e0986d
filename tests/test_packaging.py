"""What a user of the package installs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes

import pytest

from tests.checkout import ROOT, in_checkout, tracked


def build(target, folder):
    """Return the path of the wheel or the sdist of this checkout, built in *folder*."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Yield the opened wheel of this checkout."""
    with zipfile.ZipFile(build("wheel", tmp_path_factory.mktemp("wheel"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """Return the folder that the sdist of this checkout unpacks to."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(build("sdist", tmp_path_factory.mktemp("sdist"))) as opened:
        opened.extractall(folder, filter="data")
    (top,) = folder.iterdir()
    return top


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
        ("bpe-openai", "extra == 'tokens'"),
    ]
    assert metadata["Requires-Python"] == ">=3.11"


def test_the_wheel_states_its_licence(wheel, metadata):
    """The licence is named in the headers, and its text is enclosed."""
    assert metadata["License-Expression"] == "MIT"
    licences = {name.rpartition("/licenses/")[2] for name in wheel.namelist()}
    assert {"LICENSE", "prompts_app/static/prompts_app/editor.licences.txt"} <= licences


def test_the_wheel_says_that_it_is_typed(metadata):
    """Type checkers and people learn that annotations can be relied on."""
    assert metadata["Name"] == "django-prompt-fragments"
    assert "Typing :: Typed" in metadata.get_all("Classifier")


@in_checkout
def test_the_sdist_holds_what_is_tracked(unpacked):
    """Whoever unpacks it has the tests, and whatever they look at or run."""
    wanted = [(path, os.access(ROOT / path, os.X_OK)) for path in tracked()]
    shipped = [
        (path.relative_to(unpacked).as_posix(), os.access(path, os.X_OK))
        for path in unpacked.rglob("*")
    ]

    assert wanted
    assert set(wanted) - set(shipped) == set()


def test_the_tests_of_the_sdist_pass_where_it_was_unpacked(unpacked):
    """Without a checkout, and without this one."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("COVERAGE_", "PYTEST_"))
    }
    tried = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *("tests/test_syntax.py", "tests/test_repository.py"),
        ],
        cwd=unpacked,
        env=kept,
        capture_output=True,
        text=True,
        check=False,
    )

    assert tried.returncode == 0, tried.stdout
    assert re.search(r"^\d+ passed, 1 skipped in ", tried.stdout, re.MULTILINE)
