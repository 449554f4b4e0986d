"""
Settings of the demo site.

Everything that differs between machines comes from the environment:
``DATABASE_URL``, ``CACHE_URL``, ``SECRET_KEY``, ``DEBUG``, ``ALLOWED_HOSTS``
and ``DEMO_DIR``, the folder of what the site makes for itself.
"""

from __future__ import annotations

from pathlib import Path

import environ

from project.secret import secret_key

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
DEMO_DIR = Path(env.str("DEMO_DIR", default=str(BASE_DIR / ".demo")))

SECRET_KEY = env.str("SECRET_KEY", default="") or secret_key(DEMO_DIR)
DEBUG = env.bool("DEBUG", default=True)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "prompts_app",
    "prompts_app.contrib.chat",
    "prompts_app.contrib.custom",
    "project.notes",
    "project.playground",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "project.middleware.content_policy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "project.urls"
WSGI_APPLICATION = "project.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = {
    "default": env.db("DATABASE_URL", default=f"sqlite:///{DEMO_DIR / 'db.sqlite3'}"),
}
# Readers never wait for a writer, and a writer that has to wait does so at its
# BEGIN, where SQLite's time-out applies.
OF_ENGINE = {
    "django.db.backends.sqlite3": {
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL",
            "timeout": 20,
        },
    },
}
DATABASES["default"] |= OF_ENGINE.get(DATABASES["default"]["ENGINE"], {})
CACHES = {"default": env.cache_url("CACHE_URL", default="locmemcache://")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = DEMO_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
FIXTURE_DIRS = [BASE_DIR / "fixtures"]
