"""Forms over one of Django's limits."""

from __future__ import annotations

import pytest
from django.test import Client

from prompts_app.models import Override
from tests.pages import address

pytestmark = [pytest.mark.django_db, pytest.mark.case(89)]
NAMES = ["changelist", "review", "decide", "discard", "preview", "editors", "import"]
LONG = {"text:core.style": "x" * 3_000, "shown:core.style": "another"}
SCRIPT = {"X-Requested-With": "XMLHttpRequest"}


@pytest.fixture(params=["bytes", "fields"])
def limit(request, settings):
    """Lower one of the limits, and return how it is named."""
    if request.param == "bytes":
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2_000
        return "at most 2,000 bytes (DATA_UPLOAD_MAX_MEMORY_SIZE)"
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 1
    return "at most 1 fields (DATA_UPLOAD_MAX_NUMBER_FIELDS)"


@pytest.mark.parametrize("site", ["admin", "ops"])
@pytest.mark.parametrize("name", NAMES)
def test_the_limit_is_named(client, editor, limit, name, site):
    """A page says which limit it was, that nothing was saved, and what to do."""
    client.force_login(editor)

    response = client.post(address(name, site), {**LONG, "_save": ""})

    assert response.status_code == 413
    assert limit in response.text
    assert "Nothing was saved." in response.text
    assert "go back to it with your browser" in response.text
    assert "no-store" in response.headers["Cache-Control"]
    assert not Override.objects.exists()


def test_a_script_is_told_in_one_line(client, editor, limit):
    """It puts that beside its own texts."""
    client.force_login(editor)

    response = client.post(address("preview"), LONG, headers=SCRIPT)

    assert response.status_code == 413
    assert response.headers["Content-Type"] == "text/plain"
    assert limit in response.text
    assert "<" not in response.text


@pytest.mark.parametrize("name", NAMES)
def test_the_token_is_needed_as_before(editor, name):
    """A form within the limits is refused without it, whoever sends it."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(editor)

    response = client.post(address(name), {**LONG, "_save": ""})

    assert response.status_code == 403
    assert not Override.objects.exists()


def test_a_script_asks_what_is_wrong_with_the_text_in_view(client, editor):
    """What a tick can mend is a warning, and all is told only where it is asked for."""
    client.force_login(editor)
    typed = {
        "fragment": "task.title",
        "text:task.title": "One\n<!-- detailed -->",
        "shown:task.title": "another",
    }

    told = client.post(address("preview"), {**typed, "parts": ["problems", "list"]})
    untold = client.post(address("preview"), {**typed, "parts": ["note"]})

    assert "line 2" in told.json()["problems"]
    assert told.json()["problems"].count("is-error") == 2
    assert '#glyph-warning"' in told.json()["problems"]
    assert 'data-count="problems">1<' in told.json()["list"]
    assert set(untold.json()) == {"note", "places", "etags", "tokens"}
