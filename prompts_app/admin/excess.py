"""Forms larger than Django takes, explained where else a bare error would stand."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.http import HttpRequest
from django.utils.translation import gettext as _

from prompts_app.wording import number


def excess_of(request: HttpRequest) -> str:
    """Return in words which limit of Django's a form exceeds; ``""``: none."""
    try:
        request.POST.keys()
    except RequestDataTooBig:
        return _(
            "More was sent than this server takes at once: at most %(number)s bytes"
            " (DATA_UPLOAD_MAX_MEMORY_SIZE). Nothing was saved."
        ) % {"number": number(settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0)}
    except TooManyFieldsSent:
        return _(
            "More was sent than this server takes at once: at most %(number)s fields"
            " (DATA_UPLOAD_MAX_NUMBER_FIELDS). Nothing was saved."
        ) % {"number": number(settings.DATA_UPLOAD_MAX_NUMBER_FIELDS or 0)}
    return ""
