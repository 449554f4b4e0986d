"""Tests of the demo site, under the demo site's own settings."""

from __future__ import annotations
