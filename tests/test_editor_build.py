"""What the text editor of the page is built from."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EDITOR = ROOT / ".ci" / "editor"
BUILT = ROOT / "prompts_app" / "static" / "prompts_app"
RULE = f"\n{'-' * 72}\n"


def test_the_editor_is_built_from_pins_without_addresses():
    """Whatever registry is used, npm installs the same files, each with its hash."""
    asked = json.loads((EDITOR / "package.json").read_text())
    locked = json.loads((EDITOR / "package-lock.json").read_text())["packages"]

    assert asked.get("dependencies", {}) == {}
    assert locked.pop("")["devDependencies"] == asked["devDependencies"]
    for name, version in asked["devDependencies"].items():
        assert locked[f"node_modules/{name}"]["version"] == version
    for package in locked.values():
        assert package["integrity"].startswith("sha512-")
        assert "resolved" not in package


def test_the_built_editor_is_of_the_locked_packages():
    """What it says of itself beside the file names each with its version and licence."""
    locked = json.loads((EDITOR / "package-lock.json").read_text())["packages"]
    told = (BUILT / "editor.licences.txt").read_text()

    named = re.findall(r"^(\S+) (\S+) \(MIT\)\n\n(?:MIT License\n\n)?Copy", told, re.M)

    assert len(named) == len(told.split(RULE)) - 1
    assert "@codemirror/view" in dict(named)
    for name, version in named:
        assert locked[f"node_modules/{name}"]["version"] == version
