"""An admin site that shows the fragments and not their history."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.urls import path

from prompts_app import services
from prompts_app.admin import OverrideAdmin
from prompts_app.models import Override
from tests.assembling import CORE, fragment
from tests.pages import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]

lean = admin.AdminSite()
lean.register(Override, OverrideAdmin)
urlpatterns = [path("admin/", lean.urls)]


def test_nothing_leads_to_a_history_that_is_not_there(registry, editor):
    """The page works, and says what it knows without a link."""
    registry.register(CORE, fragment("core.a", "Alpha"))
    services.save({"core.a": "One"}, comment="Why")
    visitor = Visitor(editor)
    start, page = visitor.open(), visitor.open(fragment="core.a")

    saved = visitor.save(page, {"text:core.a": "Two"})

    assert "Why" in start.one("ul", class_="prompts-latest").text
    assert page.one("details", data_past=None).text.startswith("History 1 save")
    assert saved.one("li", class_="success").text == (
        "1 change saved. It is in use from the next request on."
    )
    for seen in (start, page, saved):
        links = [one.attributes["href"] for one in seen.all("a", href=None)]
        assert not [link for link in links if "revision" in link]
