"""An app that declares 1 500 fragments, for the time of a start."""

from __future__ import annotations
