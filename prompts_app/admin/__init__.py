"""The pages on which administrators edit fragments and see what was edited."""

from __future__ import annotations

from django.contrib import admin

from prompts_app.admin.overrides import OverrideAdmin
from prompts_app.admin.revisions import RevisionAdmin
from prompts_app.models import Override, Revision

admin.site.register(Override, OverrideAdmin)
admin.site.register(Revision, RevisionAdmin)

__all__ = ["OverrideAdmin", "RevisionAdmin"]
