"""
Settings of the tests under another look of the admin.

Its pages bring scripts of their own inside them, so the strict policy is absent.
"""

from __future__ import annotations

from tests.settings import *  # noqa: F403  # as settings are built on others
from tests.settings import INSTALLED_APPS as USUAL, MIDDLEWARE as STRICT

INSTALLED_APPS = ["unfold", *USUAL]
MIDDLEWARE = [name for name in STRICT if "strict_content_policy" not in name]
