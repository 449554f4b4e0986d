"""Addresses of the demo site."""

from __future__ import annotations

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path
from django.views.generic import RedirectView

from project.notes.views import notes
from project.playground.views import home, playground

icon = RedirectView.as_view(url=f"{settings.STATIC_URL}demo/icon.svg")

urlpatterns = [
    path("", home, name="home"),
    path("playground/", playground, name="playground"),
    path("notes/", notes, name="notes"),
    path("login/", LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("admin/", admin.site.urls),
    path("favicon.ico", icon),
]
