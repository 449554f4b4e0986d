"""Settings of the measurements, in a module as any site's are; nothing of ours is set."""

from __future__ import annotations

import os

import environ

SECRET_KEY = os.urandom(16).hex()
INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "prompts_app",
    "prompts_app.contrib.chat",
]
DATABASES = {
    "default": {
        **environ.Env.db_url_config(os.environ.get("BENCH_URL", "sqlite://:memory:")),
        "TEST": {"NAME": os.environ.get("BENCH_DATABASE")},
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
