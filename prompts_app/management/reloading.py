"""``prompts reload``: every process reads anew."""

from __future__ import annotations

from django.utils.translation import gettext as _

from prompts_app import services
from prompts_app.management.verbs import Options, Terminal, Verb


def run(terminal: Terminal, _options: Options) -> None:
    """Give the store a new version, which is all that it writes."""
    services.touch()
    terminal.show([_("Every process reads texts and sources anew when it next asks.")])


VERB = Verb(help="Let every process read texts and sources anew.", run=run)
