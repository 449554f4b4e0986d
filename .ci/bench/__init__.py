"""The measurements of ``make bench``: the assembly, and the page."""

from __future__ import annotations
