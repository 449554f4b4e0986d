"""Django as the measurements need it: the package, the chat catalogue, a database."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APPS = (
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "prompts_app",
    "prompts_app.contrib.chat",
)


def start(url: str = "sqlite://:memory:", test_name: str | None = None) -> None:
    """Set Django up on the database at *url*; its tests' database is *test_name*."""
    import django
    import environ
    from django.conf import settings

    database = environ.Env.db_url_config(url)
    database["TEST"] = {"NAME": test_name}
    settings.configure(
        INSTALLED_APPS=APPS,
        DATABASES={"default": database},
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        USE_TZ=True,
        SECRET_KEY=os.urandom(16).hex(),
    )
    django.setup()
