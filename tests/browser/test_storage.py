"""Static files as a site in operation serves them: under names with a fingerprint."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.core.management import call_command
from django.urls import path
from django.views.static import serve

from tests import urls
from tests.browser.steps import box, choose, save, to_review, visit, write

HASHED = re.compile(r"/prompts_app/\w+\.[0-9a-f]{12}\.(js|css)$")


def collected(request, name):
    """Serve a collected file, as a web server would."""
    return serve(request, name, document_root=settings.STATIC_ROOT)


urlpatterns = [path("collected/<path:name>", collected), *urls.urlpatterns]


@pytest.mark.urls("tests.browser.test_storage")
def test_hashed_files_work(browse, expect, editor, settings, tmp_path):
    """Every script and style of ours comes under its hashed name, and the page works."""
    storage = "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
    settings.STATIC_ROOT = tmp_path
    settings.STATIC_URL = "/collected/"
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": storage}}
    call_command("collectstatic", verbosity=0, interactive=False)
    page = browse(editor)
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))

    visit(page)
    choose(page, "core.style")
    write(page, "core.style", "Be brief.")
    to_review(page)
    save(page)

    expect(box(page, "core.style")).to_have_value("Be brief.")
    ours = {url for url in fetched if "/prompts_app/" in url and "/collected/" in url}
    assert {name for name in ours if not HASHED.search(name)} == set()
    scripts = {
        re.search(r"/(\w+)\.[0-9a-f]{12}\.js$", url)[1]
        for url in ours
        if url.endswith(".js")
    }
    assert {
        "page",
        "typing",
        "asking",
        "choosing",
        "finding",
        "drafts",
        "writing",
        "editor",
        "keys",
        "review",
    } <= scripts
