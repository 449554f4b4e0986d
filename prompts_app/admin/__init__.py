"""The page on which administrators edit fragments, in any `AdminSite`."""

from __future__ import annotations

from django.contrib import admin

from prompts_app.admin.overrides import OverrideAdmin
from prompts_app.models import Override

admin.site.register(Override, OverrideAdmin)

__all__ = ["OverrideAdmin"]
