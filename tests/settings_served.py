"""
Settings of a small site that several processes serve: see `tests.served`.

``ATOMIC_REQUESTS``, ``CONN_MAX_AGE`` (seconds) and ``ISOLATION`` (a level, as the
driver names it) say how it uses its database.
"""

from __future__ import annotations

from tests.settings import *  # noqa: F403  # as settings are built on others
from tests.settings import DATABASES, env

ROOT_URLCONF = "tests.served"
MIDDLEWARE = []

DATABASES["default"] |= {
    "ATOMIC_REQUESTS": env.bool("ATOMIC_REQUESTS", default=False),
    "CONN_MAX_AGE": env.int("CONN_MAX_AGE", default=0),
}
LEVEL = env.str("ISOLATION", default="")
DATABASES["default"]["OPTIONS"] = DATABASES["default"].get("OPTIONS", {}) | (
    {"isolation_level": LEVEL} if LEVEL else {}
)
