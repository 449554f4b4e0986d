"""The demo site: how an installation looks, and a place to try the page."""

from __future__ import annotations
