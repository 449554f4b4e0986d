"""What the test site adds to every response."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# As strict as Django's own admin pages stand.
POLICY = "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'"


def strict_content_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Forbid inline script and style, and everything from elsewhere."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response

    return respond
