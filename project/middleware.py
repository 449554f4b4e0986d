"""What the demo site adds to every response."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
# Django's own pages about an error are styled from within.
SHOWN_TO_DEVELOPERS = (404, 500)


def content_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Let pages load nothing but this site's own files, and run no inline script."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not (settings.DEBUG and response.status_code in SHOWN_TO_DEVELOPERS):
            response.headers["Content-Security-Policy"] = POLICY
        return response

    return respond
