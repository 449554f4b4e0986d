"""The page on other sites: a second one of Django's, and one of another look."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from prompts_app import services
from tests.browser.steps import box, choose, save, to_review, visit, write

ROOT = Path(__file__).resolve().parent.parent.parent


def test_a_second_site_keeps_to_itself(browse, expect, editor):
    """Every address on the way from the start view to the save is that site's."""
    page = browse(editor)
    asked = []
    page.on("request", lambda request: asked.append(request.url))

    visit(page, "/ops/prompts_app/override/")
    choose(page, "core.style")
    write(page, "core.style", "Be brief.")
    to_review(page)
    save(page)

    expect(box(page, "core.style")).to_have_value("Be brief.")
    assert services.resolve("core.style") == "Be brief."
    assert [url for url in asked if "/admin/prompts_app" in url] == []
    assert any(url.endswith("/ops/prompts_app/override/preview/") for url in asked)


@pytest.mark.xdist_group("unfold")
def test_the_page_stands_under_another_look(tmp_path):
    """Under django-unfold it is the same page; its own tests run in a process."""
    suffix = f"_unfold{os.environ.get('PYTEST_XDIST_WORKER', '')}"
    url = settings.DATABASE_URL
    server = {} if url == "sqlite://" else {"DATABASE_URL": f"{url}{suffix}"}

    tried = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "--ds=tests.settings_unfold"),
            *("-p", "no:cacheprovider", "--create-db", "tests/browser/unfold"),
        ],
        cwd=ROOT,
        env=os.environ | server,
        capture_output=True,
        text=True,
        check=False,
    )

    assert tried.returncode == 0, tried.stdout + tried.stderr
    assert re.search(r"\d passed", tried.stdout)
