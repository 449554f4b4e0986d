"""What autodiscovery imports: it registers the rows as a source."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from prompts_app import Fragment, register_source, services
from prompts_app.contrib.custom.models import CustomFragment
from prompts_app.exceptions import InvalidDeclaration

logger = logging.getLogger("prompts_app")


def custom_fragments() -> Iterator[tuple[str, Fragment]]:
    """
    Yield scope and fragment of each row, by one query.

    A row that was written without being validated is passed over, and logged by its
    key: it must not take every prompt down with it. A system check names it too.
    """
    for row in CustomFragment.objects.using(services.reading_from()):
        try:
            yield row.declaration()
        except InvalidDeclaration:
            logger.warning("Custom fragment %.100r is invalid and left out", row.key)


register_source(custom_fragments)
