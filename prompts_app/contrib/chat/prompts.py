"""What autodiscovery imports: it registers the whole catalogue."""

from __future__ import annotations

from prompts_app import register
from prompts_app.contrib.chat.context import CONTEXT
from prompts_app.contrib.chat.core import CORE
from prompts_app.contrib.chat.groups import GROUPS
from prompts_app.contrib.chat.scenarios import SCENARIOS
from prompts_app.contrib.chat.seam import SEAM
from prompts_app.contrib.chat.tasks import TASKS
from prompts_app.contrib.chat.tools import TOOLS
from prompts_app.contrib.chat.variables import VARIABLES
from prompts_app.contrib.chat.working import WORKING

__all__ = ["FRAGMENTS", "GROUPS", "SCENARIOS", "VARIABLES"]

FRAGMENTS = (*CORE, *WORKING, *SEAM, *TOOLS, *CONTEXT, *TASKS)

register(*GROUPS, *VARIABLES, *FRAGMENTS, *SCENARIOS)
