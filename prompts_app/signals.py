"""What this app announces."""

from __future__ import annotations

from django.dispatch import Signal

# Arguments: registry. Sent once after every change; a receiver that raises takes
# the change back.
registry_changed = Signal()

# Arguments: revision (its number), kind, keys (pairs of scope and key), using.
# Sent when the save is committed; a receiver that raises is logged and harms nobody.
overrides_saved = Signal()
