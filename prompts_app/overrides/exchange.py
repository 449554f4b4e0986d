"""Stored texts as one JSON document, out of one installation and into another."""

from __future__ import annotations

import json
import reprlib
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import router

from prompts_app import validation as valid
from prompts_app.models import Override
from prompts_app.overrides.decoding import lenient
from prompts_app.overrides.goals import plans_for
from prompts_app.overrides.history import Address, Then
from prompts_app.overrides.journal import Saved, check_comment, locked
from prompts_app.overrides.planning import Plan, finish, planned, refuse

FORMAT = 1
"""The one version of the document that this release writes and reads."""
MEMBERS = ("scope", "key", "text", "default_text")
MOST_BYTES = 20_000_000
"""How long a file may be; 10 000 texts of the usual size have half of it."""
MOST_FAULTS = 20
"""How many faults of a document one message names."""
MOST_DIGITS = 100
"""How many digits a number has that is read to the last one; no text is a number."""
BRIEF = 120
"""How many characters of a foreign value a message repeats."""


def export_texts(*, scope: str | None = None) -> dict[str, Any]:
    """See `prompts_app.services.export_texts()`."""
    if scope is not None and not valid.is_scope(scope):
        raise ValueError(f"{scope!r} is no scope: kind.name in lower case")
    rows = Override.objects.using(router.db_for_write(Override))
    if scope is not None:
        rows = rows.filter(scope=scope)
    with lenient(rows.db):
        found = sorted(rows.values_list(*MEMBERS))
    return {
        "format": FORMAT,
        "texts": [dict(zip(MEMBERS, row, strict=True)) for row in found],
    }


def import_texts(
    document: object,
    *,
    dry_run: bool,
    author: Any,
    comment: str,
    based_on: Mapping[Address, str] | None,
    confirm: Iterable[tuple[str, str]],
) -> Saved:
    """See `prompts_app.services.import_texts()`."""
    comment = check_comment(comment)
    goals = addresses_of(document)
    with locked() as using:
        plans = plans_for(
            using, goals, author=author, confirm=confirm, based_on=based_on
        )
        if dry_run:
            refuse(plans)
            return planned(plans, None)
        return finish(plans, "import", author, comment)


def examine(document: object, *, author: Any = None) -> list[Plan]:
    """
    Return for each scope what an import would do now, faults noted; nothing is locked.

    Raises:
        PermissionDenied: the author may not change one of the texts.
        ValueError: the document is not of this format.
    """
    using = router.db_for_write(Override)
    goals = addresses_of(document)
    return plans_for(using, goals, author=author, confirm=(), lock=False)


def written(document: Mapping[str, Any]) -> str:
    """Return an exported document as the text of a file, ready to be compared."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def parse(data: bytes) -> object:
    """
    Return the JSON document in a file's bytes, not yet looked at.

    Raises:
        ValueError: it is too long, nested too deeply, or no JSON in UTF-8, or one
            object names a member twice; the message names the place.
    """
    if len(data) > MOST_BYTES:
        raise ValueError(
            f"The file has {len(data)} bytes; at most {MOST_BYTES} are allowed"
        )
    try:
        return json.loads(
            data.decode("utf-8-sig"), object_pairs_hook=_object, parse_int=_whole
        )
    except UnicodeDecodeError as error:
        raise ValueError(f"The file is not in UTF-8 (byte {error.start})") from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"The file is no JSON: {error.msg} ({place})") from error
    except RecursionError as error:
        raise ValueError("The file is nested too deeply") from error


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; of two members of one name, none could be dropped."""
    found = dict(members)
    if len(found) < len(members):
        count = Counter(name for name, _value in members)
        twice = next(name for name in count if count[name] > 1)
        raise ValueError(f"{_brief(twice)} stands twice in one object of the file")
    return found


def _whole(digits: str) -> int | float:
    """Return a whole number; one that Python would not read as such, about."""
    return int(digits) if len(digits) <= MOST_DIGITS else float(digits)


def addresses_of(document: object) -> dict[Address, Then]:
    """
    Return what a document wants each scope and key to hold.

    Raises:
        ValueError: the document is not of this format; each fault names its place.
    """
    texts, faults = _members(document)
    goals: dict[Address, Then] = {}
    for place, text in enumerate(texts):
        wrong = _fault_of(text)
        if wrong:
            faults.append(f"texts[{place}]: {wrong}")
        elif (text["scope"], text["key"]) in goals:
            faults.append(f"texts[{place}]: {text['key']} stands there twice")
        else:
            goals[text["scope"], text["key"]] = Then(text["text"], text["default_text"])
    if faults:
        more = len(faults) - MOST_FAULTS
        named = faults[:MOST_FAULTS] + [f"and {more} more"] * (more > 0)
        raise ValueError("; ".join(named))
    return goals


def _members(document: object) -> tuple[list[Any], list[str]]:
    """Return the texts of a document, and what else is wrong with it."""
    members: dict[Any, Any] = document if isinstance(document, dict) else {}
    version, texts = members.get("format"), members.get("texts")
    if members is not document:
        fault = f"The document is a {type(document).__name__}, not an object"
    elif version != FORMAT or type(version) is not int:
        fault = f"format is {_brief(version)}; this release reads {FORMAT}"
    elif not isinstance(texts, list):
        fault = "texts has to be a list"
    else:
        foreign = map(_brief, members.keys() - {"format", "texts"})
        return texts, [f"{name} is not known" for name in sorted(foreign)]
    raise ValueError(fault)


def _fault_of(text: object) -> str:
    """Return what is wrong with one member of the list; ``""``: nothing."""
    if not isinstance(text, dict):
        return f"a {type(text).__name__}, not an object"
    if set(text) != set(MEMBERS):
        return f"has to have {', '.join(MEMBERS)} and nothing else"
    for name in MEMBERS:
        if not isinstance(text[name], str):
            return f"{name} is a {type(text[name]).__name__}, not a text"
    if not valid.is_scope(text["scope"]):
        return f"{_brief(text['scope'])} is no scope: kind.name in lower case"
    if not valid.is_key(text["key"]):
        return f"{_brief(text['key'])} is no key: prefix.name in lower case"
    return ""


def _brief(value: object) -> str:
    """Return how *value* is written, however long or deep it is."""
    brief = reprlib.Repr()
    brief.maxstring = brief.maxother = BRIEF
    # What is nested could be long at every level.
    brief.maxlevel = 1
    return brief.repr(value)
