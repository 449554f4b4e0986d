"""Tests that drive a real browser against the live test server."""

from __future__ import annotations
