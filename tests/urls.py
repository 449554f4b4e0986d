"""Two admin sites, so that nothing is tied to the default one."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import path

ops = admin.AdminSite(name="ops")
for model, model_admin in admin.site._registry.items():
    if model._meta.app_label.startswith("prompts_app"):
        ops.register(model, type(model_admin))


def favicon(request: HttpRequest) -> HttpResponse:
    """Answer what every browser asks of its own accord."""
    return HttpResponse(status=204)


urlpatterns = [
    path("admin/", admin.site.urls),
    path("ops/", ops.urls),
    path("favicon.ico", favicon),
]
