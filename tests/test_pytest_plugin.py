"""The fixtures that come with the package, as a project's own tests use them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.conf import settings

# Rows that declare fragments are read from the database, whatever texts are pinned.
SETTINGS = """
from tests.settings import *
from tests.settings import INSTALLED_APPS as ALL

INSTALLED_APPS = [name for name in ALL if not name.endswith(".custom")]
"""
TESTS = """
from prompts_app import Fragment, Group, services
from prompts_app.registry import registry


def test_the_registry_is_empty(isolated_prompts, pin_prompts):
    assert isolated_prompts is registry
    assert list(registry) == []
    registry.register(
        Group("mine", label="Mine", order=1, role="preamble"),
        Fragment("mine.a", label="A", group="mine", default="A"),
    )
    assert services.assemble().text == "A"


def test_what_was_declared_is_back_and_no_database_is_needed(pin_prompts):
    assert "core.style" in registry
    assert "mine.a" not in registry
    assert services.stored().texts == {}


def test_texts_are_pinned_one_over_the_other(pin_prompts):
    first = pin_prompts({"core.today": "Rhyme.", "core.honesty": ""})
    assert services.stored() is first
    pin_prompts({"core.today": "Sing."}, scope="tenant.acme")
    assert services.render("core.today") == "Rhyme."
    assert services.render("core.today", scope="tenant.acme") == "Sing."
    assert services.render("core.honesty") == ""


def test_texts_are_gone_after_the_test(pin_prompts):
    assert services.render("core.today").startswith("Today is ")
"""


@pytest.mark.parametrize(
    ("conftest", "options"),
    [
        ('pytest_plugins = ["prompts_app.pytest_plugin"]', []),
        ("", ["-p", "prompts_app.pytest_plugin"]),
    ],
    ids=["conftest", "command line"],
)
def test_a_project_can_use_the_fixtures(tmp_path, conftest, options):
    """However the plugin is named, also before Django is set up."""
    (tmp_path / "conftest.py").write_text(conftest)
    (tmp_path / "test_mine.py").write_text(TESTS)
    (tmp_path / "mine_settings.py").write_text(SETTINGS)
    (tmp_path / "pytest.ini").write_text("[pytest]\ndjango_find_project = false\n")

    tried = subprocess.run(
        [sys.executable, "-W", "error", "-m", "pytest", "-q", *options],
        cwd=tmp_path,
        env=os.environ
        | {
            "DJANGO_SETTINGS_MODULE": "mine_settings",
            "PYTHONPATH": os.pathsep.join([str(settings.BASE_DIR), str(tmp_path)]),
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert tried.returncode == 0, tried.stdout + tried.stderr
    assert "4 passed" in tried.stdout


def test_nothing_of_the_package_needs_pytest():
    """Only who names the plugin imports it."""
    look = (
        "import django; django.setup(); import sys, prompts_app.testing;"
        "print('pytest' in sys.modules, 'prompts_app.pytest_plugin' in sys.modules)"
    )

    tried = subprocess.run(
        [sys.executable, "-c", look],
        cwd=settings.BASE_DIR,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert tried.stdout.split() == ["False", "False"]
