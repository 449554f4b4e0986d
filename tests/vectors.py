"""The cases of ``vectors.json`` as parameters of tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text("utf-8"))


def vectors(kind: str) -> pytest.MarkDecorator:
    """Parametrize a test with every vector of one *kind*."""
    chosen = [vector for vector in VECTORS if vector["kind"] == kind]
    names = [vector["name"] for vector in chosen]
    return pytest.mark.parametrize("vector", chosen, ids=names)


def refusal(vector: dict[str, Any]) -> dict[str, Any] | None:
    """Return the expected error of *vector*; None if the call has to succeed."""
    expected = vector["expected"]
    return expected.get("error") if isinstance(expected, dict) else None


def arguments(given: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return those of *names* that a vector gives."""
    return {name: given[name] for name in names if name in given}
