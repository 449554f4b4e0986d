"""Every address of the app, on every admin site, as the URL resolver knows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.contrib.admin import site as default_site
from django.contrib.admin.sites import AdminSite
from django.urls import URLPattern, get_resolver

from tests.urls import ops

OF_APP = "prompts_app"
SITES: tuple[AdminSite, ...] = (default_site, ops)


@dataclass(frozen=True)
class Address:
    """One pattern, with the view that answers there."""

    site: str
    route: str
    name: str
    view: str
    """Module and name of what is called."""

    @property
    def is_own(self) -> bool:
        """Return whether the app answers by itself, and not by a view of Django's."""
        return self.view.startswith(f"{OF_APP}.")

    @property
    def takes_forms(self) -> bool:
        """Return whether it is an address of the page and not of a row."""
        return self.is_own and not self.has_number

    @property
    def has_number(self) -> bool:
        """Return whether a row is named in it."""
        return "<path:object_id>" in self.route

    def at(self, object_id: str = "1") -> str:
        """Return the path, for one row where it takes one."""
        number = quote(object_id, safe="", errors="surrogatepass")
        path = self.route.replace("<path:object_id>", number)
        assert not re.search(r"[<>()?^$]", path), f"what is to be put into {path}?"
        return f"/{path}"

    def __str__(self) -> str:
        return self.route


def addresses() -> list[Address]:
    """Return all of them, in the order in which they are looked for."""
    found: dict[str, Address] = {}
    for route, pattern in _patterns(get_resolver().url_patterns, ""):
        site = route.partition("/")[0]
        if route.startswith(f"{site}/{OF_APP}"):
            view = pattern.lookup_str
            found.setdefault(route, Address(site, route, pattern.name or "", view))
    return list(found.values())


def _patterns(patterns: Any, before: str) -> Iterator[tuple[str, URLPattern]]:
    for one in patterns:
        route = f"{before}{_plain(str(one.pattern))}"
        if isinstance(one, URLPattern):
            yield route, one
        else:
            yield from _patterns(one.url_patterns, route)


def _plain(pattern: str) -> str:
    """Return the only regular expression of an admin site as its address for this app."""
    is_index = pattern.startswith("^(?P<app_label>") and f"|{OF_APP}" in pattern
    return f"{OF_APP}/" if is_index or f"<app_label>{OF_APP}" in pattern else pattern
