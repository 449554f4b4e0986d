"""What nobody means to send, to whatever takes a form, a link or a file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from typing import Any
from urllib.parse import quote, quote_from_bytes, urlencode

from prompts_app.contrib.custom.models import CustomFragment
from prompts_app.syntax import fingerprint
from tests.checkout import ROOT

FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=edge"
SECRET = "Sesame4711"
"""Stands in every text that is declared or stored."""
KEY = "core.a"
NAMED = re.compile(r'name="([^"]+)"')
FILLED = {
    "value:": ("name",),
    "{{ side.name }}": ("first", "second"),
    "{{ spec.parameter_name }}": ("key", "person", "kind"),
}
"""What stands for a placeholder; else it is the key of a fragment."""
OF_LISTS = (
    *("p", "o", "e", "all", "_popup", "_to_field", "_changelist_filters", "post"),
    *("action", "_selected_action", "_continue", "_addanother", "_saveasnew"),
    *("csrfmiddlewaretoken", "keep_texts", "parts", "group__in", "level__isnull"),
)
OF_DATES = ("created_at__year", "created_at__month", "created_at__day", "created_at")
VALUES: dict[str, bytes] = {
    "blank": b"",
    "NUL": b"\0",
    "invalid UTF-8": b"\xff\xfe\xc3",
    "half a surrogate pair": b"\xed\xa0\x80",
    "line breaks": b"\r\n\r\x85\xe2\x80\xa8",
    "negative": b"-1",
    "huge": b"9" * 5000,
    "other digits": "\u0661".encode(),
    "not a number": b"NaN",
    "ten thousand": b"10000",
    "an object": b'{"a": [1, {}]}',
    "an array": b'["core.a", null]',
    "deep": b"[" * 100_000,
    "markup": b"<script>alert(1)</script>\"'>",
    "braces": b"{{ {{a}} {% x %} %s {0}",
    "a path": b"../../etc/passwd",
    "another place": b"//example.org/\\@x",
    "an operator": b"' OR 1=1 --",
    "a pattern": b"(a+)+$",
    "a key": KEY.encode(),
    "a fence": b"<!-- detailed -->",
}
IDS = (
    *("0", "-1", "9" * 30, "9" * 5000, "1.0", "NaN", "\u0661", "\0", "\ud800"),
    *("x", "a/b", "..", "_5F", "1_2F", "[1]", "<b>", "' OR 1=1", "add", "1 "),
)


@dataclass(frozen=True)
class Body:
    """A body, and what it says that it is."""

    data: bytes
    content_type: str = FORM


def field_names() -> tuple[str, ...]:
    """Return every name that a page's form or a link of it has, found in templates."""
    folder = ROOT / "prompts_app" / "templates" / "admin"
    found = {
        name
        for path in sorted(folder.rglob("*.html"))
        for name in NAMED.findall(path.read_text("utf-8"))
    }
    names = {one for name in found for one in _filled(name)}
    rows = {field.name for field in CustomFragment._meta.get_fields()}
    return tuple(sorted({*names, *rows, *OF_LISTS, *OF_DATES}))


def _filled(name: str) -> Iterator[str]:
    known = [names for part, names in FILLED.items() if part in name]
    for filling in known[0] if known else (KEY,):
        yield re.sub(r"\{\{.*?\}\}", filling, name)


FIELDS = field_names()
BUTTONS = tuple(name for name in FIELDS if name.startswith("_"))
PLAIN = tuple(name for name in FIELDS if name not in {*BUTTONS, "scope", "to_scope"})


def document(text: str = "Mine", **members: Any) -> dict[str, Any]:
    """Return a document to import that holds one text."""
    one = {"scope": "", "key": KEY, "text": text, "default_text": "", **members}
    return {"format": 1, "texts": [one]}


def everything_at_once() -> dict[str, str]:
    """Return a form that is right for every address, and presses every button."""
    right = {
        **dict.fromkeys(BUTTONS, ""),
        f"text:{KEY}": "Mine",
        f"shown:{KEY}": fingerprint("another"),
        "scope": "",
        "fragment": KEY,
        "moment": "0",
        "text": f":{KEY}",
        "document": json.dumps(document()),
        "etags": "[]",
        "parts": "output",
        # The form of a row.
        "label": "Mine",
        "key": "custom.mine",
        "group": "core",
        "order": "1",
        "priority": "0",
        "post": "yes",
    }
    del right["_scope"]
    return right


def queries() -> dict[str, str]:
    """Return query strings by what is odd about them; each is a body as well."""
    # A link is never longer.
    quoted = {name: quote_from_bytes(value[:2000]) for name, value in VALUES.items()}
    found = {
        f"{name} everywhere": "&".join(f"{field}={quoted[name]}" for field in PLAIN)
        for name in ("blank", "NUL", "invalid UTF-8", "huge", "a key")
    }
    found["a key in every field"] = "&".join(f"{f}={quoted['a key']}" for f in FIELDS)
    for shift in range(0, len(VALUES), 4):
        values = cycle([*quoted.values()][shift:])
        pairs = zip(PLAIN, values, strict=False)
        found[f"all in turn, from {shift}"] = "&".join(map("=".join, pairs))
    found["arrays"] = "&".join(f"{f}[]=1&{f}[a][b]=2" for f in FIELDS)
    found["twice"] = "&".join(f"{f}=a&{f}=core.b" for f in PLAIN)
    found["nothing but signs"] = "&&&==&=&;;&%&%zz&%u0041"
    return found


def bodies() -> dict[str, Body]:
    """Return bodies of forms by what is odd about them."""
    found = {name: Body(query.encode()) for name, query in queries().items()}
    found["nothing"] = Body(b"")
    found["a name of 100 kB"] = Body(b"text:" + b"k" * 100_000 + b"=1")
    found["a deep document"] = Body(_form(document="[" * 100_000, _import=""))
    found["deep etags"] = Body(
        _form(document=json.dumps(document()), etags="[" * 100_000, _import="")
    )
    for name, etags in {"numbers": "[1]", "short": "[[1]]", "NaN": "NaN"}.items():
        sent = _form(document=json.dumps(document()), etags=etags, _import="")
        found[f"etags are {name}"] = Body(sent)
    for name, wrong in {"NaN": "NaN", "text": '"x"', "list": "[1]"}.items():
        found[f"a document is {name}"] = Body(_form(document=wrong, _import=""))
    found |= _foreign()
    return found


def _form(**fields: str) -> bytes:
    return urlencode({"scope": "", **fields}).encode()


def _foreign() -> dict[str, Body]:
    """Return what is no form, or says so of itself."""
    right = everything_at_once()
    return {
        "JSON": Body(json.dumps(right).encode(), "application/json"),
        "deep JSON": Body(b"[" * 100_000, "application/json"),
        "text": Body(b"text:core.a=Mine", "text/plain"),
        "no kind at all": Body(urlencode(right).encode(), ""),
        "odd letters": Body(urlencode(right).encode(), f"{FORM}; charset=utf-7"),
        "no letters": Body(urlencode(right).encode(), f"{FORM}; charset=x"),
        "no edge": Body(b"--edge\r\n", "multipart/form-data"),
        "another edge": Body(_part("scope", ""), "multipart/form-data; boundary=x"),
        "half a part": Body(_part("scope", "")[:40], MULTIPART),
        "a file for a text": Body(_part(f'text:{KEY}"; filename="x', "\0"), MULTIPART),
        "a text for a file": Body(_part("file", "{}"), MULTIPART),
        "a blank file": Body(_part('file"; filename="x', ""), MULTIPART),
        "a deep file": Body(_part('file"; filename="../x', "[" * 100_000), MULTIPART),
        "101 files": Body(
            b"".join(
                _part(f'f{n}"; filename="x', "1", last=n == 100) for n in range(101)
            ),
            MULTIPART,
        ),
    }


def _part(name: str, content: str, *, last: bool = True) -> bytes:
    head = f'--edge\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
    return f"{head}{content}\r\n{'--edge--' if last else ''}\r\n".encode()


def giants() -> dict[str, Body]:
    """Return bodies over Django's limits, each over one of them."""
    fields = "&".join(f"text:core.n{number}=x" for number in range(1001))
    return {
        "three megabytes": Body(b"text:core.a=" + b"x" * 3_000_000),
        "a thousand and one fields": Body(fields.encode()),
    }


def as_query(values: dict[str, str]) -> str:
    """Return *values* as a query string, lone surrogates and all."""
    pairs = (
        (quote(name, errors="surrogatepass"), value) for name, value in values.items()
    )
    return "&".join(
        f"{name}={quote(value, errors='surrogatepass')}" for name, value in pairs
    )
