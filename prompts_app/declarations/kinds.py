"""The closed sets of words that declarations use, and the type of a label."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeAlias

    from django_stubs_ext import StrOrPromise

    Label: TypeAlias = StrOrPromise

RESERVED_VARIABLES = ("lb", "tool_names")
"""Variables of the registry's own, which nobody else may declare."""


class Lifetime(IntEnum):
    """How long a value keeps the same bytes, most stable first."""

    FIXED = 0
    """As long as the installation's configuration."""
    CONVERSATION = 1
    """As long as one conversation."""
    TURN = 2
    """From one message of the person to the next."""
    CALL = 3
    """For one request to the model."""


class Level(StrEnum):
    """How much coaching a prompt holds."""

    LEAN = "lean"
    """Facts only."""
    DETAILED = "detailed"
    """Facts and coaching; also what every unknown level counts as."""
