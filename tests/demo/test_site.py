"""The front page, signing in, and what every page promises."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from tests.factories import PASSWORD

PAGES = ["/", "/playground/", "/notes/", "/login/", "/admin/"]


def test_the_front_page_asks_to_sign_in(client, db):
    """Nobody is signed in at first, and only that is offered."""
    page = client.get("/").content.decode()

    assert "Nobody is signed in" in page
    assert 'href="/login/"' in page
    assert 'href="/playground/"' not in page


def test_the_front_page_says_who_is_signed_in_and_leads_on(client, editor):
    """An editor finds the playground, the notes, the admin and the fragments."""
    client.force_login(editor)

    page = client.get("/").content.decode()

    assert "You are signed in as <strong>editor</strong>" in page
    fragments = reverse("admin:prompts_app_override_changelist")
    for address in ("/playground/", "/notes/", "/admin/", fragments):
        assert f'href="{address}"' in page


def test_the_front_page_hides_what_a_visitor_may_not_see(signed_in):
    """Who is no member of staff is not sent to the admin."""
    page = signed_in.get("/").content.decode()

    assert 'href="/playground/"' in page
    assert "/admin/" not in page


@pytest.mark.parametrize("address", ["/playground/", "/notes/"])
def test_a_page_sends_a_stranger_to_sign_in(client, db, address):
    """Nothing is shown to somebody who is not signed in."""
    assert client.get(address).url == f"/login/?next={address}"


def test_signing_in_leads_back(client, visitor):
    """After the right password the page that was asked for opens."""
    typed = {"username": "visitor", "password": PASSWORD, "next": "/notes/"}

    assert client.post("/login/", typed).url == "/notes/"
    assert client.get("/login/").url == "/"


def test_a_wrong_password_is_said(client, visitor):
    """The form comes back with the reason."""
    page = client.post("/login/", {"username": "visitor", "password": "wrong"})

    assert "Please enter a correct username and password" in page.content.decode()


def test_signing_out_is_a_button(signed_in):
    """It takes a POST, and the front page follows."""
    assert signed_in.get("/logout/").status_code == 405
    assert signed_in.post("/logout/").url == "/"
    assert "Nobody is signed in" in signed_in.get("/").content.decode()


@pytest.mark.parametrize("address", PAGES)
def test_a_page_runs_nothing_from_within(client, superuser, address):
    """Every page has the strict policy, and those of the demo keep to it."""
    client.force_login(superuser)

    response = client.get(address, follow=True)

    assert "default-src 'self'" in response.headers["Content-Security-Policy"]
    own = "" if address == "/admin/" else response.content.decode()
    assert not re.search(r"<style|\sstyle=|<script|\son\w+=", own)


def test_an_error_is_shown_to_developers_with_its_styles(client, settings, db):
    """Django styles its error pages from within; nobody else gets to see them."""
    settings.DEBUG = True
    shown = client.get("/nowhere/")
    settings.DEBUG = False
    hidden = client.get("/nowhere/")

    assert (shown.status_code, hidden.status_code) == (404, 404)
    assert "Content-Security-Policy" not in shown.headers
    assert "Content-Security-Policy" in hidden.headers


def test_browsers_find_an_icon(client):
    """What every browser asks for of its own accord exists."""
    assert client.get("/favicon.ico").url == "/static/demo/icon.svg"
