"""The tests of the app, its demo site and its repository."""

from __future__ import annotations
