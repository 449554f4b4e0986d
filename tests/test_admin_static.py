"""Scripts and styles of the page: where they are, and what they may not contain."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles.finders import AppDirectoriesFinder
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command

import prompts_app
from prompts_app.admin.asking import SHOWS
from tests.middleware import POLICY
from tests.pages import Visitor

PACKAGE = Path(prompts_app.__file__).parent
MANIFEST = "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
HASHED = re.compile(r"/static/prompts_app/\w+\.[0-9a-f]{12}\.(?:js|css)")
ADDRESS = re.compile(r"/static/prompts_app/[\w./]+")


@pytest.fixture
def collected(settings, tmp_path):
    """Collect the static files under hashed names, as a site in production does."""
    settings.STATIC_ROOT = str(tmp_path)
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": MANIFEST}}
    settings.DEBUG = False
    call_command("collectstatic", verbosity=0, interactive=False)
    return tmp_path


def test_all_of_it_stands_in_a_folder_of_its_own():
    """Nothing is put among the admin's own files."""
    finder = AppDirectoriesFinder(app_names=["prompts_app", "prompts_app.contrib.chat"])

    names = [name for name, storage in finder.list([])]

    assert "prompts_app/page.css" in names
    assert [name for name in names if not name.startswith("prompts_app/")] == []


@pytest.mark.django_db
@pytest.mark.parametrize("fragment", ["", "core.style"])
def test_the_page_names_everything_by_its_hash(collected, editor, fragment):
    """A browser never mixes an old script with a new page."""
    page = Visitor(editor).open(fragment=fragment)

    named = ADDRESS.findall(page.html)
    assert len(named) >= 3
    assert [name for name in named if not HASHED.fullmatch(name)] == []
    for name in named:
        assert (collected / name.removeprefix("/static/")).is_file()


@pytest.mark.django_db
def test_review_and_styles_are_named_by_their_hash_too(collected, editor):
    """As on the page."""
    visitor = Visitor(editor)
    page = visitor.open(fragment="core.style")

    page = visitor.review(page, {"text:core.style": "Mine"})

    named = ADDRESS.findall(page.html)
    assert len(named) >= 2
    assert [name for name in named if not HASHED.fullmatch(name)] == []


def test_every_file_of_the_package_is_collected(collected):
    """Each has its hashed twin in the manifest."""
    for path in (PACKAGE / "static" / "prompts_app").iterdir():
        name = staticfiles_storage.stored_name(f"prompts_app/{path.name}")
        assert (collected / name).read_bytes() == path.read_bytes()


@pytest.mark.django_db
def test_pages_need_no_exception_from_a_strict_policy(superuser):
    """No inline script, no inline style, no handler in an attribute."""
    visitor = Visitor(superuser)
    start = visitor.open()
    assert visitor.answer.headers["Content-Security-Policy"] == POLICY
    page = visitor.open(fragment="task.title")
    text = {"text:task.title": "Mine"}
    review = visitor.review(page, text)

    sides = visitor.send(page, text, "Side by side")
    forms = [visitor.preview({**text, "show": form}) for form in SHOWS]

    for one in (start, page, review, sides, *forms):
        inline = [s for s in one.all("script") if "src" not in s.attributes]
        assert {s.attributes["type"] for s in inline} <= {"application/json"}
        assert not one.has("style")
        names = {name for element in one.elements for name in element.attributes}
        assert [
            name for name in names if name == "style" or name.startswith("on")
        ] == []


def test_what_a_browser_asks_of_its_own_accord_is_answered(client):
    """Not every browser does, and none may find a fault in it."""
    assert client.get("/favicon.ico").status_code == 204
