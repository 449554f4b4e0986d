"""Tests of the page under django-unfold; `tests/browser/test_sites.py` runs them."""

from __future__ import annotations
