"""What is wrong with the schemas of tools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from prompts_app.declarations import Tool

_NAMED = ("properties", "patternProperties", "$defs", "definitions")
_LISTED = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "not")


def schema_faults(tool: Tool) -> list[str]:
    """
    Return why strict APIs refuse *tool*, or leave the model to guess, outer first.

    Each is a place and what is wrong there, as in ``parameters.properties.day: not
    required``. In every object, however deep, each property has to be required and
    to have a description, its own or that of the definition it refers to, and no
    other property may be allowed. A tool that is not strict has no faults.
    """
    if not tool.strict:
        return []
    faults = [] if tool.description.strip() else ["description: missing"]
    root = tool.parameters
    if root.get("type") != "object":
        faults.append("parameters: not an object")
    for path, schema in _schemas(root, "parameters"):
        faults += _object_faults(path, schema, root)
        if "$ref" in schema and _target(schema["$ref"], root) is None:
            faults.append(f"{path}: refers to {schema['$ref']}, which is not in it")
    return faults


def _schemas(schema: Any, path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield *schema* and all schemas in it, each with its place."""
    if not isinstance(schema, Mapping):
        return
    yield path, schema
    for word, value in schema.items():
        inner: Iterable[tuple[Any, Any]] = ()
        if word in _NAMED and isinstance(value, Mapping):
            inner = value.items()
        elif word in _LISTED and isinstance(value, tuple):
            inner = enumerate(value)
        elif word in _SINGLE:
            yield from _schemas(value, f"{path}.{word}")
        for name, one in inner:
            yield from _schemas(one, f"{path}.{word}.{name}")


def _object_faults(
    path: str, schema: Mapping[str, Any], root: Mapping[str, Any]
) -> Iterator[str]:
    properties, required = schema.get("properties"), schema.get("required")
    kind = schema.get("type")
    if properties is None and "object" not in (
        kind if type(kind) is tuple else (kind,)
    ):
        return
    properties = properties if isinstance(properties, Mapping) else {}
    required = required if isinstance(required, tuple) else ()
    if schema.get("additionalProperties") is not False:
        yield f"{path}: allows other properties"
    for name, inner in properties.items():
        if name not in required:
            yield f"{path}.properties.{name}: not required"
        if not _is_described(inner, root):
            yield f"{path}.properties.{name}: no description"
    for name in required:
        if name not in properties:
            yield f"{path}: requires {name}, which it does not have"


def _is_described(schema: Any, root: Mapping[str, Any]) -> bool:
    if not isinstance(schema, Mapping):
        return False
    told = schema.get("description")
    if not told and "$ref" in schema:
        target = _target(schema["$ref"], root)
        told = target.get("description") if target else None
    return isinstance(told, str) and bool(told.strip())


def _target(reference: Any, root: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the schema in *root* that a JSON pointer leads to, if there is one."""
    start, *steps = str(reference).split("/")
    if start != "#":
        return None
    found: Any = root
    for step in steps:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, tuple):
            found = dict(enumerate(found)).get(int(name) if name.isdecimal() else -1)
        else:
            found = found.get(name) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else None
