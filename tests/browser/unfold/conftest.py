"""What decides where these tests run."""

from __future__ import annotations

from django.conf import settings

# Under the settings of all other tests the admin has its usual look.
if "unfold" not in settings.INSTALLED_APPS:
    collect_ignore_glob = ["test_*.py"]
