"""Tests of forms that arrive after the session has ended."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from prompts_app.models import Override

pytestmark = pytest.mark.django_db
NAMES = ["changelist", "review", "decide", "discard"]
TYPED = {"text:core.style": "Be <b>brief</b>.", "shown:core.style": "another"}


def address(name, site="admin"):
    """Return the address of one of the page's views."""
    return reverse(f"admin:prompts_app_override_{name}", current_app=site)


@pytest.mark.parametrize("site", ["admin", "ops"])
@pytest.mark.parametrize("name", NAMES)
def test_texts_of_a_late_form_are_shown(client, name, site):
    """Whoever is signed out meanwhile reads the typed texts, and nothing is saved."""
    response = client.post(address(name, site), {**TYPED, "_save": ""})

    assert response.status_code == 403
    assert "Be &lt;b&gt;brief&lt;/b&gt;." in response.text
    assert f'href="/{site}/login/"' in response.text
    assert "no-store" in response.headers["Cache-Control"]
    assert not Override.objects.exists()


@pytest.mark.parametrize("name", NAMES)
def test_a_late_form_without_texts_leads_to_the_sign_in_page(client, name):
    """Where nothing was typed there is nothing to keep."""
    response = client.post(address(name), {"fragment": "core.style"})

    assert response.status_code == 302
    assert response.url.startswith("/admin/login/?next=/admin/prompts_app/override/")
    assert response.url.endswith("core.style")


def test_a_script_is_told_by_the_usual_redirect(client):
    """A script keeps its texts itself, and only has to learn of it."""
    response = client.post(
        address("preview"), TYPED, headers={"X-Requested-With": "XMLHttpRequest"}
    )

    assert response.status_code == 302
    assert response.url.startswith("/admin/login/")


def test_a_late_form_needs_its_token():
    """Another site cannot make this one show a text."""
    response = Client(enforce_csrf_checks=True).post(address("review"), TYPED)

    assert response.status_code == 403
    assert "brief" not in response.text


def test_links_lead_to_the_sign_in_page_as_ever(client):
    """A visit without a form is sent to the site's own sign-in page."""
    response = client.get(address("changelist", "ops"))

    assert response.status_code == 302
    assert response.url.startswith("/ops/login/")
