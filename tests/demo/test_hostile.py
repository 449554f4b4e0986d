"""What nobody means to send, to the pages of the demo site itself."""

from __future__ import annotations

from urllib.parse import quote_from_bytes

import pytest
from django.test import Client
from django.urls import get_resolver

from tests.hostile import FORM, VALUES, bodies
from tests.pages import Page

OWN = [
    f"/{pattern.pattern}"
    for pattern in get_resolver().url_patterns
    if "admin/" not in str(pattern.pattern)
]


def names_on(client, path):
    """Return the names of the fields that a page has, and one that it has not."""
    page = Page(client.get(path, follow=True).text or "<body></body>")
    named = [one.attributes.get("name", "") for one in page.elements]
    return sorted({*filter(None, named), "nothing"})


@pytest.mark.parametrize("path", OWN)
def test_no_request_fails(visitor, path):
    """Whatever stands in every field, and whatever a form says of itself."""
    client = Client()
    client.force_login(visitor)
    names = names_on(client, path)

    statuses = set()
    for value in VALUES.values():
        sent = "&".join(f"{name}={quote_from_bytes(value[:2000])}" for name in names)
        statuses.add(client.get(path, QUERY_STRING=sent).status_code)
        statuses.add(client.generic("POST", path, sent, FORM).status_code)
        client.force_login(visitor)
    for body in bodies().values():
        answer = client.generic("POST", path, body.data, body.content_type)
        statuses.add(answer.status_code)
        client.force_login(visitor)

    assert statuses <= {200, 302, 400, 405}
