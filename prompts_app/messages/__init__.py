"""
An assembly as the keyword arguments that the model APIs' own clients take.

`openai()` serves the Responses API and chat completions, `anthropic()` the Messages
API. Neither imports a client, and neither asks one: what they return is plain dicts,
lists and texts, fresh on every call, and what they are given stays as it was.
"""

from __future__ import annotations

from prompts_app.messages.for_anthropic import anthropic
from prompts_app.messages.for_openai import openai

__all__ = ["anthropic", "openai"]
